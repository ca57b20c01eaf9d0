"""Calls of what users wrote with symbols in the place of numbers.

``float`` of a symbol is not a number in CasADi, without an error: ``math.sin(t)`` would give a
force that is never there. So conversions of symbols are refused while such a call lasts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import casadi as ca

from jourdain.errors import JourdainError, ModelError

if getattr(ca.GlobalOptions, "getNumpyMode", lambda: None)() == 0:
    ca.GlobalOptions.setNumpyMode(-1)  # np.sin(t) in a user's function needs no warning

_CONVERSIONS = ("__float__", "__int__")
_ORIGINAL: dict[str, Callable[..., Any]] = {name: getattr(ca.SX, name) for name in _CONVERSIONS}
_LOCK = Lock()
_CALLS = [0]  # that last, in all threads
_ADVICE = "decide with jd.where(condition, yes, no)"


@contextmanager
def on_symbols(what: str, advice: str = _ADVICE) -> Iterator[None]:
    """Call user code with symbols; any failure is told as one of what the user wrote.

    Parameters
    ----------
    what : str
        Words for what is called: ``"input 'main.angle'"``.
    advice : str
        What to do besides using `jourdain.math`.

    Raises
    ------
    ModelError
        If it takes symbols for numbers, or fails otherwise.
    """
    _refuse(1)
    try:
        yield
    except JourdainError:
        raise
    except Exception as error:  # user code: any failure is a problem to report
        raise ModelError(
            f"{what} fails on symbols: {_reason(error)}. Write it with the functions of "
            f"jourdain.math (jd.sin, jd.clip, …); {advice}."
        ) from error
    finally:
        _refuse(-1)


def _refuse(change: int) -> None:
    with _LOCK:
        _CALLS[0] += change
        for name, original in _ORIGINAL.items():
            setattr(ca.SX, name, _strict(original) if _CALLS[0] else original)


def _strict(convert: Callable[..., Any]) -> Callable[..., Any]:
    def number(symbol: Any, *more: Any) -> Any:
        if not symbol.is_constant():
            raise TypeError(
                "it turns a symbol into a number, as float() and Python's math module do"
            )
        return convert(symbol, *more)

    return number


def _reason(error: Exception) -> str:
    text = str(error).strip()
    if "truth value" in text:
        return "it decides by Python's if, max, min, and, or, or while"
    if "overloaded function" in text:
        given = re.findall(r"You have: '\((.*)\)'", text)
        return f"it gives {given[-1] if given else 'something'}, which is no number"
    last = (text.splitlines() or [""])[-1]
    plain = re.sub(r"^\S*casadi\S*: ", "", last).rstrip(".")
    is_clear = bool(plain) and not isinstance(error, LookupError)
    return plain if is_clear else f"{type(error).__name__} {plain}".strip()
