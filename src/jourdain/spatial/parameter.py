"""Numbers that stay run-time arguments of the compiled code.

A `Parameter` may stand wherever a model takes a number. Arithmetic on parameters gives an
`Expression`, a small tree that is evaluated later with floats or with symbols alike.
"""

from __future__ import annotations

import math
import operator
import reprlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, is_dataclass
from typing import Any

from jourdain.errors import ModelError
from jourdain.spatial.units import unit

_IN_FORCE: ContextVar[Mapping[str, Any] | None] = ContextVar("values_in_force", default=None)
_OF_A_RUN: ContextVar[Mapping[str, float]] = ContextVar("values_of_a_run", default={})  # noqa: B039


@contextmanager
def values_in_force(values: Mapping[str, Any]) -> Iterator[None]:
    """Let parameters that meet numbers or symbols in user functions stand for ``values[name]``."""
    token = _IN_FORCE.set(values)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


@contextmanager
def values_of_a_run(values: Mapping[str, float]) -> Iterator[None]:
    """Let all checks take these values for the nominal ones of parameters."""
    token = _OF_A_RUN.set(values)
    try:
        yield
    finally:
        _OF_A_RUN.reset(token)


class Expression:
    """Arithmetic of parameters and numbers, evaluated by `evaluate`.

    Subclasses are `Parameter` (a leaf) and `_Operation` (a node).
    """

    __slots__ = ()
    __array_priority__ = 1000  # numpy scalars leave the arithmetic to us

    def __add__(self, other: Any) -> Any:
        return _operation(operator.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return _operation(operator.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return _operation(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _operation(operator.sub, other, self)

    def __mul__(self, other: Any) -> Any:
        if is_dataclass(other) and not isinstance(other, Expression):
            return NotImplemented  # a measure takes the factor
        return _operation(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _operation(operator.mul, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _operation(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _operation(operator.truediv, other, self)

    def __pow__(self, exponent: Any) -> Any:
        return _operation(operator.pow, self, exponent)

    def __neg__(self) -> Any:
        return _operation(operator.neg, self)

    def __deferred__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Function of `jourdain.math` of this and others, evaluated when the values are known."""
        return _operation(function, *arguments)

    def __SX__(self) -> Any:  # noqa: N802
        """Value in force, when a user's function mixes a parameter with symbols."""
        values = _IN_FORCE.get()
        return float(self) if values is None else evaluate(self, values)

    def __float__(self) -> float:
        raise ModelError(
            "a Parameter is no plain number here: it stays a run-time argument of the compiled "
            "code. Use its nominal number parameter.value, or pass the parameter to an element."
        )


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    """A named number that can change without compiling again.

    Parameters
    ----------
    name : str
        Name by which runs give another value, for example ``parameters={"m": 2.0}``.
    value : float
        Nominal value, used when a run gives none. Stored in SI: 500 [mm] becomes 0.5 [m].
    unit : str
        Unit of the value as given, such as ``"mm"``, ``"deg"``, ``"rpm"``, ``"bar"``, ``"N/mm"``.
        Stored as the SI unit it was converted to.

    Examples
    --------
    >>> import jourdain as jd
    >>> length = jd.Parameter("length", 0.3, "m")
    >>> str(2 * length)
    '2 * length'
    >>> str(jd.sin(length) / 2)
    'sin(length) / 2'
    >>> jd.Parameter("speed", 90, "rpm").unit
    'rad/s'
    """

    name: str
    value: float
    unit: str = "1"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _is_parameter_name(self.name):
            raise ModelError(
                f"parameter name {self.name!r} is not an identifier. Use letters, digits and "
                "underscores, for example Parameter('crank_length', 0.1, 'm'); names of groups "
                "before it end with a dot."
            )
        if not isinstance(self.value, int | float) or not _is_finite(self.value):
            raise ModelError(
                f"parameter {self.name!r} has the value {reprlib.repr(self.value)}: give a number."
            )
        if not isinstance(self.unit, str):
            raise ModelError(
                f"parameter {self.name!r} has the unit {reprlib.repr(self.unit)}: give a text such "
                "as 'm'."
            )
        self._to_si()

    def _to_si(self) -> None:
        try:
            given = unit(self.unit)
        except ModelError as mistake:
            raise ModelError(f"parameter {self.name!r}: {mistake}") from None
        if given.si_text != given.text:
            value = given.to_si(self.value)
            if not _is_finite(value):
                raise ModelError(f"parameter {self.name!r} is too large in SI: give a number.")
            object.__setattr__(self, "value", value)
            object.__setattr__(self, "unit", given.si_text)

    def __str__(self) -> str:
        return self.name


def _is_parameter_name(name: str) -> bool:
    """Tell whether expressions can hold a name; in groups it has dots, ``cylinder.0.bore``."""
    first, *others = name.split(".")
    return first.isidentifier() and all(f"_{word}".isidentifier() and word for word in others)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the range of floats
        return False


_SIGNS = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.pow: "**",
}


@dataclass(frozen=True, slots=True)
class _Operation(Expression):
    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def __str__(self) -> str:
        words = [f"({a})" if _is_sum(a) else str(a) for a in self.arguments]
        if self.function is operator.neg:
            return f"-{words[0]}"
        if self.function not in _SIGNS:
            return f"{self.function.__name__}({', '.join(str(a) for a in self.arguments)})"
        return f" {_SIGNS[self.function]} ".join(words)


def _is_sum(value: Any) -> bool:
    """Tell whether a text needs brackets inside another."""
    return isinstance(value, _Operation) and (
        value.function in _SIGNS or value.function is operator.neg
    )


def _operation(function: Callable[..., Any], *arguments: Any) -> Any:
    node = _Operation(function, arguments)
    values = _IN_FORCE.get()
    return node if values is None else evaluate(node, values)


def evaluate(value: Any, values: Mapping[str, Any]) -> Any:
    """Replace parameters in a number, a nested tuple or an expression by ``values[name]``."""
    if isinstance(value, Parameter):
        return values[value.name]
    if isinstance(value, _Operation):
        return value.function(*(evaluate(a, values) for a in value.arguments))
    if isinstance(value, tuple | list):
        return type(value)(evaluate(v, values) for v in value)
    return value


def parameters_in(value: Any) -> Iterator[Parameter]:
    """Yield the parameters a number, a nested tuple or an expression depends on."""
    if isinstance(value, Parameter):
        yield value
    elif isinstance(value, _Operation):
        for a in value.arguments:
            yield from parameters_in(a)
    elif isinstance(value, tuple | list):
        for v in value:
            yield from parameters_in(v)


def nominal(value: Any) -> Any:
    """Value with every parameter at its nominal number, or as `values_of_a_run` has it."""
    return evaluate(value, nominal_values(value))


def nominal_values(value: Any) -> dict[str, float]:
    """Numbers of the parameters that a value depends on, by name."""
    given = _OF_A_RUN.get()
    return {p.name: given.get(p.name, p.value) for p in parameters_in(value)}
