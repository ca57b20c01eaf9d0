"""How equations are compiled: by size, from measured costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from jourdain.model.elements import WORLD
from jourdain.model.laws import Equal
from jourdain.model.model import Model
from jourdain.system.execution import Execution, Looped, Unrolled

UNROLLED_UP_TO = 20
"""Links, and links one behind the other; longer chains run as fast in loops and compile sooner."""
BUSHY_UP_TO = 200
"""Links of trees that are not deep; beyond, loops take a quarter longer and compile sooner."""
STRAIGHT_ROWS_UP_TO = 600
"""Links; rows of closed loops run 2.4 times as fast so, but take 8 ms a link to trace."""
LANES_UP_TO = 60
"""Connections; the code of their derivatives takes 50 ms each to compile in lanes, else 26 ms."""
CHECKED_UP_TO = 300
"""Links; a search for coordinates without inertia takes 1 ms per link."""
COMPILED_CONSTRAINTS_UP_TO = 60
"""Links of systems with loops, whose code takes 0.1 s a loop to compile."""
ENTRIES_UP_TO = 20
"""Velocities of trees whose stiffness is written down entry by entry, each a graph of its own."""
ENTRIES_COST = 20_000
"""Operations of forces times directions; the code of so many entries takes seconds to compile."""

COMPILED_FROM = 2000
"""States a quantity is asked for; interpreting these takes as long as to compile it."""


@dataclass(frozen=True)
class Size:
    """How large a machine is.

    Parameters
    ----------
    links : int
        Bodies and scalar coordinates.
    largest : int
        Links of the largest tree: bodies that joints connect, the world left out.
    depth : int
        Largest number of joints from a body to the world, or to the first body of its tree.
    is_open : bool
        Whether nothing constrains it but the joints of its trees.
    is_flexible : bool
        Whether some bodies deform; 64 of them run 15 times as fast in straight-line code.
    """

    links: int
    largest: int
    depth: int
    is_open: bool
    is_flexible: bool = False


def size_of(model: Model) -> Size:
    """Size of a model."""
    leader = {name: name for name in model.bodies}

    def leader_of(name: str) -> str:
        while leader[name] != name:
            name = leader[name] = leader[leader[name]]
        return name

    joints: Counter[str] = Counter()
    for joint in model.joints.values():
        ends = [end.body for end in (joint.parent, joint.child) if end.body in leader]
        for end in ends[1:]:
            leader[leader_of(end)] = leader_of(ends[0])
    for joint in model.joints.values():
        own = next(end.body for end in (joint.parent, joint.child) if end.body in leader)
        joints[leader_of(own)] += 1
    bodies = Counter(leader_of(name) for name in model.bodies)
    is_tree = all(joints[name] <= n for name, n in bodies.items())
    is_held = any(isinstance(c.law, Equal) for c in model.connections.values())
    is_open = is_tree and not is_held and not model.composites
    largest = max(bodies.values(), default=min(1, len(model.coordinates)))
    is_flexible = any(body.elastic is not None for body in model.bodies.values())
    links = len(model.bodies) + len(model.coordinates)
    return Size(links, largest, _depth(model), is_open, is_flexible)


def _depth(model: Model) -> int:
    """Largest number of joints on the shortest way from a body to the world or its tree's first."""
    near: dict[str, list[str]] = {}
    for joint in model.joints.values():
        a, b = joint.parent.body, joint.child.body
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    depth: dict[str, int] = {}
    for first in (WORLD, *model.bodies):
        queue = [] if first in depth else [first]
        depth.setdefault(first, 0)
        for name in queue:  # grows by its neighbours
            new = dict.fromkeys(other for other in near.get(name, ()) if other not in depth)
            depth.update(dict.fromkeys(new, depth[name] + 1))
            queue += new
    return max(depth.values())


def execution_for(size: Size) -> Execution:
    """Straight-line code for small systems, many small trees and bushes; loops for large trees.

    In straight-line code of many small trees what repeats is found and looped over (see
    `codegen.rolling`): that is three times as fast as a recursion that serves any tree. See
    ``benchmarks/bench_plan.py``: up to 200 links the choice is within 1.3 of the better of both.
    """
    is_bushy = size.depth <= UNROLLED_UP_TO and size.links <= BUSHY_UP_TO
    is_flat = size.largest <= UNROLLED_UP_TO or is_bushy
    if size.is_flexible or size.links <= UNROLLED_UP_TO or (size.is_open and is_flat):
        return Unrolled()
    return Looped(loops_constraints=size.links > STRAIGHT_ROWS_UP_TO)


def execution_reason(size: Size, execution: Execution) -> str:
    """Sentence that says how equations run, and why."""
    word = f"{size.links} link{'s' * (size.links != 1)}"
    if isinstance(execution, Looped):
        rows = "loops" if execution.loops_constraints else "straight-line code"
        return f"loops over tables: {word}, more than {UNROLLED_UP_TO}; constraint rows in {rows}"
    if not isinstance(execution, Unrolled):
        return f"{type(execution).__name__}: {word}, as asked"
    if size.links <= UNROLLED_UP_TO:
        return f"straight-line code: {word}, up to {UNROLLED_UP_TO} by default"
    if execution_for(size) != execution:
        return f"straight-line code: {word}, as asked"
    shape = f"trees of up to {size.largest}"
    if size.largest > UNROLLED_UP_TO:
        shape = f"a tree with up to {size.depth} one behind the other"
    return f"straight-line code, loops over what repeats: {word} in {shape}"
