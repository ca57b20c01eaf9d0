from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

import jourdain as jd
from jourdain import io
from jourdain.io.elements.shapes import surface_of, surface_text
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.solid import Shape, Solid

CORNERS = [(x, y, z) for x in (0, 200) for y in (0, 100) for z in (0, 50)]  # of a box, in mm
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip
BOX = Triangles.of(CORNERS, FACES)
FILE = """
format = "jourdain-1"
name = "part"
[body.part]
solid = "mesh"
path = "parts/box.obj"
density = 1000.0
scale = 0.001
at = [0.0, 0.0, 1.0]
[body.cover]
mass = 2.0
moments = [1.0, 1.0, 1.0]
shapes = [{ kind = "mesh", path = "parts/box.obj", scale = 0.002, position = [0.0, 0.5, 0.0] }]
[body.shell]
solid = "mesh"
path = "./parts/box.obj"
inertia = { mass = 3.0, com = [0.1, 0.0, 0.0], moments = [1.0, 1.0, 1.0] }
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "parts").mkdir()
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
    faces = "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES)
    (tmp_path / "parts" / "box.obj").write_text(points + faces)
    (tmp_path / "model.toml").write_text(FILE)
    return tmp_path / "model.toml"


def test_a_path_is_relative_to_the_file(file, monkeypatch, tmp_path):
    pytest.importorskip("trimesh")
    monkeypatch.chdir(tmp_path.parent)
    model = jd.read_model(file)
    part, cover, shell = (model.bodies[name] for name in ("part", "cover", "shell"))
    assert part.inertia.mass == pytest.approx(1000.0 * 0.2 * 0.1 * 0.05)
    np.testing.assert_allclose(part.inertia.com, (0.1, 0.05, 1.025))
    np.testing.assert_allclose(part.inertia.moments[0][0], 1.0 / 12.0 * (0.1**2 + 0.05**2))
    np.testing.assert_allclose(cover.shapes[0].mesh.points.max(axis=0), (0.4, 0.2, 0.1))
    assert cover.shapes[0].position == (0.0, 0.5, 0.0)
    assert (shell.inertia.mass, shell.inertia.com) == (3.0, (0.1, 0.0, 0.0))


def test_a_written_model_holds_its_meshes(file, tmp_path):
    pytest.importorskip("trimesh")
    model = jd.read_model(file)
    (tmp_path / "parts" / "box.obj").unlink()
    jd.write_model(model, tmp_path / "other.toml")
    again = jd.read_model(tmp_path / "other.toml")
    assert again.bodies == model.bodies
    assert io.loads(io.dumps(model)).bodies == model.bodies


def test_a_surface_comes_back_to_the_last_digit():
    random = np.random.default_rng(3)
    surface = Triangles.of(random.normal(size=(500, 3)), random.integers(0, 500, (900, 3)))
    assert surface_of(surface_text(surface)) == surface


def test_a_mesh_in_a_text_needs_no_file():
    model = jd.Model("one")
    model.add_body("part", Solid(Inertia(1.0), (Shape("mesh", (), mesh=BOX),)))
    assert io.loads(io.dumps(model)).bodies == model.bodies


def text(content):
    return base64.b64encode(zlib.compress(content)).decode()


@pytest.mark.parametrize(
    "packed",
    [
        "no letters!", "AAAA", text(b""),
        text((999).to_bytes(4, "little") + BOX.corners + BOX.faces),
        text((8).to_bytes(4, "little") + BOX.corners + BOX.faces[:-2]),
        text((7).to_bytes(4, "little") + BOX.corners[24:] + BOX.faces),
        text((8).to_bytes(4, "little") + BOX.corners),
        text((1).to_bytes(4, "little") + np.array([np.nan] * 3).tobytes() + bytes(12)),
    ],
)  # fmt: skip
def test_damaged_surfaces_are_refused(packed):
    with pytest.raises(jd.ModelError, match="surface of the shape is damaged"):
        surface_of(packed)
