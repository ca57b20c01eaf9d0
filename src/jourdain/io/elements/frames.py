"""Places and turns in files: axes, rotations and frames."""

from __future__ import annotations

from math import atan2, hypot
from typing import Any

from jourdain import math
from jourdain.errors import did_you_mean
from jourdain.io.text.form import Form
from jourdain.io.text.readers import number, numbers, text
from jourdain.io.text.section import Value, quoted, shown
from jourdain.io.text.values import numbers_tree, text_tree
from jourdain.model.elements import WORLD, Frame
from jourdain.model.model import Model
from jourdain.spatial import check
from jourdain.spatial.parameter import Expression
from jourdain.spatial.pose import IDENTITY, ORIGIN, Matrix

_OPPOSITE = {(-1.0, 0.0, 0.0): "-x", (0.0, -1.0, 0.0): "-y", (0.0, 0.0, -1.0): "-z"}
_TURN = '{ axis = "z", angle = 0.5 }'
_PLACE = '{ body = "crank", position = [0.1, 0.0, 0.0] }'


def axis(value: Value) -> Any:
    """Read a letter or a unit vector."""
    return text(value) if isinstance(value.data, str) else numbers(value)


def rotation(value: Value) -> Any:
    """Read a matrix, or a table with an axis and an angle, or with a quaternion."""
    if isinstance(value.data, list):
        return numbers(value)
    if not isinstance(value.data, dict):
        raise value.is_not(f"a 3×3 matrix or a table such as {_TURN}")
    return (_QUATERNION if "quaternion" in value.data else _ABOUT_AXIS).read(value)


def frame(value: Value, model: Model) -> Frame:
    """Read the name of a body or frame of the model, or a table with a body and a place on it."""
    if isinstance(value.data, str):
        return model.frames.get(value.data) or Frame(_body(value, model, frames=True))
    if not isinstance(value.data, dict):
        raise value.is_not(f"the name of a body or a frame, or a table such as {_PLACE}")
    return placed(value, model)


def placed(value: Value, model: Model) -> Frame:
    """Read a table with a body and a place on it."""
    readers = {
        "body": lambda name: _body(name, model, frames=False),
        "position": numbers,
        "rotation": rotation,
    }
    return Form(Frame, readers, ("body",)).read(value)  # type: ignore[no-any-return]


def axis_tree(content: Any, what: str) -> Any:
    """Form of an axis: a letter, or numbers."""
    content = _OPPOSITE.get(content, content)
    return content if isinstance(content, str) else numbers_tree(content, what)


def end_tree(given: Frame, what: str) -> Any:
    """Form of one end of a joint: the name of the body, or a table."""
    tree = frame_tree(given, what)
    return tree if len(tree) > 1 else given.body


def frame_tree(given: Frame, what: str) -> dict[str, Any]:
    """Form of a frame as a table."""
    return {"body": text_tree(given.body, f"the body of {what}")} | place_tree(given, what)


def place_tree(given: Any, what: str) -> dict[str, Any]:
    """Form of the position and the rotation of a frame or a shape, as far as they are not zero."""
    tree: dict[str, Any] = {}
    if repr(given.position) != repr(ORIGIN):  # the sign of zero is kept
        tree["position"] = numbers_tree(given.position, f"the position of {what}")
    if given.rotation != IDENTITY:
        tree["rotation"] = rotation_tree(given.rotation, f"the rotation of {what}")
    return tree


def rotation_tree(given: Matrix, what: str) -> Any:
    """Form of a rotation: about an axis where that gives the very same numbers, else a matrix."""
    for letter, sine, cosine in (
        ("x", (2, 1), (1, 1)),
        ("y", (0, 2), (2, 2)),
        ("z", (1, 0), (0, 0)),
    ):
        angle = atan2(given[sine[0]][sine[1]], given[cosine[0]][cosine[1]])
        if _about_axis(letter, angle) == given:
            return {"axis": letter, "angle": angle}
    return numbers_tree(given, what)


def _fixed(value: Value) -> float:
    given = number(value)
    if isinstance(given, Expression):
        raise value.is_wrong(
            f"is {shown(value.data)}: rotations cannot depend on parameters. Give a number; "
            "for a direction that changes, put a driven joint in between."
        )
    return float(given)


def _quaternion(value: Value) -> list[float]:
    if not isinstance(value.data, list) or len(value.data) != len("wxyz"):
        raise value.is_not("four numbers w, x, y, z in brackets")
    components = [_fixed(item) for item in value.items()]
    if not any(components):
        raise value.is_wrong("is zero: give a quaternion such as [1.0, 0.0, 0.0, 0.0].")
    largest = max(map(abs, components))
    return [c / largest for c in components]  # squares of large numbers overflow


def _about_axis(axis: Any, angle: float) -> Matrix:
    turn = math.rotation(check.unit_axis(axis, "axis of the rotation"), angle)
    return tuple(map(tuple, turn.tolist()))


def _from_quaternion(quaternion: list[float]) -> Matrix:
    length = hypot(*quaternion)
    turn = math.rotation_quaternion([c / length for c in quaternion])
    return tuple(map(tuple, turn.tolist()))


def _body(value: Value, model: Model, *, frames: bool) -> str:
    name = text(value)
    if name == WORLD or name in model.bodies:
        return name
    known = [WORLD, *model.bodies, *(model.frames if frames else ())]
    listed = ", ".join(map(quoted, known[:12])) + ", …" * (len(known) > 12)
    what = "no body and no frame" if frames else "no body"
    hint = did_you_mean(name[:80], known)
    raise value.is_wrong(f"is {quoted(name)}, which is {what}. Known: {listed}.{hint}")


_ABOUT_AXIS = Form(_about_axis, {"axis": axis, "angle": _fixed}, ("axis", "angle"))
_QUATERNION = Form(_from_quaternion, {"quaternion": _quaternion}, ("quaternion",))
