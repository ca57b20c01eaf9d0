"""A model out of the tables of a file; every mistake is told, with its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from jourdain.errors import unknown_name
from jourdain.io.elements.bodies import LOOK, body, look
from jourdain.io.elements.connections import connection, contact_group
from jourdain.io.elements.frames import frame as end
from jourdain.io.elements.frames import placed
from jourdain.io.elements.groups import entries, groups_in, is_part, place_of, tables_in
from jourdain.io.elements.joint_kinds import kind_of_table
from jourdain.io.elements.part_fields import read_part
from jourdain.io.elements.states import states
from jourdain.io.elements.time_functions import drive
from jourdain.io.text.form import Form, made, nearer
from jourdain.io.text.readers import number, numbers, table, text
from jourdain.io.text.section import (
    ELEMENTS,
    GROUP,
    MOST_MISTAKES,
    PART,
    ContentError,
    Folder,
    Notebook,
    Path,
    Value,
    label,
    shown,
)
from jourdain.io.writing import FORMAT
from jourdain.model.adding import Adding
from jourdain.model.checks.validation import problems
from jourdain.model.drive import members
from jourdain.model.joints.joint import Joint
from jourdain.model.model import Model
from jourdain.spatial import check
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter

_SECTIONS = ("parameters", *ELEMENTS, GROUP, "order")
_JOINT_KEYS = ("parent", "child", "driven", "armature")
_JOINT = "joint has the keys parent, child and kind"
_STAND_IN = Inertia(0.0)  # for a wrong body, so that its joints are read on
MOST_OPERATIONS = 100_000
"""Operations of all expressions and sums of one file."""


def model_of(tree: dict[str, Any], folder: Folder | None = None) -> Model:
    """Make the model that a file describes.

    Parameters
    ----------
    tree : dict
        What the TOML parser returns.
    folder : Folder, optional
        Where files are looked for that the model names.

    Raises
    ------
    ContentError
        All that is wrong, with places.
    """
    notes = Notebook()
    _check_format(Value(tree))
    _check_size(tree)
    top = Value(tree, (), _parameters(Value(tree), notes), folder)
    model: Model = Model("file")  # stands in, so that the elements are read on
    with notes.noting():
        model = _TOP.read(top, _SECTIONS)
    groups = dict(groups_in(top, notes))
    places: dict[str, Adding] = {"": model}
    for name, value in groups.items():
        places[name] = model  # stands in
        with notes.noting():
            around, _, own = name.rpartition(".")
            keys = ("part", "fields") if is_part(value) else (*ELEMENTS, GROUP)
            Form(dict, {}).read(value, keys)
            if not is_part(value):
                places[name] = made(value, lambda: places[around].group(own))  # noqa: B023
    for entry in entries(top, groups, [w for w in _ADDERS if w != PART], notes):
        is_last = entry.word in ("connection", PART)
        is_lacking = is_last and bool(notes.found)  # of what they may name
        with notes.noting():
            if is_lacking and entry.word == PART:
                continue
            if is_lacking:
                connection(entry.value, model)
            else:
                _ADDERS[entry.word](Place(model, places[entry.group], entry.own_name), entry.value)
    notes.close()
    model.sort_groups(groups)
    _validate(model)
    return model


def _check_format(top: Value) -> None:
    if "format" not in top.data:
        raise top.says(f"the key 'format' is missing. Begin the file with format = \"{FORMAT}\".")
    given = top.at("format")
    if given.data != FORMAT:
        raise given.is_wrong(
            f'is {shown(given.data)}, but this version of Jourdain reads "{FORMAT}". For a file '
            "of a later version, install a later Jourdain."
        )


def _check_size(tree: dict[str, Any]) -> None:
    """Refuse so many operations that compiling them would take minutes."""
    count = _operations(tree)
    if count > MOST_OPERATIONS:
        raise Value(tree).says(
            f"its expressions and sums hold {count} operations; at most {MOST_OPERATIONS} are "
            "read. Write long sums as one law or table in Python, jd.Law(...) or jd.Table(...)."
        )


def _operations(data: Any) -> int:
    """Operators of all expressions, and fifty for every term of a sum of measures or laws."""
    if isinstance(data, str):
        is_expression = data.lstrip().startswith("=")
        return sum(data.count(sign) for sign in "+-*/") if is_expression else 0
    if isinstance(data, dict):
        terms = (x for k, x in data.items() if k in ("measure", "law") and isinstance(x, list))
        return 50 * sum(map(len, terms)) + sum(map(_operations, data.values()))
    return sum(map(_operations, data)) if isinstance(data, list) else 0


def _parameters(top: Value, notes: Notebook) -> dict[str, Parameter]:
    found = {}
    for value in tables_in(top, "parameters", notes):
        name = str(value.path[1])
        found[name] = Parameter("failed", 1.0)  # stands in, so that its users are read on
        with notes.noting():
            form = Form(lambda name=name, **given: Parameter(name, **given), _PARAMETER, ("value",))
            whole = value if isinstance(value.data, dict) else _as_table(value)
            found[name] = form.read(whole)
    return found


def _as_table(value: Value) -> Value:
    return Value({"value": value.data}, value.path)


def _plain(value: Value) -> int | float:
    given = number(value)
    return value.data if isinstance(value.data, int) else float(given)


@dataclass(frozen=True)
class Place:
    """Where an element of a file is added."""

    model: Model
    group: Adding
    name: str


def _add_body(place: Place, value: Value) -> None:
    solid: Any = _STAND_IN
    own: dict[str, Any] = {}
    try:
        own = look(value)
        solid = body(value, tuple(LOOK))
    finally:
        made(value, lambda: place.group.add_body(place.name, solid, **own))


def _add_frame(place: Place, value: Value) -> None:
    table(value, '{ body = "crank", position = [0.1, 0.0, 0.0] }')
    frame = placed(value, place.model)
    made(value, lambda: place.group.add_frame(place.name, frame))


def _add_coordinate(place: Place, value: Value) -> None:
    readers = {"inertia": number, "unit": text, "driven": drive}
    add = partial(place.group.add_coordinate, place.name)
    Form(add, readers, ("inertia",)).read(value)


def _add_joint(place: Place, value: Value) -> None:
    given = table(value, '{ parent = "world", child = "crank", kind = "Fixed" }')
    notes, found = Notebook(), dict[str, Any]()
    for key in ("parent", "child"):
        with notes.noting():
            found[key] = (
                end(value.at(key), place.model) if key in given else _miss(value, key, _JOINT)
            )
    with notes.noting():
        found["kind"] = (
            kind_of_table(value, _JOINT_KEYS) if "kind" in given else _miss(value, "kind", _JOINT)
        )
        found["driven"] = _drives(value.at("driven"), found["kind"]) if "driven" in given else {}
        if "armature" in given:
            found["armature"] = _armature(value.at("armature"), found["kind"])
    notes.close()
    made(value, lambda: place.group.add_joint(place.name, **found), tuple(found))


def _add_connection(place: Place, value: Value) -> None:
    found = connection(value, place.model)
    is_array = "measures" in found
    add = place.group.add_connections if is_array else place.group.add_connection
    made(value, lambda: add(place.name, **found), tuple(found))


def _add_states(place: Place, value: Value) -> None:
    found = states(value)
    made(value, lambda: place.group.add_states(place.name, **found), tuple(found))


def _add_contacts(place: Place, value: Value) -> None:
    found = contact_group(value, place.model)
    made(value, lambda: place.group.add_contacts(place.name, **found), tuple(found))


def _add_part(place: Place, value: Value) -> None:
    part = read_part(value, place.model)
    made(value, lambda: place.group.add(place.name, part))


def _miss(value: Value, key: str, all_keys: str) -> Any:
    raise value.says(f"the key {key!r} is missing. A {all_keys}.")


def _drives(value: Value, kind: Joint) -> dict[str, Any]:
    """Read drives by coordinate; ``position.x`` may be written with or without quotes."""
    notes, found = Notebook(), {}
    table(value, "{ angle = 0.5 }")
    for key, below in _flattened(value, "", kind):
        with notes.noting():
            if not members(kind, key):
                known = list(dict.fromkeys(kind.coordinates))
                where = label(value.path[:-1])
                raise below.says(str(unknown_name("coordinate", key[:80], known, where)))
            found[key] = drive(below)
    notes.close()
    return found


def _armature(value: Value, kind: Joint) -> Any:
    """Read one number, or numbers by name."""
    if not isinstance(value.data, dict):
        return number(value)
    return {key: number(below) for key, below in _flattened(value, "", kind)}


def _flattened(value: Value, prefix: str, kind: Joint) -> list[tuple[str, Value]]:
    pairs = []
    for name in value.data:
        key, below = f"{prefix}{name}", value.at(name)
        is_group = isinstance(below.data, dict) and "function" not in below.data
        if is_group and key not in kind.coordinates and below.data:
            pairs += _flattened(below, f"{key}.", kind)
        else:
            pairs.append((key, below))
    return pairs


def _validate(model: Model) -> None:
    found = problems(model, {})[:MOST_MISTAKES]
    if found:
        raise ContentError([(_place(model, problem), problem) for problem in found])


def _place(model: Model, problem: str) -> Path:
    tables: dict[str, Any] = {"body": model.bodies, "joint": model.joints}
    tables |= {"coordinate": model.coordinates, "connection": model.connections}
    for word, elements in tables.items():
        if problem.startswith(f"{word} "):
            named = (n for n in elements if problem.startswith(f"{word} {n!r}"))
            name = next(named, "")
            path = place_of(word, name, model) if name else ()
            return nearer(path, problem, ("driven", "armature", "inertia", "measure"))
    return ()


def _gravity(value: Value) -> Any:
    given = numbers(value)
    return made(value, lambda: check.vector(given, "gravity"))


def _name(value: Value) -> Any:
    given = text(value)
    return made(value, lambda: check.name(given, "model"))


_TOP = Form(
    lambda format, **given: Model(**given),
    {"format": text, "name": _name, "gravity": _gravity},
    ("name",),
)
_PARAMETER = {"value": _plain, "unit": text}
_ADDERS: dict[str, Callable[[Place, Value], Any]] = {
    "body": _add_body,
    "frame": _add_frame,
    "coordinate": _add_coordinate,
    "joint": _add_joint,
    "connection": _add_connection,
    "states": _add_states,
    "contacts": _add_contacts,
    PART: _add_part,
}
