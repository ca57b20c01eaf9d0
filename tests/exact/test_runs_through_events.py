"""Runs through impacts, sticking and locks, and their derivatives: V11, V14 to V18, V23 to V25.

Derivatives are differences of runs with the same events; closed forms are in the comments.
"""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

pytestmark = pytest.mark.slow

G = 9.81
PRECISE = jd.EventDriven(integrator=jd.Dop853(rtol=1e-12, atol=1e-14))


def slope(function, x, h):
    """Derivative by differences of fourth order."""
    a, b, c, d = (np.asarray(function(x + k * h)) for k in (-2, -1, 1, 2))
    return (a - 8 * b + 8 * c - d) / (12 * h)


def ball(e=0.8, g=G):
    model = jd.Model("ball", gravity=(0, 0, -g))
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("z", model.world, body, jd.Prismatic("z"))
    model.add_connection("floor", jd.Coordinate("z.position"), jd.Unilateral(restitution=e))
    return model


def bounced(h0=1.0, e=0.8, g=G):
    sol = jd.simulate(ball(e, g), 2.0, start={"z.position": h0}, method=PRECISE, sample=2.0)
    return float(sol["z.position"][-1]), float(sol["z.velocity"][-1])


def test_bouncing_ball():
    """V14: position and velocity after three impacts, by height, restitution and gravity."""
    assert bounced() == pytest.approx((0.260741728327057, -0.165869135836471), abs=1e-9)
    by_height = slope(lambda x: bounced(h0=x), 1.0, 1e-3)
    by_e = slope(lambda x: bounced(e=x), 0.8, 1e-3)
    by_g = slope(lambda x: bounced(g=x), G, 1e-2)
    np.testing.assert_allclose(by_height, [0.42661086416353, 9.7270654320818], rtol=1e-7)
    np.testing.assert_allclose(by_e, [2.4993241133171, 31.537662056659], rtol=1e-7)
    np.testing.assert_allclose(by_g, [-0.01690816879067, -1.0084540843953], rtol=1e-6)


def test_time_steps_have_wide_differences_only():
    """V23: differences of ±0.03 of a time-stepping run come near the derivative."""
    model = ball()

    def end(h0):
        method = jd.MoreauJean(dt=1e-4)
        sol = jd.simulate(model, 2.0, start={"z.position": h0}, method=method, sample=2.0)
        return np.array([float(sol["z.position"][-1]), float(sol["z.velocity"][-1])])

    found = (end(1.03) - end(0.97)) / 0.06
    np.testing.assert_allclose(found, [0.4266, 9.7271], rtol=0.02)


def belt(mass=1.0, k=100.0, speed=0.1, static=6.0, kinetic=4.0):
    """V15: a block on a belt that moves."""
    model = jd.Model("belt", gravity=(0, 0, 0))
    model.add_coordinate("x", mass, unit="m")
    model.add_coordinate("belt", 1.0, unit="m", driven=lambda t: speed * t)
    x = jd.Coordinate("x")
    model.add_connection("spring", x, jd.Spring(k))
    law = jd.Interval(kinetic, static=static)
    model.add_connection("friction", x - jd.Coordinate("belt"), law)
    return model


def test_block_on_a_belt():
    """V15: 2ΔF/(k v) + (2/ω)(π − atan(ωΔF/(k v))), by its static friction too."""

    def period(**given):
        m, k, v, fs, fk = (
            given.get(n, x)
            for n, x in (
                ("mass", 1.0),
                ("k", 100.0),
                ("speed", 0.1),
                ("static", 6.0),
                ("kinetic", 4.0),
            )
        )
        w = np.sqrt(k / m)
        return 2 * (fs - fk) / (k * v) + 2 / w * (np.pi - np.arctan(w * (fs - fk) / (k * v)))

    def run(**given):
        sol = jd.simulate(belt(**given), 2.5, method=PRECISE, sample=2.5)
        slips = [e.time for e in sol.events if e.kind == "slip"]
        return slips[-1] - slips[-2]

    assert period() == pytest.approx(0.8068887871591405, rel=1e-14)
    assert run() == pytest.approx(period(), rel=1e-8)
    assert slope(lambda x: run(static=x), 6.0, 1e-2) == pytest.approx(0.16, rel=1e-5)
    assert slope(lambda x: run(speed=x), 0.1, 1e-4) == pytest.approx(-3.2, rel=1e-5)


