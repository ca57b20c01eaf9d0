"""Rows of joints in absolute steps: six for each tie its coordinates to its two bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from jourdain.model.elements import WORLD, with_values
from jourdain.spatial.parameter import evaluate
from jourdain.system.linear.groups import Rows, is_hashable, turned
from jourdain.system.system import System

_XYZ = ("x", "y", "z")


def joints_of(system: System) -> list[Any]:
    """All joints, automatic ones of free bodies last."""
    links = system.description.links
    automatic = [link.joint.joint for link in links if link.joint.automatic]
    known = set(system.model.joints)
    return [*system.model.joints.values(), *(j for j in automatic if j.name not in known)]


def step_names(kind: Any) -> tuple[str, ...]:
    """Names of the steps of a joint kind: of its coordinates, three for a quaternion."""
    found: list[str] = []
    for name in kind.coordinates:
        stem = name.removesuffix("orientation.w")
        if name.endswith("orientation.w"):
            found += [f"{stem}rotation.{k}" for k in _XYZ]
        elif ".orientation." not in f".{name}":
            found.append(name)
    return tuple(found)


def joint_rows(
    system: System, q: Any, poses: Any, places: Mapping[str, int], values: Mapping[str, float]
) -> list[Rows]:
    """Rows of all joints, by kind.

    Parameters
    ----------
    system : System
        The compiled machine.
    q : (n_q,)
        Positions.
    poses : (n_bodies + 1, 4, 4)
        Poses of the bodies; the last is the world.
    places : mapping of str to int
        Unknowns of the steps of joints, by name.
    values : mapping
        Values of the parameters.
    """
    kinds: dict[Any, list[Any]] = {}
    for joint in joints_of(system):
        key = joint.kind if is_hashable(joint.kind) else id(joint.kind)
        kinds.setdefault(key, []).append(joint)
    bodies = {name: k for k, name in enumerate(system.model.bodies)}
    index = {name: k for k, name in enumerate(system.names.q)}
    frames = _Frames(poses, bodies, values)
    found = []
    for joints in kinds.values():
        kind, columns, own = joints[0].kind, [], []
        for joint in joints:
            ends = [frames.at(frame) for frame in (joint.parent, joint.child)]
            at = [q[index[f"{joint.name}.{c}"]] for c in kind.coordinates]
            columns.append([*ends[0][0], *ends[1][0], *at])
            steps = [places[f"{joint.name}.{s}"] for s in step_names(kind)]
            own.append([*ends[0][1], *ends[1][1], *steps])
        first, second = _functions(kind, values)
        found.append(Rows(first, second, np.array(columns).T, np.array(own), 6))
    return found


class _Frames:
    """Numbers of frames: orientation, arm and place in the world, and unknowns of their bodies."""

    def __init__(self, poses: Any, bodies: Mapping[str, int], values: Mapping[str, float]) -> None:
        self._poses, self._bodies, self._values = poses, bodies, values
        self._known: dict[Any, Any] = {}

    def at(self, frame: Any) -> tuple[list[float], list[int]]:
        k = -1 if frame.body == WORLD else self._bodies[frame.body]
        R, p = self._poses[k, :3, :3], self._poses[k, :3, 3]
        key = frame.position, frame.rotation
        if key not in self._known:
            self._known[key] = [np.array(evaluate(x, self._values), dtype=float) for x in key]
        place, axes = self._known[key]
        arm, turn = R @ place, R @ axes
        own = [-1] * 6 if k < 0 else list(range(6 * k, 6 * k + 6))
        return [*turn.ravel(order="F"), *arm, *(p + arm)], own


def _functions(kind: Any, values: Mapping[str, float]) -> tuple[Any, Any]:
    """Functions of frames and coordinates: derivatives of the rows; second ones times λ."""
    n_q, n_s = len(kind.coordinates), len(step_names(kind))
    given, steps = ca.SX.sym("given", 30 + n_q), ca.SX.sym("steps", 12 + n_s)
    ends = []
    for k in range(2):
        own = given[15 * k : 15 * k + 15]
        R, arm, place = ca.reshape(own[:9], 3, 3), own[9:12], own[12:15]
        w = ca.skew(steps[6 * k : 6 * k + 3])
        R_new, p_new = turned(R, place, steps[6 * k : 6 * k + 6])
        ends.append((R_new, p_new + (w + 0.5 * w @ w) @ arm))
    (R_a, p_a), (R_b, p_b) = ends
    moved = _moved(tuple(kind.coordinates), ca.vertsplit(given[30:]), steps[12:])
    R_j, r_j = with_values(kind, values).pose(moved, ca.SX(0))
    relative = ca.SX(R_j).T @ (R_a.T @ R_b)
    angles = [relative[i, j] - relative[j, i] for i, j in ((2, 1), (0, 2), (1, 0))]
    apart = R_a.T @ (p_b - p_a) - ca.vertcat(*(r_j[k] for k in range(3)))
    rows = ca.vertcat(0.5 * ca.vertcat(*angles), apart)
    return row_functions(rows, steps, given)


def row_functions(rows: Any, steps: Any, given: Any) -> tuple[Any, Any]:
    """Derivatives of rows by steps at none, and second derivatives times λ."""
    lam = ca.SX.sym("lam", rows.numel())
    still = ca.SX.zeros(steps.numel())
    slope = ca.substitute(ca.jacobian(rows, steps), steps, still)
    second = ca.substitute(ca.hessian(ca.dot(lam, rows), steps)[0], steps, still)
    first = ca.Function("rows", [given], [ca.densify(slope)])
    return first, ca.Function("second", [given, lam], [ca.densify(second)])


def _moved(names: Sequence[str], q: Sequence[Any], steps: Any) -> list[Any]:
    """Coordinates after steps; quaternions turn in body axes, to second order."""
    found, k = list(q), 0
    for i, name in enumerate(names):
        if name.endswith("orientation.w"):
            x = steps[k : k + 3]
            w, own = q[i], ca.vertcat(*q[i + 1 : i + 4])
            real, turn = 1.0 - ca.dot(x, x) / 8.0, 0.5 * x
            found[i] = w * real - ca.dot(own, turn)
            vector = w * turn + real * own + ca.cross(own, turn)
            found[i + 1 : i + 4] = ca.vertsplit(vector)
            k += 3
        elif ".orientation." not in f".{name}":
            found[i] = q[i] + steps[k]
            k += 1
    return found
