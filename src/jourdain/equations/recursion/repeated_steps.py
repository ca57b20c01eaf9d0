"""Steps of recursions on symbols, traced once per kind of link.

A step on the expressions of one link takes milliseconds of Python. In a machine of many equal
links it is traced on symbols of its own; the expressions of each link are put in their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.recursion.links import Link

LEAST = 3  # links of one kind from which tracing apart pays
_NUMBERS = (ca.SX, np.ndarray, float, int)

Name = tuple[bool, str]  # whether a quantity is the link's own, and its name


@dataclass(frozen=True)
class _Traced:
    """A step as a function: what it takes, what it gives, and what it sets to plain numbers."""

    function: Any
    takes: list[Name]
    gives: list[Name]
    sets: dict[Name, Any]


class RepeatedSteps:
    """Steps for the links of a tree.

    Parameters
    ----------
    links : sequence of Link
        All links; those of a kind of which there are few run as they are.
    """

    def __init__(self, links: Sequence[Link]) -> None:
        self._count = Counter(_kind(link) for link in links)
        self._traced: dict[Hashable, _Traced] = {}

    def run(self, step: Any, link: Link, own: Any, inboard: Any) -> None:
        """Run a step, which changes quantities of a link and of its inboard one."""
        kind = _kind(link)
        if self._count[kind] < LEAST:
            step(link, own, inboard)
            return
        slots = {True: vars(own), False: vars(inboard)}
        key = step, kind, tuple(slots[True]), tuple(slots[False])
        if key not in self._traced:
            self._traced[key] = _trace(step, link, slots)
        traced = self._traced[key]
        given = [_symbolic(slots[is_own], name) for is_own, name in traced.takes]
        for (is_own, name), value in traced.sets.items():
            slots[is_own][name] = value
        if traced.gives:
            found = traced.function.call(given)
            for (is_own, name), value in zip(traced.gives, found, strict=True):
                slots[is_own][name] = value


def _kind(link: Link) -> Hashable:
    return link.structure, id(link.motion)


def _symbolic(slot: dict[str, Any], name: str) -> Any:
    """Quantity as an expression; it stays one, as turning numbers into expressions takes long."""
    if not isinstance(slot[name], ca.SX):
        slot[name] = ca.SX(slot[name])
    return slot[name]


def _trace(step: Any, link: Link, slots: Mapping[bool, Mapping[str, Any]]) -> _Traced:
    """Trace a step on symbols in the place of all numbers and expressions."""
    symbols: dict[Name, Any] = {}
    twins = {}
    for is_own, values in slots.items():
        twin = dict(values)
        for name, value in values.items():
            if isinstance(value, _NUMBERS) and not isinstance(value, bool):
                shape = ca.SX(value).shape
                twin[name] = symbols[is_own, name] = ca.SX.sym(name, *shape)
        twins[is_own] = SimpleNamespace(**twin)
    step(link, twins[True], twins[False])
    gives: dict[Name, Any] = {}
    sets: dict[Name, Any] = {}
    for is_own, changed in twins.items():
        for name, value in vars(changed).items():
            if (is_own, name) in symbols and value is symbols[is_own, name]:
                continue
            if name in slots[is_own] and value is slots[is_own][name]:
                continue
            (gives if isinstance(value, ca.SX) else sets)[is_own, name] = value
    column = ca.veccat(ca.SX(0, 1), *gives.values())
    used = {s.element_hash() for s in ca.symvar(column)}
    takes = {
        name: x
        for name, x in symbols.items()
        if any(s.element_hash() in used for s in ca.symvar(x))
    }
    function = ca.Function("step", list(takes.values()), list(gives.values()))
    return _Traced(function, list(takes), list(gives), sets)
