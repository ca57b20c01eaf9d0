"""Nonholonomic kinds that are cut: they reach more places than they have velocities."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.testing import random_coordinates


class Arrow(jd.Joint):
    """A point in the plane z = 0 that moves only along the child's own x axis, seen from above."""

    coordinates = {"position.x": "m", "position.y": "m", **jd.Spherical.coordinates}
    velocities = {"speed": "m/s", **jd.Spherical.velocities}

    def pose(self, q, t):
        return jd.Spherical().pose(q[2:], t)[0], jd.math.vector(q[0], q[1], 0)

    def rates(self, q):
        R, Y = self.pose(q, 0)[0], jd.Spherical().rates(q[2:])
        rows = [[R[k, 0], 0, 0, 0] for k in range(2)]
        rows += [[0, *(Y[i, j] for j in range(3))] for i in range(4)]
        return jd.math.matrix(rows)

    def start(self):
        return (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


KINDS = (jd.Skate(), jd.RollingDisc(0.3), Arrow())


def held(kind, *, is_cut):
    model = jd.Model("held", gravity=(1.0, 0.5, -9.81))
    solid = jd.Inertia(1.3, com=(0.05, 0, 0.02), moments=(0.2, 0.25, 0.3))
    body = model.add_body("body", solid)
    model.add_joint("joint", model.world, body, kind)
    if is_cut:
        model.add_joint("free", model.world, body, jd.Free())
    return jd.compile(model, cut="joint" if is_cut else ())


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_it_is_assembled_wherever_the_body_is(kind, rng):
    """Given the pose of the body, all coordinates follow, also those across the blade."""
    tree, loop = held(kind, is_cut=False), held(kind, is_cut=True)
    q = random_coordinates(kind, rng)
    pose = tree.poses(q)[0]
    turn = Rotation.from_matrix(pose[:3, :3]).as_quat(scalar_first=True)
    found = jd.assemble(loop, {"free.position": pose[:3, 3], "free.orientation": turn})
    np.testing.assert_allclose(found.q[:7], [*pose[:3, 3], *turn], atol=1e-14)
    np.testing.assert_allclose(tree.poses(found.q[7:])[0], pose, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS[:2], ids=repr)
def test_it_moves_as_in_the_tree(kind, rng):
    tree, loop = held(kind, is_cut=False), held(kind, is_cut=True)
    q, v = random_coordinates(kind, rng), rng.uniform(-1.0, 1.0, len(kind.velocities))
    tight = jd.Dop853(rtol=1e-10, atol=1e-11)
    wanted = jd.simulate(tree, 1.0, start=(q, v), method=tight, sample=0.25)
    (pose,), (twist,), _ = tree.kinematics(q, v, 0 * v)
    R = pose[:3, :3]
    turn = Rotation.from_matrix(R).as_quat(scalar_first=True)
    z = np.concatenate([pose[:3, 3], turn, q])
    u = np.concatenate([twist[3:], R.T @ twist[:3]])
    found = jd.simulate(loop, 1.0, start=(z, u), method=tight, sample=0.25)
    for name in ("body.position", "body.velocity", "joint.force", "joint.torque"):
        np.testing.assert_allclose(found.values(name), wanted.values(name), atol=1e-7)


def test_a_measure_of_speed_does_not_bar_the_way_to_a_position():
    """A blade lies across the only way to the place where a rod fits; assembly may go there."""
    from jourdain.model.laws import Equal
    from jourdain.model.measures import Distance, Formula

    model = jd.Model("blade")
    body = model.add_body("body", jd.solid.box(1.0, (0.2, 0.1, 0.1)))
    model.add_joint("slide", model.world, body, jd.Prismatic("y"))
    model.add_connection("blade", Formula(speed=lambda at: at.twist(body.at())[1][1]), Equal())
    model.add_connection("rod", Distance(model.world.at(1, 0, 0), body), Equal(np.sqrt(2.0)))
    found = jd.assemble(model, near={"slide.position": 0.5})
    assert found["slide.position"] == pytest.approx(1.0, abs=1e-12)
