"""Flexible bodies in model files."""

import numpy as np
import pytest

import jourdain as jd

SECTION = jd.flexible.tube(jd.flexible.ALUMINIUM, 0.03, 0.02)


def _model(section=SECTION):
    model = jd.Model("arm")
    beam = jd.flexible.beam(1.0, section, modes=3, fields=("y", "z"), damping=0.01, frame="mean")
    arm = model.add_body("arm", beam)
    model.add_joint("hub", model.world, arm.at(0.2, 0, 0), jd.Revolute("y"))
    return model


def test_beams_come_back_as_they_were(tmp_path):
    model = _model()
    jd.write_model(model, tmp_path / "arm.toml")
    back = jd.read_model(tmp_path / "arm.toml")
    assert back == model
    assert back.bodies["arm"].elastic == model.bodies["arm"].elastic


def _kinds():
    thick = jd.flexible.circle(jd.flexible.STEEL, 0.04)
    disc = jd.flexible.disc(
        jd.flexible.STEEL, at=0.2, diameter=0.3, width=0.02, bore=0.04, offset=(1e-4, 0.0)
    )
    by_mode = [0.01] * 5 + [0.02]
    return {
        "steps": jd.flexible.beam(
            0.5, [(0.2, thick), (0.3, SECTION)], modes=4, damping=(0.1, 0.2, 0.3, 0.4)
        ),
        "shaft": jd.flexible.shaft(0.5, thick, [disc], modes=6, damping=by_mode),
        "rayleigh": jd.flexible.beam(1.0, thick, damping=jd.flexible.Rayleigh(0.5, 1e-4)),
        "shear": jd.flexible.beam(0.2, thick, fields=("y", "shear"), family="splines"),
        "ring": jd.flexible.ring(0.2, SECTION, waves=4, damping=0.01),
    }


@pytest.mark.parametrize("kind", _kinds())
def test_all_kinds_come_back(tmp_path, kind):
    model = jd.Model("kinds")
    model.add_body("body", _kinds()[kind])
    jd.write_model(model, tmp_path / "model.toml")
    assert jd.read_model(tmp_path / "model.toml") == model


def test_functions_are_refused(tmp_path):
    with pytest.raises(jd.JourdainError, match="function of x"):
        jd.write_model(_model(lambda x: SECTION), tmp_path / "arm.toml")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("modes = 3", "modes = 1000000", "modes of the beam is 1000000"),
        ("modes = 3", 'modes = "3"', "a whole number"),
        ('fields = ["y", "z"]', 'fields = "y"', "words in brackets"),
        ('flexible = "beam"', 'flexible = "shell"', "shell"),
        ("EA =", "EB =", "EB"),
    ],
)
def test_mistakes_are_told(tmp_path, old, new, text):
    path = tmp_path / "arm.toml"
    jd.write_model(_model(), path)
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new), encoding="utf-8")
    with pytest.raises(jd.FormatError, match=text):
        jd.read_model(path)


def _block(**more):
    mesh = jd.flexible.box_mesh((0.3, 0.03, 0.05), (3, 1, 1))
    faces = {"root": "x = min", "tip": "x = max"}
    given = {"interfaces": faces, "modes": 1, "highest": 5000.0} | more
    return jd.flexible.from_fem(mesh, jd.flexible.STEEL, **given)


def _with(solid):
    model = jd.Model("bracket")
    arm = model.add_body("arm", solid)
    model.add_joint("hub", model.world, arm.at_interface("root"), jd.Revolute("y"))
    return model


def test_bodies_of_nodes_come_back_as_they_were(tmp_path):
    model = _with(_block())
    jd.write_model(model, tmp_path / "arm.toml")
    back = jd.read_model(tmp_path / "arm.toml")
    assert back == model
    assert back.bodies["arm"].at_node(3) == model.bodies["arm"].at_node(3)


def _written(tmp_path, body):
    head = 'format = "jourdain-1"\nname = "bracket"\n\n[body.arm]\n'
    (tmp_path / "arm.toml").write_text(head + body, encoding="utf-8")
    return tmp_path / "arm.toml"


