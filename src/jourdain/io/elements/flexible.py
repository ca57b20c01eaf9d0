"""Flexible bodies in files: a kind by its name, with its numbers."""

from __future__ import annotations

import base64
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from jourdain.errors import ModelError
from jourdain.io.elements.shapes import mesh_file
from jourdain.io.text.form import Form
from jourdain.io.text.readers import chosen, number, numbers, table, text, truth
from jourdain.io.text.section import Value
from jourdain.io.text.values import number_tree, numbers_tree
from jourdain.model.elements import Body
from jourdain.model.flexible.beam import Beam, beam
from jourdain.model.flexible.damping import Rayleigh
from jourdain.model.flexible.disc import Disc
from jourdain.model.flexible.fem.from_fem import from_fem
from jourdain.model.flexible.fem.generators import box_mesh, cylinder_mesh
from jourdain.model.flexible.fem.reading import read_mesh
from jourdain.model.flexible.nodes.archive import packed, read_body, unpacked
from jourdain.model.flexible.nodes.nodal import NodalSolid
from jourdain.model.flexible.ring import Ring, ring
from jourdain.model.flexible.section import Material, Section
from jourdain.model.flexible.solid import FlexibleSolid


def flexible(value: Value, also: tuple[str, ...] = ()) -> FlexibleSolid:
    """Read a flexible body; keys in ``also`` are read by others."""
    form = chosen(value.at("flexible"), _KINDS, "flexible body")
    return form.read(value, ("flexible", *also))  # type: ignore[no-any-return]


def flexible_tree(given: Body) -> dict[str, Any]:
    """Form of a flexible body.

    Raises
    ------
    ModelError
        If it holds a function, which files cannot.
    """
    own = given.elastic
    if isinstance(own, NodalSolid):
        content = base64.b64encode(packed(own)).decode("ascii")
        return {"flexible": "nodes", "arrays": content}
    if isinstance(own, Ring):
        tree: dict[str, Any] = {
            "flexible": "ring",
            "radius": number_tree(own.radius, "the radius of the ring"),
        }
        tree |= {"waves": own.waves, "damping": _damping_tree(own.damping)}
        return tree | {"section": _record_tree(own.section, "section")}
    if not isinstance(own, Beam) or not isinstance(own.section, Section | tuple):
        raise ModelError(
            f"body {given.name!r} has a cross-section that is a function of x. Files hold numbers "
            "alone: give a constant section, pieces with sections of their own, or keep the model "
            "in Python."
        )
    tree = {"flexible": "beam", "length": number_tree(own.length, "the length of the beam")}
    tree |= {} if own.n_modes is None else {"modes": own.n_modes}
    tree |= {"functions": own.functions, "fields": list(own.fields)}
    tree |= {"family": own.family, "frame": own.frame, "damping": _damping_tree(own.damping)}
    if own.discs:
        tree["discs"] = [_record_tree(disc, "disc") for disc in own.discs]
    if isinstance(own.section, Section):
        return tree | {"section": _record_tree(own.section, "section")}
    pieces = [{"length": x, **_record_tree(piece, "section")} for x, piece in own.section]
    return tree | {"section": pieces}


def _record_tree(record: Any, word: str) -> dict[str, Any]:
    """Fields of a section or a disc: numbers, or rows of them."""
    tree: dict[str, Any] = {}
    for f in fields(record):
        value, what = getattr(record, f.name), f"{f.name} of the {word}"
        if isinstance(value, tuple):
            tree[f.name] = numbers_tree(value, what)
        else:
            tree[f.name] = value if isinstance(value, bool) else number_tree(value, what)
    return tree


def _damping_tree(damping: Any) -> Any:
    if isinstance(damping, Rayleigh):
        return _record_tree(damping, "damping")
    if isinstance(damping, tuple):
        return numbers_tree(damping, "the damping of the beam")
    return number_tree(damping, "the damping of the beam")


def _count(value: Value) -> int:
    if isinstance(value.data, bool) or not isinstance(value.data, int):
        raise value.is_not("a whole number such as 4")
    return value.data


def _words(value: Value) -> tuple[str, ...]:
    if not isinstance(value.data, list):
        raise value.is_not('words in brackets such as ["y", "z"]')
    return tuple(text(item) for item in value.items())


