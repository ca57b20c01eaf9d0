"""The woodpecker as a model."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import woodpecker


def test_contacts_and_coordinates():
    model = woodpecker()
    assert list(model.coordinates) == ["height", "sleeve", "bird", "bird_height"]
    assert list(model.connections)[-3:] == ["beak", "lower", "upper"]
    beak, lower = (model.connections[name].law for name in ("beak", "lower"))
    assert (beak.friction, beak.restitution, beak.impact) == (0.3, 0.5, jd.Poisson())
    assert lower.restitution == 0.0


def test_law_and_numbers_can_be_chosen():
    law = woodpecker(0.4, 0.6, jd.Newton()).connections["beak"].law
    assert (law.friction, law.restitution, law.impact) == (0.4, 0.6, jd.Newton())


def test_equilibrium_holds_the_bird_by_its_spring():
    """The jammed sleeve carries the weight of the bird: its angle is −m g l_G/c behind."""
    system = jd.compile(woodpecker(friction=5.0))
    angle = -0.0006 / 0.0058
    hangs = angle - 0.0045 * 9.81 * 0.015 / 0.0056
    start = {"height.value": 0.0, "sleeve.value": angle, "bird.value": hangs}
    start |= {"height.rate": 0.0, "sleeve.rate": 0.0, "bird.rate": 0.0}
    sol = jd.simulate(system, 0.1, start=start, sample=0.05)
    assert [event.kind for event in sol.events] == ["stick"]
    assert np.abs(sol.v).max() <= 1e-9
    weight = (0.0003 + 0.0045) * 9.81
    assert sol.values("lower.friction_force")[-1, 0] == pytest.approx(weight, rel=1e-9)
