"""Dampers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.math import Table
from jourdain.math.left import Course, end_left
from jourdain.model.laws.coefficient import coefficient, scaled
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import Characteristic, is_function

if TYPE_CHECKING:
    from jourdain.model.parts.part import Samples


class Damper(ForceLaw):
    """Damper: force ``-damping v``.

    Parameters
    ----------
    damping : number, numbers, matrix, or function [N s/m, N m s/rad; N, N m]
        Damping: one for all components of the measure, one for each, or a square matrix; or the
        resistance as a function of the rate, positive for a positive rate.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Damper(10.0).force(0.0, 0.5, None)
    -5.0
    """

    damping: Characteristic

    def __post_init__(self) -> None:
        if not is_function(self.damping):
            checked = coefficient(self.damping, "damping of Damper")
            object.__setattr__(self, "damping", checked)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force against the rate."""
        if is_function(self.damping):
            return -self.damping(v)
        return -scaled(self.damping, v, "damping of Damper")

    def doubts(self, name: str, unit: str, values: Samples) -> Iterable[str]:
        """A table that was left."""
        if not isinstance(self.damping, Table):
            return ()
        asked = f"{name}.rate"
        course = Course("speed", f"{unit}/s", values(asked), values.time(asked))
        return end_left(f"resistance of the damper {name!r}", self.damping, course)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Force times rate."""
        return -math.dot(v, self.force(x, v, at))
