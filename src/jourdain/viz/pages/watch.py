"""Poses and quantities at the moments of a page, one by one, as measures ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.model.elements import Frame
from jourdain.spatial.parameter import evaluate
from jourdain.viz.pages.keyframes import Keyframes
from jourdain.viz.shapes.drawables import Moving

_MOST_CALLS = 40_000  # of functions of poses


class Watch:
    """A moment: ``at.pose(frame)`` and ``at.relative(frame, to)`` as in `jourdain.Measure`.

    Parameters
    ----------
    frames : Keyframes
        Poses of all bodies.
    numbers : mapping of str to int
        Numbers of the bodies.
    values : mapping of str to float
        Values of all parameters.
    """

    def __init__(
        self, frames: Keyframes, numbers: Mapping[str, int], values: Mapping[str, float]
    ) -> None:
        self._frames, self._numbers, self._values = frames, numbers, values
        self._memory: dict[Any, Any] = {}
        self.row = 0

    def move(self, row: int) -> None:
        """Go to a moment by its number."""
        self.row, self._memory = row, {}

    @property
    def t(self) -> float:
        """Time [s]."""
        return float(self._frames.times[self.row])

    def pose(self, frame: Frame) -> tuple[Any, Any]:
        """Orientation (3, 3) and position (3,) [m] of a frame in the world."""
        place = np.array(evaluate(frame.position, self._values), dtype=float)
        turn = np.array(frame.rotation, dtype=float)
        body = self._numbers.get(frame.body, -1)
        if body < 0:
            return turn, place
        R = self._matrix(body)
        return R @ turn, R @ place + self._frames.positions[self.row, body]

    def relative(self, frame: Frame, to: Frame) -> tuple[Any, Any]:
        """The same as seen from another frame."""
        (R, r), (S, s) = self.pose(frame), self.pose(to)
        return S.T @ R, S.T @ (r - s)

    def quantity(self, name: str) -> Any:
        """Value of a quantity of the solution."""
        return self._frames.solution.values(name)[self.row]

    def coordinate(self, name: str) -> float:
        """Value of a coordinate of the solution."""
        return float(self.quantity(name))

    def once(self, key: Any, compute: Callable[[], Any]) -> Any:
        """Result of a function that several ask for at one moment."""
        if key not in self._memory:
            self._memory[key] = compute()
        return self._memory[key]

    def _matrix(self, body: int) -> Any:
        return self.once(("matrix", body), lambda: _matrix(self._orientation(body)))

    def _orientation(self, body: int) -> Any:
        return self._frames.orientations[self.row, body]


def courses(watch: Watch, n: int, moving: Sequence[Moving]) -> dict[Moving, Any]:
    """Values (n, 3) of functions of poses; in large runs at some moments, linear between.

    Parameters
    ----------
    watch : Watch
        The moments.
    n : int
        How many there are.
    moving : sequence of Moving
        The functions.
    """
    most = max(_MOST_CALLS // max(len(moving), 1), 100)
    rows = np.unique(np.linspace(0, n - 1, min(n, most)).astype(int))
    found: dict[Moving, list[Any]] = {own: [] for own in moving}
    for row in rows:
        watch.move(int(row))
        for own, values in found.items():
            values.append(np.asarray(own.function(watch), dtype=float))
    every = np.arange(n)
    return {
        own: np.column_stack([np.interp(every, rows, x) for x in np.array(values).T])
        for own, values in found.items()
    }


def _matrix(q: Any) -> Any:
    """Rotation matrix of a quaternion, scalar part first."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )
