"""Redundant contacts and brakes: they hold together until all of them are at their limits."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.events.margins import Cone, largest_margin
from jourdain.simulation.contact.parallel import _smallest

G, MU = 9.81, 0.4


def pushed(static: float | None, *, is_box: bool) -> tuple[jd.Model, dict[str, object]]:
    """Table with four legs, or box with eight corners, under a force that grows."""
    m = jd.Model("table")
    size = (1.0, 1.0, 0.2)
    body = m.add_body("body", jd.solid.box(mass=4.0, size=size))
    law = jd.Coulomb(MU, static=static)
    if is_box:
        m.add_contact("floor", jd.HalfSpace(m.world), jd.Box(body, size), law)
    else:
        for k, (x, y) in enumerate([(0.4, 0.4), (-0.4, 0.4), (0.4, -0.4), (-0.4, -0.4)]):
            leg = jd.Point(body.at(x, y, -0.1))
            m.add_contact(f"leg{k}", jd.HalfSpace(m.world), leg, law)
    place = jd.Formula(lambda at: at.pose(body.at())[1][0])
    m.add_connection("push", place, jd.Force(lambda t: 40.0 * t))
    return m, {"body.position": (0.0, 0.0, 0.1)}


@pytest.mark.parametrize(
    ("static", "is_box"), [(None, False), (0.6, True)], ids=["legs", "box with static friction"]
)
def test_what_is_pushed_slides_when_all_its_contacts_are_at_their_limits(
    static: float | None, is_box: bool
) -> None:
    """It stopped after thousands of events, in each of which one contact was at its limit."""
    m, start = pushed(static, is_box=is_box)
    sol = jd.simulate(m, 0.7, start=start, method=jd.EventDriven(), sample=0.1)
    slips = {e.name: e.time for e in reversed(sol.events) if e.kind == "slip"}  # first ones
    begin = (static or MU) * 4.0 * G / 40.0
    assert len(slips) == 4
    np.testing.assert_allclose(list(slips.values()), begin, rtol=1e-7)
    assert len(sol.events) < 12
    rest = 0.7 - begin
    way = ((40.0 * begin - MU * 4.0 * G) * rest**2 / 2 + 40.0 * rest**3 / 6) / 4.0
    assert sol.values("body.position")[-1, 0] == pytest.approx(way, rel=1e-6)
    held = sol.values("body.position")[sol.time < begin - 1e-6]
    assert np.abs(held - held[0]).max() <= 1e-15


def test_largest_margin_of_two_legs() -> None:
    """Two legs that carry together: the force that one may not have is taken by the other."""
    cones = [Cone((0, 1), np.array([0.5, 0.5])), Cone((2, 3), np.array([1.5, 1.5]))]
    together = np.hstack([np.eye(2), np.eye(2)])
    x = np.array([0.5, 0.0, 0.5, 0.0])
    y = largest_margin(together, x, cones, [1.0, 1.0], [0, 1])
    np.testing.assert_allclose(together @ y, together @ x, atol=1e-9)
    assert [cone.reserve(y) for cone in cones] == [pytest.approx(0.5, abs=1e-6)] * 2
    assert largest_margin(together, np.array([1.5, 0, 0.6, 0]), cones, [1.0, 1.0], [0]) is None


def brakes(seed: int) -> tuple[jd.Model, float]:
    """Two or three inertias with random brakes on them and between them; all of them hold."""
    rng, m = np.random.default_rng(seed), jd.Model("brakes")
    shafts = [jd.Coordinate(m.add_coordinate(f"s{k}", rng.uniform(1, 3)).name) for k in range(3)]
    for k in range(7):
        i, j = rng.choice(3, 2, replace=False)
        slip = rng.uniform(0.5, 3.0) * (shafts[i] if k < 4 else shafts[i] - shafts[j])
        m.add_connection(f"b{k}", slip, jd.Interval(rng.uniform(5.0, 20.0)))
    for k in range(3):
        m.add_connection(f"hold{k}", shafts[k], jd.Interval(10.0))
        m.add_connection(f"load{k}", shafts[k], jd.Force(rng.uniform(-9.0, 9.0)))
    return m, 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_all_methods_share_parallel_friction_alike(seed: int) -> None:
    m, close = brakes(seed)
    system = jd.compile(m)
    names = [*(f"b{k}" for k in range(7)), *(f"hold{k}" for k in range(3))]
    found = []
    for method in (jd.EventDriven(), jd.MoreauJean(1e-2), jd.NonsmoothAlpha(1e-2)):
        sol = jd.simulate(system, 0.1, method=method, sample=0.05)
        assert set(names) <= set(sol.statistics.not_unique)
        assert np.abs(sol.v).max() < 1e-20
        found.append([sol.values(f"{name}.friction_force")[-1, 0] for name in names])
    np.testing.assert_allclose(found[1:], found[:1] * 2, atol=close)


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)])
def test_parallel_brakes_hold_in_proportion_to_their_capacities(method: jd.Method) -> None:
    """One acts through a gear of two: at the shaft it holds twice its capacity."""
    m = jd.Model("shaft")
    shaft = jd.Coordinate(m.add_coordinate("shaft", 1.0).name)
    for name, slip, law in (
        ("a", shaft, jd.Interval(10.0)),
        ("b", shaft, jd.Interval(5.0, static=15.0)),
        ("geared", 2 * shaft, jd.Interval(5.0)),
    ):
        m.add_connection(name, slip, law)
    m.add_connection("load", shaft, jd.Force(14.0))
    sol = jd.simulate(m, 0.01, method=method, sample=0.01)
    held = [sol.values(f"{name}.friction_force")[-1, 0] for name in ("a", "b", "geared")]
    np.testing.assert_allclose(held, [-4.0, -6.0, -2.0], rtol=1e-9)


def test_what_would_hold_too_much_holds_what_it_can() -> None:
    """The weak one between two shafts is at its limit, the others take the rest."""
    G = np.array([[1.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 1.0]])  # a: x, b: x + y, c: y
    known, limits = np.array([8.0, 2.0, 8.0]), np.array([20.0, 2.0, 20.0])
    shared = _smallest(G, known, limits)
    np.testing.assert_allclose(G @ shared, G @ known, atol=1e-12)
    assert (np.abs(shared) <= limits).all()
