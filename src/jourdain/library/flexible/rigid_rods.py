"""Loads in cross-sections of rigid rods: the rod in pieces that are fixed to each other (6.F20)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.elements import Body, Frame, JointElement
from jourdain.model.joints import Fixed
from jourdain.model.model import Model
from jourdain.model.moving_frames import with_frames
from jourdain.results.trajectory import Trajectory
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import evaluate
from jourdain.system.system import compile as compile_system

if TYPE_CHECKING:
    from jourdain.results import Solution

_SAME = (
    1e-9  # part of the length by which an attachment may lie before a cut and still be beyond it
)
_EVEN = 1e-9  # part of its inertia by which a rod may differ from one whose mass is spread evenly


def is_rod(body: Body, values: Any) -> bool:
    """Whether a body is rigid and a single rod, as `jourdain.solid.rod` makes it."""
    if body.elastic is not None or [shape.kind for shape in body.shapes] != ["rod"]:
        return False
    own, rod = evaluate((body.inertia.com, body.inertia.moments), values), _Rod(body, values)
    expected = evaluate((rod.piece(0.0, rod.length).com, rod.piece(0.0, rod.length).moments), {})
    scale = rod.mass * rod.length**2
    return bool(
        np.allclose(own[0], expected[0], atol=_EVEN * rod.length, rtol=0.0)
        and np.allclose(own[1], expected[1], atol=_EVEN * scale, rtol=0.0)
    )


class _Rod:
    """Line and mass of a rigid rod."""

    def __init__(self, body: Body, values: Any) -> None:
        (shape,) = body.shapes
        self.start = np.array(evaluate(shape.position, values), dtype=float)
        turn = np.array(evaluate(shape.rotation, values), dtype=float)
        line = turn @ np.array(evaluate(shape.size, values), dtype=float)
        self.length = float(np.linalg.norm(line))
        self.along = line / self.length
        self.mass = float(evaluate(body.inertia.mass, values))
        self.values = values

    def piece(self, a: float, b: float) -> Inertia:
        """Inertia of the part between two places."""
        m, line = self.mass * (b - a) / self.length, (b - a) * self.along
        moments = m / 12.0 * (line @ line * np.eye(3) - np.outer(line, line))
        com = self.start + 0.5 * (a + b) * self.along
        return Inertia(m, tuple(com.tolist()), tuple(map(tuple, moments.tolist())))

    def place_of(self, frame: Frame) -> float:
        """How far along the rod a frame lies."""
        position = np.array(evaluate(frame.position, self.values), dtype=float)
        return float((position - self.start) @ self.along)

    @property
    def axes(self) -> Any:
        """Axes of a cross-section in the body: turned the shortest way, x along the rod."""
        x, e = self.along, np.array([1.0, 0.0, 0.0])
        axis, cos = np.cross(e, x), float(e @ x)
        if cos <= -1.0 + 1e-12:
            return np.diag([-1.0, -1.0, 1.0])
        K = np.cross(np.eye(3), axis)
        return np.eye(3) + K + K @ K / (1.0 + cos)


def rod_loads(solution: Solution, name: str, places: Sequence[float]) -> Any:
    """Torque and force (n, k, 6) in cross-sections of a rigid rod, in their axes."""
    run, model = solution.trajectory, solution.system.model
    if run.contact_wrenches is not None:
        raise ModelError(
            f"loads inside of {name!r} are not known where groups of contacts act: run it with "
            "single contacts (model.add_contact)."
        )
    rod, cuts = _Rod(model.bodies[name], run.values), sorted({float(x) for x in places})
    margin = _SAME * rod.length
    if cuts and not -margin <= cuts[0] <= cuts[-1] <= rod.length + margin:
        raise ModelError(
            f"a cut of the rod {name!r} is beyond it: give places from 0 to {rod.length:.6g} m."
        )
    pieces, joints = _in_pieces(model, name, rod, cuts)
    old = solution.system
    new = compile_system(pieces, cut=[joint.name for joint in old.topology.cuts])
    q, v = ([getattr(old.names, word).index(x) for x in getattr(new.names, word)] for word in "qv")
    taken = Trajectory(
        new, run.time, run.q[:, q], run.v[:, v], run.vdot[:, v], run.tau[:, v], run.extra,
        run.parameters,
    )  # fmt: skip
    by_cut = {x: -taken.loads[joint] for x, joint in zip(cuts, joints, strict=True)}
    found = np.stack([by_cut[float(x)] for x in places], axis=1)
    return np.concatenate([found[..., :3] @ rod.axes, found[..., 3:] @ rod.axes], axis=-1)


def _in_pieces(
    model: Model, name: str, rod: _Rod, cuts: Sequence[float]
) -> tuple[Model, list[str]]:
    """The model with a rod in pieces, and the joints between them, from its start on."""
    twin, margin = model.copy(), _SAME * rod.length
    names = [name, *(f"{name}.piece_{k}" for k in range(1, len(cuts) + 1))]

    def put(frame: Frame) -> Frame:
        if frame.body != name:
            return frame
        place = rod.place_of(frame)
        beyond = sum(place >= x - margin for x in cuts) if place > margin else 0
        return replace(frame, body=names[int(beyond)])

    tables = twin.tables()
    for word, table in tables.items():
        if word not in ("body", "group"):
            table.update({key: with_frames(element, put) for key, element in table.items()})
    ends = [0.0, *(min(max(x, 0.0), rod.length) for x in cuts), rod.length]
    for k, own in enumerate(names):
        tables["body"][own] = Body(own, rod.piece(ends[k], ends[k + 1]))
    joints = []
    for k, x in enumerate(cuts):
        at = tuple((rod.start + x * rod.along).tolist())
        joint = JointElement(
            f"{name}.cut_{k}", Frame(names[k], at), Frame(names[k + 1], at), Fixed()
        )
        tables["joint"][joint.name] = joint
        joints.append(joint.name)
    return twin, joints
