"""Algorithms on trees as sweeps of small steps, written once for every way of running them.

A step is a function ``step(link, own, inboard)`` that reads and writes named quantities of one
link and of its inboard neighbour as attributes. Whoever runs the sweeps decides what the
quantities are:

* numbers: plain Python evaluation (`run` with floats),
* expressions of all inputs: the whole recursion becomes straight-line code (`run` with symbols),
* symbols of one link: one compiled step per joint kind (the looped driver of `codegen`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.repeated_steps import RepeatedSteps

Step = Callable[[Link, Any, Any], None]


@dataclass(frozen=True)
class Sweep:
    """One pass over the tree: outward (root to leaves) or inward."""

    step: Step
    is_outward: bool = True


@dataclass(frozen=True)
class Recursion:
    """An algorithm: sweeps, what they read and what they give.

    Parameters
    ----------
    name : str
        Name in reports.
    sweeps : tuple of Sweep
        Passes in order.
    inputs : tuple of str
        Those of `INPUTS` that are read; time is always there.
    outputs : mapping of str to (str, int)
        Quantity of a link → (``"body"``, ``"q"`` or ``"v"``: what it is listed by, width per item;
        ``"v"`` as a width means one number per velocity coordinate).
    ground : function
        Quantities of the world from the gravity vector [m/s²]. It also tells the shapes of
        everything that links exchange.
    n_setup : int
        Number of first sweeps that need not be repeated while ``q`` stays the same; a compiled
        loop then takes an input ``fresh`` that tells whether to run them.
    small : function, optional
        A shorter way to the same outputs for straight-line code of small systems, with the
        arguments of `run` but for the recursion.
    exchanged : tuple of str
        Quantities of a flexible body that its sections read or add to, besides those of ``ground``.
    """

    name: str
    sweeps: tuple[Sweep, ...]
    inputs: tuple[str, ...]
    outputs: Mapping[str, tuple[str, int | str]]
    ground: Callable[[Any], dict[str, Any]]
    n_setup: int = 0
    small: Callable[..., dict[str, list[Any]]] | None = None
    exchanged: tuple[str, ...] = ()


# What the entries of an input are listed by, and their number per item.
INPUTS = {
    "q": ("q", 1),
    "v": ("v", 1),
    "vdot": ("v", 1),
    "tau": ("v", 1),
    "wrench": ("body", 6),
    "spot": ("body", 4),  # 1 and a place [m] on the one body that is asked for, else zeros
    "e": ("e", 1),
    "e1": ("e", 1),
    "e2": ("e", 1),
}


@dataclass(frozen=True)
class Layout:
    """Where the coordinates and bodies of each link lie in the arrays of a user.

    Parameters
    ----------
    q_start, v_start, body : tuple of int
        Per link: first position coordinate, first velocity coordinate, index of the body.
    e_start : tuple of int
        Per link: first driven coordinate.
    n_q, n_v, n_e, n_bodies : int
        Totals, scalar coordinates included.
    """

    q_start: tuple[int, ...]
    v_start: tuple[int, ...]
    e_start: tuple[int, ...]
    body: tuple[int, ...]
    n_q: int
    n_v: int
    n_e: int
    n_bodies: int

    def start(self, listed: str) -> tuple[int, ...]:
        """Per link: index of the first item of ``"q"``, ``"v"``, ``"e"`` or ``"body"``."""
        return {"q": self.q_start, "v": self.v_start, "e": self.e_start, "body": self.body}[listed]

    def width(self, width: int | str) -> int:
        """Numbers per item of an output."""
        return width if isinstance(width, int) else self.total(width)

    def total(self, listed: str) -> int:
        """Number of items of ``"q"``, ``"v"``, ``"e"`` or ``"body"``."""
        return {"q": self.n_q, "v": self.n_v, "e": self.n_e, "body": self.n_bodies}[listed]


def lay_out(links: Sequence[Link], order: Sequence[int], bodies: Sequence[str]) -> Layout:
    """Number coordinates joint by joint in the given order of links."""
    q_start, v_start, e_start = ([0] * len(links) for _ in range(3))
    n_q = n_v = n_e = 0
    for i in order:
        q_start[i], v_start[i], e_start[i] = n_q, n_v, n_e
        n_q, n_v, n_e = n_q + links[i].n_q, n_v + links[i].n_v, n_e + len(links[i].motion.driven)
    index = {name: k for k, name in enumerate(bodies)}
    body = tuple(index[link.name] for link in links)
    return Layout(tuple(q_start), tuple(v_start), tuple(e_start), body, n_q, n_v, n_e, len(bodies))


def run(
    recursion: Recursion,
    links: Sequence[Link],
    layout: Layout,
    inputs: Mapping[str, Any],
    gravity: Any,
) -> dict[str, list[Any]]:
    """Run an algorithm on numbers or on expressions.

    Parameters
    ----------
    recursion : Recursion
        The algorithm.
    links, layout
        The tree.
    inputs : mapping
        ``q``, ``v``, … as needed, ``t``, and drives ``e``, ``e1``, ``e2`` (all numbers or all
        symbols).
    gravity : (3,) [m/s^2]
        Gravity.

    Returns
    -------
    dict
        For each output the list of its values, link by link.
    """
    slots = sweep(recursion, links, layout, inputs, gravity)
    return {name: [getattr(s, name) for s in slots[1:]] for name in recursion.outputs}


def sweep(
    recursion: Recursion,
    links: Sequence[Link],
    layout: Layout,
    inputs: Mapping[str, Any],
    gravity: Any,
) -> list[Any]:
    """Run the sweeps of an algorithm; return the quantities of the world and of all links."""
    slots = [SimpleNamespace(**recursion.ground(gravity))]
    slots += [_slot(link, i, layout, inputs) for i, link in enumerate(links)]
    is_symbolic = any(math.is_symbolic(x) for x in inputs.values())
    run_step = RepeatedSteps(links).run if is_symbolic else _run_step
    for one in recursion.sweeps:
        numbers = range(1, len(slots)) if one.is_outward else range(len(slots) - 1, 0, -1)
        for k in numbers:
            run_step(one.step, links[k - 1], slots[k], slots[links[k - 1].inboard])
    return slots


def _run_step(step: Step, link: Link, own: Any, inboard: Any) -> None:
    step(link, own, inboard)


def _slot(link: Link, i: int, layout: Layout, inputs: Mapping[str, Any]) -> SimpleNamespace:
    own = SimpleNamespace(t=inputs["t"], **link.constants)
    for name, (listed, width) in INPUTS.items():
        if name in inputs:
            is_lent = link.is_section and listed in ("q", "v", "e")  # by the body inboard
            start = layout.start(listed)[link.inboard - 1 if is_lent else i] * width
            rows = slice(start, start + link.reads(listed) * width)
            column = inputs[name]  # CasADi takes no rows out of a single number as of a column
            setattr(own, name, column[rows, :] if math.is_symbolic(column) else column[rows])
    return own


def move(link: Link, own: Any) -> None:
    """Evaluate the joint: relative pose, modes, excited velocity, bias, coordinate rates."""
    R, r, S, S_x, c, qdot, S_d = link.moved_by.function(*_arguments(link, own))
    if not math.is_symbolic(R):
        R, S, S_d = np.array(R), np.array(S).reshape(6, -1), np.array(S_d)
        r, S_x, c, qdot = (np.array(x).reshape(-1) for x in (r, S_x, c, qdot))
    own.R, own.r, own.S, own.S_x, own.c, own.S_d = R, r, S, S_x, c, S_d
    own.qdot = np.zeros(0) if link.is_section else qdot


def motion_slopes(link: Link, own: Any) -> list[Any]:
    """Derivatives of what the joint contributes; see `Motion.slopes`."""
    found = link.motion.slopes(*_arguments(link, own), own.vdot, own.F)
    if math.is_symbolic(own.F):
        return list(found)
    shapes = [(6, link.n_q)] * 3 + [(6, link.n_v), (link.n_v, link.n_q)]
    return [np.array(x).reshape(shape) for x, shape in zip(found, shapes, strict=True)]


def driven_rotors(link: Link, own: Any) -> list[tuple[Any, Any, Any]]:
    """Armature, velocity and acceleration of each velocity that drives determine."""
    if not link.motion.driven:
        return []
    v, vdot = link.motion.driven_function(*_arguments(link, own))
    if not math.is_symbolic(v):
        v, vdot = np.array(v).reshape(-1), np.array(vdot).reshape(-1)
    return [(own.armature[link.n_v + k], v[k], vdot[k]) for k in range(v.shape[0])]


def _arguments(link: Link, own: Any) -> list[Any]:
    v = getattr(own, "v", None)
    at_rest = [0.0] * len(link.moved_by.free_columns)
    return [own.slots, own.q, at_rest if v is None else v, own.t, own.e, own.e1, own.e2]
