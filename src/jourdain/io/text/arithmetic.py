"""Arithmetic of parameters as text: ``"2 * length + 0.1"``. Read by rule, never executed.

Numbers, names of parameters, ``pi``, ``+ - * / **`` and parentheses, with the meaning they have
in Python. Writing and reading an expression gives the same tree.
"""

from __future__ import annotations

import math
import operator
import re
import reprlib
from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from typing import Any

from jourdain.errors import did_you_mean
from jourdain.spatial.parameter import Expression, Parameter

LONGEST = 100_000
DEEPEST = 200

_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SIGN = re.compile(r"\*\*|[-+*/()]")
_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "negative": operator.neg,
}
_BINDING = {"(": 0, "+": 1, "-": 1, "*": 2, "/": 2, "negative": 3, "**": 4}
_SIGN_OF = {function: sign for sign, function in _OPERATIONS.items()}
_ATOM = 5


class ExpressionError(Exception):
    """An expression that cannot be read or written; the text follows its name."""


def parsed(text: str, parameters: Mapping[str, Parameter]) -> Any:
    """Read an expression; return a number or an `Expression`.

    Parameters
    ----------
    text : str
        The expression, without the equals sign that marks it in a file.
    parameters : mapping of str to Parameter
        What its names mean.

    Raises
    ------
    ExpressionError
        If it is no expression, or if one of its names is not there.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"has {len(text)} characters, {LONGEST} are allowed")
    values: list[tuple[Any, int]] = []  # each with the depth of its tree
    waiting: list[str] = []
    wants_value = True
    for word in _words(text):
        if wants_value and word in ("-", "("):
            waiting.append("negative" if word == "-" else "(")
        elif wants_value:
            values.append((_value(word, parameters), 0))
            wants_value = False
        elif word == ")":
            _close(values, waiting)
        elif word in _BINDING and word != "(":
            _apply_waiting(values, waiting, _BINDING[word] + (word == "**"))
            waiting.append(word)
            wants_value = True
        else:
            raise ExpressionError(f"has {word!r} where an operator such as * is expected")
    if wants_value:
        raise ExpressionError("ends where a number or a name is expected")
    _apply_waiting(values, waiting, 1)
    if waiting:
        raise ExpressionError("has a parenthesis that is not closed")
    return values[0][0]


def written(value: Any) -> str:
    """Text of an expression, from which `parsed` makes an equal one.

    Raises
    ------
    ExpressionError
        If it holds something else than real numbers and parameters, or is too large.
    """
    return _written(value, 0, 0)


def _written(value: Any, binding: int, depth: int) -> str:
    text, own = _text(value, depth)
    if len(text) > LONGEST:
        raise ExpressionError(f"has more than {LONGEST} characters")
    return f"({text})" if own < binding else text


def _text(value: Any, depth: int) -> tuple[str, int]:
    """Text and how strongly its last operation binds."""
    if depth > DEEPEST:
        raise ExpressionError(f"is nested more than {DEEPEST} deep")
    if isinstance(value, Parameter):
        return value.name, _ATOM
    if not isinstance(value, Expression):
        number = plain(value)
        return repr(number), _ATOM if math.copysign(1.0, number) > 0.0 else _BINDING["negative"]
    function = value.function  # type: ignore[attr-defined]
    if function not in _SIGN_OF:
        raise ExpressionError(f"holds the function {function.__name__}")
    sign = _SIGN_OF[function]
    own = _BINDING[sign]
    operands: tuple[Any, ...] = value.arguments  # type: ignore[attr-defined]
    if sign == "negative":
        return f"-{_written(operands[0], own + 1, depth + 1)}", own
    sides = (own + 1, _BINDING["negative"]) if sign == "**" else (own, own + 1)
    if sign != "**" and not isinstance(operands[1], Expression):
        sides = own, _ATOM  # 2 * (-3.0), not 2 * -3.0
    left, right = (_written(x, side, depth + 1) for x, side in zip(operands, sides, strict=True))
    return f"{left} {sign} {right}", own


def plain(value: Any) -> int | float:
    """Number as plain Python has it, if it is one."""
    try:
        if isinstance(value, int) and math.isfinite(value):
            return int(value)
        if isinstance(value, Real) and value == float(value) and math.isfinite(value):
            return float(value)
    except OverflowError:  # an integer beyond the range of floats
        pass
    text = "a huge integer" if isinstance(value, int) else reprlib.repr(value)
    raise ExpressionError(f"holds {text}, which is no plain number")


def _words(text: str) -> Iterator[str]:
    i = 0
    while i < len(text):
        if text[i].isspace():
            i += 1
            continue
        found = _NUMBER.match(text, i) or _SIGN.match(text, i)
        word = found[0] if found else _name(text, i)
        if not word:
            raise ExpressionError(f"has {text[i]!r}, which has no meaning there")
        yield word
        i += len(word)


def _name(text: str, i: int) -> str:
    end = i
    while end < len(text) and (_is_letter(text[end]) or (end > i and _is_dot(text, end))):
        end += 1
    return text[i:end]


def _is_letter(character: str) -> bool:
    return ("_" + character).isidentifier()


def _is_dot(text: str, i: int) -> bool:
    """Tell whether a dot joins two words of a name: ``oil.diameter``."""
    return text[i] == "." and i + 1 < len(text) and _is_letter(text[i + 1])


def _value(word: str, parameters: Mapping[str, Parameter]) -> Any:
    if word in parameters:
        return parameters[word]
    if word == "pi":
        return math.pi
    if _SIGN.match(word):
        raise ExpressionError(f"has {word!r} where a number or a name is expected")
    if not _NUMBER.match(word):
        known = ", ".join(list(parameters)[:12]) or "none"
        hint = did_you_mean(word[:80], parameters)
        raise ExpressionError(
            f"names {word[:80]!r}, which is none of the parameters ({known}).{hint}"
        )
    number: int | float = int(word) if word.isdigit() and len(word) <= 300 else float(word)
    if not math.isfinite(number):
        raise ExpressionError(f"holds {word[:80]}, which is too large for a number")
    return number


def _close(values: list[tuple[Any, int]], waiting: list[str]) -> None:
    _apply_waiting(values, waiting, 1)
    if not waiting:
        raise ExpressionError("closes a parenthesis that is not open")
    waiting.pop()


def _apply_waiting(values: list[tuple[Any, int]], waiting: list[str], binding: int) -> None:
    """Do the operations that bind at least as strongly."""
    while waiting and _BINDING[waiting[-1]] >= binding:
        sign = waiting.pop()
        n = 1 if sign == "negative" else 2
        operands = values[-n:]
        del values[-n:]
        depth = 1 + max(d for _, d in operands)
        if depth > DEEPEST:
            raise ExpressionError(f"is nested more than {DEEPEST} deep")
        values.append((_result(sign, [x for x, _ in operands]), depth))


def _result(sign: str, operands: list[Any]) -> Any:
    if any(isinstance(x, Expression) for x in operands):
        if sign == "**" and not isinstance(operands[0], Expression):
            raise ExpressionError("raises a number to the power of a parameter")
        return _OPERATIONS[sign](*operands)
    try:  # floats, because powers of integers grow without bounds
        value = _OPERATIONS[sign](*map(float, operands)) if len(operands) > 1 else -operands[0]
    except ArithmeticError as error:
        raise ExpressionError(f"cannot be computed ({error})") from None
    if isinstance(value, complex) or not math.isfinite(value):
        raise ExpressionError(f"has the value {value}")
    return value
