from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import jourdain as jd

pytest.importorskip("sksundae")

KINDS = {"stiff": jd.Cvode(), "adams": jd.Cvode(is_stiff=False), "ida": jd.Ida()}


@pytest.fixture(scope="module")
def system():
    """Pendulum with a ball joint at its end: angles and a quaternion."""
    model = jd.Model("flail")
    rod = model.add_body("rod", jd.Inertia(1.0, com=(0, 0, -1)))
    ball = model.add_body("ball", jd.Inertia(1.0, com=(0, 0, -1), moments=(0.1, 0.1, 0.1)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    model.add_joint("socket", rod.at(0, 0, -1), ball, jd.Spherical())
    return jd.compile(model)


START = {"hinge.angle": 1.5, "socket.angular_velocity": (1.0, 2.0, 3.0)}
EVENTS = {
    "down": lambda t, s: s["hinge.angle"],
    "fast": jd.Event(lambda t, s: s["hinge.rate"] - 1.0, direction=1),
}


@pytest.fixture(scope="module")
def reference(system):
    tight = jd.Dop853(rtol=1e-13, atol=1e-14)
    return jd.simulate(system, 3.0, start=START, method=tight, events=EVENTS)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_and_events_are_those_of_our_own_methods(system, reference, kind):
    sol = jd.simulate(system, 3.0, start=START, method=KINDS[kind], events=EVENTS)
    np.testing.assert_array_equal(sol.time, reference.time)
    np.testing.assert_allclose(sol.q, reference.q, atol=1e-6)
    np.testing.assert_allclose(sol.v, reference.v, atol=1e-6)
    names, times = zip(*((e.name, e.time) for e in reference.events), strict=True)
    assert tuple(e.name for e in sol.events) == names
    assert len(names) > 3
    np.testing.assert_allclose([e.time for e in sol.events], times, atol=1e-7)
    lengths = np.linalg.norm(sol.values("socket.orientation"), axis=-1)
    np.testing.assert_allclose(lengths, 1.0, atol=1e-15)
    assert sol.statistics.evaluations > 100
    assert f"{sol.statistics.evaluations} evaluations" in str(sol)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tighter_tolerance_pays(system, reference, kind):
    tight = dataclasses.replace(KINDS[kind], rtol=1e-12, atol=1e-13)
    errors = [
        np.abs(jd.simulate(system, 3.0, start=START, method=x).v - reference.v).max()
        for x in (KINDS[kind], tight)
    ]
    assert errors[1] < 0.1 * errors[0]


def test_a_terminal_event_ends_the_run(system, reference):
    events = {"down": jd.Event(EVENTS["down"], terminal=True)}
    sol = jd.simulate(system, 3.0, start=START, method=KINDS["adams"], events=events)
    assert sol.statistics.status == "terminal_event"
    assert sol.time[-1] == pytest.approx(reference.events[0].time, abs=1e-8)
    assert sol.final["hinge.angle"] == pytest.approx(0.0, abs=1e-8)


@pytest.fixture(scope="module")
def cart():
    model = jd.Model("rail")
    body = model.add_body("cart", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint("slide", model.world, body, jd.Prismatic("x"))
    return jd.compile(model)


@pytest.mark.parametrize("kind", KINDS)
def test_held_inputs_start_it_afresh(cart, kind):
    """Alternating pushes of 2 N on 2 kg: pieces of parabolas."""
    sol = jd.simulate(
        cart, 2.0, method=KINDS[kind], sample=[0.0, 0.5, 1.0, 1.5, 2.0],
        inputs={"slide.position": jd.Sampled(lambda t: 2.0 * np.cos(np.pi * np.rint(2 * t)), 0.5)},
    )  # fmt: skip
    np.testing.assert_allclose(sol.v[:, 0], [0.0, 0.5, 0.0, 0.5, 0.0], atol=1e-8)
    np.testing.assert_allclose(sol.q[:, 0], [0.0, 0.125, 0.25, 0.375, 0.5], atol=1e-8)


@pytest.mark.parametrize(("kind", "k", "d"), [(jd.Cvode, 1e8, 1e5), (jd.Ida, 1e6, 1e4)])
def test_a_stiff_spring(cart, kind, k, d):
    """The solution of x'' = -k (x - sin t) - d (x' - cos t) - sin t is sin t."""

    def force(t, s):
        pull = k * (jd.sin(t) - s["slide.position"]) + d * (jd.cos(t) - s["slide.velocity"])
        return 2.0 * (pull - jd.sin(t))

    sol = jd.simulate(
        cart, 6.0, start={"slide.velocity": 1.0}, inputs={"slide.position": force}, sample=1.0,
        method=kind(rtol=1e-8, atol=1e-10),
    )  # fmt: skip
    np.testing.assert_allclose(sol.q[:, 0], np.sin(sol.time), atol=1e-7)
    assert sol.statistics.evaluations < 20_000  # explicit methods need 100 000 steps of 12


@pytest.mark.parametrize("kind", KINDS)
def test_a_blow_up_stops_with_the_last_good_state(cart, kind):
    """The solution of x'' = 6 x² that starts so is 1/(1 − t)²."""
    with pytest.raises(jd.IntegrationError) as caught:
        jd.simulate(
            cart, 5.0, start={"slide.position": 1.0, "slide.velocity": 2.0},
            inputs={"slide.position": lambda t, s: 12.0 * s["slide.position"] ** 2},
            method=KINDS[kind],
        )  # fmt: skip
    sol = caught.value.solution
    assert 0.9 < sol.time[-1] <= 1.001
    assert np.all(np.isfinite(sol.q))


@pytest.mark.parametrize("kind", KINDS)
def test_what_rests_is_set_going_by_time(kind):
    """Of x'' = 6 sin 8t - 100 x even all rates are zero at the start: IDA gave up there."""
    model = jd.Model("pushed")
    model.add_coordinate("x", inertia=1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(100.0))
    model.add_connection("push", jd.Coordinate("x"), jd.Force(lambda t: 6.0 * jd.sin(8.0 * t)))
    final = jd.simulate(model, 1.0, method=KINDS[kind]).final
    assert final["x"] == pytest.approx((np.sin(8.0) - 0.8 * np.sin(10.0)) / 6.0, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_friction_by_sign_brings_to_rest(kind):
    """Each half swing loses 2 F / k, eight of them end at rest: the kink was passed without end."""
    model = jd.Model("rubbed")
    x = jd.Coordinate(model.add_coordinate("x", inertia=1.0, unit="m"))
    model.add_connection("spring", x, jd.Spring(100.0))
    model.add_connection("friction", x, jd.Law(lambda x, v: -3.0 * jd.math.sign(v)))
    sol = jd.simulate(model, 2.54, start={"x": 0.5}, method=KINDS[kind])
    assert sol.final["x"] == pytest.approx(0.5 - 8 * 2 * 3.0 / 100.0, abs=1e-4)
    assert abs(sol.final["x.rate"]) < 1e-3
    assert sol.statistics.sliding_kinks == 1
    assert sol.statistics.steps < 8000


def test_it_cannot_be_resumed(system):
    sol = jd.simulate(system, 0.1, start=START, method=KINDS["adams"])
    assert sol.checkpoint is None
    with pytest.raises(jd.ModelError, match="cannot be resumed: it has no checkpoint"):
        jd.simulate(system, 0.2, resume=sol)


@pytest.mark.parametrize("begin", [0.0, 2.4])
@pytest.mark.parametrize("method", [jd.Cvode(), jd.Ida()], ids=lambda m: type(m).__name__)
def test_nobody_creeps_for_ever_to_a_pole(method, begin, capfd):
    """dv/dt = v² has v = 1/(1 − t): steps shrink to nothing before t = 1."""
    model = jd.Model("pole")
    model.add_coordinate("x", 1.0)
    model.add_connection("push", jd.Coordinate("x"), jd.Law(lambda x, v: v * v))
    with pytest.raises(jd.IntegrationError, match="the step size fell below") as caught:
        jd.simulate(model, (begin, begin + 2.0), start={"x.rate": 1.0}, method=method)
    assert caught.value.solution.time[-1] == pytest.approx(begin + 1.0, abs=1e-6)
    assert "WARNING" not in capfd.readouterr().err
