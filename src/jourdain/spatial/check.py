"""Checks of what users type: one place, one spelling of every message.

Each function takes the value and a phrase that names it (``"mass of the rod"``), and returns the
value in its stored form or raises `ModelError`. Parameters are checked at their nominal values.
"""

from __future__ import annotations

import inspect
import math
import re
import reprlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Real
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial.parameter import Expression, nominal
from jourdain.spatial.pose import IDENTITY, Matrix

TOLERANCE = 1e-9
"""Allowed deviation of an axis from unit length and of a rotation from orthonormality."""

_AXES: dict[str, str | tuple[float, float, float]] = {
    "x": "x",
    "y": "y",
    "z": "z",
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}
_LETTERS = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}
_LONGEST_NAME = 80
_GROUPED = ("body", "joint", "connection", "contact group", "frame", "group")


@contextmanager
def arithmetic(what: str) -> Iterator[None]:
    """Tell numbers whose squares and products are beyond those of the machine."""
    try:
        with np.errstate(over="raise", invalid="raise"):
            yield
    except ArithmeticError as error:
        raise ModelError(
            f"{what} has numbers so large or small that its inertia is not finite ({error}). Give "
            "masses in kg and lengths in m."
        ) from None


def number(
    value: Any, what: str, *, positive: bool = False, nonnegative: bool = False, unit: str = ""
) -> Any:
    """Check a finite number; return a float, or the parameter expression as it is."""
    plain = _plain(value, what)
    if (positive and plain <= 0.0) or (nonnegative and plain < 0.0):
        text = f"{value} = {plain:g}" if isinstance(value, Expression) else f"{plain:g}"
        demand = "positive" if positive else "zero or positive"
        raise ModelError(f"{what} is {f'{text} {unit}'.strip()}: it must be {demand}.")
    return value if isinstance(value, Expression) else plain


def share(value: Any, what: str) -> float:
    """Check a number above zero and up to one."""
    plain = _plain(value, what)
    if not 0.0 < plain <= 1.0:
        raise ModelError(f"{what} is {plain:g}: it must be above 0 and at most 1.")
    return plain


def colour(value: Any, what: str) -> str:
    """Check a colour ``"#rrggbb"``."""
    if not isinstance(value, str) or not re.fullmatch("#[0-9a-fA-F]{6}", value):
        raise ModelError(
            f"{what} is {shown(value)}. Give it as '#rrggbb', two hexadecimal digits each for "
            "red, green and blue, for example '#4477aa'."
        )
    return value


def vector(value: Any, what: str, example: str = "(0.0, 0.0, 0.3)") -> tuple[Any, Any, Any]:
    """Check three finite numbers or parameter expressions; return a tuple."""
    items = _three(value)
    if items is None:
        raise ModelError(f"{what} is {shown(value)}: give three numbers such as {example}.")
    x, y, z = (number(v, f"component {c} of {what}") for c, v in zip("xyz", items, strict=True))
    return x, y, z


def is_triple(value: Any) -> bool:
    """Tell whether something is a row of three."""
    return _three(value) is not None


