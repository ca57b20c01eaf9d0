"""Random machines with closed loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.elements import Frame
from jourdain.model.joints import all_joint_kinds
from jourdain.model.joints.joint import Joint
from jourdain.model.model import Model
from jourdain.system import Plain, System, compile
from jourdain.testing.joints.kinds import all_user_kinds
from jourdain.testing.random_model import random_model
from jourdain.testing.states import random_coordinates, random_state
from jourdain.topology.freedoms import freedoms

_TRIES = 200


def random_loop_model(
    rng: Any = None,
    n_bodies: int = 5,
    n_loops: int = 1,
    *,
    closing: Sequence[Joint] | None = None,
    **options: Any,
) -> tuple[Model, dict[str, float], float]:
    """Make a random machine with closed loops, and positions where they are closed.

    A random tree is put into a random position; then joints of random kinds are added between
    frames where the rigid bodies are. Every loop has freedom to move.

    Parameters
    ----------
    rng : numpy.random.Generator or int
        Source of random numbers, or its seed.
    n_bodies : int
        Number of bodies.
    n_loops : int
        Number of joints that close loops, ``loop_1 …``.
    closing : sequence of Joint
        Kinds to choose from for them; default: all built-in kinds and `all_user_kinds`.
    **options
        Passed on to `random_model`; no body floats.

    Returns
    -------
    model : Model
        The machine.
    start : dict of str to float
        All coordinates where its loops are closed.
    t : float [s]
        Time at which they are.

    Examples
    --------
    >>> import jourdain as jd
    >>> model, start, t = jd.testing.random_loop_model(1, 4)
    >>> found = jd.assemble(model, start, t=t)
    >>> max(abs(found[name] - value) for name, value in start.items()) < 1e-9
    True
    """
    rng = np.random.default_rng(rng)
    kinds = (*all_joint_kinds(), *all_user_kinds()) if closing is None else tuple(closing)
    model = random_model(rng, n_bodies, floating=False, **options)
    system = compile(model, execution=Plain())
    q, _, _, t = random_state(system, rng)
    start = dict(zip(system.names.q, q.tolist(), strict=True))
    poses = dict(zip(system.names.bodies, system.poses(q, t), strict=True)) | {"world": np.eye(4)}
    poses = {name: poses[name] for name in (*_rigid(model), "world")}
    spare = _Spare(system)
    for k in range(1, n_loops + 1):
        for _ in range(_TRIES):
            kind = kinds[rng.integers(len(kinds))]
            a, b = rng.choice(list(poses), 2, replace=False).tolist()
            if spare.take(a, b, 6 - len(kind.velocities)):
                break
        else:
            break
        q_c = random_coordinates(kind, rng, t=t)
        turn = math.rotation_quaternion(rng.normal(size=4))
        parent = Frame(a, tuple(rng.uniform(-0.3, 0.3, 3).tolist()), turn)
        child = _where(poses[a] @ _pose(parent) @ _joint_pose(kind, q_c, t), poses[b], b)
        model.add_joint(f"loop_{k}", parent, child, kind)
        names = (f"loop_{k}.{name}" for name in kind.coordinates)
        start |= dict(zip(names, map(float, q_c), strict=True))
    return model, start, t


def _rigid(model: Model) -> list[str]:
    """Bodies on which any frame may be placed."""
    return [name for name, body in model.bodies.items() if body.elastic is None]


class _Spare:
    """Freedoms of the tree that no loop has used up yet."""

    def __init__(self, system: System) -> None:
        self._tree = system.topology
        self._free = [freedoms(j.joint) for j in self._tree.tree]

    def take(self, a: str, b: str, rows: int) -> bool:
        """Use up freedoms between two bodies, if one is left over."""
        loop = set(self._tree.path(a)) ^ set(self._tree.path(b))
        if sum(self._free[k - 1] for k in loop) <= rows:
            return False
        for k in loop:
            used = min(rows, self._free[k - 1])
            self._free[k - 1] -= used
            rows -= used
        return True


def _joint_pose(kind: Joint, q: Any, t: float) -> Any:
    R, r = kind.pose(q, t)
    return _matrix(R, math.vector(r))


def _pose(frame: Frame) -> Any:
    return _matrix(frame.rotation, frame.position)


def _matrix(R: Any, r: Any) -> Any:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.array(R, dtype=float), np.reshape(np.array(r, dtype=float), 3)
    return pose


def _where(pose: Any, body: Any, name: str) -> Frame:
    """Frame on a body that has a given pose in the world."""
    R = body[:3, :3].T
    return Frame(name, R @ (pose[:3, 3] - body[:3, 3]), R @ pose[:3, :3])
