"""Compiled functions of systems with contacts: state equation, indicators and projection by mode.

All take q, v, u, t, p, where ``u`` holds sampled inputs first, then the modes of contact points.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.contact.contact_points import MODE
from jourdain.equations.mechanism import CORRECTIONS, Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.equations.tracing.kinks import Kinks, has_kinks
from jourdain.model.parts.part import have_quick_power
from jourdain.system.contact.switching import MOST
from jourdain.system.held_inputs import Places
from jourdain.system.looped.state_loops import with_modes
from jourdain.system.mechanism import drive_columns, kernel, quantity_kernel
from jourdain.system.state import force_expressions, state_symbols
from jourdain.system.system import System
from jourdain.system.user_functions import traced_function

INSTANT = (  # what decides about contacts at an instant
    Mechanism.gaps,
    Mechanism.contact_rates,
    Mechanism.contact_bias,
    Mechanism.capacities,
    Mechanism.contact_jacobian,
    Mechanism.contact_response_jacobian,
    Mechanism.vdot,
)


@dataclass(frozen=True)
class Watched:
    """What a phase between events is integrated with.

    Parameters
    ----------
    n, n_found : int
        Kinks of laws, drives and inputs that are watched, and that there are.
    rates, events : Kernel
        State equation; indicators, events of the user, and functions that are positive inside of
        modes.
    tangent : function giving a Kernel
        Derivative of the state equation.
    modes : Kernel or None
        Modes beyond the nearest border, and those that are right now.
    """

    n: int
    n_found: int
    rates: Kernel
    events: Kernel
    tangent: Callable[[], Kernel]
    modes: Kernel | None


def _tangent(x: dict[str, Any], zdot: Any, vdot: Any) -> Kernel:
    """Derivative of the rates of the state along (q_dot, v_dot)."""
    along = {f"{n}_dot": ca.SX.sym(f"{n}_dot", x[n].numel()) for n in ("q", "v")}
    y, y_dot = ca.vertcat(x["q"], x["v"]), ca.vertcat(*along.values())
    outputs = {f"{n}dot_dot": ca.jtimes(e, y, y_dot) for n, e in (("q", zdot), ("v", vdot))}
    sizes = [(name, symbol.numel()) for name, symbol in (x | along).items()]
    shapes = [(name, (e.numel(),)) for name, e in outputs.items()]
    return Kernel(partial(unrolled_core, x | along, outputs), 1, sizes, shapes)


class ContactKernels:
    """Kernels of one system with given inputs and events.

    Parameters
    ----------
    system : System
        The compiled machine.
    inputs : mapping
        Inputs by name.
    held : mapping of str to int
        Places of sampled inputs in ``u``.
    events : mapping of str to function
        Functions of the user that are looked at for passages through zero.
    """

    def __init__(
        self,
        system: System,
        inputs: Mapping[str, Any],
        held: Places,
        events: Mapping[str, Any],
    ) -> None:
        self._system, self._events, self._given = system, events, (inputs, held)
        self.integrates_laws = have_quick_power(system.model.parts)
        self.n_held, self.n_contacts = len(held), len(system.description.parts.contact_names)
        self._x = x = state_symbols(system, self.n_held + MODE * self.n_contacts)
        self._tau, self._extra = force_expressions(system, x, inputs, held)

    def _found(self, *quantities: MechanismQuantity, with_modes: bool) -> list[Any]:
        """Expressions of the mechanism, with contacts as the modes say, or all open."""
        given = {k: self._x[k] for k in ("q", "v", "t", "p")}
        given |= {"tau": self._tau, "extra": self._extra}
        if with_modes:
            given["mode"] = self._x["u"][self.n_held :, :]
        return self._system.expressions(*quantities, **given)

    def _rates(self, with_modes: bool) -> Kernel:
        zdot, vdot = self._found(Mechanism.zdot, Mechanism.vdot, with_modes=with_modes)
        sizes = [(name, symbol.numel()) for name, symbol in self._x.items()]
        shapes = [("qdot", (zdot.numel(),)), ("vdot", (vdot.numel(),))]
        outputs = {"qdot": zdot, "vdot": vdot}
        return Kernel(partial(unrolled_core, self._x, outputs), 1, sizes, shapes)

    @cached_property
    def rates(self) -> Kernel:
        """State equation in given modes."""
        return self._rates(with_modes=True)

    @cached_property
    def watched(self) -> Watched:
        """State equation and indicators by modes of kinks, which lie in ``u`` behind the others."""
        plain = Watched(0, 0, self.rates, self.indicators, lambda: self.tangent, None)
        system, (inputs, held), kinks = self._system, self._given, Kinks()
        tau, extra = force_expressions(system, self._x, inputs, held, kinks)
        answers = system.mode_graph[1].answers.values()
        drives = drive_columns(system.description, self._x, None)
        if not (kinks.found or has_kinks(drives) or any(a.has_kinks for a in answers)):
            return plain
        given = {k: self._x[k] for k in ("q", "v", "t", "p")} | {"tau": tau, "extra": extra}
        return self._kinked(plain, kinks, given)

    def _kinked(self, plain: Watched, kinks: Kinks, given: dict[str, Any]) -> Watched:
        """State equation and indicators with modes of kinks, given state and forces of inputs."""
        given = given | {"mode": self._x["u"][self.n_held :, :]}
        asked = Mechanism.zdot, Mechanism.vdot, Mechanism.indicators
        zdot, vdot, indicators = self._system.expressions(*asked, kinks=kinks, **given)
        n = len(kinks.found)
        if not 0 < n <= MOST:
            return dataclasses.replace(plain, n_found=n)
        x = with_modes(self._x, kinks)
        values = ca.vertcat(indicators, *self._user_events(x), kinks.column("inside"))
        modes = {name: kinks.column(name) for name in ("beyond", "now")}
        rates = kernel(x, {"qdot": zdot, "vdot": vdot})
        tangent = cache(partial(_tangent, x, zdot, vdot))
        return Watched(n, n, rates, kernel(x, {"values": values}), tangent, kernel(x, modes))

    def _user_events(self, x: dict[str, Any]) -> list[Any]:
        """Functions of the user's events."""
        return [
            traced_function(self._system, x, f, f"event {name!r}")
            for name, f in self._events.items()
        ]

    @cached_property
    def open_rates(self) -> Kernel:
        """State equation with all contacts open."""
        return self._rates(with_modes=False)

    @cached_property
    def tangent(self) -> Kernel:
        """Derivative of the state equation in given modes along (q_dot, v_dot)."""
        return _tangent(self._x, *self._found(Mechanism.zdot, Mechanism.vdot, with_modes=True))

    @cached_property
    def indicators(self) -> Kernel:
        """Indicators of the modes, then the functions of the user's events."""
        (indicators,) = self._found(Mechanism.indicators, with_modes=True)
        return kernel(self._x, {"values": ca.vertcat(indicators, *self._user_events(self._x))})

    @cached_property
    def contact_forces(self) -> Kernel:
        """Three forces of each contact point in given modes; powers along rows, and of drives.

        Then that of laws and inputs, where it is to be integrated.
        """
        asked = [Mechanism.contact_forces, Mechanism.contact_powers]
        asked += [Mechanism.lasting_power] * self.integrates_laws
        forces, *powers = self._found(*asked, with_modes=True)
        return kernel(self._x, {"forces": forces, "powers": ca.vertcat(*powers)})

    @cached_property
    def inputs(self) -> Kernel:
        """Generalized forces of the inputs, and what else they give."""
        return kernel(self._x, {"tau": self._tau, "extra": self._extra})

    @cached_property
    def projection(self) -> Kernel:
        """Corrections that take errors away, of constraints and of what the modes hold."""
        found = self._found(*CORRECTIONS, with_modes=True)
        return quantity_kernel(self._x, CORRECTIONS, found)

    @cached_property
    def rows(self) -> Kernel:
        """Gaps, rates, bias, capacities, rows, their response, accelerations without contacts."""
        return quantity_kernel(self._x, INSTANT, self._found(*INSTANT, with_modes=False))

    @cached_property
    def felt_capacities(self) -> Kernel | None:
        """Capacities, sliding and static, at given forces of contact points; None if none asks."""
        forces = ca.SX.sym("forces", 3 * self.n_contacts)
        extra = ca.vertcat(self._extra[: self._extra.numel() - forces.numel(), :], forces)
        given = {k: self._x[k] for k in ("q", "v", "t", "p")} | {"tau": self._tau, "extra": extra}
        asked = Mechanism.capacities, Mechanism.static_capacities
        found = self._system.expressions(*asked, **given)
        if not any(ca.depends_on(x, forces) for x in found):
            return None
        return quantity_kernel(self._x | {"forces": forces}, asked, found)

    @cached_property
    def static_capacities(self) -> Kernel:
        """Coefficients of friction, or capacities, of what sticks."""
        asked = (Mechanism.static_capacities,)
        return quantity_kernel(self._x, asked, self._found(*asked, with_modes=False))

    @cached_property
    def is_moved(self) -> bool:
        """Whether velocities of the rows depend on time, as with drives."""
        (rates,) = self._found(Mechanism.contact_rates, with_modes=False)
        return bool(ca.depends_on(rates, self._x["t"]))

    @cached_property
    def has_drift(self) -> bool:
        """Whether drives or time give the rows velocities of their own."""
        (drift,) = self._found(Mechanism.contact_drift, with_modes=False)
        return not drift.is_zero()

    @cached_property
    def parameters(self) -> Kernel:
        """Contact parameters that fit the poses, from those of the state."""
        (found,) = self._found(Mechanism.contact_parameters, with_modes=False)
        return kernel(self._x, {"parameters": found})
