"""Texts of errors about surfaces from files."""

from __future__ import annotations

import sys

import pytest

import jourdain as jd
from jourdain import io
from jourdain.spatial.mesh import read_triangles

OPEN = """solid one
facet normal 0 0 1
outer loop
vertex 0 0 1
vertex 1 0 1
vertex 0 1 1
endloop
endfacet
endsolid one
"""


@pytest.mark.parametrize("wishes", [{}, {"mass": 1.0, "density": 2.0}])
def test_one_of_mass_density_and_inertia(wishes):
    message = "the mesh 'part.stl' needs one of mass, density and inertia"
    with pytest.raises(jd.ModelError, match=message):
        jd.solid.mesh("part.stl", **wishes)


def test_an_open_surface_has_no_inside(tmp_path):
    pytest.importorskip("trimesh")
    (tmp_path / "open.stl").write_text(OPEN)
    with pytest.raises(
        jd.ModelError,
        match=r"encloses 0.1667 m.3 and has 3 open edges, so it has no inside to fill",
    ):
        jd.solid.mesh(tmp_path / "open.stl", mass=1.0)


def test_without_trimesh_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(jd.MissingExtraError, match=r"pip install 'jourdain\[mesh\]'"):
        read_triangles("part.stl")


def test_files_that_are_none(tmp_path):
    pytest.importorskip("trimesh")
    with pytest.raises(jd.FormatError, match="there is no file"):
        read_triangles(tmp_path / "part.stl")
    (tmp_path / "part.obj").write_bytes(b"\x00nonsense")
    with pytest.raises(jd.FormatError, match=r"holds no (surface|triangles)"):
        read_triangles(tmp_path / "part.obj")


def test_other_endings_are_not_read(tmp_path):
    pytest.importorskip("trimesh")
    (tmp_path / "part.zip").write_bytes(b"PK")
    with pytest.raises(jd.FormatError, match=r"ends in '.zip', but surfaces are read from .stl, "):
        read_triangles(tmp_path / "part.zip")


def body(lines: str) -> str:
    return f'format = "jourdain-1"\nname = "one"\n[body.part]\n{lines}\n'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            'solid = "mesh"\npath = "/a.stl"',
            "line 5: path of body 'part' is '/a.stl': give a path ",
        ),
        ('solid = "mesh"\npath = "C:/a.stl"', "give a path relative to the model file"),
        ('solid = "mesh"\npath = 3', "path of body 'part' is 3: give a text"),
        ('solid = "mesh"\nmass = 1.0', "the key 'path' is missing"),
        ('solid = "mesh"\npath = "a.stl"', "needs one of mass, density and inertia"),
        ('solid = "mesh"\npath = "a.stl"\nmass = 1.0', "there is no file '.*a.stl'"),
        ('mass = 1.0\nshapes = [{ kind = "mesh" }]', "which has one of them"),
        (
            'mass = 1.0\nshapes = [{ kind = "ball", size = [1.0], path = "a.stl" }]',
            "of kind 'mesh'",
        ),
        (
            'mass = 1.0\nshapes = [{ kind = "ball", size = [1.0], path = "a", surface = "" }]',
            "keys path and surface belong to a shape of kind 'mesh'",
        ),
        (
            'mass = 1.0\nshapes = [{ kind = "mesh", surface = "x" }]',
            "line 5: .*surface of the shape is damaged",
        ),
        (
            'mass = 1.0\nshapes = [{ kind = "ball", size = [1.0], scale = 2.0 }]',
            "scale of the shape belongs to the path of a mesh",
        ),
    ],
)
def test_meshes_of_a_model_file(tmp_path, lines, message):
    pytest.importorskip("trimesh")
    (tmp_path / "one.toml").write_text(body(lines))
    with pytest.raises(jd.FormatError, match=message):
        jd.read_model(tmp_path / "one.toml")


def test_a_text_has_no_folder():
    with pytest.raises(jd.FormatError, match="but a text has no folder to find it in"):
        io.loads(body('solid = "mesh"\npath = "a.stl"\nmass = 1.0'))
