"""Texts of errors about surfaces from files."""

from __future__ import annotations

import json
import os
import struct
import sys
from pathlib import Path

import numpy as np
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


# ---- where meshes may lie

MESH = 'solid = "mesh"\npath = "{}"\nmass = 1.0'
CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype="<f4")
FACES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
     (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)], dtype="<u4",
)  # fmt: skip


def stl(count=None):
    """Cube as a binary STL file that claims to have so many triangles."""
    rows = np.zeros(12, dtype=[("n", "<f4", 3), ("p", "<f4", (3, 3)), ("a", "<u2")])
    rows["p"] = CUBE[FACES]
    return bytes(80) + (12 if count is None else count).to_bytes(4, "little") + rows.tobytes()


def glb(change=lambda tree: None):
    """Cube as a GLB file, with a change of its description."""
    points, faces = CUBE.tobytes(), FACES.tobytes()
    tree = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(faces)},
        ],
        "buffers": [{"byteLength": len(points) + len(faces)}],
    }  # fmt: skip
    change(tree)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    body = points + faces
    parts = (struct.pack("<I4s", len(text), b"JSON"), text, struct.pack("<I", len(body)))
    return struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(body)) + b"".join(
        (*parts, b"BIN\0", body)
    )


def test_the_cubes_are_cubes(tmp_path):
    pytest.importorskip("trimesh")
    for name, content in (("a.stl", stl()), ("a.glb", glb())):
        (tmp_path / name).write_bytes(content)
        assert read_triangles(tmp_path / name).enclosed()[0] == pytest.approx(1.0)


def test_meshes_stay_in_the_folder_unless_allowed(tmp_path):
    pytest.importorskip("trimesh")
    inside = tmp_path / "model"
    (inside / "parts").mkdir(parents=True)
    for place in (tmp_path / "out.stl", inside / "in.stl", inside / "parts" / "deep.stl"):
        place.write_bytes(stl())
    (inside / "link.stl").symlink_to(tmp_path / "out.stl")
    (inside / "shortcut").symlink_to(tmp_path)
    (inside / "other.stl").symlink_to(inside / "in.stl")
    file = inside / "one.toml"
    for path in ("in.stl", "parts/deep.stl", "parts/../in.stl", "other.stl", "./in.stl"):
        file.write_text(body(MESH.format(path)))
        assert jd.read_model(file).bodies["part"].shapes
    for path in ("../out.stl", "link.stl", "shortcut/out.stl", "parts/../../out.stl"):
        file.write_text(body(MESH.format(path)))
        with pytest.raises(jd.FormatError, match="leads out of the folder of the model file"):
            jd.read_model(file)
        assert jd.read_model(file, allow_outside=True).bodies["part"].shapes
    file.write_text(body(MESH.format(tmp_path / "out.stl")))
    with pytest.raises(jd.FormatError, match="give a path relative to the model file"):
        jd.read_model(file)
    assert jd.read_model(file, allow_outside=True).bodies["part"].shapes


@pytest.mark.parametrize("path", ["x" * 5000 + ".stl", "a\\u0000.stl", "x/" * 2500 + "a.stl"])
def test_impossible_paths(tmp_path, path):
    pytest.importorskip("trimesh")
    (tmp_path / "one.toml").write_text(body(MESH.format(path)))
    for allowed in (False, True):
        with pytest.raises(jd.FormatError, match=r"path of body 'part'|there is no file"):
            jd.read_model(tmp_path / "one.toml", allow_outside=allowed)
    with pytest.raises(jd.FormatError, match="there is no file"):
        read_triangles(path.replace("\\u0000", "\0"))


def claim(tree):
    tree["accessors"][0]["count"] = 10**9


def claim_nothing(tree):
    tree["accessors"][0].update(count=10**9)
    del tree["accessors"][0]["bufferView"]


def repeat(tree):
    tree["nodes"] = [{"children": [k + 1, k + 1]} for k in range(40)] + [{"mesh": 0}]


def circle(tree):
    tree["nodes"] = [{"children": [1]}, {"children": [0], "mesh": 0}]


def stray(tree):
    tree["accessors"][0]["count"] = 4


def negative(tree):
    tree["accessors"][0]["count"] = -1


BROKEN = {
    "claims.glb": (glb(claim), "it claims 12000000000 bytes of numbers, and has "),
    "zeros.glb": (glb(claim_nothing), "it claims 12000000000 bytes of numbers"),
    "repeated.glb": (glb(repeat), "more than 10000 places, or no end"),
    "circle.glb": (glb(circle), "its scene has no beginning"),
    "stray.glb": (glb(stray), "triangles of points that are not there"),
    "uneven.obj": (b"v 0 0 0\nv 1 0\x0b0 0\nv 0 1 0\nf 1 2 3\n", "points have three numbers"),
    "negative.glb": (glb(negative), "it claims -1 numbers"),
    "short.glb": (glb()[:200], "its description is not as long as it says"),
    "empty.glb": (b"", "it does not begin as a GLB file does"),
    "claims.stl": (stl(4_000_000_000), "nor as long as it says"),
    "short.stl": (stl()[:300], "nor as long as it says"),
    "noise.stl": (bytes(range(256)) * 3, "nor as long as it says"),
    "latin.stl": (b"solid \xff\xfe\n" + OPEN.encode(), "can't decode byte"),
    "stray.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "'.*stray.obj' holds no"),
    "stray.off": (b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", "'.*stray.off' holds no"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_surfaces_name_the_file(tmp_path, name):
    pytest.importorskip("trimesh")
    content, message = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(jd.FormatError, match=message) as error:
        read_triangles(tmp_path / name)
    assert name in str(error.value)
    assert "charset_normalizer" not in str(error.value)


def test_a_pipe_is_no_file(tmp_path):
    pytest.importorskip("trimesh")
    os.mkfifo(tmp_path / "a.stl")
    with pytest.raises(jd.FormatError, match="there is no file"):
        read_triangles(tmp_path / "a.stl")


def test_materials_beside_are_not_read(tmp_path):
    pytest.importorskip("trimesh")
    (tmp_path / "secret.mtl").write_text("newmtl a\nmap_Kd secret.png\n")
    rows = [f"v {x} {y} {z}" for x, y, z in CUBE]
    rows += [f"f {a} {b} {c}" for a, b, c in FACES + 1]
    (tmp_path / "a.obj").write_text("\n".join(["mtllib secret.mtl", "usemtl a", *rows]))
    opened = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", noting(Path.open, opened))
        patch.setattr("builtins.open", noting(open, opened))
        read_triangles(tmp_path / "a.obj")
    assert not [name for name in opened if "secret" in name]


def noting(function, names):
    def called(path, *given, **options):
        names.append(str(path))
        return function(path, *given, **options)

    return called
