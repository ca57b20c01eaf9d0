"""Kinks and jumps of laws, drives and inputs against closed forms, by every integrator."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd
from jourdain.solvers import all_integrators

try:
    import sksundae  # noqa: F401

    SUNDIALS = (jd.Cvode(), jd.Ida())
except ImportError:
    SUNDIALS = ()


def with_step(integrator, dt):
    """The integrator with a fixed step that fits nothing, or as it is."""
    return dataclasses.replace(integrator, dt=dt) if hasattr(integrator, "dt") else integrator


SUNDIALS_KINDS = tuple(type(x) for x in SUNDIALS)
EVERY = pytest.mark.parametrize(
    "integrator",
    [with_step(x, 7e-4) for x in (*all_integrators(), *SUNDIALS)],
    ids=lambda x: type(x).__name__,
)


def mass(law) -> jd.Model:
    """One kilogram on a line with a law."""
    model = jd.Model("mass")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("law", jd.Coordinate("x"), jd.Law(law))
    return model


@pytest.fixture(scope="module")
def jump() -> jd.System:
    return jd.compile(mass(lambda x, v: jd.where(v < 2.0, 10.0, 0.5)))


@EVERY
def test_a_passage_at_a_jump_is_one_event(jump, integrator):
    """A18, A20: v = 10 t up to 0.2 s, then 2 + (t - 0.2)/2."""
    sol = jd.simulate(jump, 0.5, method=integrator, events={"fast": lambda t, s: s["x.rate"] - 2.0})
    assert [event.time for event in sol.events] == [pytest.approx(0.2, abs=1e-9)]
    assert sol.statistics.kinks == 1
    assert sol.final["x.rate"] == pytest.approx(2.15, abs=1e-9)
    assert "kinks        1 passed" in str(sol)
    late = sol.time > 0.2 + 1e-9
    np.testing.assert_allclose(sol["x.rate"][late], 2.0 + 0.5 * (sol.time[late] - 0.2), atol=1e-9)


class Bounce:
    """1 kg dropped from a height on a stiff one-sided spring without damping."""

    g, w, height = 9.81, 1e3, 0.1

    def __init__(self) -> None:
        self.v0 = np.sqrt(2 * self.g * self.height)
        self.flight = 2 * self.v0 / self.g
        turn = np.pi / self.w
        self.period = self.flight + brentq(lambda t: self.contact(t)[0], turn, 1.2 * turn)

    def contact(self, t):
        """Position and velocity from the touch on."""
        g, w = self.g, self.w
        x = -g / w**2 * (1 - np.cos(w * t)) - self.v0 / w * np.sin(w * t)
        return x, -g / w * np.sin(w * t) - self.v0 * np.cos(w * t)

    def __call__(self, t):
        t = (t + 0.5 * self.flight) % self.period
        if t < self.flight:
            return self.v0 * t - 0.5 * self.g * t * t, self.v0 - self.g * t
        return self.contact(t - self.flight)


def test_the_default_keeps_its_promise_over_thirty_bounces():
    """A21: position and velocity to about 1e-6 of their size."""
    exact = Bounce()
    end = 30.3 * exact.period
    model = mass(lambda x, v: jd.where(x < 0.0, -(exact.w**2) * x, 0.0) - exact.g)
    sol = jd.simulate(model, end, start={"x": exact.height})
    x, v = exact(end)
    assert sol.final["x"] == pytest.approx(x, abs=1e-6 * exact.height)
    assert sol.final["x.rate"] == pytest.approx(v, abs=1e-6 * exact.v0)
    assert sol.statistics.kinks == 60
    assert sol.statistics.rejected < 60


def test_backlash_rejects_few_steps():
    """Free play c on both sides, then a spring: flight 2c/v and half a period in turn."""
    c, w, v0 = 0.01, 100.0, 1.0
    period = 4 * c / v0 + 2 * np.pi / w
    sol = jd.simulate(
        mass(lambda x, v: -(w**2) * (x - jd.clip(x, -c, c))), 10.25 * period, start={"x.rate": v0}
    )
    phase = 0.25 * period - c / v0  # a quarter of a period after the start it turns in the spring
    assert sol.final["x"] == pytest.approx(c + v0 / w * np.sin(w * phase), abs=1e-6 * c)
    assert sol.final["x.rate"] == pytest.approx(v0 * np.cos(w * phase), abs=4e-6 * v0)
    assert sol.statistics.rejected < 0.1 * sol.statistics.steps


@EVERY
def test_tables_stairs_and_pulses_of_time_are_stepped_onto(cart, integrator):
    """Straight pieces of acceleration, which methods of order 3 and more integrate exactly."""
    wheel = jd.Table((0.0, 0.1, 0.25, 0.5), (0.0, 1.0, -1.0, 0.0), outside="repeat")
    inputs = {
        "a": wheel,
        "b": lambda t: jd.math.floor(7.0 * t),
        "c": lambda t: jd.where(t < 0.5, 1.0, 0.0) - jd.where(t > 2.0, 1.0, 0.0),
    }
    sol = jd.simulate(cart, 3.0, method=with_step(integrator, 7e-3), inputs=inputs)
    exact = {"a": 6 * (0.05 - 0.125), "b": sum(range(21)) / 7.0, "c": -0.5}
    for name, rate in exact.items():
        limit = 2e-8 if integrator.order > 2 else 2e-5
        assert sol.final[f"{name}.rate"] == pytest.approx(rate, abs=limit)
    assert sol.statistics.kinks == 17 + 20 + 2


@pytest.fixture(scope="module")
def cart() -> jd.System:
    model = jd.Model("carts")
    for name in "abc":
        model.add_coordinate(name, 1.0, unit="m")
    return jd.compile(model)


def test_drives_with_kinks_are_stepped_onto():
    """A pendulum whose support is driven: the default is as exact as in three runs by hand."""
    model = jd.Model("driven")
    cart = model.add_body("cart", jd.solid.ball(mass=1.0, radius=0.1))
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    drive = lambda t: jd.where(t < 0.31, t * t, 0.31**2 + 0.62 * (t - 0.31))  # noqa: E731
    model.add_joint("slide", model.world, cart, jd.Prismatic("x"), driven={"position": drive})
    model.add_joint("hinge", cart, rod, jd.Revolute("y"))
    tight = jd.Dop853(rtol=1e-13, atol=1e-14)
    first = jd.simulate(model, 0.31, method=tight)
    exact = jd.simulate(model, (0.31, 1.0), start=first.final, method=tight)
    sol = jd.simulate(model, 1.0)
    assert sol.statistics.kinks == 1
    assert sol.statistics.rejected <= 5
    assert sol.final["hinge.rate"] == pytest.approx(exact.final["hinge.rate"], abs=1e-8)


@EVERY
def test_an_event_function_that_settles_at_zero_has_no_events(settling, integrator, capfd):
    """A19: overdamped, so neither x - 1 nor v changes its sign after the start."""
    events = {"x": lambda t, s: s["x"] - 1.0, "v": lambda t, s: s["x.rate"]}
    sol = jd.simulate(
        settling, 20.0, start={"x": 1.1}, method=with_step(integrator, 7e-3), events=events
    )
    assert sol.statistics.status == "finished"
    assert not sol.events
    captured = capfd.readouterr()
    assert not captured.out
    assert not captured.err


@pytest.fixture(scope="module")
def settling() -> jd.System:
    model = jd.Model("settling")
    model.add_coordinate("x", 1.0, unit="m")
    law = jd.Spring(100.0, free=1.0) + jd.Damper(50.0)
    model.add_connection("law", jd.Coordinate("x"), law)
    return jd.compile(model)


def test_a_slow_passage_is_an_event_even_in_tiny_steps():
    """One that moves less than the tolerance in a step is confirmed later, at its own time."""
    model = mass(lambda x, v: 0.0 * x)
    sol = jd.simulate(
        model, 1e-3, start={"x": -1e-7, "x.rate": 2e-4},
        method=jd.Dop853(max_step=1e-7), events={"zero": lambda t, s: s["x"]},
    )  # fmt: skip
    assert [event.time for event in sol.events] == [pytest.approx(5e-4, abs=1e-9)]


@pytest.mark.parametrize(
    "method",
    [jd.EventDriven(jd.Dop853()), jd.EventDriven(jd.Radau5()),
     jd.EventDriven(jd.GeneralizedAlpha(7e-4))],
    ids=lambda x: type(x.integrator).__name__,
)  # fmt: skip
def test_phases_between_contacts_step_onto_kinks(method):
    model = mass(lambda x, v: jd.where(v < 2.0, 10.0, 0.5))
    model.add_coordinate("y", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("y"), jd.Law(lambda x, v: -9.81 + 0.0 * x))
    model.add_connection("stop", jd.Coordinate("y"), jd.Unilateral(restitution=0.5))
    events = {"fast": lambda t, s: s["x.rate"] - 2.0}
    sol = jd.simulate(model, 0.5, start={"y": 0.2}, method=method, events=events)
    found = [event.time for event in sol.events if event.kind == "event"]
    assert found == [pytest.approx(0.2, abs=1e-9)]
    assert sol.statistics.kinks == 1
    assert sol.final["x.rate"] == pytest.approx(2.15, abs=1e-9)


def volumes():
    """Two volumes that equalise through an orifice, smooth near zero but for its abs."""
    drop = lambda at: at.state("A.p") - at.state("B.p")  # noqa: E731
    flow = lambda at: drop(at) / jd.math.sqrt(abs(drop(at)) + 1.0)  # noqa: E731
    model = jd.Model("volumes")
    model.add_states("A", {"p": "Pa"}, lambda at: -flow(at), start=(3.0,))
    model.add_states("B", {"p": "Pa"}, flow, start=(1.0,))
    return model


def first_order(rate):
    """One state that begins at 1."""
    model = jd.Model("settling")
    model.add_states("s", {"x": "1"}, lambda at: rate(at.state("s.x")), start=(1.0,))
    return model


def _orifice(x):
    return -jd.math.sign(x) * (jd.math.sqrt(abs(x) + 1e-3) - jd.math.sqrt(1e-3))


SETTLING = {  # models, start, state at the end
    "volumes": (volumes, {}, 2.0),
    "orifice": (lambda: first_order(_orifice), {}, 0.0),
    "slopes": (lambda: first_order(lambda x: jd.maximum(0.6 - 2.0 * x, 0.3 - x)), {}, 0.3),
    "where": (lambda: first_order(lambda x: jd.where(x > 0.3, 0.6 - 2 * x, 0.3 - x)), {}, 0.3),
    "one-sided spring": (
        lambda: mass(lambda x, v: jd.where(x > 0.0, -100.0 * x, -50.0 * x) - 40.0 * v),
        {"x": 1.0}, 0.0,
    ),
    "comes to rest at a wall": (
        lambda: mass(lambda x, v: jd.where(x < 0.0, -1e4 * x, 0.0) - 10.0 * v),
        {"x": 0.1, "x.rate": -1.0}, 0.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SETTLING)
@EVERY
def test_what_settles_on_a_kink_does_not_hold_up_the_run(name, integrator):
    """The kink is approached, or trembled around, for many time constants."""
    make, start, end = SETTLING[name]
    sol = jd.simulate(make(), 20.0, start=start, method=integrator)
    step = getattr(integrator, "dt", None)
    assert sol.statistics.steps <= (1500 if step is None else 20.1 / step)
    np.testing.assert_allclose(sol.q[-1], end, atol=1e-8 if step is None else 1.1 * step)


@pytest.mark.parametrize("part", [0.25, 0.5, 0.75])
@EVERY
def test_a_jump_at_a_fraction_of_a_step_is_not_missed(part, integrator):
    """Steps are looked at in parts: 2 N are switched off where one of them ends exactly."""
    if getattr(integrator, "dt", None) is not None:
        integrator = dataclasses.replace(integrator, dt=0.0625)
    elif not isinstance(integrator, SUNDIALS_KINDS):
        integrator = dataclasses.replace(integrator, max_step=0.0625)
    off = 0.5 + 0.0625 * part
    model = mass(lambda x, v, at: jd.where(at.t - off >= 0.0, 0.0, 2.0))
    sol = jd.simulate(model, 1.0, method=integrator)
    assert sol.final["x.rate"] == pytest.approx(2.0 * off, abs=1e-9)
    assert sol.statistics.kinks == 1
