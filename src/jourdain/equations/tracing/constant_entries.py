"""Entries of quantities that are 0 or ±1 whatever the state, as in planar parts of a machine.

They are found link by link from those of the inboard link, so that code for one kind of link or
constraint can leave them out, and rows that vanish need not be solved for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import casadi as ca

from jourdain.equations.recursion.links import FOLDED, Link
from jourdain.equations.recursion.sweeps import INPUTS, Recursion

Known = tuple[float | None, ...]  # numbers of a column; None for those that move
_MOST = 32  # different links that are told apart
_POSITIONS = {"p_W": range(3), "pose": (3, 7, 11)}  # where only zeros repeat from link to link


def known(name: str, value: Any) -> Known:
    """Entries of a column of expressions that are 0 or ±1; of positions, those that are 0."""
    column = ca.vec(ca.densify(ca.SX(value)))
    found: list[float | None] = []
    for k in range(column.numel()):
        entry = column.nz[k]
        number = float(entry) if entry.is_constant() else None
        is_place = k % 9 > 5 if name == "columns" else k in _POSITIONS.get(name, ())
        found.append(number if number in ((0.0,) if is_place else (0.0, 1.0, -1.0)) else None)
    return tuple(found)


def filled(name: str, entries: Known) -> Any:
    """Column of numbers where they are known and of symbols elsewhere."""
    parts = [ca.SX.sym(name) if x is None else ca.SX(x) for x in entries]
    return ca.vertcat(*parts) if parts else ca.SX(0, 1)


def known_entries(recursion: Recursion, links: Sequence[Link]) -> list[dict[str, Known]]:
    """Per link: entries known of what links exchange and of what the first sweep gives.

    If the links differ in more ways than code is worth, nothing is known of any.
    """
    ground = recursion.ground(ca.SX.sym("g", 3))
    shapes = {name: value.shape for name, value in ground.items()}
    found = [{name: known(name, value) for name, value in ground.items()}]
    seen: dict[Any, dict[str, Known]] = {}
    for link in links:
        inboard = found[link.inboard]
        key = link.structure, link.pattern, tuple(inboard[name] for name in shapes)
        if key not in seen:
            seen[key] = _step(recursion, link, inboard, shapes)
        found.append(seen[key])
    if len(seen) <= _MOST:
        return found[1:]
    return [{name: (None,) * len(x) for name, x in one.items()} for one in found[1:]]


def _step(
    recursion: Recursion, link: Link, inboard: Mapping[str, Known], shapes: Mapping[str, Any]
) -> dict[str, Known]:
    """Entries known behind the first sweep."""
    own = SimpleNamespace(t=ca.SX.sym("t"))
    for name, shape in link.constant_shapes.items():
        value = ca.SX.sym(name, *shape)
        if name in FOLDED:
            value = ca.reshape(filled(name, link.pattern[FOLDED.index(name)]), *shape)
        setattr(own, name, value)
    for name, (listed, width) in INPUTS.items():
        setattr(own, name, ca.SX.sym(name, link.reads(listed) * width))
    before = {
        name: ca.reshape(filled(name, inboard[name]), *(shape if len(shape) == 2 else (-1, 1)))
        for name, shape in shapes.items()
    }
    recursion.sweeps[0].step(link, own, SimpleNamespace(**before))
    names = {*shapes, *recursion.outputs} & vars(own).keys()
    return {name: known(name, getattr(own, name)) for name in names}
