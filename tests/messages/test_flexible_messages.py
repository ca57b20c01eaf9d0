"""What a user reads about flexible bodies of nodes that cannot be."""

import sys

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import DoubtWarning

_NODES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0], [1, 1, 1]])
_MODES = np.zeros((5, 3, 2))
_MODES[4, 0, 0] = _MODES[3, 1, 1] = 1.0
_GIVEN = {"mesh": _NODES, "masses": np.ones(5), "modes": _MODES, "stiffness": [1.0, 2.0]}


def _nan(array, *where):
    found = np.array(array, dtype=float)
    found[where] = np.nan
    return found


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"mesh": _NODES[:, :2]}, r"nodes of from_modes has the shape \(5, 2\)"),
        ({"mesh": _nan(_NODES, 2, 1)}, r"nodes of from_modes is nan at \[2, 1\]"),
        ({"mesh": "mesh.msh"}, "nodes of from_modes are no numbers"),
        ({"masses": np.ones(4)}, r"shape \(4,\): with 5 nodes"),
        ({"masses": -np.ones(5)}, "node 0 of from_modes has the mass -1 kg"),
        ({"masses": _nan(np.ones(5), 1)}, "masses of from_modes are not finite"),
        ({"masses": np.zeros(5)}, "mass of a flexible body is 0 kg"),
        ({"masses": np.diag(np.arange(1.0, 16.0))}, "differ between the directions"),
        ({"modes": _MODES[:4]}, r"modes of from_modes has the shape \(4, 3, 2\)"),
        ({"modes": _nan(_MODES, 1, 1, 1)}, r"modes of from_modes is nan at \[1, 1, 1\]"),
        ({"modes": np.zeros((5, 3, 2))}, "mode 1 of from_modes moves no node"),
        ({"modes": _MODES[:, :, [0, 0]]}, "moves no mass that the others do not move"),
        ({"stiffness": [1.0]}, r"stiffness of from_modes has the shape \(1,\)"),
        ({"stiffness": [1.0, -2.0]}, "mode 2 of from_modes has the stiffness -2"),
        ({"stiffness": [[1.0, 0.5], [0.0, 1.0]]}, "stiffness of from_modes is not symmetric"),
        ({"stiffness": None}, "one of stiffness= and frequencies="),
        ({"damping": -0.1}, "damping of from_modes is -0.1"),
        ({"damping": [[1.0, 0.9], [0.9, 1.0]]}, "damping of from_modes couples eigenmodes"),
        ({"inertias": np.ones((5, 3))}, "inertias of nodes need rotations="),
        ({"interfaces": {"tip": []}}, "interface 'tip' of from_modes has no nodes"),
        ({"interfaces": {"tip": [9]}}, "interface 'tip' of from_modes has nodes that are not"),
        ({"interfaces": {"tip": [1, 3]}, "rotations": None}, None),
        ({"stresses": np.ones((5, 5, 2))}, r"stresses of from_modes has the shape \(5, 5, 2\)"),
    ],
)
def test_mistakes_in_modes(changes, text):
    if text is None:
        jd.flexible.from_modes(**_GIVEN | changes)
        return
    with pytest.raises(jd.ModelError, match=text):
        jd.flexible.from_modes(**_GIVEN | changes)


def test_modes_that_are_not_orthogonal():
    slanted = _MODES.copy()
    slanted[:, :, 1] += 0.5 * slanted[:, :, 0]
    given = _GIVEN | {"modes": slanted, "stiffness": None, "frequencies": [1.0, 2.0]}
    with pytest.raises(jd.ModelError, match="modes 1 and 2 of from_modes are not orthogonal"):
        jd.flexible.from_modes(**given)


def test_only_rigid_modes():
    modes = np.zeros((5, 3, 1))
    modes[:, 0] = 1.0
    given = _GIVEN | {"modes": modes, "stiffness": [0.0]}
    with pytest.raises(jd.ModelError, match="all modes of from_modes are rigid motions"):
        jd.flexible.from_modes(**given)


def test_frames_that_are_not_on_the_body():
    solid = jd.flexible.from_modes(**_GIVEN)
    model = jd.Model("nodes")
    body = model.add_body("body", solid)
    with pytest.raises(jd.ModelError, match="node 7 is not there: the body has the nodes 0 to 4"):
        body.at_node(7)
    with pytest.raises(jd.UnknownNameError, match="no interface 'tip'"):
        body.at_interface("tip")
    rigid = model.add_body("rigid", jd.Inertia(1.0))
    with pytest.raises(jd.ModelError, match="body 'rigid' has no nodes"):
        rigid.at_node(0)
    model.add_joint("grip", body.at(2.0, 0, 0), rigid, jd.Fixed())
    with pytest.raises(jd.ModelError, match="the nearest node is 1, at"):
        jd.compile(model)
    with pytest.raises(jd.ModelError, match="the stresses of this flexible body are not known"):
        solid.stress([0.0, 0.0])


def test_nodes_on_a_line_turn_in_an_unknown_way():
    nodes = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    modes = [[[0], [0], [0]], [[0], [1], [0]], [[0], [0.5], [0]]]
    solid = jd.flexible.from_modes(nodes, np.ones(3), modes, stiffness=[1.0])
    with pytest.raises(jd.ModelError, match="nodes around it lie on a line"):
        solid.elasticity.place((1.0, 0.0, 0.0))
    with pytest.raises(jd.ModelError, match="interface 'a' of from_modes turns in an unknown way"):
        jd.flexible.from_modes(nodes, [1, 1, 1], modes, stiffness=[1.0], interfaces={"a": [0, 1]})


_TWO = np.array([*_NODES[:4], [5, 0, 0], [6, 0, 0], [5, 1, 0], [5, 0, 1.0]])


