"""Fields of library parts in files: values that tell their kind.

Numbers, texts and truths stand for themselves, tuples are lists; nothing, where a field has a
default, is ``{ none = true }``. Everything else is a table with one key that names its kind,
``{ frame = "crank" }``, ``{ measure = { kind = "Distance", … } }``, ``{ part = "oil.tank" }``;
records on the list of `jourdain.model.parts.registry` have theirs,
``{ record = "hydraulics.Fluid", density = 850.0 }``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from jourdain.errors import did_you_mean
from jourdain.io.elements.frames import end_tree, frame
from jourdain.io.elements.joint_kinds import kind, short_kind_tree
from jourdain.io.elements.parts import contour, contour_tree, law, law_tree, measure, measure_tree
from jourdain.io.elements.time_functions import function, function_tree
from jourdain.io.text.form import made
from jourdain.io.text.readers import number, text
from jourdain.io.text.section import Notebook, Value, quoted
from jourdain.io.text.values import UnwritableError, number_tree, text_tree
from jourdain.model.contours import Contour
from jourdain.model.elements import Body, CoordinateElement, Frame, JointElement
from jourdain.model.joints.joint import Joint
from jourdain.model.laws import Equal, ForceLaw, SetValued
from jourdain.model.measures import Measure
from jourdain.model.model import Model
from jourdain.model.names import groups_of
from jourdain.model.parts.part import BuiltPart, Part
from jourdain.model.parts.registry import PARTS, name_in_files, registered
from jourdain.spatial.parameter import Expression


def fields_tree(given: Any, what: str) -> dict[str, Any]:
    """Forms of the fields of a record that differ from their defaults."""
    trees = {}
    for f in fields(given):
        value = getattr(given, f.name)
        default = f.default if f.default_factory is MISSING else f.default_factory()
        if type(value) is not type(default) or value != default:
            trees[f.name] = value_tree(value, f"the field {f.name!r} of {what}")
    return trees


def value_tree(value: Any, what: str) -> Any:
    """Form of a value.

    Raises
    ------
    UnwritableError
        If it has none.
    """
    if isinstance(value, bool):
        return value
    if value is None:
        return {"none": True}
    if isinstance(value, str):
        return {"text": text_tree(value, what)} if value.startswith("=") else text_tree(value, what)
    if isinstance(value, Expression | int | float):
        return number_tree(value, what)
    if isinstance(value, list | tuple):
        return [value_tree(item, what) for item in value]
    if isinstance(value, set | frozenset):
        return {"set": sorted((value_tree(item, what) for item in value), key=repr)}
    if isinstance(value, Mapping):
        return {"pairs": [[value_tree(x, what) for x in pair] for pair in value.items()]}
    for word, (base, write, _) in _KINDS.items():
        if isinstance(value, base):
            return {word: write(value, what)}
    name = name_in_files(type(value))
    if name is not None and is_dataclass(value):
        return {"record": name} | fields_tree(value, f"{what}, {name},")
    if callable(value):
        return function_tree(value, what)
    raise UnwritableError(f"{what} is a {type(value).__name__}, which has no form in a file.")


def read_record(value: Value, name: Value, model: Model) -> Any:
    """Make a record on the list of the names that files may hold."""
    known = text(name)
    if known not in PARTS:
        listed = ", ".join(PARTS) or "none"
        raise name.is_wrong(
            f"is {quoted(known)}, which is no part of a library that files can hold. Known: "
            f"{listed}.{did_you_mean(known[:80], PARTS)}"
        )
    cls: Any = registered(known)
    own, notes, found = {f.name for f in fields(cls)}, Notebook(), {}
    for key in value.data:
        if key == "record":
            continue
        with notes.noting():
            if key not in own:
                hint = did_you_mean(key[:80], own)
                raise value.says(f"{known} has no field {quoted(key)}.{hint}")
            found[key] = read_value(value.at(key), model)
    notes.close()
    missing = [
        f.name
        for f in fields(cls)
        if f.name not in found and f.default is MISSING and f.default_factory is MISSING
    ]
    if missing:
        raise value.says(f"the field {missing[0]!r} of {known} is missing.")
    return made(value, lambda: cls(**found))


def read_value(value: Value, model: Model) -> Any:
    """Read a value of a field."""
    data = value.data
    if isinstance(data, bool):
        return data
    if isinstance(data, list):
        return tuple(read_value(item, model) for item in value.items())
    if not isinstance(data, dict):
        is_plain = isinstance(data, int) or (isinstance(data, str) and not data.startswith("="))
        return data if is_plain else number(value)
    if "record" in data:
        return read_record(value, value.at("record"), model)
    if "function" in data:
        return function(value)
    words = (*_KINDS, "text", "set", "pairs", "none")
    word = next(iter(data), "")
    if len(data) != 1 or word not in words:
        raise value.is_not(f'one of {", ".join(words)} or record, as in {{ frame = "crank" }}')
    below = value.at(word)
    if word in _KINDS:
        return _KINDS[word][2](below, model)
    if word == "text":
        return text(below)
    if word == "none":
        if below.data is not True:
            raise below.is_not("true")
        return None
    items = read_value(below, model)
    if not isinstance(items, tuple):
        raise below.is_not("values in brackets")
    return frozenset(items) if word == "set" else dict(items)


def _named(table: str) -> Callable[[Value, Model], Any]:
    def read(value: Value, model: Model) -> Any:
        name = text(value)
        elements = getattr(model, table)
        if name not in elements:
            hint = did_you_mean(name[:80], elements)
            raise value.is_wrong(f"is {quoted(name)}, which is not there before it.{hint}")
        return elements[name]

    return read


def _name_tree(given: Any, what: str) -> str:
    return text_tree(given.name, what)


def _body(value: Value, model: Model) -> Any:
    return model.world if value.data == model.world.name else _named("bodies")(value, model)


_KINDS: dict[str, tuple[Any, Callable[[Any, str], Any], Callable[[Value, Model], Any]]] = {
    "part": (BuiltPart, _name_tree, _named("parts")),
    "body": (Body, _name_tree, _body),
    "joint": (JointElement, _name_tree, _named("joints")),
    "coordinate": (CoordinateElement, _name_tree, _named("coordinates")),
    "frame": (Frame, end_tree, frame),
    "measure": (Measure, lambda given, _: measure_tree(given), measure),
    "law": ((ForceLaw, Equal, SetValued), lambda given, _: law_tree(given), law),
    "contour": (Contour, contour_tree, contour),
    "kind": (Joint, lambda given, _: short_kind_tree(given), lambda value, _: kind(value)),
}


def part_tree(given: BuiltPart, written: Container[str]) -> dict[str, Any] | None:
    """Form of a part of a library; None where only its elements can be written.

    So it is where a field holds the handle of a part that is not among those that are written by
    their fields: the reader would not have it.
    """
    name = name_in_files(type(given.part))
    handles = [(*groups_of(built.name), built.name) for built in _handles(given.part)]
    if name is None or not all(any(x in written for x in around) for around in handles):
        return None
    try:
        return {"part": name, "fields": fields_tree(given.part, name)}
    except UnwritableError:
        return None


def _handles(value: Any) -> Iterator[BuiltPart]:
    """Handles of parts that a value holds."""
    if isinstance(value, BuiltPart):
        yield value
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _handles(pair)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _handles(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            yield from _handles(getattr(value, f.name))


def read_part(value: Value, model: Model) -> Part:
    """Read a part of a library."""
    below = value.at("fields") if "fields" in value.data else Value({}, value.path)
    found: Part = read_record(below, value.at("part"), model)
    if not isinstance(found, Part):
        raise value.at("part").is_wrong(f"is {value.data['part']!r}, which is no part.")
    return found