_STEEL = "material = { youngs_modulus = 2.1e11, density = 7850.0 }\n"
_FACES = 'interfaces = { root = "x = min", tip = "x = max" }\nmodes = 1\nhighest = 5000.0\n'


def test_finite_elements_from_a_file(tmp_path):
    meshio = pytest.importorskip("meshio")
    mesh = jd.flexible.box_mesh((0.3, 0.03, 0.05), (3, 1, 1))
    meshio.Mesh(1000.0 * mesh.nodes, [("tetra", mesh.cells)]).write(tmp_path / "block.vtk")
    body = 'flexible = "fem"\npath = "block.vtk"\nscale = 0.001\n' + _STEEL + _FACES
    back = jd.read_model(_written(tmp_path, body))
    found, expected = back.bodies["arm"].elastic, _block()
    assert found.frequencies == pytest.approx(expected.frequencies, rel=1e-9)
    body = 'flexible = "fem"\nbox = { size = [0.3, 0.03, 0.05], divisions = [3, 1, 1] }\n'
    back = jd.read_model(_written(tmp_path, body + _STEEL + _FACES))
    assert back.bodies["arm"].elastic == expected
    jd.flexible.write_body(expected, tmp_path / "arm.npz")
    back = jd.read_model(_written(tmp_path, 'flexible = "nodes"\npath = "arm.npz"\n'))
    assert back.bodies["arm"].elastic == expected


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('flexible = "nodes"\n', "one of the keys path and arrays"),
        ('flexible = "nodes"\narrays = "UEsDBA=="\n', "arrays of the flexible body are damaged"),
        ('flexible = "nodes"\npath = "../arm.npz"\n', "leads out of the folder"),
        ('flexible = "nodes"\npath = "/etc/passwd"\n', "a path relative to the model file"),
        ('flexible = "nodes"\npath = "none.npz"\n', "there is no file"),
        ('flexible = "fem"\npath = "none.vtk"\n' + _STEEL, "there is no file"),
        ('flexible = "fem"\npath = "arm.toml"\n' + _STEEL, "meshes of volumes are read from"),
        ('flexible = "fem"\n' + _STEEL, "one of the keys path, box and cylinder"),
        ('flexible = "fem"\nbox = { size = [1.0, 1.0, 1.0] }\n' + _STEEL, "divisions"),
        (
            'flexible = "fem"\nbox = { size = [1.0, 1.0, 1.0], divisions = [999, 999, 999] }\n'
            + _STEEL,
            "more than 2000000 tetrahedra",
        ),
    ],
)
def test_mistakes_in_bodies_of_nodes(tmp_path, body, text):
    pytest.importorskip("meshio")
    with pytest.raises(jd.FormatError, match=text):
        jd.read_model(_written(tmp_path, body))


def test_archives_are_measured_before_they_are_read(tmp_path):
    solid = _block()
    path = tmp_path / "arm.npz"
    jd.flexible.write_body(solid, path)
    assert jd.flexible.read_body(path) == solid
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(jd.FormatError, match="holds no flexible body"):
        jd.flexible.read_body(path)
    for key, value, text in (
        ("modes", np.zeros((2, 2)), "modes of a flexible body has the shape"),
        ("stiffness", solid.stiffness * np.nan, "stiffness of a flexible body is not finite"),
        ("faces", np.full((1, 3), 10**6), "faces of a flexible body need 3 numbers of nodes"),
        ("nodes", np.array([None]), "holds no flexible body"),
        ("stiffness", np.ones(1000), "has 1000 modes"),
        ("stiffness", -solid.stiffness, "stiffness has to be above zero"),
    ):
        np.savez(path, **(solid.arrays() | {key: value}))
        with pytest.raises(jd.FormatError, match=text):
            jd.flexible.read_body(path)
    with pytest.raises(jd.FormatError, match=r"has to end in .npz"):
        jd.flexible.write_body(solid, tmp_path / "arm.txt")
    with pytest.raises(jd.ModelError, match="write_body is for"):
        jd.flexible.write_body(jd.solid.ball(1.0, 0.1), path)
    with pytest.raises(jd.FormatError, match="there is no file"):
        jd.flexible.read_body(tmp_path / "none.npz")
