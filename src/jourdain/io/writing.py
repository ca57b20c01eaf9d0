"""The whole model as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from jourdain.errors import FormatError
from jourdain.io.elements.bodies import body_tree
from jourdain.io.elements.connections import connection_tree, contact_group_tree
from jourdain.io.elements.frames import end_tree, frame_tree
from jourdain.io.elements.groups import group_of, group_path, natural_groups, order_tree
from jourdain.io.elements.joint_kinds import kind_tree
from jourdain.io.elements.part_fields import part_tree
from jourdain.io.elements.states import states_tree
from jourdain.io.elements.time_functions import drive_tree
from jourdain.io.text.layout import blocks
from jourdain.io.text.values import UnwritableError, number_tree, numbers_tree, text_tree
from jourdain.model.checks.validation import gathered
from jourdain.model.elements import CoordinateElement, JointElement
from jourdain.model.model import Model
from jourdain.model.names import groups_of
from jourdain.spatial.parameter import Parameter

FORMAT = "jourdain-1"
_HEADER = "# Model for Jourdain. Units: m, kg, s, rad, N, and what is made of them."


def dumps(model: Model) -> str:
    """Text of a model, from which `loads` makes an equal one.

    Parameters
    ----------
    model : Model
        Any model of built-in elements.

    Raises
    ------
    FormatError
        If the model holds functions, joint kinds, measures or laws that are Python code; all are
        named.
    ModelError
        If two parameters of one name differ.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain import io
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> hinge = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> print(io.dumps(model))
    # Model for Jourdain. Units: m, kg, s, rad, N, and what is made of them.
    format = "jourdain-1"
    name = "pendulum"
    gravity = [0.0, 0.0, -9.81]
    <BLANKLINE>
    [body.rod]
    solid = "rod"
    mass = 1.0
    end = [0.0, 0.0, -0.5]
    <BLANKLINE>
    [joint.hinge]
    parent = "world"
    child = "rod"
    kind = "Revolute"
    axis = "y"
    <BLANKLINE>
    """
    problems: list[str] = []
    texts = [f"{_HEADER}\n", *_texts(model, problems)]
    if problems:
        lines = "".join(f"\n  {k}. {problem}" for k, problem in enumerate(gathered(problems), 1))
        raise FormatError(f"model {model.name!r} cannot be written to a file:{lines}")
    return "".join(texts)


def _texts(model: Model, problems: list[str]) -> Iterator[str]:
    def text(name: str, tree: Callable[[], Mapping[str, Any]], path: tuple[str, ...]) -> str:
        try:
            return "\n\n".join(blocks(tree(), path)) + "\n"
        except UnwritableError as reason:
            problems.append(f"{name}: {reason}")
            return ""

    yield text("the model", partial(_top_tree, model), ())
    if model.parameters:
        yield "\n" + text("the parameters", partial(_parameters_tree, model), ("parameters",))
    tables: dict[str, tuple[Mapping[str, Any], Callable[[Any], Mapping[str, Any]]]] = {
        "body": (model.bodies, body_tree),
        "frame": (model.frames, partial(frame_tree, what="the frame")),
        "coordinate": (model.coordinates, _coordinate_tree),
        "joint": (model.joints, _joint_tree),
        "connection": (_connections(model), connection_tree),
        "states": (model.states, states_tree),
        "contacts": (model.contact_groups, contact_group_tree),
    }
    parts = _written_parts(model)
    for group in ("", *natural_groups(model)):
        path, written = group_path(group), False
        if group in parts:
            yield "\n" + text(f"part {group!r}", partial(parts.get, group), path)  # type: ignore[arg-type]
        if any(part in parts for part in (*groups_of(group), group)):
            continue
        for word, (elements, tree) in tables.items():
            for name in (x for x in elements if group_of(x, model) == group):
                own = (*path, word, name.removeprefix(f"{group}."))
                written = True
                yield "\n" + text(f"{word} {name!r}", partial(tree, elements[name]), own)
        if group and not written:
            yield "\n" + text(f"group {group!r}", dict, path)
    order = order_tree(model, list(tables), list(parts))
    if order:
        yield "\n" + text("the order", lambda: order, ("order",))


def _written_parts(model: Model) -> dict[str, dict[str, Any]]:
    """Parts that are written by their names and fields, those inside of others left out."""
    found: dict[str, dict[str, Any]] = {}
    for name, built in model.parts.items():
        tree = None if any(group in found for group in groups_of(name)) else part_tree(built, found)
        found |= {} if tree is None else {name: tree}
    return found


def _connections(model: Model) -> dict[str, Any]:
    """Connections in the order of adding, composites and arrays in the place of their members."""
    wholes = model.wholes
    elements = (wholes.get(name, c) for name, c in model.connections.items())
    return {element.name: element for element in elements}


def _top_tree(model: Model) -> dict[str, Any]:
    gravity = numbers_tree(model.gravity, "gravity")
    return {"format": FORMAT, "name": model.name, "gravity": gravity}


def _parameters_tree(model: Model) -> dict[str, Any]:
    return {name: _parameter_tree(p) for name, p in model.parameters.items()}


def _parameter_tree(parameter: Parameter) -> Any:
    value = number_tree(parameter.value, f"the value of {parameter.name!r}")
    unit = text_tree(parameter.unit, f"the unit of {parameter.name!r}")
    return value if unit == "1" else {"value": value, "unit": unit}


def _coordinate_tree(given: CoordinateElement) -> dict[str, Any]:
    tree = {"inertia": number_tree(given.inertia, "the inertia")}
    tree["unit"] = text_tree(given.unit, "the unit")
    if given.driven is not None:
        tree["driven"] = drive_tree(given.driven, "the drive")
    return tree


def _joint_tree(given: JointElement) -> dict[str, Any]:
    ends = {"parent": given.parent, "child": given.child}
    tree = {word: end_tree(frame, f"the {word}") for word, frame in ends.items()}
    tree |= kind_tree(given.kind)
    if given.driven:
        tree["driven"] = {
            key: drive_tree(function, f"the drive of {key!r}")
            for key, function in given.driven.items()
        }
    if given.armature:
        tree["armature"] = {
            name: number_tree(x, f"the armature of {name!r}") for name, x in given.armature.items()
        }
    return tree
