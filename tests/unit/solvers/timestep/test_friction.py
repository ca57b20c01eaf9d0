"""Friction within a step: what sticks holds more, and where it breaks away."""

import pytest
from oracles.single_steps import SingleSteps

import jourdain as jd
from jourdain.solvers.timestep.records import SLIDES, STICKS
from jourdain.solvers.timestep.results import DONE


@pytest.mark.parametrize(("pull", "force"), [(3.0, 3.0), (5.9, 5.9), (6.1, 4.0)])
def test_static_capacity_is_used_up_before_it_slides(pull, force):
    model = jd.Model("block", gravity=(0, 0, 0))
    model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("pull", jd.Coordinate("x"), jd.Force(pull))
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(4.0, static=6.0))
    steps = SingleSteps(model, 1e-2)
    steps.start([0.0], [0.0])
    assert steps.take() == DONE
    assert steps.step.impulses[0] == pytest.approx(-force * 1e-2, rel=1e-12)
    assert steps.v[0] == pytest.approx((pull - force) / 2.0 * 1e-2, abs=1e-15)
    assert steps.step.mode[0] == (STICKS if pull < 6.0 else SLIDES)
