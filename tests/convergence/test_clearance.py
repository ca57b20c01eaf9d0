"""A slider-crank whose wrist has play: time stepping tends to what event-driven integration finds.

Impacts follow each other, accumulate after 5.2 ms, the pin rolls along its hole and lets go at
19.3 ms. Every impact makes errors of time larger, so the methods differ at any step that is in use;
they tend to the same with the step.
"""

import numpy as np
import pytest

import jourdain as jd

CRANK, ROD, PLAY, END = 0.05, 0.12, 5e-4, 0.02
START = {
    "main.angle": 0.0, "main.rate": 60.0, "big_end.angle": 0.0, "big_end.rate": -60.0 * CRANK / ROD,
    "guide.position": CRANK + ROD + 1e-4,
}  # fmt: skip


def bar(mass, length):
    J = mass * length**2 / 12.0
    return jd.Inertia(mass=mass, com=(0.5 * length, 0, 0), moments=(1e-6, J, J))


@pytest.fixture(scope="module")
def press():
    model = jd.Model("press", gravity=(0, 0, 0))
    crank, rod = model.add_body("crank", bar(0.3, CRANK)), model.add_body("rod", bar(0.21, ROD))
    slider = model.add_body("slider", jd.Inertia(mass=0.14, moments=(1e-4, 1e-4, 1e-4)))
    model.add_joint("main", model.world, crank, jd.Revolute("z"))
    model.add_joint("big_end", crank.at(CRANK, 0, 0), rod, jd.Revolute("z"))
    model.add_joint("guide", model.world, slider, jd.Prismatic("x"))
    play = jd.Distance(rod.at(ROD, 0, 0), slider)
    model.add_connection("wrist", play, jd.Unilateral(PLAY, "below", 0.5))
    return jd.compile(model)


def impacts(sol):
    return [event for event in sol.events if event.kind == "impact"]


@pytest.fixture(scope="module")
def exact(press):
    precise = jd.EventDriven(jd.Dop853(rtol=1e-11, atol=1e-13))
    return jd.simulate(press, END, start=START, method=precise)


def test_events_do_not_depend_on_tolerances(press, exact):
    sol = jd.simulate(press, END, start=START, method=jd.EventDriven())
    assert [event.kind for event in sol.events] == [event.kind for event in exact.events]
    times = ([event.time for event in x.events[:10]] for x in (sol, exact))
    np.testing.assert_allclose(*times, atol=1e-8)
    before, after = (impacts(exact)[0].details[word][0][0] for word in ("before", "after"))
    assert after == pytest.approx(-0.5 * before, rel=1e-12)


def test_time_steps_tend_to_the_event_driven_motion(press, exact):
    """Times of the first five impacts, and the way of the slider, with an error of order h."""
    fine, coarse = (
        jd.simulate(press, END, start=START, method=jd.MoreauJean(h)) for h in (1e-6, 8e-6)
    )
    true = np.array([event.time for event in impacts(exact)[:5]])
    late, later = (
        np.abs([event.time - t for event, t in zip(impacts(x), true, strict=False)])
        for x in (fine, coarse)
    )
    assert late[0] <= 1e-6  # of the free flight before the first impact
    assert np.all(late <= [1e-6, 2e-6, 4e-6, 8e-6, 3e-5])
    assert late[2:].sum() < later[2:].sum() / 4.0
    grid = np.linspace(0.0, END, 201)
    at = [np.interp(grid, x.time, x.values("guide.position")) for x in (fine, coarse, exact)]
    assert np.abs(at[0] - at[2]).max() < np.abs(at[1] - at[2]).max() / 4.0


def test_what_rolls_in_the_hole_does_not_count_as_an_impact(press):
    """Just before it lets go, forces and curvature cancel; its approach in a step is none."""
    sol = jd.simulate(press, END, start=START, method=jd.MoreauJean(5e-6))
    assert impacts(sol)[-1].time < 6e-3


def test_what_has_come_to_rest_in_the_hole_is_held(press, exact):
    """The shift out of the overlap of the last impact turns the normal: it is at rest even so."""
    sol = jd.simulate(press, 7e-3, start=START, method=jd.NonsmoothAlpha(1e-5))
    rests = next(event.time for event in exact.events if event.kind == "contact")
    assert impacts(sol)[-1].time == pytest.approx(rests, abs=1e-4)
    assert sol.values("wrist.force")[sol.time > rests + 1e-4].max() < -1.0
