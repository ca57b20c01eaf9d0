"""Texts of errors about surfaces from files."""

from __future__ import annotations

import sys

import pytest

import jourdain as jd
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
