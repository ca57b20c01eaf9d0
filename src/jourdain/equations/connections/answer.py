"""A connection as expressions: what its law answers to its measure.

F = law(x, ẋ, s, w, t)                                                  (CN-4)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.connections.law_view import Known, LawView
from jourdain.equations.connections.scene import Actual, Quantity
from jourdain.equations.tracing.kinks import Kink, Kinks, frozen, has_kinks
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.equations.tracing.open_function import open_function
from jourdain.errors import ModelError
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.spatial.parameter import evaluate


@dataclass(frozen=True)
class Answer:
    """A connection as expressions: measure, force, stored energy, rates of its states.

    Parameters
    ----------
    quantity : Quantity
        The measure, less the value it is held at.
    force : casadi.SX
        Force; of a held measure a function of multipliers.
    energy, energy_rate : casadi.SX
        Stored energy and its rate.
    state_rates : list of casadi.SX
        Rates of the states of the law.
    given : casadi.SX, optional
        Part of the force of a held measure that is known without multipliers.
    has_kinks : bool
        Whether the law, or the value that is held, has kinks or jumps.
    """

    quantity: Quantity
    force: Any
    energy: Any
    energy_rate: Any
    state_rates: list[Any]
    given: Any = None
    has_kinks: bool = False

    @property
    def parts(self) -> list[Any]:
        """All its expressions, one after the other; `with_parts` puts others in their place."""
        q = self.quantity
        value = ca.SX(0, 1) if q.value is None else q.value
        found = [value, q.rate, q.bias, *q.bodies.values(), *q.coordinates.values()]
        return [*found, self.force, self.energy, self.energy_rate, *self.state_rates]

    def with_parts(self, parts: list[Any]) -> Answer:
        """Answer with other expressions in the place of its own."""
        q, rest = self.quantity, list(parts)
        value, rate, bias = (rest.pop(0) for _ in range(3))
        bodies = {name: rest.pop(0) for name in q.bodies}
        coordinates = {name: rest.pop(0) for name in q.coordinates}
        own = (None if q.value is None else value, rate, bias, bodies, coordinates)
        quantity = Quantity(*own, q.bound, q.near)
        force, energy, energy_rate, *rates = rest
        return Answer(quantity, force, energy, energy_rate, rates)


class TracedLaw:
    """A law on symbols of its own.

    Parameters
    ----------
    c : Connection
        Measure and law.
    known : Known
        What the law may ask for.
    values : mapping
        Symbols of the parameters.
    has_value : bool
        Whether the measure has a value besides its rate.
    numbers : sequence of casadi.SX
        Symbols of numbers that differ between the laws it was traced for, see `forms`.

    Raises
    ------
    ModelError
        If the law cannot be traced, or gives the wrong count of numbers.
    """

    def __init__(
        self,
        c: Connection,
        known: Known,
        values: Mapping[str, Any],
        *,
        has_value: bool,
        numbers: Sequence[Any] = (),
    ) -> None:
        law, n = with_values(c.law, values), c.measure.size
        self.view, self._known, self._numbers = LawView(c, known), known, list(numbers)
        self._x, self._v = ca.SX.sym("x", n if has_value else 0), ca.SX.sym("v", n)
        given = (self._x, self._v, self.view)
        with on_symbols(f"{self.view.where}: its law {type(c.law).__name__}"):
            self._force = ca.SX(math.vector(evaluate(law.force(*given), values)))
            rates = [ca.SX(r) for r in law.rates(*given)]
            self._reach = ca.SX(0, 1) if law.reach is None else ca.SX(evaluate(law.reach, values))
            self._energy = ca.SX(law.energy(self._x, self.view)) if has_value else ca.SX(0)
            told = law.energy_rate(*given) if has_value else None
            self._energy_rate = None if told is None else ca.SX(told)
        if self._force.numel() != n or len(rates) != len(law.states):
            raise ModelError(
                f"{self.view.where}: the law gives {self._force.numel()} forces and {len(rates)} "
                f"rates of states, but the measure has {n} components and the law "
                f"{len(law.states)} states."
            )
        self._rates = {f"{c.name}.{s}": r for s, r in zip(law.states, rates, strict=True)}

    def answer(
        self,
        quantity: Quantity,
        actual: Actual,
        kinks: Kinks | None = None,
        numbers: Sequence[Any] = (),
    ) -> Answer:
        """Answer to a measure; if ``kinks`` are collected, with modes in its force."""
        f, n_modes = self.plain if kinks is None else self._by_modes
        value = ca.SX(0, 1) if quantity.value is None else quantity.value
        modes = [ca.SX.sym("mode") for _ in range(n_modes)]
        seen = (*self.view.arguments(actual), *numbers, *modes)
        put = f(value, quantity.rate, *seen)
        force, rate, energy, energy_rate, watched, reach = put
        if reach.numel() and quantity.bound is not None and not rate.numel():
            near = quantity.bound < reach
            quantity = replace(quantity, near=near)
            far = quantity.bound + ca.if_else(near, value - quantity.bound, 0)  # on the same side
            watched = f(far, ca.if_else(near, quantity.rate, 0), *seen)[4]
        if kinks is not None:
            kinks.add(modes, watched)
        split = ca.vertsplit(rate) if rate.numel() else []
        return Answer(quantity, force, energy, energy_rate, split, has_kinks=self._is_kinked)

    @cached_property
    def _rate(self) -> Any:
        return ca.vertcat(ca.SX(0, 1), *self._rates.values())

    @cached_property
    def _is_kinked(self) -> bool:
        return has_kinks([self._force, self._rate])

    @cached_property
    def plain(self) -> tuple[Any, int]:
        """Function of measure and motion, and its number of modes: none."""
        return self._function(self._force, self._rate, []), 0

    @cached_property
    def _by_modes(self) -> tuple[Any, int]:
        """The same with modes behind the other arguments, and their number."""
        if not self._is_kinked:
            return self.plain
        moving = [self._x, self._v, *self.view.symbols]
        (force, rate), found = frozen([self._force, self._rate], moving, self._known.found_later)
        return self._function(force, rate, found), len(found)

    def _function(self, force: Any, rate: Any, found: list[Kink]) -> Any:
        x, v, energy = self._x, self._v, self._energy
        energy_rate = self._energy_rate
        if energy_rate is None:
            energy_rate = ca.jtimes(energy, x, v[: x.numel(), :])
            energy_rate += self.view.energy_rate(energy, self._rates)
        watched = ca.vertcat(ca.SX(0, 1), *(e for k in found for e in (k.inside, k.beyond, k.now)))
        given = [x, v, *self.view.symbols, *self._numbers, *(k.mode for k in found)]
        return open_function("law", given, [force, rate, energy, energy_rate, watched, self._reach])
