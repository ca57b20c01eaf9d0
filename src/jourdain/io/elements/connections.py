"""Connections in files: a measure and a law, or members with nodes and coordinates between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jourdain.io.elements.frames import end_tree, frame
from jourdain.io.elements.joint_kinds import kind, short_kind_tree
from jourdain.io.elements.parts import contour_tree, contours, law, law_tree, measure, measure_tree
from jourdain.io.text.form import Form, made
from jourdain.io.text.readers import number, numbers, table, text, truth
from jourdain.io.text.section import Notebook, Value
from jourdain.io.text.values import number_tree, numbers_tree, text_tree
from jourdain.model.composites.composite import Composite, CompositeElement
from jourdain.model.composites.node import Node
from jourdain.model.connection import Connection
from jourdain.model.connection_array import ConnectionArray
from jourdain.model.contact_group import ContactGroup
from jourdain.model.model import Model
from jourdain.spatial.inertia import Inertia

_KEYS = "A connection has the keys measure and law, or member with node or coordinate"
_ARRAY = "An array of connections has the keys measures and law"
_GROUP = "A group of contacts has the keys contours and law, and with_joined where that is true"
_BETWEEN = "A law of a pair has the keys between and law"
_PLAIN = Node("plain")
_TABLES = ("node", "coordinate", "member")


def connection(value: Value, model: Model) -> dict[str, Any]:
    """Read what `Model.add_connection` takes besides the name."""
    given = table(
        value, '{ measure = { kind = "Coordinate", name = "main.angle" }, law = "Equal" }'
    )
    if "member" in given:
        return {"measure": _composite(value, model)}
    if "measures" in given:
        return _read(value, model, {"measures": _measures, "law": law}, _ARRAY)
    return _pair(value, model, _KEYS)


def _measures(value: Value, model: Model) -> tuple[Any, ...]:
    """Read the measures of an array."""
    if not isinstance(value.data, list):
        raise value.is_not("a list of measures")
    notes, found = Notebook(), []
    for item in value.items():
        with notes.noting():
            found.append(measure(item, model))
    notes.close()
    return tuple(found)


def connection_tree(given: Connection | CompositeElement | ConnectionArray) -> dict[str, Any]:
    """Form of a connection, a composite or an array."""
    if isinstance(given, Connection):
        return _pair_tree(given.measure, given.law)
    if isinstance(given, ConnectionArray):
        return {"law": law_tree(given.law), "measures": [measure_tree(m) for m in given.measures]}
    composite = given.composite
    coordinates = {
        name: {"unit": text_tree(unit, f"the unit of coordinate {name!r}")}
        | _start_tree(composite.start[name], 0.0, f"the start of coordinate {name!r}")
        for name, unit in composite.coordinates.items()
    }
    trees = {
        "node": {node.name: _node_tree(node) for node in composite.nodes},
        "coordinate": coordinates,
        "member": {name: _pair_tree(*member) for name, member in composite.members.items()},
    }
    return {word: tree for word, tree in trees.items() if tree}


def contact_group(value: Value, model: Model) -> dict[str, Any]:
    """Read what `Model.add_contacts` takes besides the name."""
    given = table(
        value, '{ contours = [{ kind = "HalfSpace", frame = "world" }, …], law = "Unilateral" }'
    )
    readers: dict[str, Callable[..., Any]] = {"contours": _contours, "law": _laws}
    if "with_joined" in given:
        readers["with_joined"] = lambda flag, _: truth(flag)
    return _read(value, model, readers, _GROUP)


def contact_group_tree(given: ContactGroup) -> dict[str, Any]:
    """Form of a group of contacts."""
    more = {"with_joined": True} if given.with_joined else {}
    if not given.has_kinds:
        contours = [contour_tree(c) for c in given.contours]
        return more | {"law": law_tree(given.laws[0][2]), "contours": contours}
    trees: dict[str, list[Any]] = {name: [] for name in given.kinds}
    for name, contour in zip(given.kinds, given.contours, strict=True):
        trees[name].append(contour_tree(contour))
    laws = [{"between": [a, b], "law": law_tree(law)} for a, b, law in given.laws]
    return more | {"law": laws, "contours": trees}


def _contours(value: Value, model: Model) -> Any:
    """Read a list of contours, or a table of lists by the names of kinds."""
    if not isinstance(value.data, Mapping):
        return contours(value, model)
    notes, found = Notebook(), {}
    for name in value.data:
        with notes.noting():
            found[name] = contours(value.at(name), model)
    notes.close()
    return found


def _laws(value: Value, model: Model) -> Any:
    """Read a law, or a list of laws between two kinds of contours."""
    if not isinstance(value.data, list):
        return law(value, model)
    notes, found = Notebook(), {}
    for item in value.items():
        with notes.noting():
            table(item, '{ between = ["rubber", "steel"], law = { kind = "Coulomb" } }')
            pair = _read(item, model, {"between": _two, "law": law}, _BETWEEN)
            found[pair["between"]] = pair["law"]
    notes.close()
    return found


def _two(value: Value, model: Model) -> tuple[str, str]:
    if not isinstance(value.data, list) or len(value.data) != 2:
        raise value.is_not('two kinds of contours such as ["rubber", "steel"]')
    first, second = (text(item) for item in value.items())
    return first, second


def _pair(value: Value, model: Model, keys: str) -> dict[str, Any]:
    table(value, '{ measure = { kind = "Coordinate", name = "x" }, law = "Equal" }')
    return _read(value, model, {"measure": measure, "law": law}, keys)


def _read(
    value: Value, model: Model, readers: Mapping[str, Callable[..., Any]], keys: str
) -> dict[str, Any]:
    """Read a table that has all of some keys and no others."""
    if not isinstance(value.data, dict | list):
        raise value.is_not(f"a table: {keys[0].lower()}{keys[1:]}")
    notes, found = Notebook(), dict[str, Any]()
    for key, read in readers.items():
        with notes.noting():
            if key not in value.data:
                raise value.says(f"the key {key!r} is missing. {keys}.")
            found[key] = read(value.at(key), model)
    with notes.noting():
        Form(dict, {}).read(value, tuple(readers))
    notes.close()
    return found


def _composite(value: Value, model: Model) -> Composite:
    notes, inner = Notebook(), model.copy()  # in which nodes are bodies, so that frames find them
    found: dict[str, Any] = {"nodes": [], "coordinates": {}, "start": {}, "members": {}}

    def add_node(name: str, item: Value) -> None:
        readers: dict[str, Callable[[Value], Any]] = {"start": _amount, "kind": kind}
        readers["on"] = lambda place: frame(place, inner)
        try:
            found["nodes"].append(Form(lambda **own: Node(name, **own), readers).read(item))
        finally:
            made(item, lambda: inner.add_body(name, Inertia(0.0)))

    def add_coordinate(name: str, item: Value) -> None:
        own = Form(dict, {"unit": text, "start": number}, ("unit",)).read(item)
        found["coordinates"][name], found["start"][name] = own["unit"], own.get("start", 0.0)

    def add_member(name: str, item: Value) -> None:
        pair = _pair(item, inner, "A member has the keys measure and law")
        found["members"][name] = (pair["measure"], pair["law"])

    for word, add in zip(_TABLES, (add_node, add_coordinate, add_member), strict=True):
        section = value.at(word) if word in value.data else Value({}, value.path)
        for name in table(section, f"[connection.strut.{word}.name]"):
            with notes.noting():
                add(name, section.at(name))
    with notes.noting():
        Form(dict, {}).read(value, _TABLES)
    notes.close()
    return made(value, lambda: Composite(**found))  # type: ignore[no-any-return]


def _amount(value: Value) -> Any:
    return numbers(value) if isinstance(value.data, list) else number(value)


def _pair_tree(measured: Any, answering: Any) -> dict[str, Any]:
    tree = {"measure": measure_tree(measured), "law": law_tree(answering)}
    is_last = isinstance(tree["measure"], Mapping) and not isinstance(tree["law"], Mapping)
    return dict(reversed(tree.items())) if is_last else tree  # a long table stands last


def _node_tree(node: Node) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    if node.on != _PLAIN.on:
        tree["on"] = end_tree(node.on, f"what node {node.name!r} hangs on")
    if node.kind != _PLAIN.kind:
        tree["kind"] = short_kind_tree(node.kind)
    return tree | _start_tree(node.start, node.kind.start(), f"the start of node {node.name!r}")


def _start_tree(given: Any, default: Any, what: str) -> dict[str, Any]:
    if given == default:
        return {}
    write = numbers_tree if isinstance(given, tuple) else number_tree
    return {"start": write(given, what)}
