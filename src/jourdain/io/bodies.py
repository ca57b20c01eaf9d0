"""Bodies in files: a solid by its name and dimensions, or mass properties and shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from jourdain.errors import JourdainError, ModelError
from jourdain.io.form import Form, Reader
from jourdain.io.frames import axis, place_tree, rotation, rotation_tree
from jourdain.io.readers import chosen, number, numbers, text
from jourdain.io.section import Notebook, Value
from jourdain.io.values import UnwritableError, number_tree, numbers_tree
from jourdain.model.elements import Body
from jourdain.spatial import check, solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.pose import IDENTITY, ORIGIN
from jourdain.spatial.solid import Shape, Solid

_SIZES = {
    "rod": 3,
    "box": 3,
    "ball": 1,
    "cylinder": 2,
    "tube": 3,
    "cone": 2,
    "ellipsoid": 3,
    "point": 0,
}
_DIMENSIONS = {
    "box": ("size",),
    "ball": ("radius",),
    "cylinder": ("radius", "length"),
    "tube": ("inner_radius", "outer_radius", "length"),
    "cone": ("radius", "height"),
    "ellipsoid": ("semi_axes",),
}
_AXES = ("z", "x", "y", "-x", "-y", "-z")


def body(value: Value) -> Solid:
    """Read what a body is made of."""
    if isinstance(value.data, dict) and "solid" in value.data:
        form = chosen(value.at("solid"), _solids(), "solid")
        return form.read(value, ("solid",))  # type: ignore[no-any-return]
    return _INERTIA.read(value)  # type: ignore[no-any-return]


def body_tree(given: Body) -> dict[str, Any]:
    """Form of a body: as a solid where that gives the very same body, else in numbers."""
    made = Solid(given.inertia, given.shapes)
    for word, arguments in _candidates(made):
        try:
            with np.errstate(all="ignore"):
                same = getattr(solid, word)(**arguments) == made
        except (JourdainError, ArithmeticError, TypeError):
            continue
        if same:
            return {"solid": word} | {key: _tree(key, x) for key, x in arguments.items()}
    return _inertia_tree(given)


def _candidates(made: Solid) -> Iterator[tuple[str, dict[str, Any]]]:
    """Solids with keywords that may be the given one."""
    if len(made.shapes) != 1:
        return
    shape, mass = made.shapes[0], {"mass": made.inertia.mass}
    word, place = shape.kind, {} if shape.position == ORIGIN else {"at": shape.position}
    if word == "point":
        yield word, mass | ({"position": place["at"]} if place else {})
    elif word == "rod":
        ends = zip(shape.position, shape.size, strict=False)
        start = {"start": shape.position} if place else {}
        yield word, mass | {"end": tuple(a + b if a else b for a, b in ends)} | start
    elif word in _DIMENSIONS:
        names = _DIMENSIONS[word]
        sizes = (shape.size,) if word in ("box", "ellipsoid") else shape.size
        arguments = mass | dict(zip(names, sizes, strict=False))
        if word in ("cylinder", "tube", "cone"):
            for letter in _AXES:
                yield word, arguments | ({} if letter == "z" else {"axis": letter}) | place
        turn = {} if shape.rotation == IDENTITY else {"rotation": shape.rotation}
        yield word, arguments | place | turn


def _tree(key: str, content: Any) -> Any:
    what = f"the {key} of the solid"
    if isinstance(content, str):
        return content
    if key == "rotation":
        return rotation_tree(content, what)
    return numbers_tree(content, what) if isinstance(content, tuple) else number_tree(content, what)


def _inertia_tree(given: Body) -> dict[str, Any]:
    inertia = given.inertia
    tree: dict[str, Any] = {"mass": number_tree(inertia.mass, "the mass")}
    if inertia.com != ORIGIN:
        tree["com"] = numbers_tree(inertia.com, "the centre of mass")
    rows = inertia.moments
    is_diagonal = all(rows[i][k] == 0.0 for i in range(3) for k in range(3) if i != k)
    moments = tuple(rows[i][i] for i in range(3)) if is_diagonal else rows
    if moments != ORIGIN:
        tree["moments"] = numbers_tree(moments, "the moments of inertia")
    if given.shapes:
        tree["shapes"] = [_shape_tree(shape) for shape in given.shapes]
    return tree


def _shape_tree(shape: Shape) -> dict[str, Any]:
    if _SIZES.get(shape.kind) != len(shape.size):
        raise UnwritableError(
            f"its shape of kind {shape.kind!r} with {len(shape.size)} dimensions is none of the "
            "built-in ones. Draw the body with solids of jd.solid."
        )
    tree: dict[str, Any] = {"kind": shape.kind}
    if shape.size:
        tree["size"] = numbers_tree(shape.size, "the size of its shape")
    return tree | place_tree(shape, "its shape")


def _shape(kind: str, size: Any = (), position: Any = ORIGIN, rotation: Any = IDENTITY) -> Shape:
    if _SIZES[kind] != len(size):
        n = _SIZES[kind]
        raise ModelError(f"a shape of kind {kind!r} has {n} number{'s' * (n != 1)} as its size.")
    sizes = tuple(check.number(x, "size of the shape", unit="m") for x in size)
    place = check.vector(position, "position of the shape")
    return Shape(kind, sizes, place, check.rotation(rotation, "rotation of the shape"))


def _list_of(reader: Reader, example: str) -> Reader:
    def read(value: Value) -> tuple[Any, ...]:
        if not isinstance(value.data, list):
            raise value.is_not(f"tables in brackets such as [{example}]")
        notes, made = Notebook(), []
        for item in value.items():
            with notes.noting():
                made.append(reader(item))
        notes.close()
        return tuple(made)

    return read


def _part(value: Value) -> Solid:
    if not isinstance(value.data, dict) or "solid" not in value.data:
        raise value.is_not('a solid such as { solid = "ball", mass = 1.0, radius = 0.1 }')
    return body(value)


def _compound(parts: tuple[Solid, ...], **place: Any) -> Solid:
    return solid.compound(*parts, **place)


def _with_shapes(mass: Any, shapes: tuple[Shape, ...] = (), **properties: Any) -> Solid:
    return Solid(Inertia(mass, **properties), shapes)


@cache
def _solids() -> Mapping[str, Form]:
    """Solids by name, with the keywords of their functions as keys."""
    names = ("rod", "box", "ball", "cylinder", "tube", "cone", "ellipsoid", "point")
    forms = {name: _solid_form(getattr(solid, name)) for name in names}
    readers = {"parts": _list_of(_part, '{ solid = "ball", … }')} | _placing()
    return forms | {"compound": Form(_compound, readers, ("parts",))}


def _placing() -> dict[str, Reader]:
    return {"at": numbers, "rotation": rotation}


def _solid_form(make: Callable[..., Solid]) -> Form:
    keywords = inspect.signature(make).parameters
    vectors = dict.fromkeys(("end", "start", "position", "size", "semi_axes"), numbers)
    special: dict[str, Reader] = vectors | _placing() | {"axis": axis}
    needed = tuple(name for name, p in keywords.items() if p.default is p.empty)
    return Form(make, {name: special.get(name, number) for name in keywords}, needed)


def _kind_of_shape(value: Value) -> str:
    chosen(value, _SIZES, "kind of shape")
    return text(value)


_SHAPE = Form(
    _shape,
    {"kind": _kind_of_shape, "size": numbers, "position": numbers, "rotation": rotation},
    ("kind",),
)
_INERTIA = Form(
    _with_shapes,
    {
        "mass": number,
        "com": numbers,
        "moments": numbers,
        "shapes": _list_of(_SHAPE.read, '{ kind = "ball", size = [0.1] }'),
    },
    ("mass",),
    hint=' For a solid name it, for example solid = "rod".',
)
