"""Functions in files: a number that is held, or a table that names a built-in function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from jourdain.io.text.form import Form, Reader
from jourdain.io.text.readers import chosen, number, numbers, text
from jourdain.io.text.section import Value
from jourdain.io.text.values import UnwritableError, number_tree, numbers_tree
from jourdain.math import Map, Polynomial, Ramp, Sine, Table
from jourdain.model.drive import Constant
from jourdain.model.laws.signal import Signal

EXAMPLE = '{ function = "Sine", amplitude = 0.1, frequency = 2.0 }'


def _words(value: Value) -> Any:
    """Read a text, or a list of texts."""
    return tuple(map(text, value.items())) if isinstance(value.data, list) else text(value)


_READERS: Mapping[type, Mapping[str, Reader]] = {
    Sine: dict.fromkeys(("amplitude", "frequency", "phase", "offset"), number),
    Polynomial: {"coefficients": numbers},
    Ramp: dict.fromkeys(("start", "end", "from_value", "to_value"), number),
    Table: {"x": numbers, "y": numbers, "kind": text, "outside": text},
    Signal: {"kind": text, "name": text, "factor": number, "offset": number},
    Map: {"x": numbers, "y": numbers, "z": numbers, "kind": text, "outside": _words},
}


def required(made_of: Any) -> tuple[str, ...]:
    """Names of the fields of a dataclass that have no default."""
    given = (f for f in fields(made_of) if f.init and f.default_factory is MISSING)
    return tuple(f.name for f in given if f.default is MISSING)


def function(value: Value) -> Any:
    """Read a table with the key ``function``."""
    if not isinstance(value.data, dict):
        raise value.is_not(f"a function such as {EXAMPLE}")
    if "function" not in value.data:
        raise value.says(f"the key 'function' is missing. Write it like {EXAMPLE}.")
    form = chosen(value.at("function"), forms(), "built-in function")
    return form.read(value, ("function",))


def drive(value: Value) -> Any:
    """Read a number, an array of numbers for a group of coordinates, or a function."""
    if isinstance(value.data, dict):
        return function(value)
    return numbers(value) if isinstance(value.data, list) else number(value)


def function_tree(given: Any, what: str) -> dict[str, Any]:
    """Form of a built-in function."""
    readers = _READERS.get(type(given))
    if readers is None:
        word = getattr(given, "__qualname__", None) or type(given).__qualname__
        raise UnwritableError(
            f"{what} is the function {word}, which is Python code and has no form in a file. "
            "Use jd.Sine, jd.Polynomial, jd.Ramp or jd.Table (which can hold samples of any "
            "function), or keep this model as a Python program."
        )
    tree: dict[str, Any] = {"function": type(given).__name__}
    for f in fields(given):
        content = getattr(given, f.name)
        if f.name in readers and content != f.default:
            tree[f.name] = _field_tree(content, f"{f.name} of {what}")
    return tree


def drive_tree(given: Any, what: str) -> Any:
    """Form of a drive."""
    if type(given) is not Constant:
        return function_tree(given, what)
    held = given.value
    return numbers_tree(held, what) if isinstance(held, tuple) else number_tree(held, what)


def _field_tree(content: Any, what: str) -> Any:
    if isinstance(content, str):
        return content
    if isinstance(content, tuple) and all(isinstance(word, str) for word in content):
        return list(content)
    return numbers_tree(content, what) if isinstance(content, tuple) else number_tree(content, what)


@cache
def forms() -> Mapping[str, Form]:
    """Built-in functions by name."""
    return {
        made.__name__: Form(made, readers, required(made)) for made, readers in _READERS.items()
    }
