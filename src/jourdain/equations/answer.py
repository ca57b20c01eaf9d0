"""A connection as expressions: what its law answers to its measure.

F = law(x, ẋ, s, w, t)                                                  (CN-4)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.kinks import Kink, Kinks, frozen, has_kinks
from jourdain.equations.on_symbols import on_symbols
from jourdain.equations.open_function import open_function
from jourdain.equations.parts import LawView
from jourdain.equations.scene import Quantity
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
        quantity = Quantity(None if q.value is None else value, rate, bias, bodies, coordinates)
        force, energy, energy_rate, *rates = rest
        return Answer(quantity, force, energy, energy_rate, rates)


def answer(
    c: Connection,
    quantity: Quantity,
    states: Any,
    inputs: Any,
    t: Any,
    values: Mapping[str, Any],
    multipliers: Mapping[str, Any],
    kinks: Kinks | None = None,
) -> Answer:
    """Answer of a law to its measure; if ``kinks`` are collected, with modes in its force.

    Raises
    ------
    ModelError
        If the law cannot be traced, or gives the wrong count of numbers.
    """
    where, law, n = f"connection {c.name!r}", with_values(c.law, values), c.measure.size
    x = ca.SX.sym("x", n if quantity.value is not None else 0)
    v, time = ca.SX.sym("v", n), ca.SX.sym("t")
    s, w = ca.SX.sym("s", states.numel()), ca.SX.sym("w", inputs.numel())
    scalar = {k: e[0] if e.numel() == 1 else e for k, e in multipliers.items()}
    view = LawView(time, _named(law.states, s), _named(law.inputs, w), scalar, where)
    with on_symbols(f"{where}: its law {type(c.law).__name__}"):
        force = ca.SX(math.vector(evaluate(law.force(x, v, view), values)))
        rates = [ca.SX(r) for r in law.rates(x, v, view)]
        energy = ca.SX(law.energy(x, view)) if quantity.value is not None else ca.SX(0)
    if force.numel() != n or len(rates) != s.numel():
        raise ModelError(
            f"{where}: the law gives {force.numel()} forces and {len(rates)} rates of states, "
            f"but the measure has {n} components and the law {s.numel()} states."
        )
    rate = ca.vertcat(*rates) if rates else ca.SX(0, 1)
    known = [x, v, s, w, time]
    energy_rate = ca.jtimes(energy, ca.vertcat(x, s, time), ca.vertcat(v[: x.numel(), :], rate, 1))
    more, is_kinked = list(multipliers.values()), has_kinks([force, rate])
    found: list[Kink] = []
    if kinks is not None and is_kinked:
        (force, rate), found = frozen([force, rate], known, more)
    watched = ca.vertcat(ca.SX(0, 1), *(e for k in found for e in (k.inside, k.beyond, k.now)))
    f = open_function("law", [*known, *more], [force, rate, energy, energy_rate, watched])
    value = ca.SX(0, 1) if quantity.value is None else quantity.value
    force, rate, energy, energy_rate, watched = f(value, quantity.rate, states, inputs, t, *more)
    if kinks is not None:
        kinks.add([k.mode for k in found], watched)
    split = ca.vertsplit(rate) if rate.numel() else []
    return Answer(quantity, force, energy, energy_rate, split, has_kinks=is_kinked)


def _named(names: Mapping[str, str], column: Any) -> dict[str, Any]:
    return dict(zip(names, ca.vertsplit(column), strict=True)) if names else {}
