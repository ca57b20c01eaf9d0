"""Forces that laws ask of each other, put in where symbols stand for them.

A law may ask for the force of another connection, ``at.force("pump")``. While laws are traced a
symbol stands for it; then expressions take the places of the symbols, those that need no others
first. Where that comes round in a circle no order exists, and the circle is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import casadi as ca

from jourdain.equations.answer import Answer
from jourdain.equations.eliminated import Eliminated
from jourdain.equations.parts import Parts
from jourdain.equations.touching import Touching
from jourdain.errors import ModelError

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
    touchings : list of Touching
        Contacts, stops and places of dry friction.
    """

    answers: dict[str, Answer]
    composites: dict[str, Eliminated]
    touchings: list[Touching]

    def with_forces(self, asked: Mapping[str, Any], friction: Callable[[Touching], Any]) -> Found:
        """The same with the forces that are asked for in the place of their symbols."""
        if not asked:
            return self
        dry = {x.name: x for x in self.touchings}
        forces = {
            name: self.answers[name].force if name in self.answers else friction(dry[name])
            for name in asked
        }
        return self._put(asked, ordered(forces, asked))

    def with_rates(self, asked: Mapping[str, Any], parts: Parts) -> Found:
        """The same with rates of states in the place of their symbols."""
        if not asked:
            return self
        rates: dict[str, Any] = {}
        for c in parts.connections:
            own = getattr(c.law, "states", {})
            rates |= zip(
                (f"{c.name}.{s}" for s in own), self._rates_of(c.name, len(own)), strict=True
            )
        for element in parts.composites:
            rates |= zip(
                element.coordinates, ca.vertsplit(self.composites[element.name].rates), strict=True
            )
        return self._put(asked, {name: rates[name] for name in asked})

    def _rates_of(self, name: str, n: int) -> list[Any]:
        return self.answers[name].state_rates if n else []

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
        touchings = [replace(x, capacity=put([x.capacity])[0]) for x in self.touchings]
        return Found(answers, composites, touchings)


def ordered(forces: Mapping[str, Any], symbols: Mapping[str, Any]) -> dict[str, Any]:
    """Forces without symbols of each other.

    Parameters
    ----------
    forces : mapping of str to casadi.SX
        Each force, with symbols of others.
    symbols : mapping of str to casadi.SX
        Symbol of each.

    Raises
    ------
    ModelError
        If some of them need each other in a circle.
    """
    needs = {
        name: [other for other, s in symbols.items() if ca.depends_on(force, s)]
        for name, force in forces.items()
    }
    found: dict[str, Any] = {}

    def find(name: str, path: tuple[str, ...]) -> Any:
        if name in path:
            raise _circle([*path[path.index(name) :], name])
        if name not in found:
            force = forces[name]
            for other in needs[name]:
                force = ca.substitute(force, symbols[other], find(other, (*path, name)))
            found[name] = force
        return found[name]

    return {name: find(name, ()) for name in forces}


def _circle(names: list[str]) -> ModelError:
    steps = "; ".join(f"{a!r} asks for that of {b!r}" for a, b in pairwise(names))
    return ModelError(
        f"connection {names[0]!r}: its force depends on itself: {steps}.\n"
        "  Likely cause: laws that describe one equilibrium from two sides. Next: write them as "
        "one law; or hold the measure with jd.Equal, whose force is found from the motion; or let "
        "the force follow as a state, with the rate (at.force(name) - at.state(name)) / time."
    )
