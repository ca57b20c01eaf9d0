"""Where a scene lies, how large it is, and where to look at it from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial.parameter import nominal
from jourdain.spatial.units import in_si
from jourdain.viz.pages.keyframes import Keyframes
from jourdain.viz.shapes.bodies import corners, quaternion, reach
from jourdain.viz.shapes.scene import floor_height, grid_step

_MOST_FRAMES = 400  # that are looked at for the size
_DIRECTIONS = 80  # in which the outline is looked for
_VERTICAL = 0.5 * np.pi * (1 + 1e-9)  # rad
_MOST_BODIES = 60  # for which it is asked whether they hide each other
_WORTH = 0.45  # part of the bodies that must come into sight for another direction
_FLAT = 0.3  # thickness of a plane mechanism, in its width


@dataclass(frozen=True)
class Framing:
    """Box, size and floor of a scene, in axes whose z points up.

    Parameters
    ----------
    turn : (3, 3) [1]
        Rotation from the axes of the model to those of the scene.
    box : (2, 3) [m]
        Corners around all that moves.
    machine : float [m]
        Size of the machine at one moment.
    outline : (n, 3) [m]
        Points of the scene that lie outermost, each in some direction.
    boxes : (n, 2, 3) [m]
        Corners around each body at one moment, in axes of the scene.
    """

    turn: Any
    box: Any
    machine: float
    outline: Any = ()
    boxes: Any = ()

    def around(self, fixed: Any) -> Framing:
        """The same with fixed points (n, 3) [m] of the model in the box as well."""
        points = np.reshape(np.asarray(fixed, dtype=float), (-1, 3)) @ self.turn.T
        box = np.array(
            [np.min([self.box[0], *points], axis=0), np.max([self.box[1], *points], axis=0)]
        )
        return replace(self, box=box, outline=_outermost(np.concatenate([self.outline, points])))

    @property
    def size(self) -> float:
        """Longest edge of the box [m]."""
        return float((self.box[1] - self.box[0]).max())

    @property
    def grid(self) -> float:
        """Edge of the squares of the floor [m]."""
        return grid_step(self.size)

    @property
    def view(self) -> tuple[float, float]:
        """Height of the eye above the horizon and its direction about z [deg].

        It is that of the side from which fewest bodies are hidden by others.
        """
        usual = self._usual_view
        return clearest(usual, np.asarray(self.boxes)) if len(self.boxes) else usual

    @property
    def _usual_view(self) -> tuple[float, float]:
        x, y, z = self.box[1] - self.box[0]
        if y <= _FLAT * min(x, z):
            return 14.0, -72.0
        if x <= _FLAT * min(y, z):
            return 14.0, -18.0
        if z <= _FLAT * min(x, y):
            return 38.0, -60.0
        return 22.0, -55.0

    def content(
        self, view: tuple[float, float] | None, floor: float | None = None
    ) -> dict[str, Any]:
        """Entries of the page; the floor is below all unless its height [m] is given."""
        return {
            "turn": quaternion(self.turn),
            "box": self.box.tolist(),
            "outline": np.round(self.outline, 6).tolist(),
            "size": self.size,
            "machine": self.machine,
            "floor": floor_height(self.box) if floor is None else floor,
            "grid": self.grid,
            "view": list(view or self.view),
        }


def frame_scene(
    runs: Sequence[tuple[Keyframes, Sequence[dict[str, Any]]]], gravity: Any
) -> Framing:
    """Find the box of several runs of bodies with shapes."""
    turn = upright(np.array(nominal(gravity), dtype=float))
    lows, highs, outer = [], [], []
    for frames, bodies in runs:
        low, high, far = _boxes(frames, bodies, turn)
        lows.append(low)
        highs.append(high)
        outer.append(far)
    outline = _outermost(np.concatenate(outer))
    low = np.min([x.min(axis=0) for x in lows], axis=0)
    high = np.max([x.max(axis=0) for x in highs], axis=0)
    spans = np.linalg.norm(highs[0] - lows[0], axis=1)
    boxes = _boxes_at(*runs[0], turn) if len(runs[0][1]) <= _MOST_BODIES else ()
    size = float(np.median(spans)) or 1.0
    return Framing(turn, np.array([low, high]), size, outline, boxes)


def clearest(usual: tuple[float, float], boxes: Any) -> tuple[float, float]:
    """Direction to look from [deg], the usual one unless many more bodies are seen from others.

    Parameters
    ----------
    usual : (2,) [deg]
        Height of the eye and its direction about z.
    boxes : (n, 2, 3) [m]
        Corners around each body.
    """
    if not 1 < len(boxes) <= _MOST_BODIES:
        return usual
    up, around = usual
    others = [(up, turn) for turn in (-around, around + 180.0, 180.0 - around)]
    hidden = [_n_hidden(view, boxes) for view in (usual, *others)]
    best = int(np.argmin(hidden))
    return (usual, *others)[best] if hidden[0] - hidden[best] >= _WORTH * len(boxes) else usual


def _n_hidden(view: tuple[float, float], boxes: Any) -> int:
    """Number of bodies whose middle another body hides from an eye far away."""
    up, around = np.radians(view)
    to_eye = np.array((np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)))
    low, high = boxes[:, 0], boxes[:, 1]
    middle = 0.5 * (low + high)
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = ((x - middle[:, np.newaxis]) / to_eye for x in (low, high))
    enter = np.nanmax(np.minimum(first, second), axis=2)
    leave = np.nanmin(np.maximum(first, second), axis=2)
    is_before = (enter < leave) & (enter > 0.0)  # not where the middle is inside of the other
    np.fill_diagonal(is_before, False)
    return int(is_before.any(axis=1).sum())


def _boxes_at(frames: Keyframes, bodies: Sequence[dict[str, Any]], turn: Any) -> Any:
    """Corners (n, 2, 3) [m] around each body in the middle of a run."""
    row = len(frames.times) // 2
    middle = replace(
        frames,
        times=frames.times[row : row + 1],
        positions=frames.positions[row : row + 1],
        orientations=frames.orientations[row : row + 1],
    )
    made = []
    for k, body in enumerate(bodies):
        one = replace(
            middle,
            positions=middle.positions[:, k : k + 1],
            orientations=middle.orientations[:, k : k + 1],
        )
        low, high, _ = _boxes(one, [body], turn)
        made.append((low[0], high[0]))
    return np.array(made)


def _boxes(frames: Keyframes, bodies: Sequence[dict[str, Any]], turn: Any) -> tuple[Any, Any, Any]:
    """Lower and upper corners (n, 3) [m] at some of the moments, and points that lie outermost."""
    from scipy.spatial.transform import Rotation  # noqa: PLC0415

    rows = np.unique(np.linspace(0, len(frames.times) - 1, _MOST_FRAMES).astype(int))
    low, high = np.full((len(rows), 3), np.inf), np.full((len(rows), 3), -np.inf)
    outer = np.zeros((0, 3))
    for k, body in enumerate(bodies):
        boxes = [reach(shape) for shape in body["shapes"]]
        ends = np.min([b[0] for b in boxes], axis=0), np.max([b[1] for b in boxes], axis=0)
        R = Rotation.from_quat(np.roll(frames.orientations[rows, k], -1, axis=1)).as_matrix()
        places = (
            corners(*ends) @ np.swapaxes(R, 1, 2) + frames.positions[rows, k, np.newaxis]
        ) @ turn.T
        low, high = np.minimum(low, places.min(axis=1)), np.maximum(high, places.max(axis=1))
        outer = _outermost(np.concatenate([outer, places.reshape(-1, 3)]))
    return low, high, outer


def _outermost(points: Any) -> Any:
    """Those of points (n, 3) that lie farthest in directions all around, each once."""
    turn = np.arange(_DIRECTIONS) * np.pi * (3.0 - np.sqrt(5.0))  # spread evenly over the sphere
    z = np.linspace(-1.0, 1.0, _DIRECTIONS)
    flat = np.sqrt(1.0 - z * z)
    directions = np.stack([flat * np.cos(turn), flat * np.sin(turn), z])
    return points[np.unique(np.argmax(points @ directions, axis=0))]


def upright(gravity: Any) -> Any:
    """Rotation that takes the axis nearest to upwards to z."""
    largest = int(np.argmax(np.abs(gravity)))
    if not np.any(gravity) or (largest == 2 and gravity[2] < 0.0):
        return np.eye(3)
    sign = -np.sign(gravity[largest])
    if largest == 2:
        return np.diag((1.0, -1.0, -1.0))
    up = np.zeros(3)
    up[largest] = sign
    side = np.roll(np.eye(3)[largest], 1)
    return np.stack([side, np.cross(up, side), up])


def eye(view: Any) -> tuple[float, float] | None:
    """Angles [deg] of the eye from what the user gave: radians, or a pair with its unit.

    Raises
    ------
    ModelError
        If it is no pair of angles, or looks down from beyond the vertical.
    """
    if view is None:
        return None
    given = _numbers(in_si(view, "rad", "view"))
    if given.shape != (2,) or not np.all(np.isfinite(given)):
        raise ModelError(f"view is {view!r:.60}: give two angles [rad], such as (0.4, -1.0).")
    if abs(given[0]) > _VERTICAL:
        raise ModelError(
            f"view is {view!r:.60}: the eye is {given[0]:g} rad above the horizon, more than a "
            "quarter turn. Angles are in radians; degrees are view=((25, -60), 'deg')."
        )
    up, round_z = np.degrees(given)
    return float(up), float(round_z)


def _numbers(given: Any) -> Any:
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        return np.zeros(0)
