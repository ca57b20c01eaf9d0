"""Which simulation contacts get; that both give the same motion is in tests/exact/test_pile.py."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.stepper_choice import regrouped
from jourdain.simulation.plan import GROUPED_BEYOND as MANY

SIZE = (0.1, 0.2, 0.3)


def bricks(n, law=None):
    """Boxes on a floor, each with a contact of its own."""
    model, law = jd.Model("bricks"), law or jd.Coulomb(friction=0.4)
    for k in range(n):
        brick = model.add_body(f"brick_{k}", jd.solid.box(mass=1.0, size=SIZE))
        model.add_contact(f"floor_{k}", jd.HalfSpace(model.world), jd.Box(brick, SIZE), law)
    return model


@pytest.fixture(scope="module")
def many():
    return jd.compile(bricks(MANY // 8 + 1))


def test_many_points_are_groups_under_the_same_names(many):
    found = regrouped(many, None)
    assert list(found.model.contact_groups) == list(many.model.connections)
    assert not found.model.connections
    assert regrouped(many, jd.MoreauJean(1e-3)) is found  # compiled once


def test_few_points_stay_as_they_are():
    few = jd.compile(bricks(MANY // 8))
    assert regrouped(few, None) is few


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.NonsmoothAlpha(1e-3), jd.Dop853()])
def test_other_methods_follow_single_contacts(many, method):
    assert regrouped(many, method) is many


@pytest.mark.parametrize("law", [{"impact": jd.Poisson()}, {"rolling": 0.01}, {"drilling": 0.01}])
def test_groups_have_all_laws_of_contacts_in_space(law):
    system = jd.compile(bricks(MANY // 8 + 1, jd.Coulomb(friction=0.4, **law)))
    assert regrouped(system, None) is not system


def test_what_neither_a_group_nor_its_neighbours_can_have_stays():
    model = bricks(MANY // 8 + 1)
    model.add_coordinate("height", 1.0, unit="m")
    model.add_coordinate("way", 1.0, unit="m")
    law = jd.Coulomb(friction=0.4, restitution=0.5, impact=jd.Poisson("glocker"))
    model.add_connection("disc", jd.Touch(jd.Coordinate("height"), jd.Coordinate("way")), law)
    stored = jd.compile(model)
    assert regrouped(stored, None) is stored


def test_dry_friction_stays_beside_the_groups():
    braked = bricks(MANY // 8 + 1)
    braked.add_coordinate("shaft", 1.0)
    braked.add_connection("brake", jd.Coordinate("shaft"), jd.Interval(2.0))
    found = regrouped(jd.compile(braked), None)
    assert len(found.model.contact_groups) == MANY // 8 + 1
    places = {f"{name}.position": (k, 0, 1.0) for k, name in enumerate(braked.bodies)}
    sol = jd.simulate(found, 0.02, start=places | {"shaft.rate": 5.0}, sample=0.01)
    assert sol.values("shaft.rate")[-1] == pytest.approx(5.0 - 2.0 * 0.02, abs=1e-12)


def test_a_run_tells_and_rests(many):
    n = len(many.model.bodies)
    start = {f"brick_{k}.position": (k, 0.0, 0.15) for k in range(n)}
    sol = jd.simulate(many, 0.02, start=start)
    assert "groups of contacts" in sol.statistics.reason
    assert sol["floor_0.normal_force"][-1] == pytest.approx(9.81, rel=1e-6)
    for k in range(n):
        z = sol[f"brick_{k}.position"].sel(axis="z")
        np.testing.assert_array_equal(z, 0.15)


@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)], ids=str)
def test_every_run_tells_how_well_its_equations_were_solved(method):
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=0.3, radius=0.1))
    law = jd.Coulomb(friction=0.2, restitution=0.5)
    model.add_contact("table", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), law)
    start = {"ball.position": (0, 0, 0.2), "ball.velocity": (2, 0, 0)}
    sol = jd.simulate(model, 0.2, start=start, method=method)
    assert 0.0 <= sol.statistics.residual < 1e-9
    assert "residual     contact equations solved to" in str(sol)
