"""Pictures of modes: arrows from rest to where the bodies are when most of them are far away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.vibration.large_modes import LargeMode
from jourdain.analysis.vibration.modes import Mode
from jourdain.errors import ModelError
from jourdain.model.elements import WORLD
from jourdain.results import Solution
from jourdain.spatial.parameter import evaluate
from jourdain.viz.panels import COLOURS
from jourdain.viz.shapes.drawables import ORANGE, Line

_AXES = "xyz"
_HEAD = 0.25  # length of the head of an arrow, as part of the arrow
_SMALL = 0.02  # part of the longest arrow below which none is drawn
_MOST_NAMES = 12


@dataclass(frozen=True)
class MotionArrow:
    """Motion of a point of a body in a mode.

    Parameters
    ----------
    body : str
        Name of the body.
    start : (3,) [m]
        The point at rest.
    vector : (3,) [m]
        From there to where it is at the moment of most motion.
    """

    body: str
    start: Any
    vector: Any


@dataclass(frozen=True)
class ModeSkeleton:
    """A mode as lines and arrows.

    Parameters
    ----------
    mode : Mode or LargeMode
        The mode.
    solution : Solution
        One period of it, large enough to be seen.
    """

    mode: Mode | LargeMode
    solution: Solution

    @property
    def _rest(self) -> tuple[Any, Any]:
        """Poses (n, 4, 4) at rest, and (n_samples, n, 4, 4) in the period."""
        if isinstance(self.mode, Mode):
            at = self.mode.lin.point.at
            q, t, p = at.q, at.t, at.p
        else:
            q, t, p = self.mode.state
        system = self.solution.system
        still = np.asarray(system.poses(q, t, parameters=p))
        moved = np.asarray(system.poses(self.solution.q, t, parameters=p))
        return still, moved

    def points(self) -> list[tuple[str, Any]]:
        """Points of the bodies, in body axes: centres of mass, then the frames of joints."""
        system = self.solution.system
        values = self.solution.parameters
        found: list[tuple[str, Any]] = []
        for name, body in system.model.bodies.items():
            found.append((name, np.array(evaluate(body.inertia.com, values), dtype=float)))
        for joint in system.model.joints.values():
            for frame in (joint.parent, joint.child):
                if frame.body != WORLD:
                    place = np.array(evaluate(frame.position, values), dtype=float)
                    found.append((frame.body, place))
        return found

    def arrows(self) -> list[MotionArrow]:
        """Arrows of all points that move visibly."""
        still, moved = self._rest
        names = list(self.solution.system.model.bodies)
        points = self.points()
        own = [names.index(body) for body, _ in points]
        places = np.array([place for _, place in points])
        start = np.einsum("kij,kj->ki", still[own, :3, :3], places) + still[own][:, :3, 3]
        turned = np.einsum("tkij,kj->tki", moved[:, own, :3, :3], places)
        ways = turned + moved[:, own][:, :, :3, 3] - start
        far = int(np.argmax((ways[: len(ways) // 2] ** 2).sum(axis=(1, 2))))
        ends = zip(points, start, ways[far], strict=True)
        found = [MotionArrow(body, a, way) for (body, _), a, way in ends]
        longest = max((float(np.linalg.norm(a.vector)) for a in found), default=0.0)
        return [a for a in found if np.linalg.norm(a.vector) > _SMALL * longest]

    def bones(self) -> list[Any]:
        """Lines (2, 3) [m] at rest: of each body from its centre of mass to its joints."""
        still, _ = self._rest
        names = list(self.solution.system.model.bodies)
        centres: dict[str, Any] = {}
        found = []
        for body, place in self.points():
            k = names.index(body)
            point = still[k, :3, :3] @ place + still[k, :3, 3]
            if body in centres:
                found.append(np.array([centres[body], point]))
            else:
                centres[body] = point
        return found


def skeleton(mode: Mode | LargeMode) -> ModeSkeleton:
    """A mode as lines and arrows."""
    return ModeSkeleton(mode, mode.motion())


def arrow_lines(mode: ModeSkeleton) -> tuple[Line, ...]:
    """Arrows as lines for a page."""
    lines = []
    for k, arrow in enumerate(mode.arrows()):
        tip, size = arrow.start + arrow.vector, float(np.linalg.norm(arrow.vector))
        along = arrow.vector / size
        across = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
        across = across / np.linalg.norm(across)
        wings = [tip - _HEAD * size * (along + s * 0.5 * across) for s in (1.0, -1.0)]
        points = np.array([arrow.start, tip, wings[0], tip, wings[1]])
        lines.append(Line(f"{arrow.body} motion {k}", points, colour=ORANGE))
    return tuple(lines)


def mode_picture(mode: Any, names: Sequence[str], axes: Callable[[int], list[Any]]) -> list[Any]:
    """Draw a mode: bodies at rest with arrows, or bars where there are coordinates only.

    Parameters
    ----------
    mode : Mode or LargeMode
        The mode.
    names : sequence of str
        Two axes of the world to look at, such as ``("x", "z")``; by default those with most motion.
    axes : function of int
        Gives as many axes.
    """
    (own,) = axes(1)
    own.set_title(repr(mode).strip("<>"), fontsize=10)
    if not mode.system.model.bodies:
        return _bars(mode, own)
    bare = skeleton(mode)
    arrows = bare.arrows()
    i, j = _view(names, arrows)
    for bone in bare.bones():
        own.plot(bone[:, i], bone[:, j], color="#8a8f98", linewidth=2.0, solid_capstyle="round")
    known = list(mode.system.model.bodies)
    for arrow in arrows:
        colour = COLOURS[known.index(arrow.body) % len(COLOURS)]
        start, tip = arrow.start, arrow.start + arrow.vector
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
        own.annotate("", (tip[i], tip[j]), (start[i], start[j]), arrowprops=style)
        own.plot([start[i], tip[i]], [start[j], tip[j]], alpha=0.0)  # counts for the limits
    own.set(xlabel=f"{_AXES[i]} [m]", ylabel=f"{_AXES[j]} [m]")
    own.set_aspect("equal", adjustable="datalim")
    return [own]


def _bars(mode: Any, own: Any) -> list[Any]:
    """Components of a mode of scalar coordinates."""
    shape = {k.removesuffix(".value"): x for k, x in mode.shape.items()}
    values = np.array(list(shape.values()))
    own.bar(np.arange(len(values)), values.real, color=COLOURS[0], width=0.6)
    if np.abs(values.imag).max(initial=0.0) > 1e-9:
        own.bar(np.arange(len(values)), values.imag, color=COLOURS[1], width=0.3)
    if len(shape) <= _MOST_NAMES:
        own.set_xticks(np.arange(len(values)), list(shape))
    own.axhline(0.0, color="#7f7f7f", linewidth=0.8)
    own.set(ylabel="shape, largest 1")
    return [own]


def _view(names: Sequence[str], arrows: list[MotionArrow]) -> tuple[int, int]:
    """The two axes that are seen."""
    if names:
        if len(names) != 2 or len(set(names)) != 2 or any(n not in _AXES for n in names):
            raise ModelError(
                f"a mode is seen along two axes, such as jd.plot(mode, 'x', 'z'); not {names!r}."
            )
        return _AXES.index(names[0]), _AXES.index(names[1])
    vectors = np.array([a.vector for a in arrows]).reshape(-1, 3)
    starts = np.array([a.start for a in arrows]).reshape(-1, 3)
    moved = np.sqrt((vectors**2).sum(axis=0))
    wide = np.ptp(starts, axis=0) if len(starts) else np.zeros(3)
    rank = moved / max(moved.max(initial=0.0), 1e-300) + 0.1 * wide / max(wide.max(), 1e-300)
    kept = np.sort(np.argsort(-rank, kind="stable")[:2])
    return int(kept[0]), int(kept[1])
