"""Lower bounds of measures: what is beyond the reach of a law is skipped, nothing changes."""

import time

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError


class Plain(jd.Measure):
    """Gap between a point and a wavy rim, found by Newton's method."""

    point: jd.Frame
    rim: jd.Frame

    def value(self, at):
        _, r = at.relative(self.point, self.rim)
        x, y = r[0], r[1]
        a = jd.math.atan2(y, x)
        for _ in range(4):
            R, dR = 1.0 + 0.02 * jd.cos(20 * a), -0.4 * jd.sin(20 * a)
            c, s = jd.cos(a), jd.sin(a)
            f = R * dR - x * (dR * c - R * s) - y * (dR * s + R * c)
            a = a - 0.01 * f / jd.sqrt(1.0 + f * f)
        return (x - R * jd.cos(a)) * jd.cos(a) + (y - R * jd.sin(a)) * jd.sin(a)


class Bounded(Plain):
    """The same, which lies at least 1.05 m from the axis where it is above zero."""

    def lower_bound(self, at):
        _, r = at.relative(self.point, self.rim)
        return jd.sqrt(r[0] ** 2 + r[1] ** 2) - 1.05


LAWS = [
    jd.Hertz(1e4, 0.1),
    jd.Hertz(1e4, 0.1) + jd.Law(lambda x, v: jd.where(x < 0.02, 0.02 - x, 0.0), reach=0.02),
    jd.Law(lambda x, v: jd.where(x < -0.01, -30.0 * x, 0.0), reach=jd.Parameter("far", -0.01, "m")),
]


def machine(kind, law, n=24, near=3):
    """Points on bodies that slide, two on each, of which some are near a wheel."""
    model = jd.Model("teeth", gravity=(0, 0, 0))
    wheel = model.add_body("wheel", jd.solid.cylinder(mass=1.0, radius=1.0, length=0.1))
    model.add_joint("axle", model.world, wheel, jd.Revolute("z"))
    points = []
    for k in range(n // 2):
        body = model.add_body(f"pin_{k}", jd.solid.box(mass=0.1, size=(0.1, 0.1, 0.1)))
        x = 0.985 + 0.005 * (k % 7) + (0.8 if k % (n // 2 // near) else 0.0)
        model.add_joint(f"plane_{k}", model.world.at(x, 0, 0), body, jd.Planar())
        points += [body.at(0, 0, 0), body.at(0.01, 0.02, 0)]
    model.add_connections("teeth", [kind(point, wheel) for point in points], law)
    return model


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("execution", [jd.Looped(), jd.Unrolled(), jd.Plain()], ids=str)
def test_accelerations_are_the_same(law, execution):
    one, other = (jd.compile(machine(k, law), execution=execution) for k in (Plain, Bounded))
    rng = np.random.default_rng(2)
    for _ in range(5):
        q, v = 0.02 * rng.normal(size=len(one.names.q)), rng.normal(size=len(one.names.v))
        expected = one.forward_dynamics(q, v)
        assert np.abs(expected).max() > 0.0
        found = other.forward_dynamics(q, v)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * abs(expected).max())


STEPPED, ADAPTIVE = 1e-9, 1e-5  # steps that are chosen by errors answer to rounding


@pytest.mark.parametrize(
    ("method", "within"),
    [
        (None, ADAPTIVE),
        (jd.RungeKutta4(1e-4), STEPPED),
        (jd.Radau5(), ADAPTIVE),
        (jd.MoreauJean(1e-4), STEPPED),
    ],
)
def test_runs_are_the_same(method, within):
    given = {"start": {"axle.rate": 2.0}, "sample": 1e-3, "method": method}
    runs = [jd.simulate(machine(kind, LAWS[0]), 0.02, **given) for kind in (Plain, Bounded)]
    assert float(abs(runs[0]["teeth.force"]).max()) > 1.0
    np.testing.assert_allclose(runs[1].v, runs[0].v, rtol=within, atol=within)


@pytest.mark.slow
def test_few_of_many_contacts_cost_little():
    """300 contacts of which about 16 are near: five times as fast; twice is asked for."""
    times = []
    for kind in (Plain, Bounded):
        system = jd.compile(machine(kind, LAWS[0], 300, near=8))
        given = {"start": {"axle.rate": 2.0}, "sample": 0.01, "method": jd.RungeKutta4(1e-5)}
        best = np.inf
        for _ in range(4):
            begin = time.process_time()
            jd.simulate(system, 0.01, **given)
            best = min(best, time.process_time() - begin)
        times.append(best)
    assert times[1] < 0.5 * times[0]


def test_laws_tell_their_reach():
    assert LAWS[0].reach == 0.0
    assert LAWS[1].reach == 0.02
    assert (jd.Hertz(1e3) + jd.Damper(1.0)).reach is None
    assert {f.check for f in jd.testing.check_law(LAWS[1], passive=False).findings} >= {"reach"}
    wrong = jd.Law(lambda x, v: jd.where(x < 0.5, -x, 0.0), reach=0.1)
    with pytest.raises(ModelError, match="reach"):
        jd.testing.check_law(wrong, passive=False)


class Two(jd.Measure):
    """Two numbers with one bound."""

    frame: jd.Frame
    size = 2

    def value(self, at):
        r = at.pose(self.frame)[1]
        return jd.math.vector([r[0], r[1]])

    def lower_bound(self, at):
        return at.pose(self.frame)[1][0]


def test_bounds_are_for_single_numbers():
    model = jd.Model("two")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_connection("k", Two(ball.at()), jd.Spring(1.0))
    with pytest.raises(
        ModelError, match=r"'k': its measure Two has 2 components and a lower bound"
    ):
        jd.simulate(model, 0.1)
