"""Distance between two points."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.measures.measure import FrameField, Measure, require_frame


class Distance(Measure):
    """Distance [m] between the origins of two frames; always positive.

    It has no direction where the points meet: use `Relative` for measures that pass zero.

    Parameters
    ----------
    start, end : Frame or Body
        The two ends.
    """

    start: FrameField
    end: FrameField

    def __post_init__(self) -> None:
        super().__post_init__()
        require_frame(self.start, "Distance: start")
        require_frame(self.end, "Distance: end")

    def value(self, at: Any) -> Any:
        """Length of the line between the points."""
        return math.norm(at.pose(self.end)[1] - at.pose(self.start)[1])