def _damping(value: Value) -> Any:
    if isinstance(value.data, dict):
        return _RAYLEIGH.read(value, ())
    return numbers(value) if isinstance(value.data, list) else number(value)


def _sections(value: Value) -> Any:
    if not isinstance(value.data, list):
        return _SECTION.read(value)
    return tuple((number(piece.at("length")), _SECTION.read(piece, ("length",)))
                 for piece in value.items())  # fmt: skip


def _discs(value: Value) -> tuple[Disc, ...]:
    if not isinstance(value.data, list):
        raise value.is_not("tables in brackets, one for each disc")
    return tuple(_DISC.read(item) for item in value.items())


def _beam(discs: tuple[Disc, ...] = (), **given: Any) -> Beam:
    return replace(beam(**given), discs=discs)


def _nodes(path: Path | None = None, arrays: str | None = None) -> NodalSolid:
    if (path is None) == (arrays is None):
        raise ModelError("a body of nodes has one of the keys path and arrays.")
    if path is not None:
        return read_body(path)
    try:
        return unpacked(base64.b64decode(arrays or "", validate=True))
    except (ModelError, ValueError) as error:
        raise ModelError(
            f"arrays of the flexible body are damaged: {error} Write the model again, or name a "
            'file of jd.flexible.write_body: path = "arm.npz".'
        ) from error


def _fem(
    material: Material,
    path: Path | None = None,
    box: dict[str, Any] | None = None,
    cylinder: dict[str, Any] | None = None,
    scale: float = 1.0,
    **options: Any,
) -> NodalSolid:
    if sum(given is not None for given in (path, box, cylinder)) != 1:
        raise ModelError("a body of finite elements has one of the keys path, box and cylinder.")
    if path is not None:
        return from_fem(read_mesh(path, scale), material, **options)
    mesh = box_mesh(**box) if box is not None else cylinder_mesh(**(cylinder or {}))
    return from_fem(mesh, material, **options)


def _counts(value: Value) -> tuple[int, ...]:
    if not isinstance(value.data, list):
        raise value.is_not("whole numbers in brackets such as [10, 2, 2]")
    return tuple(_count(item) for item in value.items())


def _interfaces(value: Value) -> dict[str, Any]:
    names = table(value, '{ root = "x = min", tip = [4, 5, 6] }')
    return {name: _nodes_of(value.at(name)) for name in names}


def _nodes_of(value: Value) -> Any:
    return _counts(value) if isinstance(value.data, list) else text(value)


_SECTION = Form(
    Section,
    {f.name: number for f in fields(Section)} | {"moments": numbers, "is_round": truth},
    ("EI_y", "EI_z", "GJ", "EA", "mass"),
)
_DISC = Form(
    Disc,
    {f.name: number for f in fields(Disc)} | {"moments": numbers, "offset": numbers},
    ("at", "mass", "moments"),
)
_RAYLEIGH = Form(Rayleigh, {"mass": number, "stiffness": number}, ())
_MATERIAL = Form(
    Material, {f.name: number for f in fields(Material)}, ("youngs_modulus", "density")
)
_KINDS = {
    "beam": Form(
        _beam,
        {
            "length": number,
            "section": _sections,
            "modes": _count,
            "fields": _words,
            "functions": _count,
            "family": text,
            "damping": _damping,
            "frame": text,
            "discs": _discs,
        },
        ("length", "section"),
    ),
    "ring": Form(
        ring,
        {"radius": number, "section": _SECTION.read, "waves": _count, "damping": _damping},
        ("radius", "section"),
    ),
    "nodes": Form(_nodes, {"path": mesh_file, "arrays": text}),
    "fem": Form(
        _fem,
        {
            "path": mesh_file,
            "box": Form(dict, {"size": numbers, "divisions": _counts}, ("size", "divisions")).read,
            "cylinder": Form(
                dict,
                {"radius": number, "length": number, "divisions": _counts},
                ("radius", "length"),
            ).read,
            "scale": number,
            "material": _MATERIAL.read,
            "interfaces": _interfaces,
            "modes": _count,
            "damping": number,
            "frame": text,
            "order": _count,
            "highest": number,
        },
        ("material",),
    ),
}
