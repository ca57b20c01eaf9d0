"""Members of a composite connection on symbols of their own: forces along internal coordinates.

With γ the internal coordinates, x_k the measures of the parts and F_k their forces, virtual power
along γ gives the equilibrium of the massless nodes,

    f + Aᵀ μ = 0,   f = Σ (∂ẋ_k/∂γ̇)ᵀ F_k  over laws                            (CN-7)
    g(γ, …) = 0,    A = ∂g/∂γ              over held members, with forces μ        (CN-8)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import casadi as ca

from jourdain.equations.connections.answer import Answer, TracedLaw
from jourdain.equations.connections.law_view import Known
from jourdain.equations.connections.scene import Actual, BodySymbols, Quantity, Scene, trace_measure
from jourdain.equations.constraints.held import hold
from jourdain.equations.tracing.open_function import open_function
from jourdain.errors import ModelError
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws import Equal, ForceLaw


class Inner:
    """Members of one composite, as expressions of symbols of their own.

    Parameters
    ----------
    names : sequence of str
        Internal coordinates.
    parts : sequence of Connection
        The parts.
    values : mapping
        Symbols of the parameters; they stay.
    known : Known
        What laws may ask for outside; symbols of forces stay too.
    """

    def __init__(
        self,
        names: Sequence[str],
        parts: Sequence[Connection],
        values: Mapping[str, Any],
        known: Known,
    ) -> None:
        self.names, self.parts = list(names), list(parts)
        self.n = len(self.names)
        self.gamma, self.gamma_dot = (ca.SX.sym(word, self.n) for word in ("gamma", "gamma_dot"))
        self.t = ca.SX.sym("t")
        laws = [c.law for c in parts if isinstance(c.law, ForceLaw)]
        self.s = ca.SX.sym("s", sum(len(law.states) for law in laws))
        self.w = ca.SX.sym("w", sum(len(law.inputs) for law in laws))
        self.bodies: dict[str, BodySymbols] = {}
        self.coordinates: dict[str, tuple[Any, Any, Any]] = {}
        self.foreign: dict[tuple[str, str], Any] = {}  # states and inputs of elements outside
        self.known = replace(known, coordinates=[*known.coordinates, *self.names])
        self.answers = {c.name: self._answer(c, values) for c in self.parts}
        self._require_separate()

    def _answer(self, c: Connection, values: Any) -> Answer:
        where = f"connection {c.name!r}"
        traced = trace_measure(with_values(c.measure, values), self.known.coordinates, where)
        self._note(traced.scene)
        quantity = traced.at(self._inside)
        if isinstance(c.law, Equal):
            held = hold(quantity, c.law, values, self.t, where)
            if held.value is None:
                raise ModelError(
                    f"{where}: a member of a composite holds {c.measure}, which has only a rate. "
                    "Hold positions inside a composite, or make it a connection of its own."
                )
            return Answer(held, ca.SX.zeros(c.measure.size), ca.SX(0), ca.SX(0), [])
        law = TracedLaw(c, self.known, values, has_value=quantity.value is not None)
        self._note(law.view)
        for table, name in law.view.numbers:
            if name not in self._own[table]:
                self.foreign.setdefault((table, name), ca.SX.sym(name))
        return law.answer(quantity, self._inside)

    def _require_separate(self) -> None:
        """Refuse laws that ask for forces of the same composite, which are found together."""
        for name, a in self.answers.items():
            every = ca.veccat(ca.SX(0, 1), a.force, *a.state_rates)
            for other in self.answers:
                asked = self.known.asked_forces.get(other)
                if asked is not None and ca.depends_on(every, asked):
                    raise ModelError(
                        f"connection {name!r}: its law asks for the force of {other!r}, a member "
                        "of the same composite. Write both as one law, or make one of them a "
                        "connection of its own."
                    )

    def _note(self, scene: Scene) -> None:
        """Make symbols of the bodies and coordinates outside that are looked at."""
        for name in scene.moving:
            self.bodies.setdefault(name, BodySymbols.of(name))
        for name in scene.coordinates:
            if name not in self.names:
                own = tuple(ca.SX.sym(name) for _ in range(3))
                self.coordinates.setdefault(name, own)

    @property
    def _inside(self) -> Actual:
        """The symbols by the names of what they stand for."""
        inner = zip(ca.vertsplit(self.gamma), ca.vertsplit(self.gamma_dot), strict=True)
        moving = {n: (x, rate, ca.SX(0)) for n, (x, rate) in zip(self.names, inner, strict=True)}
        bodies = {name: tuple(vars(b).values()) for name, b in self.bodies.items()}
        tables = {
            table: self._own[table] | {n: x for (t, n), x in self.foreign.items() if t == table}
            for table in ("states", "inputs")
        }
        return Actual(bodies, self.coordinates | moving, self.t, **tables)

    @cached_property
    def _own(self) -> dict[str, dict[str, Any]]:
        """States and inputs of the laws of the members by their full names."""
        found: dict[str, dict[str, Any]] = {}
        for table, column in (("states", self.s), ("inputs", self.w)):
            names = [f"{c.name}.{n}" for c in self.parts for n in getattr(c.law, table, {})]
            found[table] = dict(zip(names, ca.vertsplit(column), strict=True)) if names else {}
        return found

    @property
    def symbols(self) -> list[Any]:
        """Symbols of what the members look at outside."""
        bodies = [part for b in self.bodies.values() for part in vars(b).values()]
        coordinates = [part for c in self.coordinates.values() for part in c]
        return [*bodies, *coordinates, *self.foreign.values(), self.t, self.s, self.w]

    def arguments(self, actual: Actual, s: Any, w: Any) -> list[Any]:
        """What belongs in the place of these symbols."""
        bodies = [part for name in self.bodies for part in actual.bodies[name]]
        coordinates = [part for name in self.coordinates for part in actual.coordinates[name]]
        foreign = [getattr(actual, table)[name] for table, name in self.foreign]
        return [*bodies, *coordinates, *foreign, actual.t, s, w]

    def along(self, quantity: Quantity) -> Any:
        """Derivatives of the rate of a measure by the internal rates (size, n)."""
        n = quantity.rate.numel()
        none = ca.SX(n, 1)
        return ca.horzcat(*(quantity.coordinates.get(name, none) for name in self.names))

    @property
    def held(self) -> list[Answer]:
        """Answers of the held members."""
        held = {c.name for c in self.parts if isinstance(c.law, Equal)}
        return [a for name, a in self.answers.items() if name in held]

    @cached_property
    def f(self) -> Any:
        """Force of all laws along the internal coordinates (n)."""
        laws = {c.name for c in self.parts if not isinstance(c.law, Equal)}
        own = [a for name, a in self.answers.items() if name in laws]
        return sum((self.along(a.quantity).T @ a.force for a in own), ca.SX.zeros(self.n))

    @cached_property
    def g(self) -> Any:
        """Errors of all held members (m)."""
        return ca.vertcat(*(a.quantity.value for a in self.held)) if self.held else ca.SX(0, 1)

    @cached_property
    def g_rate(self) -> Any:
        """Rates of these errors."""
        return ca.vertcat(*(a.quantity.rate for a in self.held)) if self.held else ca.SX(0, 1)

    @cached_property
    def A(self) -> Any:  # noqa: N802
        """Derivatives of the errors by the internal coordinates (m, n)."""
        return ca.vertcat(*(self.along(a.quantity) for a in self.held), ca.SX(0, self.n))

    @property
    def has_inputs(self) -> bool:
        """Whether laws have inputs, or ask for those of others."""
        return bool(self.w.numel()) or any(table == "inputs" for table, _ in self.foreign)

    @cached_property
    def state_rates(self) -> Any:
        """Rates of the states of all laws."""
        rates = [rate for a in self.answers.values() for rate in a.state_rates]
        return ca.vertcat(*rates) if rates else ca.SX(0, 1)

    def time_derivative(self, expression: Any) -> Any:
        """Rate of an expression of γ, positions, states and time along the motion."""
        places = [ca.vertcat(ca.vec(b.R), b.p) for b in self.bodies.values()]
        rates = [b.position_rate for b in self.bodies.values()]
        places += [c[0] for c in self.coordinates.values()]
        rates += [c[1] for c in self.coordinates.values()]
        foreign = {n: x for (table, n), x in self.foreign.items() if table == "states"}
        places += foreign.values()
        rates += [self.known.state_rates[n] for n in foreign]
        base = ca.vertcat(self.gamma, *places, self.t, self.s)
        return ca.jtimes(expression, base, ca.vertcat(self.gamma_dot, *rates, 1, self.state_rates))

    def function(self, name: str, more: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """Function of ``more`` symbols, then of all symbols of what is outside."""
        return open_function(name, [*more, *self.symbols], outputs)

    def answered(self, gamma: Any, gamma_dot: Any, arguments: Sequence[Any]) -> dict[str, Answer]:
        """Answers of all members with expressions in the place of all symbols."""
        found = {}
        for name, a in self.answers.items():
            f = self.function("part", [self.gamma, self.gamma_dot], a.parts)
            put = f(gamma, gamma_dot, *arguments)
            q = a.with_parts(list(put))
            outside = {k: J for k, J in q.quantity.coordinates.items() if k not in self.names}
            quantity = replace(q.quantity, coordinates=outside)
            found[name] = replace(q, quantity=quantity)
        return found