def stop(amplitude=0.3, b=0.1, e=0.6, end=2.0):
    """V16: φ̈ = −9 φ with a stop at −b."""
    model = jd.Model("stop", gravity=(0, 0, 0))
    model.add_coordinate("a", 1.0)
    model.add_connection("spring", jd.Coordinate("a"), jd.Spring(9.0))
    law = jd.Unilateral(limit=-b, restitution=e)
    model.add_connection("stop", jd.Coordinate("a"), law)
    sol = jd.simulate(model, end, start={"a": amplitude}, method=PRECISE, sample=end)
    return float(sol["a.value"][-1]), float(sol["a.rate"][-1])


def test_a_stop():
    assert stop() == pytest.approx((-0.079471896352763, -0.540701358617547), abs=1e-10)
    for name, x, value in (
        ("amplitude", 0.3, (-0.7292367479685, -0.83302094134)),
        ("b", 0.1, (1.392991280378, -2.907950762156)),
        ("e", 0.6, (-0.2297018639674, -0.4951095668729)),
    ):
        found = slope(lambda s, name=name: stop(**{name: s}), x, 1e-4)
        np.testing.assert_allclose(found, value, rtol=1e-6)


def test_a_clutch_and_a_lock():
    """V18: both shafts turn together from 1/3 s on; a lock that closes at 90 degrees."""

    def engaged(a=600.0, first=300.0):
        model = jd.Model("clutch")
        model.add_coordinate("one", 0.2)
        model.add_coordinate("two", 1.0)
        apart = jd.Coordinate("one") - jd.Coordinate("two")
        model.add_connection("clutch", apart, jd.Interval(lambda x, v, at: a * at.t))
        start = {"one.rate": first, "two.rate": 100.0}
        sol = jd.simulate(model, 0.6, start=start, method=PRECISE, sample=0.6)
        (time,) = [e.time for e in sol.events if e.kind == "stick"]
        return time, float(sol["one.value"][-1] - sol["two.value"][-1])

    assert engaged() == pytest.approx((1.0 / 3.0, 44.4444444), rel=1e-7)
    found = slope(lambda a: engaged(a=a), 600.0, 1.0)
    np.testing.assert_allclose(found, [-2.7777778e-4, -0.037037037], rtol=1e-5)
    found = slope(lambda w: engaged(first=w), 300.0, 0.5)
    assert found[0] == pytest.approx(8.3333333e-4, rel=1e-5)


def test_a_block_that_is_released():
    """V11: three half swings, then it sticks at 0.051022765800256 m."""
    turn = np.radians(30)
    model = jd.Model("incline", gravity=(G * np.sin(turn), 0, -G * np.cos(turn)))
    block = model.add_body("block", jd.solid.box(mass=2.0, size=(0.1, 0.1, 0.1)))
    model.add_joint("slide", model.world, block, jd.Prismatic("x"))
    place = jd.Coordinate("slide.position")
    model.add_connection("spring", place, jd.Spring(200.0))
    model.add_connection("friction", place, jd.Interval(0.3 * 2 * G * np.cos(turn)))
    sol = jd.simulate(model, 1.5, start={"slide.position": 0.2}, method=PRECISE)
    assert float(sol["slide.position"][-1]) == pytest.approx(0.051022765800256, abs=1e-10)
    last = [e.time for e in sol.events if e.kind == "stick"][-1]
    assert last == pytest.approx(0.942477796077, abs=1e-9)


