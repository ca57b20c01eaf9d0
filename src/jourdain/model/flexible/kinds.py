"""Joints inside of a flexible body: its elastic coordinates, and the frames that they move.

A section is a joint whose coordinates belong to the body (F1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.model.flexible.place import Place
from jourdain.model.joints.joint import Joint


class Elastic(Joint):
    """Elastic coordinates of a body, from where it is fastened to its frame.

    Sections move with them; so does the frame itself, unless it is where the body is fastened.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    root: Place | None = None

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Amplitudes of the shapes."""
        return dict(zip(self.names, self.units, strict=True))

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Where the frame is without deformation."""
        return np.eye(3), (0.0, 0.0, 0.0) if self.root is None else tuple((-self.root.x).tolist())


class Section(Joint):
    """A frame of a flexible body. It has no coordinates of its own: those of the body move it."""

    place: Place

    @property
    def coordinates(self) -> Mapping[str, str]:
        """None."""
        return {}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Where it is without deformation."""
        return np.eye(3), tuple(self.place.x.tolist())
