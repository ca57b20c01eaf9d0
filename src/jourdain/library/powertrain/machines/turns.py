"""Functions of an angle within a turn or a cycle, and tables of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.math.left import LEFT, Course, axes_of, end_left
from jourdain.model.laws.spring import is_function
from jourdain.model.parts.part import Samples
from jourdain.spatial import check
from jourdain.spatial.parameter import nominal

TURN = 2.0 * math.pi


def around(angle: Any, period: Any = TURN) -> Any:
    """Angle within one period, from 0."""
    return angle - period * math.floor(angle / period)


def require_turn(value: Any, what: str, period: Any = TURN) -> None:
    """Refuse a table over an angle that is not over one period, from 0 on."""
    for axis, outside in list(zip(*axes_of(value), strict=True))[:1]:
        whole = nominal(period)
        low, high, turns = axis[0] / whole, axis[-1] / whole, whole / (axis[-1] - axis[0])
        points = f"{what} has points from {axis[0]:g} to {axis[-1]:g} rad"
        if outside == "repeat":
            if round(turns) < 1 or abs(turns - round(turns)) > LEFT:
                raise ModelError(
                    f"{points} and repeats, but no whole number of such spans makes its period of "
                    f"{whole:g} rad: it would jump there. Give points over that period, in radians."
                )
        elif low < -LEFT or high > 1.0 + LEFT:
            raise ModelError(
                f"{points}, but the angle is counted from 0 to {whole:g} rad: some would never be "
                'used. Give points from 0 on, in radians, or outside="repeat".'
            )


def turn_left(
    what: str, table: Any, angle: str, values: Samples, period: Any = TURN
) -> Iterable[str]:
    """Text about a table over the angle within a period that does not go all around."""
    if not isinstance(table, math.Table):
        return ()
    turned = np.mod(values(angle), nominal(period))
    return end_left(what, table, Course("angle", "rad", turned, values.time(angle)))


def require_function(value: Any, what: str, of: str) -> None:
    """Refuse what is no function."""
    if not is_function(value):
        raise ModelError(f"{what} is {check.shown(value)}: give a function of {of}.")
