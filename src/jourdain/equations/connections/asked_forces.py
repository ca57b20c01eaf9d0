"""Forces and rates that laws ask of each other, put in where symbols stand for them.

A law may ask for the force of another connection, ``at.force("pump")``, or for the rate of a state,
``at.rate("orifice.volume")``. While laws are traced a symbol stands for it; then expressions take
the places of the symbols, those that need no others first. Where that comes round in a circle no
order exists, and the circle is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca

from jourdain.equations.connections.answer import Answer
from jourdain.equations.connections.eliminated import Eliminated
from jourdain.equations.connections.law_view import Known
from jourdain.equations.contact.contact_points import PointEquations
from jourdain.equations.parts import Parts
from jourdain.errors import ModelError

_OF_POINT = ("capacity", "static", "lock")
_OF_COMPOSITE = ("gamma", "rates", "step", "matrix", "residual")


@dataclass(frozen=True)
class Found:
    """Connections, composites and contacts as expressions.

    Parameters
    ----------
    answers : dict of str to Answer
        Connections with smooth laws and held measures.
    composites : dict of str to Eliminated
        Composites.
    contact_points : list of PointEquations
        Contacts, stops and places of dry friction.
    """

    answers: dict[str, Answer]
    composites: dict[str, Eliminated]
    contact_points: list[PointEquations]

    def with_asked(
        self, known: Known, parts: Parts, friction: Callable[[PointEquations], Any]
    ) -> Found:
        """The same with forces and rates that are asked for in the place of their symbols."""
        forces, rates = known.asked_forces, known.asked_rates
        if not forces and not rates:
            return self
        symbols = {_force(name): x for name, x in forces.items()}
        symbols |= {_rate(name): x for name, x in rates.items()}
        dry = {x.name: x for x in self.contact_points}
        expressions = {
            _force(name): self.answers[name].force if name in self.answers else friction(dry[name])
            for name in forces
        }
        every = self._rates(parts) if rates else {}
        expressions |= {_rate(name): every[name] for name in rates}
        return self._put(symbols, ordered(expressions, symbols))

    def _rates(self, parts: Parts) -> dict[str, Any]:
        """Rates of all states by name."""
        rates: dict[str, Any] = {}
        for c in parts.connections:
            if own := c.law.states:
                names = (f"{c.name}.{state}" for state in own)
                rates |= zip(names, self.answers[c.name].state_rates, strict=True)
        for element in parts.composites:
            found = ca.vertsplit(self.composites[element.name].rates)
            rates |= zip(element.coordinates, found, strict=True)
        return rates

    def _put(self, symbols: Mapping[str, Any], expressions: Mapping[str, Any]) -> Found:
        """Expressions in the place of symbols, everywhere."""
        old = ca.veccat(*symbols.values())
        new = ca.veccat(*(expressions[name] for name in symbols))

        def put(parts: Sequence[Any]) -> list[Any]:
            if not any(ca.depends_on(x, old) for x in parts if x is not None):
                return list(parts)
            return [None if x is None else ca.substitute(x, old, new) for x in parts]

        def answer(a: Answer) -> Answer:
            (given,) = put([a.given])
            return replace(a.with_parts(put(a.parts)), given=given, has_kinks=a.has_kinks)

        composites = {}
        for name, e in self.composites.items():
            own = dict(zip(_OF_COMPOSITE, put([getattr(e, w) for w in _OF_COMPOSITE]), strict=True))
            answers = {n: answer(a) for n, a in e.answers.items()}
            composites[name] = replace(e, **own, answers=answers)
        answers = {name: answer(a) for name, a in self.answers.items()}
        points = [
            replace(x, **dict(zip(_OF_POINT, put([getattr(x, w) for w in _OF_POINT]), strict=True)))
            for x in self.contact_points
        ]
        return Found(answers, composites, points)


def ordered(expressions: Mapping[str, Any], symbols: Mapping[str, Any]) -> dict[str, Any]:
    """Expressions without symbols of each other.

    Parameters
    ----------
    expressions : mapping of str to casadi.SX
        Each of them, with symbols of others, by words such as ``the force of 'k'``.
    symbols : mapping of str to casadi.SX
        Symbol of each.

    Raises
    ------
    ModelError
        If some of them need each other in a circle.
    """
    needs = {
        name: [other for other, s in symbols.items() if ca.depends_on(x, s)]
        for name, x in expressions.items()
    }
    found: dict[str, Any] = {}

    def find(name: str, path: tuple[str, ...]) -> Any:
        if name in path:
            raise _circle([*path[path.index(name) :], name])
        if name not in found:
            x = expressions[name]
            for other in needs[name]:
                x = ca.substitute(x, symbols[other], find(other, (*path, name)))
            found[name] = x
        return found[name]

    return {name: find(name, ()) for name in expressions}


def _force(name: str) -> str:
    return f"the force of {name!r}"


def _rate(name: str) -> str:
    return f"the rate of {name!r}"


def _circle(names: list[str]) -> ModelError:
    steps = ", which needs ".join(names[1:])
    return ModelError(
        f"{names[0]} depends on itself: it needs {steps}.\n"
        "  Likely cause: laws that describe one equilibrium from two sides. Next: write them as "
        "one law; or hold a measure with jd.Equal, whose force is found from the motion; or let a "
        "force follow as a state, with the rate (at.force(name) - at.state(name)) / time."
    )
