"""A mechanism among loose bodies: its rows, responses and rounds."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.pile_run import PileRun
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.simulation.methods import MoreauJean

STEP = 2e-3


@pytest.fixture
def arm():
    """An arm on springs and dampers that sweeps over a floor and pushes a box."""
    model = jd.Model("arm")
    rods = [model.add_body(f"rod{k}", jd.solid.rod(mass=0.5, end=(0.4, 0, 0))) for k in (1, 2)]
    model.add_joint("base", model.world.at(0, 0, 0.05), rods[0], jd.Revolute("z"))
    model.add_joint("elbow", rods[0].at(0.4, 0, 0), rods[1], jd.Universal("z", "y"))
    for name, free in (("base.angle", 1.0), ("elbow.angle_1", 0.4), ("elbow.angle_2", 0.1)):
        law = jd.Spring(20.0, free=free) + jd.Damper(1.0)
        model.add_connection(name.replace(".", "_"), jd.Coordinate(name), law)
    box = model.add_body("box", jd.solid.box(1.0, (0.1,) * 3))
    ends = [jd.Sphere(rod.at(0.4, 0, 0), 0.03) for rod in rods]
    contours = [jd.HalfSpace(model.world), *ends, jd.Box(box, (0.1,) * 3)]
    model.add_contacts("all", contours, jd.Coulomb(friction=0.4))
    system = jd.compile(model)
    run = PileRun(system, MoreauJean(STEP), {}, {}, np.zeros(0), Watch(system, {}, {}))
    q = np.zeros(len(system.names.q))
    q[[system.names.q.index(f"box.position.{x}") for x in "xyz"]] = 0.5, 0.3, 0.05
    q[system.names.q.index("box.orientation.w")] = 1.0
    run.begin(np.concatenate([q, np.zeros(len(system.names.v))]), 0.0)
    return run


def test_rows_are_velocities_of_points(arm):
    """Against Jacobians of the bodies, at contacts with the floor and with the box."""
    pushed = set()
    for _ in range(12):
        arm.advance_to(arm.t + 20 * STEP, (), None)
        others, pile = arm.others, arm.pile
        own, W = others._rows(pile)
        names = others.system.names.bodies
        for k, rows in zip(own, W, strict=True):
            wanted = np.zeros((3, others._n))
            for side, sign in ((0, -1.0), (1, 1.0)):
                contour = pile.keys[k, side]
                body = arm.contours[contour].frame.body
                if body in names:
                    J = others.system.jacobian(body, others._middle)
                    place = others.system.poses(others._middle)[names.index(body), :3, 3]
                    arm_of_point = pile.points[side][k] - place
                    point = J[3:] + np.cross(J[:3], arm_of_point, axis=0)
                    wanted += sign * pile.axes[k] @ point
                    pushed.add((body, side))
            np.testing.assert_allclose(rows[:, :-1], wanted, atol=1e-12)
            assert not rows[:, -1].any()
    assert len(pushed) >= 2


def test_responses_are_the_same_for_many_rows_as_for_few(arm):
    arm.advance_to(STEP, (), None)
    rows = np.random.default_rng(0).normal(size=(11, arm.others._n))
    many = arm.others._responses(rows)
    few = np.concatenate([arm.others._responses(row[None]) for row in rows])
    np.testing.assert_allclose(many, few, rtol=1e-10, atol=1e-10)


def test_errors_of_sweeps_are_not_followed(arm):
    """Springs settle in few rounds, though velocities are known to the tolerance only."""
    arm.advance_to(0.1, (), None)
    before, n = arm.others.evaluations, arm.steps
    arm.advance_to(0.4, (), None)
    assert arm.pile.count > 4
    assert arm.others.evaluations - before < 12 * (arm.steps - n)
