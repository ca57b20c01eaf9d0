"""Rows of URDF files that are easily misread, against Pinocchio."""

import numpy as np
import pytest

import jourdain as jd

RTOL = 1e-12
WIDE = '<limit lower="-3" upper="3" effort="1" velocity="1"/>'
INERTIA = '<inertia ixx=".4" ixy=".05" ixz="-.03" iyy=".5" iyz=".02" izz=".3"/>'


def link(name, rpy="0 0 0"):
    place = f'<origin xyz=".1 .2 .3" rpy="{rpy}"/>'
    return f'<link name="{name}"><inertial>{place}<mass value="2"/>{INERTIA}</inertial></link>'


def joint(name, parent, child, kind="revolute", more='<axis xyz="0 1 0"/>', rpy="0 0 0"):
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz=".1 0 .2" rpy="{rpy}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{more}{WIDE}</joint>'


FOLLOWS = '<axis xyz="1 0 0"/><mimic joint="j" multiplier="{}" offset="{}"/>'
FILES = {
    "turned frames": link("a") + link("b", ".3 .5 -.7") + link("c")
    + joint("j", "a", "b", rpy=".3 -.4 .5")
    + joint("k", "b", "c", "prismatic", '<axis xyz="1 2 3"/>', "1 2 3"),
    "an angle of 90 degrees": link("a") + link("b", "0 1.5707963267948966 0.3")
    + joint("j", "a", "b", rpy="0.2 1.5707963267948966 0.3"),
    "no axis": link("a") + link("b") + joint("j", "a", "b", more=""),
    "an axis of another length": link("a") + link("b")
    + joint("j", "a", "b", more='<axis xyz="0 -3 10"/>'),
    "children first": joint("k", "b", "c") + joint("j", "a", "b", "continuous")
    + link("c") + link("b") + link("a"),
    "a link without inertia between": link("a") + '<link name="b"/>' + link("c")
    + joint("j", "a", "b") + joint("k", "b", "c", more='<axis xyz="1 0 0"/>'),
    "a tool without inertia": link("a") + link("b") + '<link name="t"/>' + joint("j", "a", "b")
    + joint("t", "b", "t", "fixed"),
    "the world as root": '<link name="world"/>' + link("a") + link("b")
    + joint("w", "world", "a", "fixed", rpy=".1 .2 .3") + joint("j", "a", "b"),
    "a follower before its leader": link("a") + link("b") + link("c")
    + joint("k", "b", "c", more=FOLLOWS.format(-2, 0.3)) + joint("j", "a", "b"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_inverse_dynamics(tmp_path, name):
    pin = pytest.importorskip("pinocchio")
    file = tmp_path / "r.urdf"
    file.write_text(f'<robot name="r">{FILES[name]}</robot>')
    theirs = pin.buildModelFromUrdf(str(file), mimic=False)
    robot = jd.read_urdf(file, stops=False)
    assert not robot.notes
    system = jd.compile(robot.model())
    rng = np.random.default_rng(0)
    q, v, vdot = (rng.uniform(-1, 1, len(system.names.v)) for _ in range(3))
    there, columns, to = pin.neutral(theirs), [np.zeros(theirs.nv) for _ in "va"], []
    for x, one in zip(q, (n.rpartition(".")[0] for n in system.names.q), strict=True):
        own = theirs.joints[theirs.getJointId(one)]
        there[own.idx_q : own.idx_q + own.nq] = x if own.nq == 1 else (np.cos(x), np.sin(x))
        to.append(own.idx_v)
    columns[0][to], columns[1][to] = v, vdot
    tau = pin.rnea(theirs, theirs.createData(), there, *columns)[to]
    assert np.abs(system.inverse_dynamics(q, v, vdot) - tau).max() < RTOL * np.abs(tau).max()


@pytest.mark.parametrize(("ratio", "offset"), [(1.0, 0.0), (-2.0, 0.3), (0.5, -0.7)])
def test_followers_of_followers(tmp_path, ratio, offset):
    more = FOLLOWS.format(ratio, offset).replace('"j"', '"k"')
    rows = [link(x) for x in "abcd"] + [joint("j", "a", "b")]
    rows += [joint("k", "b", "c", more=FOLLOWS.format(2, 0.1)), joint("l", "c", "d", more=more)]
    file = tmp_path / "r.urdf"
    file.write_text(f'<robot name="r">{"".join(rows)}</robot>')
    robot = jd.read_urdf(file)
    sol = jd.simulate(robot.model(), 0.05, start={**robot.start, "j.rate": 1.0}, sample=0.01)
    k = 2 * sol["j.angle"] + 0.1
    assert np.allclose(sol["k.angle"], k, atol=1e-9)
    assert np.allclose(sol["l.angle"], ratio * k + offset, atol=1e-9)