def test_a_disturbed_swing():
    """V24: ∫x² over 8 s with a stop at −0.3, by start, load and restitution."""

    def integral(x0=1.0, v0=0.0, p=0.5, e=0.7):
        model = jd.Model("swing")
        model.add_coordinate("x", 1.0)
        model.add_connection("spring", jd.Coordinate("x"), jd.Spring(1.0))
        model.add_connection("damper", jd.Coordinate("x"), jd.Damper(0.1))
        law = jd.Unilateral(limit=-0.3, restitution=e)
        model.add_connection("stop", jd.Coordinate("x"), law)
        model.add_coordinate("sum", 1.0)
        inputs = {"x": lambda t: p * jd.math.cos(1.3 * t)}
        rate = {"sum": lambda t, s: 2.0 * s["x.value"] * s["x.rate"]}  # so that sum.rate = x²
        start = {"x": x0, "x.rate": v0, "sum.rate": x0**2}
        sol = jd.simulate(model, 8.0, start=start, inputs=inputs | rate, method=PRECISE, sample=8.0)
        return float(sol["sum.value"][-1])

    assert integral() == pytest.approx(1.627223945216, rel=1e-9)
    assert slope(lambda x: integral(x0=x), 1.0, 1e-3) == pytest.approx(1.4361738634, rel=1e-6)
    assert slope(lambda x: integral(v0=x), 0.0, 1e-3) == pytest.approx(2.2614745842, rel=1e-6)
    assert slope(lambda x: integral(p=x), 0.5, 1e-3) == pytest.approx(2.0876799624, rel=1e-6)
    assert slope(lambda x: integral(e=x), 0.7, 1e-3) == pytest.approx(0.3167141496, rel=1e-6)


def rod(law, speed, e=0.5):
    """V17: a rod of 1 m whose end hits the floor."""
    model = jd.Model("rod")
    body = model.add_body("rod", jd.Inertia(1.0, (0, 0, 0), np.eye(3) / 12))
    model.add_joint("plane", model.world, body, jd.Planar("y"))
    end = jd.Sphere(body.at(-0.5, 0, 0), 1e-9)
    model.add_contact("end", jd.HalfSpace(model.world), end, law)
    angle = -1.0  # turns about +y lower the +x end
    start = {
        "plane.position.x": 0.0, "plane.position.z": 1.0, "plane.angle": angle,
        "plane.velocity.x": speed, "plane.velocity.z": -2.0, "plane.rate": -0.5,
    }  # fmt: skip
    sol = jd.simulate(model, 0.25, start=start, method=PRECISE, sample=0.25)
    return -float(sol["plane.angle"][-1]), next(x.time for x in sol.events if x.kind == "impact")


def test_a_rod_on_the_floor():
    found = rod(jd.Coulomb(0.9, restitution=0.5), 0.3)
    assert found == pytest.approx((0.835504646650, 0.189614080489), abs=2e-8)
    found = rod(jd.Coulomb(0.2, restitution=0.5), 8.0)
    assert found[0] == pytest.approx(0.392012333986, abs=2e-8)
    found = rod(jd.Coulomb(0.9, restitution=0.5, impact=jd.Poisson()), 0.3)
    assert found[0] == pytest.approx(0.839433693567, abs=2e-8)
    by_e = slope(lambda e: rod(jd.Coulomb(0.2, restitution=e), 8.0)[0], 0.5, 1e-3)
    assert by_e == pytest.approx(-0.488658444, rel=1e-6)


def test_a_lock_that_closes():
    """V18: a shaft with drag is locked to one at rest when it has turned by 90 degrees."""

    def end(speed=6.0, other=0.5):
        model = jd.Model("lock")
        model.add_coordinate("one", 0.3)
        model.add_coordinate("two", other)
        model.add_connection("drag", jd.Coordinate("one"), jd.Damper(0.2))
        apart = jd.Coordinate("one") - jd.Coordinate("two")
        law = jd.Locked(lambda x, v, at: at.coordinate("one") - 0.5 * np.pi)
        model.add_connection("lock", apart, law)
        sol = jd.simulate(model, 1.0, start={"one.rate": speed}, method=PRECISE, sample=1.0)
        return float(sol["two.value"][-1]), float(sol["two.rate"][-1])

    assert end() == pytest.approx((1.211840505475, 1.554340791932), abs=1e-9)
    by_speed = slope(lambda x: end(speed=x), 6.0, 1e-2)
    np.testing.assert_allclose(by_speed, [0.326838389, 0.293290403], rtol=1e-6)
    by_inertia = slope(lambda x: end(other=x), 0.5, 1e-3)
    np.testing.assert_allclose(by_inertia, [-1.383928983, -1.596943744], rtol=1e-6)


