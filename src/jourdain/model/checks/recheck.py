"""Checks of constructors, repeated at the values of parameters that a run gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from jourdain.errors import JourdainError
from jourdain.model.elements import parameters_of
from jourdain.spatial.parameter import Expression, values_of_a_run

if TYPE_CHECKING:
    from jourdain.model.model import Model


def parametric_elements(model: Model) -> dict[str, Any]:
    """Elements of a model that depend on parameters, by the words that errors call them."""
    tables = {
        "body": model.bodies,
        "joint": model.joints,
        "coordinate": model.coordinates,
        "connection": model.connections,
        "contacts": model.contact_groups,
        "frame": model.frames,
    }
    named = {f"{kind} {name!r}": x for kind, table in tables.items() for name, x in table.items()}
    return {what: x for what, x in named.items() if next(parameters_of(x), None) is not None}


def refused(elements: Mapping[str, Any], values: Mapping[str, float]) -> Iterator[str]:
    """Say what the constructors of elements refuse at the values of their parameters."""
    with values_of_a_run(values):
        for what, element in elements.items():
            try:
                remade(element)
            except JourdainError as error:
                yield f"{what}: {error}"


def remade(value: Any) -> Any:
    """Copy of an element, made by the constructors of all its parts, whose checks run again."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, list | tuple):
        return type(value)(remade(item) for item in value)
    if isinstance(value, Mapping):
        return {key: remade(item) for key, item in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {f.name: remade(getattr(value, f.name)) for f in fields(value) if f.init}
    return replace(value, **parts)
