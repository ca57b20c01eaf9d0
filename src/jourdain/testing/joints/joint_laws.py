"""What must hold for every joint kind, as pairs of numbers that must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jourdain.equations.joints.modes import mode_vectors
from jourdain.equations.joints.motion import accepts_symbols
from jourdain.testing.joints.differences import (
    derivative,
    in_outboard_axes,
    inverse_pose,
    pose_matrix,
    velocity,
)
from jourdain.testing.joints.joint_subject import Derived, Outcome, Subject

EXACT, DIFFERENCES = 1e-12, 1e-8


def rotation(subject: Subject) -> Iterator[Outcome]:
    """Orthonormal, right-handed."""
    words = ("RᵀR", "it should be", "Its columns are unit vectors; make R with jd.rotation_… .")
    for state in subject.states:
        R = pose_matrix(subject.kind, state[0], state[2])[:, :3]
        yield Outcome(state, R.T @ R, np.eye(3), *words)
        yield Outcome(
            state, np.linalg.det(R), 1.0, "the determinant of R", "it should be", words[2]
        )


def symbols(subject: Subject) -> Iterator[Outcome]:
    """The traced pose, with numbers in the code and as data."""
    ways = [subject.forward]
    if accepts_symbols(subject.symbolic):
        ways.append(Derived(subject.symbolic, (), False, numbers=True))
    advice = "Let pose() and rates() use nothing but q, t and the fields, by jourdain.math."
    for state in subject.states:
        q, v, t = state
        for way in ways:
            pose, _, _, qdot = way(q, v, t)
            words = ("the pose [R r] from symbols", "floats give", advice)
            yield Outcome(state, pose, pose_matrix(subject.kind, q, t), *words)
            words = ("dq/dt from symbols", "floats give", advice)
            yield Outcome(state, qdot, subject.rates(q) @ v, *words)


def modes(subject: Subject) -> Iterator[Outcome]:
    """Mode vectors, derived or given, and the mode of time."""
    words = (
        "differences of the pose give",
        "Correct modes(q, t), or leave it out: the mode vectors are then derived.",
    )
    for state in subject.states:
        q, _, t = state
        phi, phi_t = subject.forward.modes(q, t)
        for k, name in enumerate(subject.velocities):
            G = velocity(subject.line(q, subject.rates(q)[:, k], t, 0.0))
            what = f"the mode vector of {name!r} (angular part first)"
            yield Outcome(state, phi[:, k], G, what, *words, subject.size(state))
        G = velocity(subject.line(q, 0.0, t))
        what = "the velocity by time alone"
        yield Outcome(state, phi_t[:, 0], G, what, *words, subject.size(state))


def rates(subject: Subject) -> Iterator[Outcome]:
    """No velocity changes coordinates without moving the child; angular velocities are some."""
    for state in subject.states:
        q, _, t = state
        Y = subject.rates(q)
        phi_q = np.zeros((6, len(q)))
        for i, unit in enumerate(np.eye(len(q))):
            phi_q[:, i] = velocity(subject.line(q, unit, t, 0.0))
        idle = _null_space(phi_q)
        advice = "Such a change drifts, as a quaternion's length does: correct rates(q)."
        for k, name in enumerate(subject.velocities):
            what = f"the part of dq/dt by {name!r} that moves nothing"
            yield Outcome(
                state, idle.T @ Y[:, k], np.zeros(idle.shape[1]), what, "it should be", advice
            )
        for triple in _angular_velocities(subject.velocities):
            Omega = (phi_q @ Y)[:3, triple]
            what = f"ΩᵀΩ of the velocities {subject.velocities[triple[0]]!r} …"
            advice = "Velocities of this name turn the child by 1 rad/s each: correct rates(q)."
            yield Outcome(state, Omega.T @ Omega, np.eye(3), what, "it should be", advice)


def duality(subject: Subject) -> Iterator[Outcome]:
    """Dual basis times basis, for all sets of driven coordinates."""
    advice = "The mode vectors are almost dependent there; check at other states."
    for state in subject.states:
        for driven in ((), *((key,) for key in subject.drivable)):
            m = mode_vectors(subject.symbolic, state[0], state[2], driven=driven)
            basis = np.hstack((m.free, m.excited, m.locked))
            dual = np.hstack((m.free_dual, m.excited_dual, m.locked_dual))
            what = f"duals times modes{f' with {driven[0]!r} driven' if driven else ''}"
            yield Outcome(state, dual.T @ basis, np.eye(6), what, "it should be", advice)


def implicit(subject: Subject) -> Iterator[Outcome]:
    """Rows of the cut joint: duals of the constrained modes on free motion."""
    advice = "The mode vectors do not span the motion: correct modes(q, t)."
    for state in subject.states:
        q, _, t = state
        m = mode_vectors(subject.symbolic, q, t)
        constrained = np.hstack((m.excited_dual, m.locked_dual))
        for dt, rows in ((0.0, constrained), (1.0, m.locked_dual)):
            found = rows.T @ velocity(subject.path(state, dt))
            words = ("the velocity along constrained directions", "it should be", advice)
            yield Outcome(state, found, np.zeros(len(found)), *words, subject.size(state))


def direction(subject: Subject) -> Iterator[Outcome]:
    """Velocity of the outboard frame for both directions of the tree, in outboard axes."""
    advice = "Correct modes(q, t), or leave it out."
    for state in subject.states:
        pose = subject.path(state)
        for way in (subject.forward, subject.backward):

            def seen(h: float, way: Derived = way, pose: Any = pose) -> Any:
                return inverse_pose(pose(h)) if way.is_reversed else pose(h)

            found, G, _, _ = way(*state)
            word = "reversed " if way.is_reversed else ""
            yield Outcome(state, found, seen(0.0), f"the {word}pose", "it should be", advice)
            expected = in_outboard_axes(velocity(seen), seen(0.0)[:, :3])
            what, source = f"the {word}velocity [Ω; V]", "differences of the pose give"
            yield Outcome(state, G, expected, what, source, advice, subject.size(state))


def bias(subject: Subject) -> Iterator[Outcome]:
    """Rate of the velocity at constant v, for both directions."""
    advice = "A part of the pose may be too sharp for differences there; check at other states."
    for state in subject.states:
        q, v, t = state
        for way in (subject.forward, subject.backward):
            _, _, c, qdot = way(q, v, t)
            slope = derivative(lambda h: way(q + h * qdot, v, t + h)[1])  # noqa: B023
            what, source = "the bias (dφ/dt) v", "differences of the velocity give"
            yield Outcome(state, c, slope, what, source, advice, subject.size(state))


def drives(subject: Subject) -> Iterator[Outcome]:
    """Velocity and bias with driven coordinates."""
    advice = "rates(q) or modes(q, t) do not belong to the pose."
    for state in subject.states:
        q, v, t = state
        for key, indices in subject.drivable.items():
            way = Derived(subject.symbolic, indices, False)
            free, columns = list(way.motion.free), list(way.motion.free_columns)
            u, e = v[columns], q[list(indices)]
            e1, e2 = 0.5 + 0.1 * np.arange(len(e)), 0.3 - 0.2 * np.arange(len(e))
            _, G, c, qdot = way(q[free], u, t, e, e1, e2)
            dq = np.zeros(len(q))
            dq[free], dq[list(indices)] = qdot, e1
            pose = subject.line(q, dq, t)
            expected = in_outboard_axes(velocity(pose), pose(0.0)[:, :3])
            what, source = f"the velocity with {key!r} driven", "differences of the pose give"
            yield Outcome(state, G, expected, what, source, advice, subject.size(state))
            slope = derivative(
                lambda h: way(q[free] + h * qdot, u, t + h, e + h * e1, e1 + h * e2, e2)[1]  # noqa: B023
            )
            what, source = f"the bias with {key!r} driven", "differences of the velocity give"
            yield Outcome(state, c, slope, what, source, advice, subject.size(state))


def canonical(subject: Subject) -> Iterator[Outcome]:
    """The plainer kind in turned frames."""
    plain, turn = subject.kind.canonical()
    A = np.eye(3) if turn is None else np.array(turn)
    advice = "Correct canonical(), or leave it out."
    for state in subject.states:
        q, v, t = state
        pose = pose_matrix(plain, q, t)
        turned = np.column_stack((A @ pose[:, :3] @ A.T, A @ pose[:, 3]))
        expected = pose_matrix(subject.kind, q, t)
        what, source = "the pose of canonical(), turned", "the kind itself gives"
        yield Outcome(state, turned, expected, what, source, advice)
        Y = plain.rates(q)
        found = v if Y is None else np.array(Y) @ v
        yield Outcome(state, found, subject.rates(q) @ v, "its dq/dt", source, advice)


def _null_space(phi: Any) -> Any:
    _, sizes, rows = np.linalg.svd(phi, full_matrices=True) if phi.size else (0, np.zeros(0), phi.T)
    rank = int(np.sum(sizes > 1e-7 * sizes.max(initial=1.0)))
    return rows[rank:].T


def _angular_velocities(names: list[str]) -> Iterator[list[int]]:
    """Indices of the triples x, y, z of velocities that are called angular velocity."""
    stems = dict.fromkeys(name.rpartition(".")[0] for name in names)
    for stem in stems:
        triple = [f"{stem}.{axis}" for axis in "xyz"]
        if stem.startswith("angular_velocity") and all(name in names for name in triple):
            yield [names.index(name) for name in triple]


Law = Callable[[Subject], Iterator[Outcome]]
LAWS: dict[str, tuple[Law, float, str]] = {
    "rotation": (rotation, EXACT, "RᵀR with the identity"),
    "symbols": (symbols, EXACT, "pose and rates on symbols with those on floats"),
    "duality": (duality, EXACT, "duals times modes with the identity, driven too"),
    "modes": (modes, DIFFERENCES, "mode vectors with differences of the pose"),
    "rates": (rates, DIFFERENCES, "rates of coordinates with what moves the child"),
    "implicit": (implicit, DIFFERENCES, "constrained velocities with zero"),
    "direction": (direction, DIFFERENCES, "both directions of the tree with differences"),
    "bias": (bias, DIFFERENCES, "(dφ/dt) v with differences of the velocity"),
    "drives": (drives, DIFFERENCES, "motion with driven coordinates with differences"),
    "canonical": (canonical, EXACT, "the plainer kind with the kind itself"),
}