def by_name(value: Any, what: str, example: str) -> dict[str, Any]:
    """Check what is given by names, or nothing; return a dictionary."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ModelError(f"{what} is {shown(value)}: name what is given, {what}={{{example}}}.")
    return dict(value)


def rotation(value: Any, what: str) -> Matrix:
    """Check a right-handed orthonormal 3×3 matrix of numbers; return nested tuples of floats."""
    is_identity = value is IDENTITY  # most rotations of a large model
    if is_identity:
        return IDENTITY
    rows = [_three(row) for row in _three(value) or ()]
    if not rows or None in rows:
        raise ModelError(
            f"{what} is {shown(value)}: give a 3×3 matrix such as jd.rotation_z(0.5); "
            "for a quaternion use jd.rotation_quaternion((w, x, y, z))."
        )
    entries = tuple(tuple(_fixed(x, f"an entry of {what}") for x in row or ()) for row in rows)
    problem = rotation_problem(entries)
    if problem:
        raise ModelError(
            f"{what} is no rotation matrix: {problem}. Its columns are the unit vectors of the "
            "turned axes; make it with jd.rotation_x, jd.rotation_y, jd.rotation_z or jd.rotation."
        )
    return entries


def rotation_problem(entries: Any) -> str:
    """Say in what a 3×3 array of finite numbers fails to be a rotation; empty if in nothing."""
    R = np.array(entries, dtype=float)
    deviation = float(np.abs(R.T @ R - np.eye(3)).max())
    if deviation > TOLERANCE:
        return f"RᵀR differs from the identity by {deviation:.3g} (limit {TOLERANCE:g})"
    if np.linalg.det(R) < 0.0:
        return "its axes are left-handed (determinant -1)"
    return ""


def unit_axis(axis: Any, what: str) -> str | tuple[float, float, float]:
    """Check an axis; return ``"x"``, ``"y"``, ``"z"`` or a unit vector as a tuple of floats."""
    if isinstance(axis, str) and axis in _AXES:
        return _AXES[axis]
    items = None if isinstance(axis, str) else _three(axis)
    if items is None:
        letters = ", ".join(map(repr, _AXES))
        raise ModelError(f"{what} is {shown(axis)}: give one of {letters} or a unit vector.")
    x, y, z = (_fixed(v, f"component {c} of {what}") for c, v in zip("xyz", items, strict=True))
    length = math.hypot(x, y, z)
    if abs(length - 1.0) > TOLERANCE:
        unit = tuple(v / length for v in (x, y, z)) if length else None
        remedy = f"Use {unit}." if unit else "Give the direction of the axis."
        raise ModelError(
            f"{what} is {listed((x, y, z))} with length {length:.10g}: "
            f"it must have unit length. {remedy}"
        )
    return _LETTERS.get((x, y, z), (x, y, z))


def name(value: Any, what: str) -> str:
    """Check the name of an element; ``what`` is the kind of element, such as ``"body"``."""
    if not isinstance(value, str):
        raise ModelError(f"{what} name {shown(value)} is no text: the name comes first, in quotes.")
    if not value or len(value) > _LONGEST_NAME:
        raise ModelError(
            f"{what} name {shown(value)} has {len(value)} characters: "
            f"give 1 to {_LONGEST_NAME} characters."
        )
    if "." in value:
        group = f", or add it through model.group({value.partition('.')[0]!r})"
        raise ModelError(
            f"{what} name {value!r} contains a dot, which separates group, element and quantity "
            f"in 'group.element.quantity'. Use {value.replace('.', '_')!r}"
            f"{group if what in _GROUPED else ''}."
        )
    if not value.isprintable() or value != value.strip():
        raise ModelError(
            f"{what} name {value!r} contains control characters or surrounding blanks. "
            f"Use {_cleaned(value)!r}."
        )
    if value == "world":
        raise ModelError(f"{what} name 'world' is taken by the fixed ground, model.world.")
    return value


def listed(values: Any) -> str:
    """Text of numbers or expressions in parentheses, with six digits."""
    words = (f"{v:g}" if isinstance(v, Real) else str(v) for v in values)
    return f"({', '.join(words)})"


def shown(value: Any) -> str:
    """Text of any value for a message, shortened."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if inspect.isroutine(value):
        return f"the function {value.__name__}"
    return str(value) if isinstance(value, Expression) else reprlib.repr(value)


def _plain(value: Any, what: str) -> float:
    if type(value) is float and math.isfinite(value):  # most numbers of a large model
        return value
    try:
        plain = nominal(value) if isinstance(value, Expression) else value
    except (ArithmeticError, TypeError) as error:
        raise ModelError(
            f"{what} is {value}, which cannot be evaluated at the values of its "
            f"parameters ({error}). Change them."
        ) from None
    if isinstance(plain, np.ndarray) and plain.ndim == 0:
        plain = plain.item()
    if not isinstance(plain, Real) or isinstance(plain, bool):
        raise ModelError(f"{what} is {shown(plain)}: give a number.")
    try:
        result = float(plain)
    except OverflowError:  # an integer beyond the range of floats
        result = math.inf
    if not math.isfinite(result):
        raise ModelError(f"{what} is {result}: give a finite number.")
    return result


def _fixed(value: Any, what: str) -> float:
    if isinstance(value, Expression):
        raise ModelError(
            f"{what} is the parameter expression {value}: only plain numbers can stand here. "
            "For a direction that changes, put a driven joint in between."
        )
    return _plain(value, what)


def _three(value: Any) -> list[Any] | tuple[Any, ...] | None:
    items = value.tolist() if isinstance(value, np.ndarray) else value
    return items if isinstance(items, list | tuple) and len(items) == len("xyz") else None


def _cleaned(value: str) -> str:
    return "".join(c for c in value if c.isprintable()).strip() or "rod"
