"""Dampers."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.laws.coefficient import coefficient, scaled
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import Characteristic, is_function


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

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Force times rate."""
        return -math.dot(v, self.force(x, v, at))
