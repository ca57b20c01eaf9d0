"""A measure written as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check


class Formula(Measure):
    """Any function of frames, coordinates and time.

    Parameters
    ----------
    function : function of ``at``
        Value, from ``at.pose(frame)``, ``at.relative(frame, to)``, ``at.coordinate(name)`` and
        ``at.t``; see `Measure`.
    speed : function of ``at``
        In the place of ``function`` for measures of velocity only: from ``at.twist(frame)`` and
        ``at.velocity(name)`` as well.
    unit : str
        Unit of the value (of its integral over time, for a speed).
    size : int
        Number of components.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("one")
    >>> ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    >>> height = jd.Formula(lambda at: at.pose(ball.at())[1][2])
    """

    function: Callable[[Any], Any] | None = None
    speed: Callable[[Any], Any] | None = None
    unit: str = "m"
    size: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [f for f in (self.function, self.speed) if f is not None]
        if len(given) != 1 or not callable(given[0]):
            raise ModelError(
                f"Formula has {check.shown(given)}: give one function of `at`, the value, or the "
                "speed of a measure that has no value."
            )

    def value(self, at: Any) -> Any:
        """What the function gives."""
        return None if self.function is None else self.function(at)

    def rate(self, at: Any) -> Any:
        """What the speed function gives."""
        return None if self.speed is None else self.speed(at)
