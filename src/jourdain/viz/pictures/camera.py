"""Where a picture is taken from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_ANGLE = np.radians(28.0)  # of view, over the height of the picture
_MARGIN = 0.9  # part of the picture that the scene may fill


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that sees a scene in perspective.

    Parameters
    ----------
    eye : (3,) [m]
        Its place in the world.
    axes : (3, 3) [1]
        Rows: directions to the right, up and backwards.
    width, height : int
        Points of the picture.
    """

    eye: Any
    axes: Any
    width: int
    height: int

    @property
    def focus(self) -> float:
        """Distance of the picture from the eye, in points."""
        return float(0.5 * self.height / np.tan(0.5 * _ANGLE))

    def project(self, points: Any) -> Any:
        """Place of points (..., 3) [m] in the picture, from its top left, and 1/depth [1/m].

        The depth of points behind the camera is taken as infinite.
        """
        x, y, z = np.moveaxis((np.asarray(points) - self.eye) @ self.axes.T, -1, 0)
        inverse = np.where(z < 0.0, -1.0 / np.where(z < 0.0, z, 1.0), 0.0)
        across = 0.5 * self.width + self.focus * x * inverse
        down = 0.5 * self.height - self.focus * y * inverse
        return np.stack([across, down, inverse], axis=-1)

    def rays(self, row: Any, column: Any) -> Any:
        """Directions (..., 3) from the eye through points of the picture."""
        x = (column + 0.5 - 0.5 * self.width) / self.focus
        y = (0.5 * self.height - row - 0.5) / self.focus
        return np.stack([x, y, -np.ones_like(x)], axis=-1) @ self.axes


def looking_at(points: Any, view: tuple[float, float], width: int, height: int) -> Camera:
    """Camera near enough for points (n, 3) [m] to fill the picture.

    Parameters
    ----------
    points : (n, 3) [m]
        What has to be seen.
    view : (2,) [deg]
        Height of the camera above the horizon, and its direction about z from x.
    width, height : int
        Points of the picture.
    """
    up, round_z = np.radians(view)
    back = np.array((np.cos(up) * np.cos(round_z), np.cos(up) * np.sin(round_z), np.sin(up)))
    right = np.array((-np.sin(round_z), np.cos(round_z), 0.0))
    axes = np.stack([right, np.cross(back, right), back])
    seen = np.asarray(points) @ axes.T
    tangent = _MARGIN * np.tan(0.5 * _ANGLE) * np.array((width / height, 1.0))
    # Point k is inside when |seen_k − centre| ≤ tangent · (distance − seen_k,z) in both directions.
    high = (seen[:, :2] / tangent + seen[:, 2:]).max(axis=0)
    low = (-seen[:, :2] / tangent + seen[:, 2:]).max(axis=0)
    centre, distance = 0.5 * tangent * (high - low), 0.5 * (high + low).max()
    return Camera(np.array((*centre, distance)) @ axes, axes, width, height)
