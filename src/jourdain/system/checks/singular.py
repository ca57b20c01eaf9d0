"""Free coordinates that move no inertia, told apart from small inertias by rounding.

A free joint rate is fit for forward dynamics if the articulated inertia that it moves, D of
(RD-2), is more than rounding of the composite inertia outboard of the joint.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jourdain.equations.recursion.articulated_body import carry, resistance
from jourdain.equations.recursion.kinematics import attach
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.spatial_algebra import (
    inertia_to_inboard,
    reduced,
    rigid,
    unpack,
)
from jourdain.equations.recursion.sweeps import Recursion, Sweep
from jourdain.errors import SingularSystemError
from jourdain.model.elements import Body
from jourdain.model.joints import Free, Spherical
from jourdain.model.model import Model
from jourdain.spatial.parameter import evaluate
from jourdain.system.description import Description
from jourdain.system.execution import Plain

_ROUNDING = 1e-13  # share of the composite inertia below which an inertia is taken for none
_DEPENDENT = 3e-7  # ratio of singular values of mode vectors; its square is _ROUNDING
_THIN = 1e-12  # ratio of principal moments below which a body counts as thin


def has_doubtful_inertia(model: Model) -> bool:
    """Tell whether some body can move in a way that meets no inertia: massless, point or rod.

    Without such bodies every joint whose modes are independent moves some inertia.
    """
    values = {p.name: p.value for p in model.parameters.values()}
    if any(evaluate(c.inertia, values) == 0.0 for c in model.coordinates.values()):
        return True
    return _some_is_thin(model.bodies.values(), values)


def _some_is_thin(bodies: Iterable[Body], values: Any) -> bool:
    parts = [evaluate((b.inertia.mass, b.inertia.moments), values) for b in bodies]
    if not parts:
        return False
    moments = np.linalg.eigvalsh(np.array([J for _, J in parts], dtype=float))
    is_thin = moments[:, 0] <= _THIN * moments[:, 2]
    return bool(np.any(is_thin) or any(mass == 0.0 for mass, _ in parts))


def require_inertia(d: Description, q: Any, t: float, p: Any) -> None:
    """Raise if a free coordinate moves no inertia at this position, naming the outermost one.

    Raises
    ------
    SingularSystemError
        Names the joint, its velocity coordinate and what to do.
    """
    if not np.all(np.isfinite(np.concatenate((q, p)))):
        return
    pivots, independence = Plain().prepare(PIVOTS, d)(q, np.asarray(t, dtype=float), p)
    for link, start in reversed([*zip(d.links, d.layout.v_start, strict=True)]):
        for k in range(start, start + link.n_v):
            if not pivots[k] > _ROUNDING:
                rate, whole = d.names.v[k], _bent_too_far(d, q, t, p)
                if whole:
                    raise SingularSystemError(bent_too_far(whole, rate, t))
                whole = _whole(d, link.name)
                text = _text(link, whole, rate, t, float(independence[k]))
                raise SingularSystemError(text)


def share_of_inertia(d: Description, q: Any, t: float, p: Any) -> tuple[str, float]:
    """Coordinate that deformation takes most inertia from, and what share is left.

    The inertia is that which a coordinate moves when the others are free. That of bodies without
    deformation is one; at zero the equations of motion have no solution.
    """
    rest = q.copy()
    for _, own in _flexible(d):
        rest[own] = 0.0
    here, there = (Plain().prepare(PIVOTS, d)(x, np.asarray(t), p)[0] for x in (q, rest))
    name, least = "", 1.0
    for link, start in zip(d.links, d.layout.v_start, strict=True):
        own = slice(start, start + link.n_v)
        if link.n_v and there[own].min() > _ROUNDING:
            share = float(here[own].min() / there[own].min())
            if share < least:
                name, least = d.names.v[start + int(here[own].argmin())], share
    return name, least


def _flexible(d: Description) -> list[tuple[str, slice]]:
    """Flexible bodies by the names that users wrote, and where their coordinates are."""
    return [
        (_whole(d, link.name), slice(start, start + link.n_q))
        for link, start in zip(d.links, d.layout.q_start, strict=True)
        if link.block is not None
    ]


def _whole(d: Description, name: str) -> str:
    """Name of the body that the user wrote, of which a body may be a piece."""
    bodies = d.model.bodies
    return bodies[name].piece_of or name if name in bodies else name


def _bent_too_far(d: Description, q: Any, t: float, p: Any) -> str:
    """Name of a body without whose deformation all coordinates had inertia; empty if none."""

    def is_sound(at: Any) -> bool:
        return bool(np.all(Plain().prepare(PIVOTS, d)(at, np.asarray(t), p)[0] > _ROUNDING))

    bodies, rest = _flexible(d), q.copy()
    for _, own in bodies:
        rest[own] = 0.0
    if not bodies or not is_sound(rest):
        return ""
    for whole, own in bodies:
        without = q.copy()
        without[own] = 0.0
        if is_sound(without):
            return whole
    return bodies[0][0]


def leans_on_constraints(d: Description) -> bool:
    """Tell whether some motion of the tree has no inertia, but constraints might exclude it.

    That is a matter of masses, not of positions: it shows at positions drawn by chance.
    """
    if (not d.parts.cuts and not d.parts.held) or not has_doubtful_inertia(d.model):
        return False
    rng = np.random.default_rng(1)
    for _ in range(2):
        q = np.zeros(d.n_q)
        for link, start in zip(d.links, d.layout.q_start, strict=True):
            if link.block is not None:  # bodies without deformation are as good
                continue
            own = rng.uniform(0.2, 0.8, link.n_q)
            q[start : start + link.n_q] = own / np.linalg.norm(own) if link.n_q >= 4 else own
        pivots, _ = Plain().prepare(PIVOTS, d)(q, np.asarray(0.0), d.nominal)
        if np.all(pivots > _ROUNDING):
            return False
    return True


def bent_too_far(whole: str, rate: str, t: float) -> str:
    """Text for a body whose deformation leaves some rate without inertia at the time t [s]."""
    return (
        f"body {whole!r} is deformed too much at t = {t:g} s: its shapes describe small "
        f"deformations, and {rate!r} moves no positive mass any more.\n"
        "  Is it too soft, or the load too large? Check section and material; take fewer modes, or "
        "several shorter bodies in a row;\n  where it hangs on a joint that turns freely, give the "
        "joint the inertia of its drive (armature=)."
    )


def _text(link: Link, whole: str, rate: str, t: float, independence: float) -> str:
    joint, kind = link.joint.name, link.joint.joint.kind
    if link.block is not None:
        return bent_too_far(whole, rate, t)
    if joint == link.name and not link.joint.automatic:
        return (
            f"coordinate {joint!r} has no inertia, so forces give it no finite acceleration.\n"
            "  Give it one in model.add_coordinate, or drive it."
        )
    if independence < _DEPENDENT:
        return (
            f"joint {joint!r} is in a singular position at t = {t:g} s: {rate!r} moves the body in "
            f"a direction that the other rates of {type(kind).__name__} move it in already.\n"
            "  Start or stay away from there, or take coordinates without singular positions, "
            "such as jd.Spherical()."
        )
    return (
        f"no inertia is moved by {rate!r} of joint {joint!r} at t = {t:g} s: less than "
        f"{_ROUNDING:g} of the largest inertia outboard of {joint!r}.\n"
        f"  Give body {whole!r} mass or a moment of inertia about that axis (a thin rod has "
        f"none about its own line, a point mass has none),\n  {_ways_out(link)}."
    )


def _ways_out(link: Link) -> str:
    """What else can be done with a joint that turns a body about a line without inertia."""
    joint = link.joint.name
    if link.joint.automatic:
        return (
            "or join it with a joint of fewer freedoms: jd.Planar(...) to the world if it moves in "
            "a plane"
        )
    if isinstance(link.joint.joint.kind, Spherical | Free):
        return (
            f"or take a joint of fewer freedoms for {joint!r}: jd.Planar(...) or jd.Revolute(...) "
            "if it moves in a plane, jd.Universal(...) if it need not turn about its line"
        )
    return f"give the joint an armature, drive the coordinate, or make {joint!r} a Fixed joint"


def _rest(link: Link, own: Any, inboard: Any) -> None:
    attach(link, own)
    own.I_A = own.I_c = rigid(own)
    if link.block is not None:
        own.C_A, own.M_A = own.C, link.block.M


def _measure(link: Link, own: Any, inboard: Any) -> None:
    """Pivots of a joint relative to the composite inertia; what is singular passes nothing on."""
    blocks = unpack(own.I_A)
    rest, own.pivot, own.independence = blocks, np.zeros(0), np.zeros(0)
    if link.n_v:
        U, D = resistance(link, own, blocks)
        scale = _scale(own) if link.block is None else np.sqrt(np.abs(np.diag(own.M_A)))
        values, vectors = np.linalg.eigh(D / np.outer(scale, scale))
        own.pivot = _by_coordinate(values * (scale.max() > _NOTHING), vectors)
        sizes = np.linalg.svd(own.S, compute_uv=False) if link.block is None else np.ones(1)
        own.independence = np.full(link.n_v, sizes[-1] / max(sizes[0], _NOTHING))
        kept = values > _ROUNDING
        gain = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
        rest = reduced(blocks, U, (gain / np.outer(scale, scale)) @ U.T)
    carry(link, own, inboard, rest)
    inboard.I_c = inboard.I_c + inertia_to_inboard(own, unpack(own.I_c))


_NOTHING = 1e-300


def _scale(own: Any) -> Any:
    """Square root of the largest inertia that a motion as fast as each mode could meet."""
    J, _, M = unpack(own.I_c)
    largest = np.linalg.eigvalsh(J)[-1]
    w, v = np.sum(own.S[:3] ** 2, axis=0), np.sum(own.S[3:] ** 2, axis=0)
    return np.sqrt(np.maximum(largest * w + M[0, 0] * v + own.armature[: len(w)], _NOTHING))


def _by_coordinate(values: Any, vectors: Any) -> Any:
    """Each eigenvalue at the coordinate that dominates its vector, one for each."""
    placed, left = np.zeros(len(values)), list(range(len(values)))
    for value, vector in zip(values, vectors.T, strict=True):
        k = max(left, key=lambda i: abs(vector[i]))
        left.remove(k)
        placed[k] = value
    return placed


PIVOTS = Recursion(
    "pivots",
    (Sweep(_rest), Sweep(_measure, is_outward=False)),
    ("q",),
    {"pivot": ("v", 1), "independence": ("v", 1)},
    lambda _: {"I_A": np.zeros(21), "I_c": np.zeros(21)},
)
