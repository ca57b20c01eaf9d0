from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.cli import walker

TIMES = np.linspace(0.0, 2.0 * walker.CYCLE, 61)
LEGS = walker.legs()


@pytest.fixture(scope="module")
def system():
    return jd.compile(walker.make_walker(), execution=jd.Plain())


def test_it_has_eighteen_driven_hinges_and_one_freedom():
    report = jd.structure(walker.make_walker())
    assert (report.n_bodies, report.n_loops, report.n_freedoms) == (20, 0, 1)
    assert sum(c.is_driven for c in report.coordinates) == 18 + 7


def test_three_feet_stand_at_any_time():
    heights = np.array([[walker.foot_position(leg, t)[2] for leg in LEGS] for t in TIMES])
    assert np.all((heights == 0.0).sum(axis=1) >= 3)
    assert heights.max() > 0.9 * walker.LIFT


@pytest.mark.parametrize("leg", LEGS, ids=lambda leg: leg.name)
def test_angles_put_the_foot_where_it_belongs(system, leg):
    shin = system.names.bodies.index(f"{leg.name}_shin")
    for t in (0.1, 0.37, 0.55, 0.71):
        pose = system.poses(np.zeros(1), t)[shin]
        foot = pose[:3, 3] + pose[:3, :3] @ (walker.SHIN, 0.0, 0.0)
        np.testing.assert_allclose(foot, walker.foot_position(leg, t), atol=1e-14)


def test_one_round_ends_where_it_began():
    for leg in LEGS:
        ends = [walker.foot_position(leg, t) for t in (0.03, 0.03 + walker.ROUND)]
        np.testing.assert_allclose(*ends, atol=1e-13)
    orientation = [jd.rotation_quaternion(walker.trunk_orientation(t)) for t in (0, walker.ROUND)]
    np.testing.assert_allclose(*orientation, atol=1e-14)


def test_every_body_has_a_colour():
    assert list(walker.colours()) == list(walker.make_walker().bodies)
