"""What drives an active law: a number, a function of time or of the machine, or an input."""

from __future__ import annotations

from typing import Any, TypeAlias

from jourdain.errors import ModelError
from jourdain.model.laws.spring import is_function
from jourdain.model.measures.formula import Formula
from jourdain.spatial import check
from jourdain.spatial.annotations import Function, Number, Takes

Source: TypeAlias = Takes[Number | Function | Formula | None, Any]
"""A number, a function of time, a `Formula` of what laws see, or None for an input."""


def check_source(law: Any, name: str) -> None:
    """Check the field of a law that holds a source."""
    value = getattr(law, name)
    if value is None or is_function(value) or (isinstance(value, Formula) and value.function):
        return
    what = f"{name} of {type(law).__name__}"
    if isinstance(value, type | str):
        raise ModelError(
            f"{what} is {check.shown(value)}: give a number, a function of time such as "
            f"lambda t: 5.0 * t, jd.Formula(lambda at: ...) to see the machine, or leave it out to "
            f"have an input {name!r}."
        )
    object.__setattr__(law, name, check.number(value, what))


def source_value(value: Any, name: str, at: Any) -> Any:
    """Value of a source now."""
    if value is None:
        return at.input(name)
    if isinstance(value, Formula):
        return value.function(at)  # type: ignore[misc]
    if not is_function(value):
        return value
    try:
        return value(at.t)
    except AttributeError as error:
        raise ModelError(
            f"{name} fails: {error}. It is a function of time alone; to see the machine, "
            "coordinates and states, give jd.Formula(lambda at: ...)."
        ) from error
