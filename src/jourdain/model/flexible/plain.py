"""Numbers of flexible bodies: shapes are worked out when they are made, so none is a parameter."""

from __future__ import annotations

from typing import Any

from jourdain.errors import ModelError
from jourdain.spatial import check
from jourdain.spatial.parameter import Expression


def plain_number(value: Any, what: str, **demands: Any) -> float:
    """Check a finite number that is no parameter.

    Parameters
    ----------
    value : float
        The number.
    what : str
        What it is called in messages.
    **demands
        As those of `check.number`: ``positive``, ``nonnegative``.
    """
    if isinstance(value, Expression):
        raise ModelError(
            f"{what} depends on a parameter ({value}): flexible bodies take numbers alone, as "
            "their shapes are worked out beforehand. Give a number, and compile a model for each."
        )
    return float(check.number(value, what, **demands))
