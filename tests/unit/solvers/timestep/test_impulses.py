"""Impulses of islands: alone, and together."""

import pytest
from oracles.single_steps import SingleSteps

import jourdain as jd
from jourdain.solvers.timestep.results import DONE


def test_brakes_share_a_coordinate_within_their_capacities():
    """Three brakes on one wheel: those that saturate give all, the rest is what stops it."""
    model = jd.Model("wheel", gravity=(0, 0, 0))
    model.add_coordinate("w", 1.0)
    for k, capacity in enumerate((1.0, 2.0, 50.0)):
        model.add_connection(f"b{k}", jd.Coordinate("w"), jd.Interval(capacity))
    steps = SingleSteps(model, 1e-2)
    steps.start([0.0], [0.1])
    assert steps.take() == DONE
    found = steps.step.impulses[:3]
    assert found.sum() == pytest.approx(-0.1, rel=1e-12)
    assert steps.v[0] == pytest.approx(0.0, abs=1e-15)
    assert all(abs(x) <= 1e-2 * c * (1 + 1e-12) for x, c in zip(found, (1, 2, 50), strict=True))


def test_a_freewheel_stops_what_turns_back():
    model = jd.Model("wheel", gravity=(0, 0, 0))
    model.add_coordinate("w", 2.0)
    ahead = jd.Formula(speed=lambda at: at.velocity("w"))
    model.add_connection("freewheel", ahead, jd.Unilateral())
    steps = SingleSteps(model, 1e-2)
    steps.start([0.0], [-3.0])
    assert steps.take() == DONE
    assert steps.v[0] == pytest.approx(0.0, abs=1e-15)
    assert steps.step.impulses[0] == pytest.approx(6.0, rel=1e-12)
