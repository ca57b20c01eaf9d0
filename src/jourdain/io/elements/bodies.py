"""Bodies in files: a solid by its name and dimensions, or mass properties and shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from jourdain.errors import JourdainError
from jourdain.io.elements.flexible import flexible, flexible_tree
from jourdain.io.elements.frames import axis, rotation, rotation_tree
from jourdain.io.elements.shapes import SHAPE, mesh_file, shape_tree
from jourdain.io.text.form import Form, Reader
from jourdain.io.text.readers import chosen, number, numbers, text
from jourdain.io.text.section import Notebook, Value
from jourdain.io.text.values import number_tree, numbers_tree
from jourdain.model.elements import Body
from jourdain.model.flexible.solid import FlexibleSolid
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.pose import IDENTITY, ORIGIN
from jourdain.spatial.solid import Shape, Solid

_DIMENSIONS = {
    "box": ("size",),
    "ball": ("radius",),
    "cylinder": ("radius", "length"),
    "tube": ("inner_radius", "outer_radius", "length"),
    "cone": ("radius", "height"),
    "ellipsoid": ("semi_axes",),
}
LOOK: Mapping[str, Reader] = {"colour": text, "opacity": number}
"""Keys that tell how a body looks."""
_AXES = ("z", "x", "y", "-x", "-y", "-z")


def body(value: Value, also: tuple[str, ...] = ()) -> Solid | FlexibleSolid:
    """Read what a body is made of; keys in ``also`` are read by others."""
    if isinstance(value.data, dict) and "flexible" in value.data:
        return flexible(value, also)
    if isinstance(value.data, dict) and "solid" in value.data:
        form = chosen(value.at("solid"), _solids(), "solid")
        return form.read(value, ("solid", *also))  # type: ignore[no-any-return]
    return _INERTIA.read(value, also)  # type: ignore[no-any-return]


def look(value: Value) -> dict[str, Any]:
    """Read colour and opacity of a body, as far as they are given."""
    given = value.data if isinstance(value.data, dict) else {}
    return {key: read(value.at(key)) for key, read in LOOK.items() if key in given}


def body_tree(given: Body) -> dict[str, Any]:
    """Form of a body: as a solid where that gives the very same body, else in numbers."""
    colour = {"colour": given.colour} if given.colour else {}
    opacity = {"opacity": given.opacity} if given.opacity < 1.0 else {}
    return _solid_tree(given) | colour | opacity


def _solid_tree(given: Body) -> dict[str, Any]:
    if given.elastic is not None:
        return flexible_tree(given)
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
        yield word, mass | place
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
        tree["shapes"] = [shape_tree(shape) for shape in given.shapes]
    return tree


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
    return body(value)  # type: ignore[return-value]


def _compound(parts: tuple[Solid, ...], **place: Any) -> Solid:
    return solid.compound(*parts, **place)


def _with_shapes(mass: Any, shapes: tuple[Shape, ...] = (), **properties: Any) -> Solid:
    return Solid(Inertia(mass, **properties), shapes)


@cache
def _solids() -> Mapping[str, Form]:
    """Solids by name, with the keywords of their functions as keys."""
    names = ("rod", "box", "ball", "cylinder", "tube", "cone", "ellipsoid", "point", "mesh")
    forms = {name: _solid_form(getattr(solid, name)) for name in names}
    readers = {"parts": _list_of(_part, '{ solid = "ball", … }')} | _placing()
    return forms | {"compound": Form(_compound, readers, ("parts",))}


def _placing() -> dict[str, Reader]:
    return {"at": numbers, "rotation": rotation}


def _solid_form(make: Callable[..., Solid]) -> Form:
    keywords = inspect.signature(make).parameters
    vectors = dict.fromkeys(("end", "start", "size", "semi_axes"), numbers)
    special: dict[str, Reader] = vectors | _placing() | {"axis": axis, "path": mesh_file}
    special["inertia"] = _MASS.read
    needed = tuple(name for name, p in keywords.items() if p.default is p.empty)
    return Form(make, {name: special.get(name, number) for name in keywords}, needed)


_MASS = Form(Inertia, {"mass": number, "com": numbers, "moments": numbers}, ("mass",))
_INERTIA = Form(
    _with_shapes,
    {
        "mass": number,
        "com": numbers,
        "moments": numbers,
        "shapes": _list_of(SHAPE.read, '{ kind = "ball", size = [0.1] }'),
    },
    ("mass",),
    hint=' For a solid name it, for example solid = "rod".',
)
