"""Redundant contacts that are pushed: they hold together until all of them are at their limits."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.events.margins import Cone, largest_margin

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
