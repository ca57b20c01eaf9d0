"""What drives an active law: a number, a function of time, or an input of the run."""

from __future__ import annotations

from typing import Any, TypeAlias

from jourdain.errors import ModelError
from jourdain.model.laws.spring import is_function
from jourdain.spatial import check
from jourdain.spatial.annotations import Function, Number, Takes

Source: TypeAlias = Takes[Number | Function | None, Any]
"""A number, a function of time, or None for an input."""


def check_source(law: Any, name: str) -> None:
    """Check the field of a law that holds a source."""
    value = getattr(law, name)
    if value is None or is_function(value):
        return
    what = f"{name} of {type(law).__name__}"
    if isinstance(value, type | str):
        raise ModelError(
            f"{what} is {check.shown(value)}: give a number, a function of time such as "
            f"lambda t: 5.0 * t, or leave it out to have an input {name!r}."
        )
    object.__setattr__(law, name, check.number(value, what))


def source_value(value: Any, name: str, at: Any) -> Any:
    """Value of a source now."""
    if value is None:
        return at.input(name)
    return value(at.t) if is_function(value) else value
