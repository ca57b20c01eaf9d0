"""A box with eight corners above a plane, from event to event."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance
from jourdain.simulation.contact.events.event_driven import EventDrivenRun
from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun

G, MU, SIZE = 9.81, 0.4, (0.2, 0.3, 0.1)


@pytest.fixture(scope="module")
def system():
    model = jd.Model("box")
    box = model.add_body("box", jd.solid.box(mass=1.0, size=SIZE))
    law = jd.Coulomb(jd.Parameter("friction", MU), restitution=jd.Parameter("bounce", 0.5))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Box(box, SIZE), law)
    return jd.compile(model)


def run(system, end, bounce=0.5, method=jd.EventDriven(), friction=MU, **start):  # noqa: B008
    given = {f"box.{name}": value for name, value in start.items()}
    numbers = {"bounce": bounce, "friction": friction}
    return jd.simulate(system, end, start=given, parameters=numbers, method=method, sample=end / 20)


def test_flat_box_bounces_like_a_ball(system):
    """All four corners meet at once; the impacts end after √(2h/g) (1 + e)/(1 − e)."""
    sol = run(system, 1.2, position=(0, 0, 0.45))
    impacts = [event for event in sol.events if event.kind == "impact"]
    fall = np.sqrt(2 * 0.4 / G)
    times = [fall * (1 + 2 * sum(0.5**j for j in range(1, k + 1))) for k in range(5)]
    np.testing.assert_allclose([event.time for event in impacts[:5]], times, rtol=1e-9)
    assert all(len(event.details["contacts"]) == 4 for event in impacts[:5])
    assert impacts[-1].time == pytest.approx(3 * fall, rel=1e-6)
    np.testing.assert_allclose(sol.q[-1], [0, 0, 0.05, 1, 0, 0, 0], atol=1e-11)
    assert np.abs(sol.v[-1]).max() <= 1e-12


def test_box_slides_to_a_stop(system):
    """It stops after v/μg, at v²/2μg, and does not tip; then it does not move at all."""
    sol = run(system, 1.0, position=(0, 0, 0.05), velocity=(1.2, 1.6, 0))
    way, stop = 2.0**2 / (2 * MU * G), 2.0 / (MU * G)
    sticks = [event.time for event in sol.events if event.kind == "stick"]
    np.testing.assert_allclose(sticks, stop, rtol=1e-9)
    np.testing.assert_allclose(sol.q[-1], [0.6 * way, 0.8 * way, 0.05, 1, 0, 0, 0], atol=1e-10)
    rests = sol.q[sol.time > sticks[0]]
    assert np.ptp(rests, axis=0).max() <= 1e-12


def test_box_slides_on_three_corners_to_a_stop(system):
    """Its weight acts beyond the diagonal of two corners: the least forces of all four would pull.

    It is within their rectangle, so nothing tips, and three corners carry.
    """
    mu, way = 1.8, np.array([0.832, 0.555])
    way = 2.0 * way / np.linalg.norm(way)
    shift = mu * SIZE[2] / 2.0 * way / 2.0 / (np.array(SIZE[:2]) / 2.0)
    assert shift.sum() > 1.0 > shift.max()
    sol = run(system, 0.3, friction=mu, position=(0, 0, 0.05), velocity=(*way, 0))
    stop = 2.0 / (mu * G)
    sticks = [event.time for event in sol.events if event.kind == "stick"]
    np.testing.assert_allclose(sticks, stop, rtol=1e-9)
    np.testing.assert_allclose(sol.q[-1], [*(way * stop / 2), 0.05, 1, 0, 0, 0], atol=1e-10)
    assert {event.kind for event in sol.events} == {"slip", "stick"}
    assert len(sol.events) <= 8


def test_box_spins_to_a_stop(system):
    """Corners at the radius r share the weight: ω falls by μ g r m/I until all stick."""
    spin, r = 3.0, np.hypot(*SIZE[:2]) / 2.0
    slows = MU * G * r / (r**2 / 3.0)
    sol = run(system, 0.2, position=(0, 0, 0.05), angular_velocity=(0, 0, spin))
    sticks = [event.time for event in sol.events if event.kind == "stick"]
    np.testing.assert_allclose(sticks, spin / slows, rtol=1e-9)
    turned = spin**2 / (2 * slows) / 2.0
    expected = [0, 0, 0.05, np.cos(turned), 0, 0, np.sin(turned)]
    np.testing.assert_allclose(sol.q[-1], expected, atol=1e-10)
    assert len(sol.events) == 8


def phases_of(monkeypatch):
    """Count the phases of runs from event to event."""
    phases, phase = [], EventDrivenRun._phase
    counted = lambda *given: phases.append(phase(*given)) or phases[-1]  # noqa: E731
    monkeypatch.setattr(EventDrivenRun, "_phase", counted)
    return phases


def test_box_that_slides_and_spins_changes_seldom(system, monkeypatch):
    phases = phases_of(monkeypatch)
    start = {"velocity": (1.5, 0.6, 0), "angular_velocity": (0, 0, 10)}
    sol = run(system, 0.6, position=(0, 0, 0.05), **start)
    assert len(phases) <= 6
    assert [event.kind for event in sol.events] == ["slip"] * 4 + ["stick"] * 4
    assert np.abs(sol.v[-1]).max() <= 1e-12
    balance = energy_balance(sol)
    assert balance.largest <= 1e-9 * balance.exchanged


def test_corner_that_begins_to_slide_does_not_chatter(system, monkeypatch):
    """One of two corners stops while the other slides, then slides off again at 6e-5 m/s²."""
    phases = phases_of(monkeypatch)
    thrown = {
        "position": (0, 0, 0.4),
        "velocity": (0.21732193, 2.11783876, -1.11202076),
        "angular_velocity": (-1.13281502, 6.12831482, 1.94010899),
    }
    sol = run(system, 1.5, 0.0, friction=0.6, **thrown)
    assert len(phases) <= len(sol.events) + 5


def test_two_corners_that_hit_at_once_are_both_seen_again():
    """One is held and moves the other by 1e-11 m into the floor, from where it must not sink."""
    model, size = jd.Model("box"), (0.2, 0.3, 0.4)
    box = model.add_body("box", jd.solid.box(mass=1.0, size=size))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Box(box, size), jd.Coulomb(0.3, 0.2))
    start = {"box.position": (0, 0, 0.3), "box.velocity": (1, 0, -1),
             "box.angular_velocity": (1, 2, 0.5)}  # fmt: skip
    sol = jd.simulate(model, 0.305, start=start, method=jd.EventDriven())
    last = [event for event in sol.events if event.time > 0.3014]
    assert any(len(event.details.get("contacts", ())) == 2 for event in last)
    assert min(sol.values(f"floor.{k + 1}.gap").min() for k in range(8)) > -1e-10


def test_throw_onto_redundant_corners_is_stepped_over(system, monkeypatch):
    """At 0.494 s neither sweeps nor the slower methods found impulses of its corners."""
    left, general = [], TimeSteppingRun._solve_island
    monkeypatch.setattr(
        TimeSteppingRun, "_solve_island", lambda *given: left.append(1) or general(*given)
    )
    velocity = (0.054102278771543888, 0.27279133916445375, -0.98218812494097774)
    spin = (-3.3221191414955791, 0.59875359854124244, -1.4002488506394062)
    thrown = {"position": (0, 0, 0.5), "velocity": velocity, "angular_velocity": spin}
    sol = run(system, 0.6, 0.2, jd.MoreauJean(2e-3), friction=1.0, **thrown)
    assert sol.time[-1] == pytest.approx(0.6)
    assert sol.statistics.residual <= 1e-13
    assert not left


@pytest.mark.parametrize(
    ("method", "audit"),
    [(jd.EventDriven(), 1e-6), (jd.NonsmoothAlpha(1e-2), 3e-3)],  # the work of steps is of order h²
    ids=["events", "alpha"],
)
def test_thrown_box_comes_to_rest(system, method, audit):
    thrown = {"position": (0, 0, 0.4), "velocity": (1, 0.5, 0), "angular_velocity": (2, 3, 1)}
    sol = run(system, 2.0, 0.3, method, **thrown)
    gaps = np.column_stack([sol.values(f"floor.{k + 1}.gap") for k in range(8)])
    assert gaps.min() >= -1e-9
    assert np.abs(sol.v[-1]).max() <= 1e-12
    assert np.sort(gaps[-1])[3] <= 1e-9  # on one of its faces
    assert len(sol.events) <= 200
    assert sol.events[-1].time <= 1.0  # nothing chatters at rest
    balance = energy_balance(sol)
    assert abs(balance.residual) <= audit * balance.exchanged
    assert all(event.details["energy"] <= 1e-12 for event in sol.events if event.kind == "impact")
