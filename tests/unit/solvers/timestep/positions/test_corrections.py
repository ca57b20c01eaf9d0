"""Positions at the end of steps: contacts touch, constraints hold, overlaps are pushed out."""

import numpy as np
import pytest
from oracles.single_steps import SingleSteps

import jourdain as jd
from jourdain.solvers.timestep.results import DONE


def stop(e=0.0):
    model = jd.Model("stop", gravity=(0, 0, 0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-10.0))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=e))
    return model


def test_what_hits_without_rebound_lies_on_the_floor():
    steps = SingleSteps(stop(), 1e-2)
    steps.start([0.002], [-1.0])
    assert steps.take() == DONE
    assert steps.q[0] == pytest.approx(0.0, abs=1e-15)
    assert steps.v[0] == 0.0


def test_pushing_out_is_paid_by_the_rebound():
    """It rises by the overlap against 10 N: the energy comes from its speed."""
    steps = SingleSteps(stop(0.5), 1e-2)
    steps.start([0.001], [-2.0])
    assert steps.take() == DONE
    bare = SingleSteps(stop(0.5), 1e-2, corrects_positions=False)
    bare.start([0.001], [-2.0])
    assert bare.take() == DONE
    assert bare.q[0] < 0.0 <= steps.q[0] + 1e-15
    energies = [10.0 * x.q[0] + 0.5 * x.v[0] ** 2 for x in (steps, bare)]
    assert energies[0] == pytest.approx(energies[1], rel=1e-12)


def test_constraints_hold_in_positions_and_velocities():
    """A bead on a circle of 1 m, by an equation for its two coordinates."""
    model = jd.Model("bead", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_coordinate("y", 1.0, unit="m")
    circle = jd.Formula(lambda at: at.coordinate("x") ** 2 + at.coordinate("y") ** 2 - 1.0)
    model.add_connection("circle", circle, jd.Equal())
    model.add_connection("rub", jd.Coordinate("x"), jd.Interval(0.1))
    steps = SingleSteps(model, 1e-2)
    steps.start([1.0, 0.0], [0.0, 3.0])
    for _ in range(50):
        assert steps.take() == DONE
        assert np.hypot(*steps.q) == pytest.approx(1.0, abs=1e-13)
        assert steps.q @ steps.v == pytest.approx(0.0, abs=1e-12)
