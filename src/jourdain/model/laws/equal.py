"""The bilateral law: a measure has a given value."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.texts.phrases import phrase
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountsField, preset, record
from jourdain.spatial.parameter import Expression


@record()
class Equal:
    """The measure equals a value; whatever force that takes is given (a multiplier).

    A measure that has only a rate, such as that of rolling, has its rate equal to the value: a
    nonholonomic constraint.

    Parameters
    ----------
    value : number, numbers, or function of time
        The value, one number for each component; default zero.

    Examples
    --------
    >>> import jourdain as jd
    >>> rod = jd.Equal(0.3)
    >>> moved = jd.Equal(lambda t: 0.3 + 0.01 * jd.sin(10.0 * t))
    """

    value: AmountsField = preset(default=0.0)
    states: ClassVar[Mapping[str, str]] = MappingProxyType({})
    inputs: ClassVar[Mapping[str, str]] = MappingProxyType({})
    is_set_valued: ClassVar[bool] = False
    has_static: ClassVar[bool] = False

    def __post_init__(self) -> None:
        value = self.value
        if callable(value) and not isinstance(value, type):
            return
        if isinstance(value, Expression | Real):
            object.__setattr__(self, "value", check.number(value, "value of Equal"))
            return
        items = value.tolist() if isinstance(value, np.ndarray) else value
        if not isinstance(items, list | tuple):
            raise ModelError(
                f"Equal has the value {check.shown(value)}: give a number, one number for each "
                "component of the measure, or a function of time."
            )
        numbers = tuple(check.number(x, "a value of Equal") for x in items)
        object.__setattr__(self, "value", numbers)

    def at(self, t: Any) -> Any:
        """Value at a time."""
        return self.value(t) if callable(self.value) else self.value

    def __str__(self) -> str:
        return phrase(self)