@pytest.mark.parametrize(
    ("nodes", "cells", "text"),
    [
        (_NODES, [[0, 1, 2, 9]], "name the node 9"),
        (_NODES, [[0, 1, 2]], "cells of a mesh need 4 whole numbers"),
        (_NODES, [[0, 1, 2, 3], [1, 2, 3, 3]], "1 of 2 tetrahedra of the mesh are flat"),
        (_NODES, [[0, 1, 2, 3], [1, 2, 4, 3], [0, 2, 1, 4]], "turned inside out"),
        (_NODES, [[0, 1, 2, 3]], "1 nodes of the mesh belong to no tetrahedron"),
        (_TWO, [[0, 1, 2, 3], [4, 5, 6, 7]], "2 parts that are not connected, of 4, 4 nodes"),
        (_NODES, (), "the mesh has no tetrahedra"),
        (_nan(_NODES, 3, 2), [[0, 1, 2, 3]], "node 3 of a mesh is at"),
    ],
)
def test_mistakes_in_meshes(nodes, cells, text):
    with pytest.raises(jd.ModelError, match=text):
        jd.flexible.Mesh(nodes, cells).oriented()


def test_files_of_meshes_that_cannot_be_read(tmp_path, monkeypatch):
    pytest.importorskip("meshio")
    broken = tmp_path / "part.vtk"
    broken.write_text("no mesh", encoding="utf-8")
    for path, text in (
        (broken, "holds no mesh that can be read"),
        (tmp_path / "none.msh", "there is no file"),
        (tmp_path / "part.step", "meshes of volumes are read from"),
    ):
        with pytest.raises(jd.FormatError, match=text):
            jd.flexible.read_mesh(path)
    monkeypatch.setitem(sys.modules, "meshio", None)
    with pytest.raises(jd.MissingExtraError, match=r"pip install 'jourdain\[fem\]'"):
        jd.flexible.read_mesh(broken)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"interfaces": {"tip": "x = 9"}}, "interface 'tip' has no nodes"),
        ({"interfaces": {"tip": "left"}}, "interface 'tip' is 'left': give a plane"),
        ({"interfaces": {"tip": [0, 1]}}, "interface 'tip' has 3 nodes on a line"),
        ({"interfaces": {"tip": [0, 99999]}}, "nodes that are not there"),
        ({"interfaces": {"a": "x = 0", "b": "y = min"}}, "interfaces 'a' and 'b' share node"),
        ({"interfaces": {"a": lambda x, y, z: True}}, "the function of interface 'a' gives"),
        ({"modes": -1}, "modes of from_fem is -1"),
        ({"modes": 0, "interfaces": {"a": "x = 0"}}, "modes is 0 with one interface"),
        ({"order": 3}, "order of from_fem is 3"),
        ({"frame": "chord"}, "no frame 'chord'"),
        ({"highest": 1.0}, "highest of from_fem is 1 Hz: the lowest mode"),
        ({"material": 2.1e11}, "material of from_fem is"),
        ({"material": jd.flexible.Material(1e9, 1000.0, 0.5)}, "less than 0.5"),
    ],
)
def test_mistakes_in_finite_elements(changes, text):
    given = {"material": jd.flexible.STEEL, "interfaces": {"root": "x = min"}, "modes": 1} | changes
    mesh = jd.flexible.box_mesh((0.2, 0.05, 0.05), (2, 1, 1))
    with pytest.raises(jd.JourdainError, match=text):
        jd.flexible.from_fem(mesh, **given)


def _hinged(modes):
    model = jd.Model("swing", gravity=(0.0, 0.0, 0.0))
    section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)
    arm = model.add_body("arm", jd.flexible.beam(1.0, section, modes=modes, fields=("y",)))
    model.add_joint("pivot", model.world, arm, jd.Revolute("z"))
    return jd.compile(model)


def test_deformations_that_take_inertia_away():
    """Clamped modes make up a turn about a hinge nearly: little inertia is left to be lost."""
    system = _hinged(4)
    run = {"method": jd.RungeKutta4(1e-5), "sample": [0.0, 1e-5]}
    with pytest.warns(DoubtWarning, match=r"leave 'pivot.rate' \d+% of the inertia"):
        sol = jd.simulate(system, 1e-5, start={"arm.elastic.y1": 0.055}, **run)
    assert "turn by up to 0.076 rad" in str(sol)  # of the tip, which carries nothing
    with pytest.raises(jd.JourdainError) as error:
        jd.simulate(system, 1e-5, start={"arm.elastic.y1": 0.08}, **run)
    text = str(error.value)
    assert "body 'arm' is deformed too much" in text
    assert "take fewer modes" in text
    assert "arm.root" not in text


@pytest.mark.slow
def test_loads_that_are_not_unique_name_no_pieces():
    model = jd.Model("four-bar")
    rod, thin = jd.solid.rod(0.2, end=(0.1, 0, 0)), jd.flexible.circle(jd.flexible.STEEL, 0.01)
    crank = model.add_body("crank", rod)
    coupler, rocker = (
        model.add_body(name, jd.flexible.beam(length, thin, modes=1, fields=("z",)))
        for name, length in (("coupler", 0.5), ("rocker", 0.4))
    )
    model.add_joint("A", model.world, crank, jd.Revolute("y"))
    model.add_joint("B", crank.at(0.1, 0, 0), coupler, jd.Revolute("y"))
    model.add_joint("C", coupler.at(0.5, 0, 0), rocker.at(0.4, 0, 0), jd.Revolute("y"))
    model.add_joint("D", model.world.at(0.45, 0, 0), rocker, jd.Revolute("y"))
    text = str(jd.structure(model))
    assert "A, B, C, D: 3 rows too many" in text
    assert "deflection" not in text
    assert "section_" not in text
