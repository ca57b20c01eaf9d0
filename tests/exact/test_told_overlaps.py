"""Rows of balls with small gaps: impacts follow each other within a step, which is told."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import jourdain as jd

NAMES, GAP = ("a", "b", "c", "d"), 1e-6


@pytest.fixture(scope="module")
def row() -> jd.System:
    model = jd.Model("row", gravity=(0, 0, 0))
    for name in NAMES:
        model.add_coordinate(name, 1.0, unit="m")
    for one, other in pairwise(NAMES):
        gap = jd.Coordinate(other) - jd.Coordinate(one)
        model.add_connection(one + other, gap, jd.Unilateral(restitution=1.0))
    return jd.compile(model)


def hit(row: jd.System, method: jd.Method, end: float = 0.02) -> jd.Solution:
    """The first ball comes from 1 cm away; a sample at every step."""
    start = {f"{name}.value": k * GAP for k, name in enumerate(NAMES)}
    start |= {"a.value": -0.01, "a.rate": 1.0}
    step = getattr(method, "dt", 1e-3)
    return jd.simulate(row, end, start=start, method=method, sample=step)


@pytest.mark.parametrize("kind", [jd.MoreauJean, jd.NonsmoothAlpha])
@pytest.mark.parametrize("h", [1e-3, 2.5e-4])
def test_the_largest_overlap_is_told(row: jd.System, kind: type, h: float) -> None:
    """Only the last one flies off; but its neighbours pass through each other by h v."""
    sol = hit(row, kind(h))
    np.testing.assert_allclose(sol.v[-1], [0.0, 0.0, 0.0, 1.0], atol=1e-12)
    gaps = np.diff(sol.q, axis=1)
    place, pair = np.unravel_index(np.argmin(gaps), gaps.shape)
    told = sol.statistics.overlap
    assert told.depth == pytest.approx(-gaps.min(), rel=1e-12)
    assert told.depth <= 2.0 * h
    assert (told.name, told.unit) == (NAMES[pair] + NAMES[pair + 1], "m")
    assert told.time == pytest.approx(sol.time[place], rel=1e-12)
    assert f"overlap      {told.name} by up to {told.depth:.2g} m" in str(sol)


def test_from_event_to_event_nothing_overlaps(row: jd.System) -> None:
    sol = hit(row, jd.EventDriven())
    assert sol.statistics.overlap is None
    assert np.diff(sol.q, axis=1).min() > -1e-12


def test_what_an_earlier_part_of_a_run_has_told_is_kept(row: jd.System) -> None:
    part = hit(row, jd.NonsmoothAlpha(1e-3), 0.014)
    whole = jd.simulate(row, 0.02, resume=part)
    assert whole.statistics.overlap == part.statistics.overlap


def test_the_overlap_of_a_group_is_that_of_its_penetration() -> None:
    model = jd.Model("drop")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    contours = [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)]
    model.add_contacts("floor", contours, jd.Unilateral(restitution=0.7))
    start = {"ball.position": (0, 0, 0.19995)}
    sol = jd.simulate(model, 0.2, start=start, method=jd.MoreauJean(1e-3), sample=1e-3)
    told = sol.statistics.overlap
    assert told.name == "floor"
    assert told.depth == pytest.approx(sol.values("floor.penetration").max(), rel=1e-9)
