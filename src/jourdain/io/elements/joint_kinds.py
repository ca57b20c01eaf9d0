"""Joint kinds in files: a name with the fields of the kind as keys; a list makes a product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from jourdain.io.elements.frames import axis, axis_tree
from jourdain.io.elements.time_functions import function, function_tree, required
from jourdain.io.text.form import Form, Reader
from jourdain.io.text.readers import chosen, number, text
from jourdain.io.text.section import Notebook, Value
from jourdain.io.text.values import UnwritableError, number_tree, text_tree
from jourdain.model.joints import Joint, Product, all_joint_kinds

_EXAMPLE = '{ kind = "Revolute", axis = "z" }'


def kind(value: Value) -> Joint:
    """Read a name, a table with a name and fields, or a list of factors."""
    if isinstance(value.data, str):
        return chosen(value, forms(), "joint kind").read(  # type: ignore[no-any-return]
            Value({}, value.path, value.parameters)
        )
    if isinstance(value.data, list):
        return _product(value)
    if not isinstance(value.data, dict) or "kind" not in value.data:
        raise value.is_not(f"a joint kind such as {_EXAMPLE}")
    return kind_of_table(value, ())


def kind_of_table(value: Value, also: tuple[str, ...]) -> Joint:
    """Read the kind of a table that has the key ``kind``; keys in ``also`` are read by others."""
    named = value.at("kind")
    if isinstance(named.data, str):
        form = chosen(named, forms(), "joint kind")
        return form.read(value, (*also, "kind"))  # type: ignore[no-any-return]
    notes, made = Notebook(), None
    with notes.noting():
        made = kind(named)
    with notes.noting():
        Form(dict, {}).read(value, (*also, "kind"))  # the factors have the fields
    notes.close()
    return made


def kind_tree(given: Joint) -> dict[str, Any]:
    """Form of a joint kind as keys of a table."""
    if type(given) is Product:
        return {"kind": [short_kind_tree(factor) for factor in given.factors]}
    name = type(given).__name__
    if name not in forms() or type(given) is not forms()[name].make:
        raise UnwritableError(
            f"its kind is {name}, which is Python code and has no form in a file. Use built-in "
            "kinds or products of them, or keep this model as a Python program."
        )
    tree: dict[str, Any] = {"kind": name}
    for f in fields(given):  # type: ignore[arg-type]
        content = getattr(given, f.name)
        if content != f.default:
            write = _FIELDS[str(f.type)][1]
            tree[f.name] = write(content, f"the {f.name} of its kind {name}")
    return tree


def short_kind_tree(given: Joint, _what: str = "") -> Any:
    """Form of a joint kind as one value: only the name where there are no fields to say."""
    tree = kind_tree(given)
    return tree["kind"] if len(tree) == 1 else tree


def _product(value: Value) -> Joint:
    notes, factors = Notebook(), []
    for item in value.items():
        with notes.noting():
            factors.append(kind(item))
    notes.close()
    return Form(lambda: Product(tuple(factors)), {}).read(Value({}, value.path))  # type: ignore[no-any-return]


def _surface(value: Value) -> Any:
    raise value.is_wrong(
        "is a function of two parameters, which is Python code and cannot stand in a file. "
        "Build this joint in Python: jd.PointOnSurface(lambda u, v: ...)."
    )


_FIELDS: Mapping[str, tuple[Reader, Callable[[Any, str], Any]]] = {
    "AxisField": (axis, axis_tree),
    "Callable[[Any, Any], Any]": (_surface, function_tree),
    "Callable[[Any], Any]": (function, function_tree),
    "Joint": (kind, short_kind_tree),
    "NumberField": (number, number_tree),
    "str": (text, text_tree),
}


@cache
def forms() -> Mapping[str, Form]:
    """Built-in kinds by name; their fields are read by the types they are annotated with."""
    kinds = dict.fromkeys(type(k) for k in all_joint_kinds() if not isinstance(k, Product))
    return {
        made.__name__: Form(
            made,
            {f.name: _FIELDS[str(f.type)][0] for f in fields(made)},  # type: ignore[arg-type]
            required(made),
        )
        for made in sorted(kinds, key=lambda made: made.__name__)
    }
