"""Compiled functions of a time step, and the patterns of what they give (see `solvers.timestep`).

All take q, v, u, t, p and ``asked``: the multipliers of held measures and the forces of contacts
that laws may ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.equations.contact.step_terms import SparseEntries, StepTerms
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.model.laws.law import call
from jourdain.spatial.parameter import evaluate
from jourdain.system.contact.step_tangent import StepTangent, slopes
from jourdain.system.held_inputs import Places
from jourdain.system.mechanism import kernel
from jourdain.system.state import force_expressions, kept, state_symbols
from jourdain.system.system import System

_SEED = 1  # of the numbers at which a tangent is tried


class StepKernels:
    """Compiled functions of the steps of one system with given inputs.

    Parameters
    ----------
    system : System
        The compiled machine.
    inputs : mapping
        Inputs by name.
    held : mapping of str to int
        Places of sampled inputs in ``u``.
    """

    def __init__(self, system: System, inputs: Mapping[str, Any], held: Places) -> None:
        self.system, self.n_u, self.input_names = system, len(held), tuple(inputs)
        names, followed = system.names.q, system.description.parts.followed
        measures: dict[str, Any] = {c.name: c.measure for c in followed}
        self.parameter_places = [
            names.index(f"{name}.{own}") for name, x in measures.items() for own in x.parameters
        ]
        symbols, self.graph = system.graph
        self.terms = StepTerms(self.graph)
        n_contacts = 3 * len(self.graph.contact_points)
        self._x = state_symbols(system, len(held))
        self._x["asked"] = ca.SX.sym("asked", self.terms.multipliers.numel() + n_contacts)
        tau, extra = force_expressions(system, self._x, inputs, held)
        n, n_held = extra.numel(), self.terms.multipliers.numel()
        extra[n - n_contacts :, :] = self._x["asked"][n_held:, :]
        given = {k: self._x[k] for k in ("q", "v", "t", "p")} | {"tau": tau, "extra": extra}
        self._symbols = [*symbols.values(), self.terms.multipliers]
        zeros = {k: ca.SX.zeros(x.numel()) for k, x in symbols.items()}
        self._values = [*(zeros | given).values(), self._x["asked"][:n_held, :]]

    def _found(self, *expressions: Any) -> list[Any]:
        """Expressions of the graph on the symbols of a step."""
        f = ca.Function("terms", self._symbols, [ca.SX(e) for e in expressions])
        return list(f.call(self._values))

    def _entries(self, entries: SparseEntries) -> SparseEntries:
        return SparseEntries(entries.places, self._found(entries.values)[0])

    @cached_property
    def mass(self) -> SparseEntries:
        """Lower triangle of the mass matrix."""
        return self._entries(self.terms.mass)

    @cached_property
    def constraint_rows(self) -> SparseEntries:
        """Rows of constraints."""
        return self._entries(self.terms.constraint_rows)

    @cached_property
    def contact_rows(self) -> SparseEntries:
        """Rows of contacts and dry friction."""
        return self._entries(self.terms.contact_rows)

    @cached_property
    def force(self) -> Any:
        """Forces besides those of constraints and contacts."""
        return self._found(self.terms.force)[0]

    @cached_property
    def zdot(self) -> Any:
        """Rates of all positions."""
        g = self.graph
        return self._found(
            ca.vertcat(g.tree_rates, *(c.rates for c in g.cut_joints), g.state_rates)
        )[0]

    @cached_property
    def _rows(self) -> dict[str, Any]:
        """Gaps, velocities and biases of contacts, capacities, sliding and static."""
        g = self.graph
        names = "gaps", "u", "bias", "capacity", "static"
        amounts = [_of_both_tangents(x.capacity for x in g.contact_points)]
        amounts += [_of_both_tangents(x.holds for x in g.contact_points)]
        found = self._found(g.gaps, g.contact_rates, g.contact_bias, *amounts)
        return dict(zip(names, found, strict=True))

    @cached_property
    def constraints(self) -> dict[str, Any]:
        """Errors, velocities and biases of constraint rows."""
        g = self.graph
        names = "error", "rate", "bias"
        found = self._found(g.row_errors, g.velocity_errors, g.row_biases)
        return dict(zip(names, found, strict=True))

    @cached_property
    def tangent(self) -> StepTangent:
        """Stiffness and damping of laws and inputs."""
        return StepTangent(self._x, self._found(self.terms.law_force)[0], self.zdot)

    @cached_property
    def is_constant(self) -> bool:
        """Whether the matrix of the step depends on parameters alone."""
        entries = ca.vertcat(self.mass.values, self.constraint_rows.values)
        return not _depends(entries, self._moving) and not self.tangent.varies(self._moving)

    @property
    def _moving(self) -> Any:
        return ca.vertcat(*(self._x[k] for k in ("q", "v", "u", "t", "asked")))

    @cached_property
    def is_linear(self) -> bool:
        """Whether the tangent tells all of the forces: linear, symmetric, without inner states."""
        x, force = self._x, self.force
        if not self.is_constant or self.feels_forces or _depends(force, x["asked"]):
            return False
        if self.system.description.parts.states:
            return False
        y = ca.vertcat(x["q"], x["v"])
        if any(ca.which_depends(force, y, 2, False)):
            return False
        K, C = slopes(x, force, self.zdot)
        f = ca.Function("asymmetry", [x["p"]], [K - K.T, C - C.T], {"allow_free": True})
        if f.has_free():
            return False
        p = np.random.default_rng(_SEED).uniform(0.5, 1.5, x["p"].numel())
        return all(float(abs(np.array(A)).max(initial=0.0)) == 0.0 for A in f.call([p]))

    @cached_property
    def is_timed(self) -> bool:
        """Whether forces depend on time by themselves."""
        return _depends(self.force, self._x["t"])

    @cached_property
    def is_straight(self) -> bool:
        """Whether the rows of contacts and constraints neither turn nor move by themselves."""
        return bool(
            ca.vertcat(self._rows["bias"], self.constraints["bias"]).is_zero()
        ) and not _depends(self.contact_rows.values, self._moving)

    @cached_property
    def patterns(self) -> dict[Any, Any]:
        """What steps need and is made once: patterns of matrices, motion of bodies."""
        return {}

    @cached_property
    def motion(self) -> Kernel:
        """Rates of positions."""
        return self._kernel(zdot=self.zdot)

    @cached_property
    def _own_states(self) -> list[int]:
        """Places of the states of laws among q; those of contacts and composites are no part."""
        parts, first = self.system.description.parts, len(self.system.names.q)
        first -= len(parts.states)
        own = (range(at.start, at.stop) for at, _ in parts.state_places.values())
        return [first + k for places in own for k in places]

    @cached_property
    def state_coupling(self) -> tuple[list[int], list[tuple[int, int]], Any]:
        """Places of states of laws, and entries ∂ż/∂z of their rates by them: places, values."""
        own, q = self._own_states, self._x["q"]
        z, moved = ca.SX.sym("z", len(own)), ca.SX(q)
        moved[own] = z
        rates = ca.substitute(self.zdot[own], q, moved) if own else ca.SX(0, 1)
        J = ca.substitute(ca.jacobian(rates, z), z, q[own]) if own else ca.SX(0, 0)
        rows, columns = J.sparsity().get_triplet()
        return own, list(zip(rows, columns, strict=True)), ca.vertcat(ca.SX(0, 1), *J.nonzeros())

    @cached_property
    def by_state(self) -> Kernel:
        """Derivative of the rates of states of laws by these states."""
        return self._kernel(by_state=self.state_coupling[2])

    @cached_property
    def all_terms(self) -> Kernel:
        """Terms in the middle of a step."""
        rows, constraints = self._rows, self.constraints
        return self._kernel(
            mass=self.mass.values, force=self.force, P=self.constraint_rows.values,
            rho=self._found(self.terms.weights)[0], c_rate=constraints["rate"],
            c_bias=constraints["bias"], gaps=rows["gaps"],
            rates=rows["u"], bias=rows["bias"], capacity=rows["capacity"], static=rows["static"],
            W=self.contact_rows.values,
        )  # fmt: skip

    @cached_property
    def forces(self) -> Kernel:
        """Forces, and capacities where they ask for forces."""
        rows = self._rows
        return self._kernel(new_force=self.force, capacity=rows["capacity"], static=rows["static"])

    @cached_property
    def end_forces(self) -> Kernel:
        """Forces, and masses where they vary."""
        return self._kernel(new_force=self.force, new_mass=self.mass.values)

    @cached_property
    def capacities(self) -> Kernel:
        """Capacities alone."""
        return self._kernel(capacity=self._rows["capacity"], static=self._rows["static"])

    @cached_property
    def feels_forces(self) -> bool:
        """Whether capacities depend on multipliers or forces of contacts."""
        return self._limits_depend_on("asked")

    @cached_property
    def feels_speed(self) -> bool:
        """Whether capacities depend on velocities."""
        return self._limits_depend_on("v")

    def _limits_depend_on(self, name: str) -> bool:
        both = ca.vertcat(self._rows["capacity"], self._rows["static"])
        return _depends(both, self._x[name])

    @cached_property
    def mass_varies(self) -> bool:
        """Whether masses depend on more than parameters."""
        return _depends(self.mass.values, self._moving)

    @cached_property
    def rows(self) -> Kernel:
        """Gaps and velocities of contacts, errors and velocities of constraints."""
        rows, constraints = self._rows, self.constraints
        return self._kernel(
            end_gaps=rows["gaps"], end_u=rows["u"], c_error=constraints["error"],
            end_c_rate=constraints["rate"],
        )  # fmt: skip

    @cached_property
    def tangents(self) -> Kernel:
        """Entries of K and C."""
        return self.tangent.kernel

    @cached_property
    def shift(self) -> Kernel:
        """Change of positions for a displacement in the place of v."""
        return self._kernel(dq=self._found(self.terms.shift)[0])

    @cached_property
    def restitution(self) -> Kernel:
        """Restitution of every contact point at its speed of approach."""
        speeds, p = ca.SX.sym("speeds", len(self.graph.contact_points)), self._x["p"]
        names = self.system.names.parameters
        values = dict(zip(names, ca.vertsplit(p), strict=True)) if names else {}
        found = []
        for k, x in enumerate(self.graph.contact_points):
            e = x.connection.law.restitution
            with on_symbols(f"connection {x.connection.name!r}: its restitution"):
                found.append(ca.SX(call(e, speeds[k]) if callable(e) else evaluate(e, values)))
        return kernel({"speeds": speeds, "p": p}, {"e": ca.vertcat(ca.SX(0, 1), *found)})

    @cached_property
    def parameters(self) -> Kernel:
        """Contact parameters of surfaces that fit the poses."""
        return self._kernel(parameters=self._found(self.graph.contact_parameters)[0])

    def _kernel(self, **outputs: Any) -> Kernel:
        return kernel(self._x, outputs)


def _of_both_tangents(amounts: Iterable[Any]) -> Any:
    """Two numbers for each contact point."""
    both = [x if x.numel() == 2 else ca.repmat(x, 2, 1) for x in amounts]
    return ca.vertcat(ca.SX(0, 1), *both)


def _depends(expression: Any, on: Any) -> bool:
    return bool(on.numel() and expression.numel() and ca.depends_on(ca.SX(expression), on))


def step_kernels(system: System, inputs: Mapping[str, Any], held: Places) -> StepKernels:
    """Compiled functions of steps; those of an earlier run with equal inputs are used again."""
    found: StepKernels = kept(system, "steps", inputs, held, StepKernels)
    return found