def test_a_ball_that_leaves_a_shaken_table():
    """V18: it leaves where a ω² sin ωt = g."""

    def end(a=0.02):
        model = jd.Model("shaken")
        table = model.add_body("table", jd.solid.ball(mass=1.0, radius=0.1))
        body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
        shaken = {"position": lambda t: a * jd.math.sin(30.0 * t)}
        model.add_joint("lift", model.world, table, jd.Prismatic("z"), driven=shaken)
        model.add_joint("fly", model.world, body, jd.Prismatic("z"))
        gap = jd.Coordinate("fly.position") - jd.Coordinate("lift.position")
        model.add_connection("gap", gap, jd.Unilateral())
        start = {"fly.position": 0.0, "fly.velocity": 30.0 * a}
        sol = jd.simulate(model, 0.15, start=start, method=PRECISE, sample=0.15)
        left = next(e.time for e in sol.events if e.kind == "detachment")
        return left, float(sol["fly.position"][-1])

    assert end() == pytest.approx((0.019212970491, -0.007207301182925), abs=1e-9)
    assert slope(end, 0.02, 1e-5)[1] == pytest.approx(3.8346967891205, rel=1e-6)


def test_a_brake_with_a_lag():
    """V24: 30 m/s, friction 0.8 that builds up with 0.15 s; how long and how far."""

    def end(speed=30.0, mu=0.8):
        model = jd.Model("brake", gravity=(0, 0, 0))
        model.add_coordinate("x", 1.0, unit="m")
        capacity = jd.Interval(lambda x, v, at: mu * G * (1.0 - jd.math.exp(-at.t / 0.15)))
        model.add_connection("brake", jd.Coordinate("x"), capacity)
        sol = jd.simulate(model, 4.5, start={"x.rate": speed}, method=PRECISE, sample=4.5)
        return next(e.time for e in sol.events if e.kind == "stick"), float(sol["x.value"][-1])

    assert end() == pytest.approx((3.97262996941849, 61.751159541285), rel=1e-9)
    by_speed = slope(lambda x: end(speed=x), 30.0, 1e-2)
    np.testing.assert_allclose(by_speed, [0.12742099898, 3.97262996942], rtol=1e-6)
    by_mu = slope(lambda x: end(mu=x), 0.8, 1e-3)
    np.testing.assert_allclose(by_mu, [-4.77828746179, -71.784674426587], rtol=1e-6)


def test_how_well_a_decay_tells_its_parameters():
    """V25: standard deviations from 121 samples with noise 0.02, cov = σ² (JᵀJ)⁻¹."""
    model = jd.Model("decay")
    model.add_coordinate("x", 1.0)
    w, zeta = jd.Parameter("w", 5.0), jd.Parameter("zeta", 0.05)
    law = jd.Spring(w * w) + jd.Damper(2.0 * zeta * w)
    model.add_connection("spring", jd.Coordinate("x"), law)
    system = jd.compile(model)
    method = jd.Dop853(rtol=1e-12, atol=1e-14)

    def samples(p):
        given = {"w": p[0], "zeta": p[1]}
        return jd.simulate(
            system, 6.0, start={"x": p[2]}, sample=0.05, parameters=given, method=method
        )["x.value"].values

    nominal = np.array([5.0, 0.05, 1.0])
    columns = [slope(lambda s, e=e: samples(nominal + s * e), 0.0, 1e-3) for e in np.eye(3)]
    J = np.array(columns).T
    found = 0.02 * np.sqrt(np.diagonal(np.linalg.inv(J.T @ J)))
    np.testing.assert_allclose(found, [0.00208382, 0.00061902, 0.00672378], rtol=1e-5)
