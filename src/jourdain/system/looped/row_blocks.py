"""Constraint rows of a large system, block by block: their kind, and what they look at."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jourdain.equations.constraints.cut_joints import motion_of
from jourdain.equations.constraints.row_kinds import (
    RowKind,
    cut_joint_rows,
    frame_numbers,
    held_rows,
    simple,
)
from jourdain.equations.joints.motion import split
from jourdain.equations.recursion.links import Link
from jourdain.equations.tracing.constant_entries import Known
from jourdain.model.elements import WORLD
from jourdain.model.laws import Equal
from jourdain.system.description import Description


@dataclass(frozen=True)
class RowBlock:
    """Rows of one cut joint or held measure.

    Parameters
    ----------
    name : str
        Name of the joint or of the connection.
    kind : RowKind
        The rows.
    key : hashable
        Equal for blocks of equal kinds.
    links : tuple of int
        Numbers of the links of its moving bodies.
    coordinates : tuple of (int, int)
        Places in q and v of coordinates it looks at.
    constants : tuple
        Numbers of its frames, or expressions of the parameters.
    q_start : int
        Place in q of the coordinates of a cut joint.
    """

    name: str
    kind: RowKind
    key: Hashable
    links: tuple[int, ...]
    coordinates: tuple[tuple[int, int], ...] = ()
    constants: tuple[Any, ...] = ()
    q_start: int = 0

    def size(self, name: str) -> int:
        """Numbers in a column of its kind; as many as rows where there is no such column."""
        column = getattr(self.kind, name)
        return self.kind.n if column is None else int(column.numel())


def row_blocks(d: Description, entries: list[dict[str, Known]]) -> list[RowBlock]:
    """Blocks of all cut joints, then of all held measures.

    Parameters
    ----------
    d : Description
        The system, with joints that share code.
    entries : list of dict
        Per link: entries known of its motion.
    """
    numbers = {link.name: k for k, link in enumerate(d.links, 1)}
    return [*_cut_joints(d, numbers, entries), *_held(d, numbers, entries)]


def _cut_joints(
    d: Description, numbers: Mapping[str, int], entries: list[dict[str, Known]]
) -> Iterator[RowBlock]:
    seen: dict[Hashable, RowKind] = {}
    start = d.n_q
    for cut in d.parts.cuts:
        ends = cut.parent, cut.child
        constants = [frame_numbers(end, d.symbols) for end in ends]
        frames = simple(constants[0]), simple(constants[1])
        links = tuple(numbers[end.body] for end in ends if end.body != WORLD)
        bodies = {d.links[k - 1].name: entries[k - 1] for k in links}
        structure, slots = split(cut.kind, False)
        own = cut.name if slots or cut.driven else None
        is_fixed = tuple(end.body == WORLD for end in ends)
        key = structure, own, is_fixed, frames, tuple(map(_motion, bodies.values()))
        if key not in seen:
            seen[key] = cut_joint_rows(cut, frames, bodies, d.symbols)
        yield RowBlock(cut.name, seen[key], key, links, (), (*constants[0], *constants[1]), start)
        start += len(motion_of(cut).free)


def _motion(entries: Mapping[str, Known]) -> Hashable:
    return tuple(entries[name] for name in ("pose", "twist", "acceleration"))


def _held(
    d: Description, numbers: Mapping[str, int], entries: list[dict[str, Known]]
) -> Iterator[RowBlock]:
    bodies = {name: entries[k - 1] for name, k in numbers.items()}
    plain = plain_coordinates(d)
    for c in d.parts.connections:
        if isinstance(c.law, Equal):
            kind, names, asked = held_rows(c, c.law, bodies, tuple(plain), d.symbols)
            links = tuple(numbers[name] for name in names)
            yield RowBlock(c.name, kind, c.name, links, tuple(plain[name] for name in asked))


def plain_coordinates(d: Description) -> dict[str, tuple[int, int]]:
    """Places in q and v of coordinates whose rates are velocities, by name."""
    found = {}
    for link, q, v in zip(d.links, d.layout.q_start, d.layout.v_start, strict=True):
        names = list(link.joint.joint.kind.coordinates)
        is_scalar = link.name in d.model.coordinates
        for row, column in _plain(link):
            own = names[link.motion.free[row]]
            found[link.name if is_scalar else f"{link.joint.name}.{own}"] = q + row, v + column
    return found


def _plain(link: Link) -> Iterator[tuple[int, int]]:
    """Free coordinates of a link whose rate is one free velocity."""
    motion = link.motion
    for row, i in enumerate(motion.free):
        asked = [j for j in range(motion.rates.shape[1]) if not motion.rates[i, j].is_zero()]
        if (
            len(asked) == 1
            and asked[0] in motion.free_columns
            and motion.rates[i, asked[0]].is_one()
        ):
            yield row, motion.free_columns.index(asked[0])
