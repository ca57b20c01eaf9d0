"""Measures, laws and contours in files: a name with the fields as keys; a list makes a sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache, partial
from typing import Any

from jourdain.io.elements.frames import axis, axis_tree, end_tree, frame
from jourdain.io.elements.time_functions import function, function_tree, required
from jourdain.io.text.form import Form, Reader
from jourdain.io.text.readers import chosen, number, numbers, text, truth
from jourdain.io.text.section import Notebook, Value
from jourdain.io.text.values import UnwritableError, number_tree, numbers_tree, text_tree
from jourdain.model import contours as contour_kinds
from jourdain.model import laws, measures
from jourdain.model.contours import Contour
from jourdain.model.laws import Dry, Equal, ForceLaw, Newton, Poisson, SetValued, SumLaw
from jourdain.model.measures import Measure, Sum
from jourdain.model.model import Model

Writer = Callable[[Any, str], Any]

_CODE = ("Formula", "Law", "OnSurface", "Surface")  # functions of more than one number
_SUMS = ("Sum", "SumLaw")  # are lists
_NO_AXIS = "none"
_SET_BY_MODEL = {"Coordinate": ("unit",)}
_EXAMPLES = {
    "measure": '{ kind = "Distance", start = "crank", end = "world" }',
    "law": '{ kind = "Spring", stiffness = 1000.0 }',
    "contour": '{ kind = "Sphere", frame = "ball", radius = 0.1 }',
}


def measure(value: Value, model: Model) -> Measure:
    """Read a table with the name and the fields of a measure, or a list of terms with factors."""
    if not isinstance(value.data, list):
        return _part(value, "measure", model, ())  # type: ignore[no-any-return]
    notes, terms = Notebook(), []
    for item in value.items():
        with notes.noting():
            made = _part(item, "measure", model, ("factor",))
            factor = number(item.at("factor")) if "factor" in item.data else 1.0
            terms.append((factor, made))
    notes.close()
    return Form(lambda: Sum(tuple(terms)), {}).read(Value({}, value.path))  # type: ignore[no-any-return]


def law(value: Value, model: Model) -> ForceLaw | Equal | SetValued:
    """Read a name, a table with a name and fields, or a list of laws that act side by side."""
    if isinstance(value.data, str):
        value = Value({"kind": value.data}, value.path, value.parameters)
    if not isinstance(value.data, list):
        return _part(value, "law", model, ())  # type: ignore[no-any-return]
    notes, parts = Notebook(), []
    for item in value.items():
        with notes.noting():
            part = law(item, model)
            if not isinstance(part, ForceLaw):
                raise item.is_wrong(
                    f"is {type(part).__name__}, which cannot act beside other laws. Give it a "
                    "connection of its own."
                )
            parts.append(part)
    notes.close()
    if not parts:
        raise value.is_not(f"a law such as {_EXAMPLES['law']}")
    return Form(lambda: SumLaw(tuple(parts)), {}).read(Value({}, value.path))  # type: ignore[no-any-return]


def contour(value: Value, model: Model) -> Contour:
    """Read a table with the name and the fields of a contour."""
    return _part(value, "contour", model, ())  # type: ignore[no-any-return]


def contours(value: Value, model: Model) -> tuple[Contour, ...]:
    """Read a list of contours."""
    if not isinstance(value.data, list):
        raise value.is_not(f"a list of contours such as [{_EXAMPLES['contour']}]")
    notes, found = Notebook(), []
    for item in value.items():
        with notes.noting():
            found.append(contour(item, model))
    notes.close()
    return tuple(found)


def measure_tree(given: Measure) -> Any:
    """Form of a measure."""
    if type(given) is not Sum:
        return _tree(given, "measure")
    return [
        ({} if k == 1.0 else {"factor": number_tree(k, "a factor of its measure")})
        | _tree(m, "measure")
        for k, m in given.terms
    ]


def contour_tree(given: Contour, _what: str = "") -> dict[str, Any]:
    """Form of a contour."""
    return _tree(given, "contour")


def law_tree(given: ForceLaw | Equal | SetValued) -> Any:
    """Form of a law."""
    if isinstance(given, SumLaw) and type(given) is SumLaw:
        return [law_tree(part) for part in given.parts]
    tree = _tree(given, "law")
    return tree["kind"] if len(tree) == 1 else tree


def _part(value: Value, word: str, model: Model, also: tuple[str, ...]) -> Any:
    if not isinstance(value.data, dict) or "kind" not in value.data:
        raise value.is_not(f"a {word} such as {_EXAMPLES[word]}")
    named = value.at("kind")
    if named.data in _CODE:
        raise named.is_wrong(
            f"is {named.data!r}, which holds Python code and cannot stand in a file. Build this "
            f"connection in Python, or use another {word}."
        )
    made = chosen(named, kinds(word), word)
    readers: dict[str, Reader] = {}
    for name, annotation in _annotations(made).items():
        reader = _FIELDS[annotation][0]
        readers[name] = partial(reader, model=model) if reader in _PLACES else reader
    return Form(made, readers, required(made)).read(value, (*also, "kind"))


def _tree(given: Any, word: str) -> dict[str, Any]:
    name = type(given).__name__
    known: Any = kinds(word).get(name)
    if known is not type(given):
        is_own = getattr(_FAMILIES[word][0], name, None) is not type(given) or name in _CODE
        raise UnwritableError(
            f"its {word} is {name}, which {'is Python code and ' * is_own}has no form in a file. "
            f"Use other {word}s, with tables for functions, or keep this model as a Python program."
        )
    tree: dict[str, Any] = {"kind": name}
    defaults = {
        f.name: f.default if f.default_factory is MISSING else f.default_factory()
        for f in fields(given)
    }
    for field, annotation in _annotations(known).items():
        content = getattr(given, field)
        if type(content) is not type(defaults[field]) or content != defaults[field]:
            tree[field] = _FIELDS[annotation][1](content, f"the {field} of its {word} {name}")
    return tree


@cache
def kinds(word: str) -> Mapping[str, type]:
    """Measures, laws or contours that a file can hold, by name."""
    module, bases = _FAMILIES[word]
    found = {}
    for name in module.__all__:
        made = getattr(module, name)
        is_one = (
            isinstance(made, type)
            and issubclass(made, bases)
            and made not in (Measure, ForceLaw, SetValued, Dry, Contour)
        )
        if (
            is_one
            and name not in (*_CODE, *_SUMS)
            and set(_annotations(made).values()) <= {*_FIELDS}
        ):
            found[name] = made
    return found


def _annotations(made: Any) -> Mapping[str, str]:
    skipped = _SET_BY_MODEL.get(made.__name__, ())
    return {f.name: str(f.type) for f in fields(made) if f.name not in skipped}


def _frames(value: Value, model: Model) -> tuple[Any, ...]:
    if not isinstance(value.data, list):
        raise value.is_not('frames in brackets such as ["crank", "world"]')
    notes, found = Notebook(), []
    for item in value.items():
        with notes.noting():
            found.append(frame(item, model))
    notes.close()
    return tuple(found)


def _frames_tree(given: Any, what: str) -> Any:
    return [end_tree(f, what) for f in given]


def _axis_or_none(value: Value) -> Any:
    return None if value.data == _NO_AXIS else axis(value)


def _axis_or_none_tree(given: Any, what: str) -> Any:
    return _NO_AXIS if given is None else axis_tree(given, what)


def _whole(value: Value) -> int:
    if isinstance(value.data, bool) or not isinstance(value.data, int):
        raise value.is_not("a whole number")
    return value.data


def _amount(value: Value) -> Any:
    return numbers(value) if isinstance(value.data, list) else number(value)


def _amount_or_function(value: Value) -> Any:
    return function(value) if isinstance(value.data, dict) else _amount(value)


def _amount_tree(given: Any, what: str) -> Any:
    return numbers_tree(given, what) if isinstance(given, tuple) else number_tree(given, what)


def _amount_or_function_tree(given: Any, what: str) -> Any:
    return function_tree(given, what) if callable(given) else _amount_tree(given, what)


def _impact(value: Value) -> Any:
    if isinstance(value.data, str):
        value = Value({"kind": value.data}, value.path, value.parameters)
    if not isinstance(value.data, dict) or "kind" not in value.data:
        raise value.is_not('a law of impact such as "Newton" or { kind = "Poisson" }')
    made = chosen(value.at("kind"), {"Newton": Newton, "Poisson": Poisson}, "law of impact")
    return Form(made, {f.name: text for f in fields(made)}).read(value, ("kind",))


def _impact_tree(given: Any, what: str) -> Any:
    name = type(given).__name__
    own = {f.name: text_tree(getattr(given, f.name), what) for f in fields(given)}
    return {"kind": name} | own if own else name


def _units(value: Value) -> Any:
    if not isinstance(value.data, dict):
        raise value.is_not('names with units such as { pressure = "Pa" }')
    return {name: text(value.at(name)) for name in value.data}


def _units_tree(given: Any, what: str) -> Any:
    return {name: text_tree(unit, what) for name, unit in given.items()}


def _anything(value: Value) -> Any:
    is_text = isinstance(value.data, str) and not value.data.startswith("=")
    return value.data if is_text else _amount_or_function(value)


def _anything_tree(given: Any, what: str) -> Any:
    is_text = isinstance(given, str)
    return text_tree(given, what) if is_text else _amount_or_function_tree(given, what)


_FAMILIES: Mapping[str, tuple[Any, tuple[type, ...]]] = {
    "measure": (measures, (Measure,)),
    "law": (laws, (ForceLaw, Equal, SetValued)),
    "contour": (contour_kinds, (Contour,)),
}
_PLACES = (frame, _frames, measure, contour)
_FIELDS: Mapping[str, tuple[Any, Writer]] = {
    "Angles": (text, text_tree),
    "AmountField": (_amount_or_function, _amount_or_function_tree),
    "AmountsField": (_amount_or_function, _amount_or_function_tree),
    "Axes": (text, text_tree),
    "AxisField": (axis, axis_tree),
    "AmountOrNoneField": (_amount_or_function, _amount_or_function_tree),
    "AmountsOrNoneField": (_amount_or_function, _amount_or_function_tree),
    "AxisOrNoneField": (_axis_or_none, _axis_or_none_tree),
    "Callable[[Any], Any]": (function, function_tree),
    "Callable[[Any], Any] | None": (function, function_tree),
    "Contour": (contour, contour_tree),
    "CoordinateField": (text, text_tree),
    "Characteristic": (_amount_or_function, _amount_or_function_tree),
    "FacesField": (_anything, _anything_tree),
    "FrameField": (frame, end_tree),
    "FrameOrNoneField": (frame, end_tree),
    "FramesField": (_frames, _frames_tree),
    "Literal['above', 'below']": (text, text_tree),
    "Mapping[str, str]": (_units, _units_tree),
    "Measure": (measure, lambda given, what: measure_tree(given)),
    "Newton | Poisson": (_impact, _impact_tree),
    "NumberField": (number, number_tree),
    "NumberOrNoneField": (number, number_tree),
    "NumbersField": (_amount, _amount_tree),
    "PlaceField": (frame, end_tree),
    "RowsField": (_anything, _anything_tree),
    "Source": (_amount_or_function, _amount_or_function_tree),
    "SpanField": (numbers, numbers_tree),
    "TripleField": (numbers, numbers_tree),
    "WhenField": (_anything, _anything_tree),
    "bool": (truth, lambda given, what: given),
    "float": (number, number_tree),
    "int": (_whole, number_tree),
    "str": (text, text_tree),
}
