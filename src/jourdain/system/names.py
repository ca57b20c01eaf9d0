"""Names and units of coordinates, in the order of the arrays."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.recursion.links import Link
from jourdain.errors import unknown_name
from jourdain.model.names import element_of, groups_of, meant, owned, short


@dataclass(frozen=True)
class Names:
    """What the entries of the arrays of a system mean.

    Parameters
    ----------
    q, v : tuple of str
        Position and velocity coordinates, ``element.quantity[.axis]``. Behind the positions of the
        tree lie those of cut joints, and the states of laws.
    q_units, v_units : tuple of str
        Their units.
    bodies : tuple of str
        Bodies, in the order of adding.
    parameters : tuple of str
        Parameters, in the order of ``p``.
    elements : frozenset of str
        Elements that the coordinates belong to.
    renamed : mapping of str to str
        Other names that parts have for coordinates, ``oil.hose.flow`` for ``oil.hose.volume.rate``.
    """

    q: tuple[str, ...]
    v: tuple[str, ...]
    q_units: tuple[str, ...]
    v_units: tuple[str, ...]
    bodies: tuple[str, ...]
    parameters: tuple[str, ...]
    elements: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def quaternions(self) -> list[int]:
        """Indices in ``q`` where quaternions begin."""
        return [
            k
            for k, name in enumerate(self.q)
            if name.endswith(".w") and self.q[k : k + 4] == tuple(name[:-1] + c for c in "wxyz")
        ]

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the positions, then of the velocities."""
        return self.q_units + self.v_units

    def __str__(self) -> str:
        lines = [
            f"{kind:<10} {', '.join(f'{n} [{u}]' for n, u in zip(names, units, strict=True))}"
            for kind, names, units in (
                ("positions", self.q, self.q_units),
                ("velocities", self.v, self.v_units),
            )
        ]
        return "\n".join([*lines, f"{'bodies':<10} {', '.join(self.bodies)}"])

    def is_position(self, name: str) -> bool:
        """Tell whether a name, or a group's name, belongs to ``q``."""
        return name in self._places[0]

    def index(self, name: str, where: str) -> Any:
        """Index of a coordinate in ``q`` or ``v``; an array of indices for a group of them."""
        for places in self._places:
            found = places.get(name, ())
            if isinstance(found, int):
                return found
            if len(found) and name not in self.elements:
                return found
        body = owned(str(name), self.bodies)[0]
        if body and body not in self._places[0]:
            where += f", where body {body!r} is held by joints: name their coordinates"
        several = meant(str(name), (*self.q, *self.v), self.elements)
        if several:
            where += f", where it may be {' or '.join(several[:4])}: name one of them in full"
        raise unknown_name("coordinate", name, (*self.q, *self.v), where)

    def unit(self, name: str) -> str:
        """Unit of a coordinate or velocity, or of a group of them."""
        for places, units in zip(self._places, (self.q_units, self.v_units), strict=True):
            if name in places:
                found = places[name]
                return units[found if isinstance(found, int) else found[0]]
        raise unknown_name("coordinate", name, (*self.q, *self.v), "this system")

    @cached_property
    def _places(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Index of every name of ``q`` and of ``v``, and indices of every group."""
        q, v = (
            {k: x if isinstance(x, int) else _fixed(x) for k, x in found.items()}
            for found in (_places(names, self.elements) for names in (self.q, self.v))
        )
        return (
            {**{new: q[old] for new, old in self.renamed.items() if old in q}, **q},
            {**{new: v[old] for new, old in self.renamed.items() if old in v}, **v},
        )


def _fixed(places: list[int]) -> Any:
    """Array that many may share."""
    array = np.array(places)
    array.setflags(write=False)
    return array


def _places(names: Sequence[str], elements: Container[str]) -> dict[str, int | list[int]]:
    """Indices of names and vectors; a scalar coordinate ``shaft.value`` is ``shaft``, too."""
    groups: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        element = element_of(name, elements)
        for stem in groups_of(name):
            if len(stem) >= len(element):
                groups.setdefault(stem, []).append(k)
    scalars = {name.removesuffix(".value"): k for k, name in enumerate(names)}
    full: dict[str, int | list[int]] = {**groups, **scalars}
    full |= {name: k for k, name in enumerate(names)}
    return {**_short_places(full, elements), **full}


def _short_places(
    full: Mapping[str, int | list[int]], elements: Container[str]
) -> dict[str, int | list[int]]:
    """Indices of the short names that stand for one full name."""
    found: dict[str, list[int | list[int]]] = {}
    for name, places in full.items():
        if own := short(name, elements):
            found.setdefault(own, []).append(places)
    return {name: places[0] for name, places in found.items() if len(places) == 1}


def name_all(
    links: Sequence[Link],
    order: Sequence[int],
    bodies: Iterable[str],
    parameters: Mapping[str, Any],
    more: Mapping[str, str],
    others: Iterable[str],
    renamed: Mapping[str, str],
) -> Names:
    """Name the coordinates of the links in the given order; ``more`` follow behind in ``q``.

    They belong to ``others``: cut joints, connections and composites. ``renamed`` are names of
    parts for some of them.
    """
    q: dict[str, str] = {}
    v: dict[str, str] = {}
    for i in order:
        link = links[i]
        kind, name = link.joint.joint.kind, link.joint.name
        positions, velocities = list(kind.coordinates.items()), list(kind.velocities.items())
        q |= {f"{name}.{positions[k][0]}": positions[k][1] for k in link.motion.free}
        v |= {f"{name}.{velocities[k][0]}": velocities[k][1] for k in link.motion.free_columns}
    q |= more
    elements = frozenset((*(link.joint.name for link in links), *others))
    both = tuple(q), tuple(v), tuple(q.values()), tuple(v.values())
    return Names(*both, tuple(bodies), tuple(parameters), elements, renamed)
