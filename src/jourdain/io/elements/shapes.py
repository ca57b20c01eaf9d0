"""Shapes of bodies in files; the surface of a mesh is a file beside, or stands there as text."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.io.elements.frames import place_tree, rotation
from jourdain.io.text.form import Form
from jourdain.io.text.readers import chosen, number, numbers, text
from jourdain.io.text.section import Value, shown
from jourdain.io.text.values import UnwritableError, numbers_tree
from jourdain.spatial import check
from jourdain.spatial.mesh import Triangles, read_triangles
from jourdain.spatial.pose import IDENTITY, ORIGIN
from jourdain.spatial.solid import Shape

_SIZES = {
    "rod": 3,
    "box": 3,
    "ball": 1,
    "cylinder": 2,
    "tube": 3,
    "cone": 2,
    "ellipsoid": 3,
    "point": 0,
    "mesh": 0,
}
_LARGEST = 500_000_000  # [bytes], so that a small text cannot fill the memory


def mesh_file(value: Value) -> Path:
    """Read the path of a file with a surface, which lies in the folder of the model file."""
    given = text(value)
    folder = value.folder
    if folder is None:
        raise value.is_wrong(
            f"is {shown(given)}, but a text has no folder to find it in. Write the model to a file "
            "beside it and read that with jd.read_model."
        )
    is_absolute = Path(given).is_absolute() or PureWindowsPath(given).drive
    if not folder.is_open and (is_absolute or given.startswith(("/", "\\"))):
        raise value.is_wrong(f"is {shown(given)}: give a path relative to the model file.")
    try:
        file = (folder.path / given).resolve()
        is_inside = file.is_relative_to(folder.path.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise value.is_wrong(f"is {shown(given)}, which is no path: {why}.") from None
    if not (is_inside or folder.is_open):
        raise value.is_wrong(
            f"is {shown(given)}, which leads out of the folder of the model file. Move the mesh "
            "there; or, if you trust the model file, jd.read_model(path, allow_outside=True)."
        )
    return folder.path / given


def surface_text(surface: Triangles) -> str:
    """Text of a surface: number of points, points and triangles, deflated, in letters."""
    count = len(surface.points).to_bytes(4, "little")
    return base64.b64encode(zlib.compress(count + surface.corners + surface.faces)).decode("ascii")


def surface_of(packed: str) -> Triangles:
    """Surface of a text that `surface_text` has made.

    Raises
    ------
    ModelError
        If the text is none.
    """
    try:
        content = zlib.decompressobj().decompress(base64.b64decode(packed), _LARGEST)
        end = 4 + 24 * int.from_bytes(content[:4], "little")
        made = Triangles(content[4:end], content[end:])
        highest = int(made.triangles.max()) if end < len(content) else len(made.points)
        is_whole = highest < len(made.points) and bool(np.isfinite(made.points).all())
    except (MemoryError, ValueError, zlib.error):
        is_whole = False
    if not is_whole:
        raise ModelError(
            "surface of the shape is damaged: it is no text that jd.write_model has made. Write "
            'the model again, or name the file of the mesh: path = "part.stl".'
        )
    return made


def shape_tree(shape: Shape) -> dict[str, Any]:
    """Form of a shape."""
    is_mesh = shape.kind == "mesh"
    if _SIZES.get(shape.kind) != len(shape.size) or is_mesh != (shape.mesh is not None):
        raise UnwritableError(
            f"its shape of kind {shape.kind!r} with {len(shape.size)} dimensions is none of the "
            "built-in ones. Draw the body with solids of jd.solid."
        )
    tree: dict[str, Any] = {"kind": shape.kind}
    if shape.mesh is not None:
        tree["surface"] = surface_text(shape.mesh)
    if shape.colour is not None:
        tree["colour"] = list(shape.colour)
    if shape.size:
        tree["size"] = numbers_tree(shape.size, "the size of its shape")
    return tree | place_tree(shape, "its shape")


def _shape(
    kind: str,
    size: Any = (),
    position: Any = ORIGIN,
    rotation: Any = IDENTITY,
    *,
    path: Path | None = None,
    scale: Any = None,
    surface: str | None = None,
    colour: Any = None,
) -> Shape:
    if _SIZES[kind] != len(size):
        n = _SIZES[kind]
        raise ModelError(f"a shape of kind {kind!r} has {n} number{'s' * (n != 1)} as its size.")
    if (path is not None) + (surface is not None) != (kind == "mesh"):
        raise ModelError(
            "the keys path and surface belong to a shape of kind 'mesh', which has one of them."
        )
    if scale is not None and path is None:
        raise ModelError("scale of the shape belongs to the path of a mesh.")
    mesh = None if surface is None else surface_of(surface)
    if path is not None:
        unit = 1.0 if scale is None else check.number(scale, "scale of the mesh", positive=True)
        mesh = read_triangles(path, unit)
    sizes = tuple(check.number(x, "size of the shape", unit="m") for x in size)
    place = check.vector(position, "position of the shape")
    turn = check.rotation(rotation, "rotation of the shape")
    return Shape(kind, sizes, place, turn, mesh, None if colour is None else _colour(colour))


def _colour(given: Any) -> tuple[float, ...]:
    numbers = tuple(float(x) for x in given)
    if len(numbers) != 4 or not all(0.0 <= x <= 1.0 for x in numbers):
        raise ModelError(
            "colour of the shape: give red, green, blue and opacity, each between 0 and 1."
        )
    return numbers


def _kind_of_shape(value: Value) -> str:
    chosen(value, _SIZES, "kind of shape")
    return text(value)


SHAPE = Form(
    _shape,
    {
        "kind": _kind_of_shape,
        "size": numbers,
        "position": numbers,
        "rotation": rotation,
        "path": mesh_file,
        "scale": number,
        "surface": text,
        "colour": numbers,
    },
    ("kind",),
)
"""How a shape is read."""
