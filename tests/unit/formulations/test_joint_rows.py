import numpy as np
import pytest

import jourdain as jd
from jourdain.formulations.descriptor import Descriptor
from jourdain.formulations.joint_rows import cut_rows, tree_rows
from jourdain.formulations.skeleton import Skeleton


@pytest.fixture
def ring(rng):
    """A ball joint, a driven hinge and a hinge in a loop that a universal joint closes."""
    model = jd.Model("ring")
    body = jd.Inertia(1.0, (0.25, 0, 0), (0.01, 0.03, 0.03))
    one, two = model.add_body("one", body), model.add_body("two", body)
    model.add_joint("ball", model.world, one, jd.Spherical())
    swing = {"angle": lambda t: 0.3 * jd.sin(t)}
    model.add_joint("hinge", one.at(0.5, 0, 0), two, jd.Cylindrical("z"), driven=swing)
    closing = jd.Prismatic("x") * jd.Prismatic("y") * jd.Spherical()
    model.add_joint("last", model.world.at(0.3, 0.1, 0), two.at(0.5, 0, 0), closing)
    system = jd.compile(model, cut="last")
    found = jd.assemble(system, t=0.4)
    return system, *system.project(found.q, rng.uniform(-1, 1, len(found.v)), 0.4)


def test_coordinates_of_tree_and_cut_joints(ring):
    """Rates, and rates of rates along a motion with given accelerations, agree with the system."""
    system, q, v = ring
    t, skeleton = 0.4, Skeleton(system)
    posture = skeleton.move(q, v, t)
    d = Descriptor(skeleton, posture, v, skeleton.wrenches(None))
    joints = [*tree_rows(skeleton, posture, d, q, v, t), *cut_rows(skeleton, posture, d, q, t)]
    found = {name: c for joint in joints for name, c in joint.coordinates()}
    rates = dict(zip(system.names.q, system.coordinate_rates(q, v, t), strict=True))
    for name, rate in rates.items():
        assert found[name].rate == pytest.approx(rate, abs=1e-12)
        if "last" not in name:
            assert found[name].row @ d.z_dot == pytest.approx(rate, abs=1e-12)
    assert found["hinge.angle"].value == pytest.approx(0.3 * np.sin(0.4))
    assert found["hinge.angle"].second == pytest.approx(-0.3 * np.sin(0.4))


def test_velocities_of_a_cut_joint_follow_from_the_bodies(ring):
    system, q, v = ring
    skeleton = Skeleton(system)
    posture = skeleton.move(q, v, 0.4)
    d = Descriptor(skeleton, posture, v, skeleton.wrenches(None))
    (cut,) = cut_rows(skeleton, posture, d, q, 0.4)
    wanted = system.answers("cut_velocities", q, v, t=0.4)
    np.testing.assert_allclose(cut.state[2], wanted, atol=1e-12)
    assert np.abs(cut.locked.T @ (cut.A @ d.z_dot)).max() < 1e-12
