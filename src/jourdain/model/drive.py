"""Coordinates that are prescribed: by a number, or by a function of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.parameter import Expression

Drive = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Constant:
    """Function of time that keeps one value; made of a number given as a drive.

    Parameters
    ----------
    value : float or tuple of float [rad, m, 1]
        What the coordinate, or the group of coordinates, is held at; may be a `Parameter`.
    """

    value: Any

    def __call__(self, t: Any) -> Any:
        """Return the value, whatever the time [s]."""
        return self.value


def members(kind: Joint, key: str) -> tuple[str, ...]:
    """Coordinates that a key of ``driven`` means: one of them, or a group such as ``orientation``.

    A group holds the coordinates whose names are the key, a dot, and something more.
    """
    return tuple(name for name in kind.coordinates if name == key or name.startswith(f"{key}."))


def drives(kind: Joint, driven: Any, what: str) -> dict[str, Drive]:
    """Check the drives of a joint; return functions of time."""
    if driven is None:
        return {}
    if not isinstance(driven, Mapping):
        example = next(iter(kind.coordinates), "angle")
        raise ModelError(
            f"{what}: driven is {check.shown(driven)}. Name the coordinate it drives, "
            f"for example driven={{{example!r}: lambda t: 2.0 * t}}."
        )
    checked: dict[str, Drive] = {}
    by: dict[str, str] = {}
    for key, value in driven.items():
        names = members(kind, key) if isinstance(key, str) else ()
        if not names:
            raise unknown_name("coordinate", str(key), kind.coordinates, what)
        for name in names:
            if name in by:
                raise ModelError(
                    f"{what}: coordinate {name!r} is driven twice, by {by[name]!r} and by {key!r}. "
                    "Keep one of them."
                )
            by[name] = key
        n = len(names) if names != (key,) else None
        checked[key] = drive(value, f"{what}: the driven value of {key!r}", n)
    return checked


def drive(value: Any, what: str, n: int | None = None) -> Drive:
    """Check one drive, of a group of n coordinates if n is given; return a function of time."""
    if isinstance(value, type) or not callable(value):
        return Constant(_held(value, what, n))
    return value  # type: ignore[no-any-return]


def _held(value: Any, what: str, n: int | None) -> Any:
    if n is None and isinstance(value, Expression | Real):
        return check.number(value, what)
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if n is not None and isinstance(items, list | tuple) and len(items) == n:
        return tuple(check.number(item, f"{what}, number {k}") for k, item in enumerate(items, 1))
    wanted = "a number" if n is None else f"{n} numbers"
    example = "2.0 * t" if n is None else f"({', '.join(['...'] * n)})"
    raise ModelError(
        f"{what} is {check.shown(value)}: give {wanted} to hold it, "
        f"or a function of time such as lambda t: {example}."
    )
