"""A point."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour


class Point(Contour):
    """The origin of its frame: a tip, a corner.

    Examples
    --------
    >>> from jourdain.model import Model
    >>> from jourdain.model.contours import Point
    >>> Point(Model("empty").world.at(0.0, 0.0, 0.1)).frame.position
    (0.0, 0.0, 0.1)
    """

    @property
    def reach(self) -> Any:
        """None."""
        return 0.0

    @property
    def n_extremes(self) -> int:
        """The point itself."""
        return 1

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The point itself."""
        return (math.vector(0.0, 0.0, 0.0),)
