"""State equations of large systems: loops over the links, forces in straight-line code between."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.equations.constraints.constrained import asks
from jourdain.equations.recursion import articulated_body, composite_body, kinematics
from jourdain.equations.tracing.kinks import Kinks
from jourdain.errors import UnknownNameError
from jourdain.system.description import Description
from jourdain.system.execution import LoopedFunction
from jourdain.system.looped.constraints import state_kernel as constrained_kernel
from jourdain.system.looped.state_equation import Stage, chained, loop_stage, straight_stage
from jourdain.system.mechanism import connected

if TYPE_CHECKING:
    from jourdain.system.system import System

STATE = dataclasses.replace(articulated_body.STATE, small=composite_body.state)


def with_modes(x: dict[str, Any], kinks: Kinks | None) -> dict[str, Any]:
    """Symbols of a state with those of the modes behind the held inputs."""
    return x if kinks is None else x | {"u": ca.vertcat(x["u"], kinks.modes)}


def looped_kernel(
    d: Description,
    x: dict[str, Any],
    tau: Any,
    extra: Any,
    along: dict[str, Any],
    kinks: Kinks | None = None,
    *,
    lanes: int = 1,
) -> Kernel:
    """State equation in loops, or its derivative along rates of q and v if these are given."""
    is_tangent = bool(along)
    wanted, symbols = traced_forces(d, x, tau, extra, kinks)
    x = with_modes(x, kinks)
    is_loaded, sees_bodies = "wrench" in wanted, bool(symbols)
    recursion = articulated_body.STATE_LOADED if is_loaded else STATE
    stages = []
    if sees_bodies:
        stages.append(loop_stage(LoopedFunction(kinematics.MOTION, d, 1), "m"))
    n_q = len(d.names.q)
    if not is_tangent:
        stages.append(straight_stage(x | symbols, wanted, d.groups))
        stages.append(loop_stage(LoopedFunction(recursion, d, 1), "d"))
        places = {"state_rates": ("qdot", d.n_q)} if "state_rates" in wanted else {}
        outputs = [("qdot", n_q), ("vdot", d.n_v)]
        return chained(x, outputs, with_blocks(stages, symbols), places, d.nominal, lanes)
    if sees_bodies:
        stages.append(loop_stage(LoopedFunction(kinematics.MOTION, d, 1, is_tangent=True), "r"))
    rates = {f"{n}_dot": ca.SX.sym(f"{n}_dot", e.numel()) for n, e in symbols.items()}
    base = ca.vertcat(x["q"], x["v"], *symbols.values())
    rate = ca.vertcat(*along.values(), *rates.values())
    wanted |= {f"{n}_dot": ca.jtimes(e, base, rate) for n, e in wanted.items()}
    stages.append(straight_stage(x | along | symbols | rates, wanted, d.groups))
    stages.append(loop_stage(LoopedFunction(recursion, d, 1, is_tangent=True), "d"))
    is_stateful = "state_rates" in wanted
    places = {"state_rates_dot": ("qdot_dot", d.n_q)} if is_stateful else {}
    outputs = [("qdot_dot", n_q), ("vdot_dot", d.n_v)]
    blocks = with_blocks(stages, symbols | rates)
    return chained(x | along, outputs, blocks, places, d.nominal, lanes)


def traced_forces(
    d: Description, x: dict[str, Any], tau: Any, extra: Any, kinks: Kinks | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Forces of inputs and connections, and the symbols of the motion of bodies they look at."""
    given = x | {"kinks": kinks, "pose": ca.SX.sym("pose", 16 * d.layout.n_bodies)}
    given |= {"twist": ca.SX.sym("twist", 6 * d.layout.n_bodies)}
    forces = {"tau": tau}
    if d.parts.connections:
        graph = connected(d, given | {"tau": tau, "extra": extra})
        wrench, more = graph.applied
        forces = {"tau": tau + more, "wrench": wrench, "state_rates": graph.state_rates}
        if asks(ca.vertcat(*forces.values()), list(graph.multiplier_symbols.values())):
            raise _AsksMultipliersError
    column = ca.vertcat(*forces.values())
    sees_bodies = any(ca.depends_on(column, given[n]) for n in ("pose", "twist"))
    wanted = {n: e for n, e in forces.items() if n != "wrench" or not e.is_zero()}
    return wanted, {n: given[n] for n in ("pose", "twist")} if sees_bodies else {}


class _AsksMultipliersError(Exception):
    """A law asks for the force of a constraint, which is not known before the motion."""


def traced_or_none(
    system: System, x: dict[str, Any], tau: Any, extra: Any, kinks: Kinks | None
) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Forces as of `traced_forces` for loops over constraints; None where that cannot be."""
    try:
        return traced_forces(system.description, x, tau, extra, kinks)
    except (_AsksMultipliersError, UnknownNameError):  # or for a coordinate of a cut joint
        return None


def constrained_state_kernel(
    system: System, x: dict[str, Any], tau: Any, extra: Any, kinks: Kinks | None
) -> Kernel | None:
    """State equation of a system with constraints in loops; None where that cannot be."""
    d, found = system.description, traced_or_none(system, x, tau, extra, kinks)
    if found is None:
        return None
    forces, symbols = found
    x = with_modes(x, kinks)
    stages = []
    if symbols:
        motion = loop_stage(LoopedFunction(kinematics.MOTION, d, 1), "m")
        stages = with_blocks([motion], symbols)
    used = {n: e for n, e in forces.items() if not e.is_zero()}
    if used:
        stages.append(straight_stage(x | symbols, used, d.groups))
    places = {"state_rates": ("qdot", len(d.names.q) - len(d.parts.states))}
    try:
        return constrained_kernel(
            d, x, stages, tuple(used), places if "state_rates" in used else {}
        )
    except UnknownNameError:  # a measure looks at a coordinate of a cut joint
        return None


def with_blocks(stages: list[Stage], symbols: Mapping[str, Any]) -> list[Stage]:
    """Stages with memory for what the first ones give to the others."""
    blocks = {name: int(symbol.numel()) for name, symbol in symbols.items()}
    first = stages[0]
    return [dataclasses.replace(first, blocks=dict(first.blocks) | blocks), *stages[1:]]
