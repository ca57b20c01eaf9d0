"""Slip that reverses or turns within a step."""

import numpy as np
import pytest
from oracles.single_steps import SingleSteps

import jourdain as jd
from jourdain.solvers.timestep.records import SLIDES, STICKS
from jourdain.solvers.timestep.results import DONE

H, M, F = 0.01, 2.0, 4.0


def block(pull, **law):
    model = jd.Model("block", gravity=(0, 0, 0))
    model.add_coordinate("x", M, unit="m")
    model.add_connection("pull", jd.Coordinate("x"), jd.Force(pull))
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(F, **law))
    return model


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("pull", [5.0, 30.0])
def test_what_stops_and_slides_back_is_exact(pull, sign):
    speed = 0.4 * H * (pull + F) / M  # stops after 0.4 of the step
    steps = SingleSteps(block(sign * pull), H, jd.NonsmoothAlpha)
    steps.start([0.0], [-sign * speed])
    assert steps.take() == DONE
    assert sign * steps.v[0] == pytest.approx((pull - F) / M * 0.6 * H, rel=1e-9)
    assert steps.step.mode[0] == SLIDES


def test_what_stops_and_is_held_sticks():
    steps = SingleSteps(block(3.0), H, jd.NonsmoothAlpha)
    steps.start([0.0], [-0.4 * H * 7.0 / M])
    assert steps.take() == DONE
    assert steps.v[0] == 0.0
    assert steps.step.mode[0] == STICKS


def test_static_friction_catches_what_stops():
    steps = SingleSteps(block(5.0, static=6.0), H, jd.NonsmoothAlpha)
    steps.start([0.0], [-0.4 * H * 9.0 / M])
    assert steps.take() == DONE
    assert steps.v[0] == 0.0


def test_friction_in_a_plane_acts_along_the_mean_slip():
    model = jd.Model("puck")
    puck = model.add_body("puck", jd.Inertia(mass=1.0, moments=(1.0, 1.0, 1.0)))
    law = jd.Coulomb(0.3)
    model.add_contact("ice", jd.HalfSpace(model.world), jd.Sphere(puck, 1e-9), law)
    model.add_connection("side", jd.Relative(model.world, puck, "x"), jd.Force(4.0))
    steps = SingleSteps(model, H, jd.NonsmoothAlpha)
    q = np.array([0.0, 0.0, 1e-9, 1.0, 0.0, 0.0, 0.0])
    steps.start(q, np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]))
    assert steps.take() == DONE
    velocity = steps.v[:2]
    mean = 0.5 * (velocity + np.array([0.0, 1.0]))
    assert abs(velocity[0]) > 3.0 * H
    impulse = velocity - [np.copysign(4.0 * H, velocity[0]), 1.0]
    off, at_end = (abs(impulse[0] * u[1] - impulse[1] * u[0]) for u in (mean, velocity))
    assert off <= 0.02 * at_end  # of higher order
