"""Given forces."""

from __future__ import annotations

from typing import Any

from jourdain.errors import ModelError
from jourdain.model.laws.coefficient import column, matching, numbers
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import is_function
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountsField


class Force(ForceLaw):
    """A force that is given, whatever the motion. A positive one makes the measure grow.

    Parameters
    ----------
    value : number, numbers, or function of time [N, N m]
        The force; one number for each component of the measure, or one for all.

    Examples
    --------
    >>> import jourdain as jd
    >>> push = jd.Force(lambda t: 5.0 * jd.sin(20.0 * t))
    """

    value: AmountsField

    def __post_init__(self) -> None:
        if is_function(self.value):
            return
        if isinstance(self.value, type | str):
            raise ModelError(
                f"value of Force is {check.shown(self.value)}: give a number, one for each "
                "component of the measure, or a function of time such as lambda t: 5.0 * t."
            )
        object.__setattr__(self, "value", numbers(self.value, "value of Force"))

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Value now."""
        matching(self.value, v, "value of Force")
        given = self.value(at.t) if is_function(self.value) else self.value
        return column(given) + 0.0 * v
