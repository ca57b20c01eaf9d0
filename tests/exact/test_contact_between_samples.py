"""Samples at the times asked for, and what happens between them, against exact motion."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance

METHODS = [jd.EventDriven(), jd.MoreauJean(3e-3), jd.NonsmoothAlpha(3e-3)]
EVERY = pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)


def brake(load, capacity=10.0):
    """A mass of 1 kg held by dry friction against a load [N] in time."""
    model = jd.Model("brake")
    model.add_coordinate("a", 1.0, unit="m")
    a = jd.Coordinate("a")
    model.add_connection("pad", a, jd.Interval(capacity))
    model.add_connection("load", a, jd.Force(load))
    return jd.compile(model)


@pytest.fixture(scope="module")
def pulled():
    return brake(lambda t: 4.0 * t)


@EVERY
def test_what_sticks_does_not_creep_between_samples(pulled, method):
    """A15: the friction follows the load; it slips at 2.5 s, x = 2/3 (t − 2.5)³ from there on."""
    sol = jd.simulate(pulled, 3.5, sample=0.1, method=method)
    t = np.linspace(0.0, 2.4, 97)
    between = sol.at(t)
    np.testing.assert_array_equal(between["a.rate"], 0.0)
    if isinstance(method, jd.EventDriven):  # the others know the mean force of a step
        np.testing.assert_array_equal(between["a.acceleration"], 0.0)
        np.testing.assert_allclose(between["pad.force"], -4.0 * t, atol=1e-12)
    late = np.linspace(2.6, 3.5, 50)
    assert np.abs(sol.at(late)["pad.force"]).max() <= 10.0 + 1e-12
    exact = 2.0 / 3.0 * (late - 2.5) ** 3
    bound = 1e-8 if isinstance(method, jd.EventDriven) else 1e-4
    np.testing.assert_allclose(sol.at(late)["a.value"], exact, atol=bound)


def test_forces_between_samples_lie_in_sets_that_change():
    """The capacity is curved in time: the interpolated force is cut to it."""

    def limit(x, v, at):
        return 6.0 + 5.0 * jd.cos(5.0 * at.t)

    system = brake(lambda t: 20.0 * jd.sin(3.0 * t), limit)
    sol = jd.simulate(system, 3.0, sample=0.05)
    t = np.linspace(0.0, 3.0, 1001)
    capacity = 6.0 + 5.0 * np.cos(5.0 * t)
    assert np.all(np.abs(sol.at(t)["pad.force"]) <= capacity * (1.0 + 1e-12))
    outside = np.abs(sol["pad.force"]) - (6.0 + 5.0 * np.cos(5.0 * sol.time))
    assert outside.max() <= 1e-9


@EVERY
@pytest.mark.parametrize("kind", ["array", "spacing"])
def test_samples_are_the_times_asked_for(pulled, method, kind):
    """A10: no more, no fewer, to the bit, whatever the step and the events."""
    times = np.linspace(0.0, 3.5, 101)
    sample = times if kind == "array" else 0.035
    sol = jd.simulate(pulled, 3.5, sample=sample, method=method)
    if kind == "array":
        np.testing.assert_array_equal(sol.time, times)
    else:
        asked = np.append(0.035 * np.arange(100), 3.5)
        np.testing.assert_array_equal(np.intersect1d(sol.time, asked), asked)
        assert len(np.unique(sol.time)) <= 102  # one more where it slips
    bound = 1e-9 if isinstance(method, jd.EventDriven) else 1e-4
    exact = 2.0 / 3.0 * np.maximum(sol.time - 2.5, 0.0) ** 3
    np.testing.assert_allclose(sol.values("a.value"), exact, atol=bound)


@pytest.mark.parametrize("method", METHODS[1:], ids=lambda m: type(m).__name__)
def test_samples_within_steps_do_not_change_the_motion(pulled, method):
    few = jd.simulate(pulled, 3.5, sample=[0.0, 3.5], method=method)
    many = jd.simulate(pulled, 3.5, sample=np.sort(np.append(0.0097 * np.arange(300), 3.5)),
                       method=method)  # fmt: skip
    np.testing.assert_array_equal(many.q[-1], few.q[-1])
    np.testing.assert_array_equal(many.v[-1], few.v[-1])
    assert [e.time for e in many.events] == [e.time for e in few.events]


def test_samples_of_a_pile_are_the_times_asked_for():
    model = jd.Model("heap")
    contours = [jd.HalfSpace(model.world)]
    start = {}
    for k in range(3):
        ball = model.add_body(f"ball{k}", jd.solid.ball(mass=1.0, radius=0.1))
        contours.append(jd.Sphere(ball, 0.1))
        start[f"ball{k}.position"] = (0.3 * k, 0.0, 0.1 + 0.01 * k)
    model.add_contacts("heap", contours, jd.Coulomb(friction=0.4))
    times = np.array([0.0, 0.0123, 0.0155, 0.0301, 0.2])
    sol = jd.simulate(model, 0.2, start=start, method=jd.MoreauJean(5e-3), sample=times)
    np.testing.assert_array_equal(sol.time, times)
    fall = sol["ball2.position"].sel(axis="z").values[:4]
    np.testing.assert_allclose(fall, 0.12 - 0.5 * 9.81 * times[:4] ** 2, atol=1e-12)


@EVERY
def test_work_of_friction_and_its_power(pulled, method):
    """From slip to the end: force −10 N over 2/3 m; power −10 N × 2 m/s at the end."""
    sol = jd.simulate(pulled, 3.5, method=method)
    bound = 1e-9 if isinstance(method, jd.EventDriven) else 1e-4
    assert sol.statistics.contact_work == pytest.approx(-20.0 / 3.0, abs=bound)
    assert float(sol["work.contacts"][-1]) == sol.statistics.contact_work
    assert float(sol["pad.power"][-1]) == pytest.approx(-20.0, abs=10.0 * bound)
    work = sol.values("work.contacts")
    np.testing.assert_allclose(work, -10.0 * sol.values("a.value"), atol=10.0 * bound)


def test_impacts_are_in_the_work_of_contacts():
    """A ball of 2 kg falls from 0.5 m, e = 0.6: the first impact takes m g h (1 − e²)."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.1))
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Sphere(ball, 0.1), jd.Unilateral(restitution=0.6))
    sol = jd.simulate(model, 0.6, start={"ball.position": (0, 0, 0.6)}, sample=0.01)
    lost = 2.0 * 9.81 * 0.5 * (1.0 - 0.36)
    hit = np.sqrt(2.0 * 0.5 / 9.81)
    work = sol.values("work.contacts")
    np.testing.assert_allclose(work[sol.time < hit - 1e-9], 0.0, atol=1e-12)
    np.testing.assert_allclose(work[sol.time > hit + 1e-9], -lost, rtol=1e-9)
    assert np.count_nonzero(np.abs(sol.time - hit) < 1e-9) == 2
    assert energy_balance(sol).largest <= 1e-9


def test_the_audit_tells_the_largest_deviation():
    """A8: a run whose energy is wrong in its midst and right at its end."""
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    method, start = jd.GeneralizedAlpha(0.02, rho=1.0), {"hinge.angle": 2.0}
    sol = jd.simulate(model, 1.58, start=start, method=method, sample=0.02)
    total = sol.values("energy.total")
    balance = energy_balance(sol)
    off = np.abs(total - total[0])
    assert balance.largest == pytest.approx(off.max(), rel=1e-9)
    assert balance.at == sol.time[off.argmax()]
    assert off[-1] < 0.5 * off.max()
    assert f"at most {off.max():.2g} J" in str(sol)
