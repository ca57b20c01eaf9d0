"""Checks of a whole model: every problem as a sentence, none raised."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import unknown_name
from jourdain.model.checks.connection_check import connection_problems
from jourdain.model.checks.recheck import parametric_elements, refused
from jourdain.model.drive import Drive, members
from jourdain.model.elements import CoordinateElement, JointElement, parameters_of, with_values
from jourdain.model.joints.joint import Joint
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial import check
from jourdain.spatial.parameter import Parameter, evaluate, values_in_force
from jourdain.spatial.units import in_si

if TYPE_CHECKING:
    from jourdain.model.model import Model

_ELEMENT = re.compile(r"(?P<word>\w+) (?P<name>'[^']*')")
_PLACE = re.compile(r"\([-+.,e\d ]+\)")  # numbers of a position: "at x = (0.5, 1)"
_SHOWN = 5  # names of elements that have a problem in common
_STEP = 1e-3  # a pose that only works at its reference position shows it here


def problems(model: Model, given: Mapping[str, float]) -> list[str]:
    """Collect what is wrong with a model at the given, else nominal, values of its parameters."""
    used = used_parameters(model)
    values = {p.name: float(p.value) for p in used}
    for name, value in given.items():
        if name not in values:
            raise unknown_name("parameter", name, values, f"model {model.name!r}")
        own = next(p.unit for p in used if p.name == name)
        plain = in_si(value, own, f"parameter {name!r}")
        values[name] = check.number(plain, f"value of parameter {name!r}")
    found = parameter_clashes(used)
    if not model.bodies and not model.coordinates and not _has_states(model):
        found.append("there is no body and no coordinate: begin with model.add_body(...).")
    if given:  # at the nominal values every element has been checked when it was made
        found += refused(parametric_elements(model), values)
    known: dict[Joint, list[str]] = {}
    for joint in model.joints.values():
        of_kind = _known_problems(joint.kind, values, known)
        found += [f"joint {joint.name!r}: {p}" for p in of_kind or _drives(joint, values)]
        found += [f"joint {joint.name!r}: {p}" for p in _armature(joint, values)]
    for coordinate in model.coordinates.values():
        found += [f"coordinate {coordinate.name!r}{p}" for p in _scalar(coordinate, values)]
    return gathered(found + connection_problems(model, values))


def _has_states(model: Model) -> bool:
    laws = (c.law for c in model.connections.values())
    return bool(model.states) or any(isinstance(x, ForceLaw) and x.states for x in laws)


def gathered(found: Iterable[str]) -> list[str]:
    """Problems that differ in their element and its position alone, as one with all places.

    >>> gathered(["joint 'a': it is wrong.", "joint 'b': it is wrong.", "joint 'c' is odd."])
    ["joint 'a': it is wrong. The same in joint 'b'.", "joint 'c' is odd."]
    """
    others: dict[Any, list[str]] = {}
    told: dict[Any, str] = {}
    for problem in found:
        match = _ELEMENT.match(problem)
        word, text = (match["word"], problem[match.end() :]) if match else ("", problem)
        key = word, _PLACE.sub("()", text) if match else text
        if key in told and match:
            others.setdefault(key, []).append(match["name"])
        told.setdefault(key, problem)
    return [_with_others(told[key], key[0], others.get(key, [])) for key in told]


def _with_others(problem: str, word: str, names: list[str]) -> str:
    if not names:
        return problem
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word.removesuffix('s')}s"
    listed = ", ".join(names[:_SHOWN]) + ", …" * (len(names) > _SHOWN)
    where = f"{word} {names[0]}" if len(names) == 1 else f"{len(names)} more {plural}: {listed}"
    return f"{problem.removesuffix('.')}. The same in {where}."


def used_parameters(model: Model) -> list[Parameter]:
    """List the parameters of all elements, each as often as it is used."""
    elements = (model.bodies, model.joints, model.coordinates, model.connections, model.states)
    parts = [built.part for built in model.parts.values()]
    return list(
        parameters_of((model.gravity, *elements, model.contact_groups, model.frames, parts))
    )


def parameter_clashes(used: Iterable[Parameter]) -> list[str]:
    """Say which parameters share a name without being equal."""
    first: dict[str, Parameter] = {}
    others = {p: first.setdefault(p.name, p) for p in used}
    return [
        f"two different parameters are called {p.name!r}: {q.value:g} [{q.unit}] and "
        f"{p.value:g} [{p.unit}]. Use one Parameter object in both places, or two names."
        for p, q in others.items()
        if p != q
    ]


def kind_mistake(kind: Any) -> str:
    """Say why something is no joint kind; empty if it is one."""
    if isinstance(kind, Joint):
        return ""
    if isinstance(kind, type) and issubclass(kind, Joint):
        arguments = ", ".join(f"{name}=..." for name in inspect.signature(kind).parameters)
        return f"its kind is the class {kind.__name__}. Write {kind.__name__}({arguments})."
    return f'its kind is {check.shown(kind)}. Give a joint kind, for example jd.Revolute("z").'


def _known_problems(
    kind: Joint, values: Mapping[str, float], known: dict[Joint, list[str]]
) -> list[str]:
    """Problems of a kind, found once for all joints that have an equal one."""
    try:
        hash(kind)
    except TypeError:  # a kind may hold a list or an array
        return _evaluated_problems(kind, values)
    if kind not in known:
        known[kind] = _evaluated_problems(kind, values)
    return known[kind]


def _evaluated_problems(kind: Joint, values: Mapping[str, float]) -> list[str]:
    word = type(kind).__name__
    try:
        return [f"{word}{problem}" for problem in _kind_problems(with_values(kind, values))]
    except Exception as error:  # user code: any failure is a problem to report
        return [f"{word} cannot be evaluated: {_reason(error)}"]


def _drives(joint: JointElement, values: Mapping[str, float]) -> Iterator[str]:
    for key, function in joint.driven.items():
        problem = _drive_problem(function, len(members(joint.kind, key)), values)
        if problem:
            yield f"the driven value of {key!r} at t = 0 s {problem}"


def _armature(joint: JointElement, values: Mapping[str, float]) -> Iterator[str]:
    for name, given in joint.armature.items():
        if problem := _array_problem(lambda given=given: evaluate(given, values), ()):  # type: ignore[misc]
            yield f"the armature of {name!r} {problem}"
        elif (amount := evaluate(given, values)) < 0.0:
            yield f"the armature of {name!r} is {amount:g}: it must be zero or positive"


def _scalar(coordinate: CoordinateElement, values: Mapping[str, float]) -> Iterator[str]:
    problem = _drive_problem(coordinate.driven, 1, values) if coordinate.driven else ""
    if problem:
        yield f": the driven value at t = 0 s {problem}"


def _kind_problems(kind: Joint) -> Iterator[str]:
    for table in ("coordinates", "velocities"):
        names = getattr(kind, table)
        if not isinstance(names, Mapping) or not all(
            isinstance(text, str) for pair in names.items() for text in pair
        ):
            yield f'.{table} is {check.shown(names)}: map names to units, as in {{"angle": "rad"}}'
            return
    n_q, n_v = len(kind.coordinates), len(kind.velocities)
    start = _array_problem(kind.start, (n_q,))
    if start:
        yield f".start() {start}"
        return
    q = np.array(kind.start(), dtype=float)
    near = q + _STEP * np.arange(1, n_q + 1)
    yield from next((found for x in (q, near) if (found := _pose_problems(kind, x))), [])
    if problem := _array_problem(lambda: kind.rates(q), (n_q, n_v), optional=True):
        yield f".rates(q) {problem}"
    elif n_v != n_q and kind.rates(q) is None:
        yield (
            f" has {n_q} position and {n_v} velocity coordinates: "
            "give rates(q), the matrix Y₁ of dq/dt = Y₁ v"
        )
    if problem := _array_problem(lambda: kind.modes(q, 0.0), (6, n_v), optional=True):
        yield f".modes(q, t) {problem}"


def _pose_problems(kind: Joint, q: Any) -> list[str]:
    what = f".pose(q, t) at q = {check.listed(q)}, t = 0 s"
    try:
        with np.errstate(all="ignore"):
            R, r = kind.pose(q, 0.0)
    except Exception as error:  # user code: any failure is a problem to report
        return [f"{what} fails: {_reason(error)}. It has to return (R, r)"]
    orientation = _array_problem(lambda: R, (3, 3))
    if not orientation and (problem := check.rotation_problem(R)):
        orientation = f"is no rotation matrix: {problem}"
    position = _array_problem(lambda: np.reshape(r, -1), (3,))
    named = {"orientation R": orientation, "position r": position}
    return [f"{what}: the {part} {problem}" for part, problem in named.items() if problem]


def _drive_problem(function: Drive, n: int, values: Mapping[str, float]) -> str:
    def at_start() -> Any:
        with values_in_force(values):
            return np.reshape(evaluate(function(0.0), values), -1)

    return _array_problem(at_start, (n,))


def _array_problem(
    function: Callable[[], Any], shape: tuple[int, ...], *, optional: bool = False
) -> str:
    """Say why a function does not return finite numbers of a shape; empty if it does."""
    try:
        with np.errstate(all="ignore"):
            value = function()
            array = np.array(value, dtype=float)
    except Exception as error:  # user code: any failure is a problem to report
        return f"fails: {_reason(error)}"
    if value is None and optional:
        return ""
    if array.shape != shape:
        return f"has the shape {array.shape} instead of {shape}"
    return "" if np.isfinite(array).all() else f"is not finite: {array.tolist()}"


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
