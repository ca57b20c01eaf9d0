"""A tree drawn in lines of text; what does not fit on a screen is left out and counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jourdain.model.names import groups_of, outermost
from jourdain.topology.tree import Topology

MOST_LINES = 40
DEEPEST = 16
WIDEST, WIDE_SHOWN = 16, 8
LONGEST, HEAD, TAIL = 12, 3, 2  # of chains without branches


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the drawing.

    Parameters
    ----------
    text : str
        Branches and the name of the body, or how many bodies are left out.
    bodies : range
        Numbers of the bodies the line stands for.
    """

    text: str
    bodies: range


def draw(topology: Topology, parts: Iterable[str] = ()) -> tuple[Line, ...]:
    """Draw the tree from world outwards, one body a line.

    Branches side by side whose bodies are all of one part are one line with its name.
    Long chains, wide fans, deep branches and the end of large trees shrink to one line each. Such
    a line stands for a range, because the bodies outboard of a body have consecutive numbers.
    """
    lines, runs = [Line(topology.names[0], range(1))], _runs(topology)
    folded = _folded(topology, outermost(parts))
    waiting = [(bodies, "") for bodies in reversed(_branches(topology, runs, 0, 0))]
    while waiting:
        bodies, indent = waiting.pop()
        part = folded.get(bodies[0], "") if len(bodies) == 1 else ""
        if part:
            bodies = topology.subtree(bodies[0])
            while waiting and _goes_on(waiting[-1], indent) and folded.get(bodies.stop) == part:
                waiting.pop()
                bodies = range(bodies.start, topology.subtree(bodies.stop).stop)
            part = part if len(bodies) > 1 else ""
        left = range(bodies.start, len(topology.names))
        if len(lines) == MOST_LINES and len(left) > 1:
            lines.append(Line(_label(topology, left), left))
            break
        is_last = not waiting or waiting[-1][1] != indent
        elbow, deeper = ("└─ ", indent + "   ") if is_last else ("├─ ", indent + "│  ")
        label = f"{part}: {len(bodies)} bodies" if part else _label(topology, bodies)
        lines.append(Line(indent + elbow + label, bodies))
        further = _branches(topology, runs, bodies[-1], len(deeper) // 3)
        waiting += [(b, deeper) for b in reversed(further)]
    return tuple(lines)


def _goes_on(entry: tuple[range, str], indent: str) -> bool:
    """Whether the next line is one body on the same level."""
    return len(entry[0]) == 1 and entry[1] == indent


def _folded(topology: Topology, parts: Iterable[str]) -> dict[int, str]:
    """Bodies that begin a branch whose bodies all belong to one part."""
    known = set(parts)
    owner = [next((g for g in groups_of(x) if g in known), "") for x in topology.names]
    is_whole = [bool(part) for part in owner]
    for joint in reversed(topology.tree):
        i, k = joint.inboard, joint.number
        is_whole[i] = is_whole[i] and is_whole[k] and owner[i] == owner[k]
    return {k: owner[k] for k, whole in enumerate(is_whole) if whole}


def _branches(
    topology: Topology, runs: list[tuple[int, int]], body: int, level: int
) -> list[range]:
    """Bodies that the lines next to a body's line stand for.

    After a line that left bodies out, ``body`` is its last one: a leaf, except in a long chain.
    """
    children, end = topology.children(body), topology.subtree(body).stop
    if children and level == DEEPEST:
        return [range(children[0], end)]
    if len(children) > WIDEST:
        return [*map(_single, children[:WIDE_SHOWN]), range(children[WIDE_SHOWN], end)]
    if len(children) == 1:
        position, length = runs[children[0]]
        if position == HEAD and length > LONGEST:
            return [range(children[0], children[0] + length - HEAD - TAIL)]
    return [*map(_single, children)]


def _single(number: int) -> range:
    return range(number, number + 1)


def _runs(topology: Topology) -> list[tuple[int, int]]:
    """Place of each body in its chain without branches, and the length of that chain."""
    position = [0] * len(topology.names)
    for joint in topology.tree:
        if joint.inboard and len(topology.children(joint.inboard)) == 1:
            position[joint.number] = position[joint.inboard] + 1
    length = [p + 1 for p in position]
    for joint in reversed(topology.tree):
        if position[joint.number]:
            length[joint.inboard] = length[joint.number]
    return list(zip(position, length, strict=True))


def _label(topology: Topology, bodies: range) -> str:
    first, last = topology.names[bodies[0]], topology.names[bodies[-1]]
    return first if len(bodies) == 1 else f"… {len(bodies)} bodies ({first} … {last})"
