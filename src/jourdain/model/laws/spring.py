"""Springs and dampers."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial import check


class Spring(ForceLaw):
    """Linear spring: force ``-stiffness (x - free) - preload``.

    Parameters
    ----------
    stiffness : float [N/m, N m/rad]
        Stiffness.
    free : float [m, rad]
        Value of the measure at which the spring is slack.
    preload : float [N, N m]
        Pull at that value.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Spring(100.0, free=0.2).force(0.3, 0.0, None)
    -9.999999999999998
    """

    stiffness: Any
    free: Any = 0.0
    preload: Any = 0.0

    def __post_init__(self) -> None:
        for name in ("stiffness", "free", "preload"):
            check.number(getattr(self, name), f"{name} of Spring")

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force against the elongation."""
        return -self.stiffness * (x - self.free) - self.preload

    def energy(self, x: Any, at: Any) -> Any:
        """Half the stiffness times the squared elongation, and the work of the preload."""
        e = x - self.free
        return math.dot(e, 0.5 * self.stiffness * e + self.preload)


class Damper(ForceLaw):
    """Linear damper: force ``-damping v``.

    Parameters
    ----------
    damping : float [N s/m, N m s/rad]
        Damping.
    """

    damping: Any

    def __post_init__(self) -> None:
        check.number(self.damping, "damping of Damper")

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force against the rate."""
        return -self.damping * v
