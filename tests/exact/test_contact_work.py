"""Work of every contact and dry friction since the begin of a run, against exact sums (A22)."""

from itertools import pairwise

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance

METHODS = [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)]
EVERY = pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
INTEGRATORS = [
    jd.Dop853(), jd.Radau5(), jd.Gauss4(1e-2), jd.RungeKutta4(1e-2), jd.GeneralizedAlpha(1e-3),
    jd.Cvode(),
]  # fmt: skip
C = jd.Coordinate


def machine(name, **coordinates):
    """Inertias without weight."""
    model = jd.Model(name, gravity=(0.0, 0.0, 0.0))
    for one, inertia in coordinates.items():
        model.add_coordinate(one, inertia)
    return model


@pytest.fixture(scope="module")
def flywheel():
    model = machine("flywheel", wheel=2.0)
    model.add_connection("brake", C("wheel"), jd.Interval(3.0))
    return jd.compile(model)


@EVERY
def test_a_brake_takes_the_energy_of_its_flywheel(flywheel, method):
    """½ J ω² = 25 J; up to then the torque times the angle."""
    sol = jd.simulate(flywheel, 4.0, start={"wheel.rate": 5.0}, method=method)
    work = sol.values("brake.work")
    assert work[-1] == pytest.approx(-25.0, rel=1e-12)
    energy = 5.0**2 - sol.values("wheel.rate") ** 2
    np.testing.assert_allclose(work, -energy, atol=1e-11)
    np.testing.assert_array_equal(sol.values("work.contacts"), work)
    assert sol.statistics.contact_work == work[-1]
    assert sol["brake.work"].attrs["units"] == "J"
    assert float(sol["brake.work", "kJ"][-1]) == pytest.approx(-0.025, rel=1e-12)


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: type(x).__name__)
def test_work_is_exact_with_every_integrator_and_few_samples(integrator):
    """A wheel swings on a spring of 40 N m/rad: friction of 1.5 N m times the way that it went."""
    model = machine("spring", wheel=1.0)
    model.add_connection("spring", C("wheel"), jd.Spring(40.0))
    model.add_connection("brake", C("wheel"), jd.Interval(1.5))
    sol = jd.simulate(
        model, 3.0, start={"wheel.value": 1.0}, sample=[0.0, 0.123, 3.0],
        method=jd.EventDriven(integrator),
    )  # fmt: skip
    exact = [-1.5 * way_on_spring(t) for t in sol.time]
    bound = {1e-2: 2e-4, 1e-3: 1e-4}.get(getattr(integrator, "dt", None), 1e-6)
    np.testing.assert_allclose(sol.values("brake.work"), exact, atol=bound)


def way_on_spring(t):
    """Way of that wheel, which loses 2 · 1.5/40 of its amplitude in every half swing."""
    half, lost = np.pi / np.sqrt(40.0), 0.075
    n = int(t // half)
    from_turns = sum(2.0 - (2 * k + 1) * lost for k in range(n))
    reach = 1.0 - n * lost - 0.5 * lost
    return from_turns + reach * (1.0 - np.cos(np.sqrt(40.0) * (t - n * half)))


@EVERY
def test_clutches_share_the_loss_by_their_capacities(method):
    """Between two inertias: ½ J1 J2 / (J1 + J2) Δω² = 9.6 J, one quarter in the smaller clutch."""
    model = machine("gear", a=2.0, b=3.0)
    model.add_connection("small", C("a") - C("b"), jd.Interval(1.0))
    model.add_connection("large", C("a") - C("b"), jd.Interval(3.0))
    sol = jd.simulate(model, 3.0, start={"a.rate": 4.0}, method=method)
    assert sol.values("small.work")[-1] == pytest.approx(-2.4, rel=1e-11)
    assert sol.values("large.work")[-1] == pytest.approx(-7.2, rel=1e-11)


@EVERY
def test_a_block_slides_down_an_incline(method):
    """From rest with a = g (sin α − μ cos α): the floor takes μ m g cos α times the way."""
    slope, mu, m, g = 0.6, 0.3, 2.0, 9.81
    model = machine("incline", along=m, up=m)
    model.add_connection("weight along", C("along"), jd.Force(m * g * np.sin(slope)))
    model.add_connection("weight down", C("up"), jd.Force(-m * g * np.cos(slope)))
    model.add_connection("floor", jd.Touch(C("up"), C("along")), jd.Coulomb(friction=mu))
    sol = jd.simulate(model, 1.5, method=method)
    way = 0.5 * g * (np.sin(slope) - mu * np.cos(slope)) * 1.5**2
    lost = mu * m * g * np.cos(slope) * way
    assert sol.values("floor.work")[-1] == pytest.approx(-lost, rel=1e-9)


@EVERY
def test_every_bounce_takes_its_part(method):
    """Falls from 0.5 m with e = 0.6: bounce k takes m g h (1 − e²) e^2k."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.1))
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Sphere(ball, 0.1), jd.Unilateral(restitution=0.6))
    sol = jd.simulate(model, 1.2, start={"ball.position": (0, 0, 0.6)}, method=method)
    hits = [event.time for event in sol.events if event.kind == "impact"]
    work, first = sol.values("floor.work"), 2.0 * 9.81 * 0.5 * 0.64
    exact = first * 0.36 ** np.arange(3)
    between = [np.searchsorted(sol.time, 0.5 * (a + b)) for a, b in pairwise(hits[:4])]
    found = -np.diff(work[[0, *between]])
    bound = 1e-9 if isinstance(method, jd.EventDriven) else 2e-2
    np.testing.assert_allclose(found, exact, rtol=bound)


@EVERY
def test_stops_take_what_they_stop_and_freewheels_nothing(method):
    """1 kg at 2 m/s meets 3 kg at rest: ½ m₁ m₂/(m₁ + m₂) v² = 1.5 J; a wall takes the rest."""
    model = machine("train", a=1.0, b=3.0, c=1.0)
    model.add_connection("buffer", C("b") - C("a"), jd.Unilateral())
    model.add_connection("wall", C("b"), jd.Unilateral(1.0, side="below"))
    model.add_connection("back", C("c"), jd.Force(-1.0))
    ahead = jd.Formula(speed=lambda at: at.velocity("c"))
    model.add_connection("freewheel", ahead, jd.Unilateral())
    start = {"a.value": -0.5, "a.rate": 2.0, "c.rate": 1.0}
    sol = jd.simulate(model, 3.0, start=start, method=method)
    meets = np.searchsorted(sol.time, 1.0)
    assert sol.values("buffer.work")[meets] == pytest.approx(-1.5, rel=1e-9)
    assert sol.values("wall.work")[meets] == 0.0
    both = sol.values("wall.work") + sol.values("buffer.work")
    assert both[-1] == pytest.approx(-2.0, rel=1e-9)
    step = getattr(method, "dt", 0.0)  # in which it turns back by step × 1 N / 1 kg at most
    assert np.abs(sol.values("freewheel.work")).max() <= 0.51 * step**2 + 1e-12
    assert sol.values("c.rate")[-1] == pytest.approx(0.0, abs=1e-9)


@EVERY
def test_all_points_of_a_contact_and_its_turning_are_one_work(method):
    """A box slides to rest: all its corners take ½ m v²; so do rolling and drilling of a ball."""
    model = jd.Model("floor")
    box = model.add_body("box", jd.solid.box(mass=1.0, size=(0.4, 0.4, 0.1)))
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    floor = jd.HalfSpace(model.world)
    model.add_contact("pads", floor, jd.Box(box, (0.4, 0.4, 0.1)), jd.Coulomb(friction=0.4))
    law = jd.Coulomb(friction=0.5, rolling=0.01, drilling=0.01)
    model.add_contact("roll", floor, jd.Sphere(ball, 0.1), law)
    start = {
        "box.position": (0, 0, 0.05), "box.velocity": (1.0, 0, 0), "ball.position": (0, 3, 0.1),
        "ball.velocity": (0.3, 0, 0), "ball.angular_velocity": (0, 3.0, 4.0),
    }  # fmt: skip
    sol = jd.simulate(model, 1.5, start=start, method=method)
    assert np.abs(sol.v[-1]).max() <= 1e-6
    spin = 0.5 * 0.4 * 0.01 * 25.0 + 0.5 * 0.09
    bound = 1e-8 if isinstance(method, jd.EventDriven) else 1e-4
    assert sol.values("pads.work")[-1] == pytest.approx(-0.5, rel=bound)
    assert sol.values("roll.work")[-1] == pytest.approx(-spin, rel=bound)
    assert "pads.1.work" not in sol


def test_beside_a_pile_each_element_has_its_work():
    """A brake, a ball that bounces on a group of its own, and one that slides on another."""
    model = jd.Model("yard")
    model.add_coordinate("wheel", 2.0)
    model.add_connection("brake", C("wheel"), jd.Interval(10.0))
    start = {"wheel.rate": 3.0}
    for name, x, law in (("hard", 0.0, jd.Unilateral(restitution=0.5)),
                         ("rough", 5.0, jd.Coulomb(friction=0.5))):  # fmt: skip
        body = model.add_body(name, jd.solid.ball(mass=1.0, radius=0.1))
        contours = [jd.HalfSpace(model.world), jd.Sphere(body, 0.1)]
        model.add_contacts(f"{name} floor", contours, law)
        start[f"{name}.position"] = (x, 0.0, 0.3 if name == "hard" else 0.1)
    start["rough.velocity"] = (1.0, 0.0, 0.0)
    sol = jd.simulate(model, 0.6, start=start, method=jd.MoreauJean(5e-4))
    names = ["brake", "hard floor", "rough floor"]
    works = {name: sol.values(f"{name}.work") for name in names}
    assert works["brake"][-1] == pytest.approx(-9.0, rel=1e-12)
    assert works["rough floor"][-1] == pytest.approx(-0.5 * 2.0 / 7.0, rel=1e-9)  # until it rolls
    hits = [event.time for event in sol.events if event.name == "hard floor"]
    between = np.searchsorted(sol.time, np.mean(hits[:2]))
    assert works["hard floor"][between] == pytest.approx(-9.81 * 0.2 * 0.75, rel=1e-2)
    total = sol.values("work.contacts")
    np.testing.assert_allclose(sum(works.values()), total, atol=1e-14)
    energy = sol.values("energy.total")
    np.testing.assert_allclose(energy - energy[0], total, atol=1e-11)


@EVERY
def test_a_belt_gives_what_friction_takes_and_more(method):
    """Slipping all the time: heat F (w t − x), work of the belt F w t; the rest is in the mass."""
    model = machine("belt", mass=2.0)
    slip = jd.Formula(speed=lambda at: at.velocity("mass") - 5.0)
    model.add_connection("belt", slip, jd.Interval(4.0))
    sol = jd.simulate(model, 1.0, method=method)
    assert sol.values("belt.work")[-1] == pytest.approx(-4.0 * (5.0 - 1.0), rel=1e-10)
    assert sol.values("work.contact_drives")[-1] == pytest.approx(20.0, rel=1e-10)
    np.testing.assert_allclose(sol.values("power.contact_drives")[1:], 20.0, rtol=1e-10)
    np.testing.assert_array_equal(sol.values("power.contacts"), sol.values("belt.power"))
    assert energy_balance(sol).largest <= 1e-11


@EVERY
def test_energy_closes_between_stops_that_are_driven(method):
    """A28: also over impacts, at any step; drives give their part of each."""
    model = machine("shaker", mass=1.0)
    for name, side in (("low", 1.0), ("high", -1.0)):
        gap = jd.Formula(
            lambda at, s=side: 0.3 + s * (at.coordinate("mass") - 0.1 * jd.sin(10.0 * at.t))
        )
        model.add_connection(name, gap, jd.Unilateral(restitution=0.6))
    sol = jd.simulate(model, 3.0, start={"mass.rate": 1.0}, method=method)
    both = sol.values("low.work"), sol.values("high.work")
    assert max(work[-1] for work in both) < -1.0
    balance = energy_balance(sol)
    assert balance.exchanged > 1.0
    assert balance.largest <= 1e-11 * balance.exchanged


def test_files_keep_the_works(flywheel, tmp_path):
    sol = jd.simulate(flywheel, 1.0, start={"wheel.rate": 5.0}, sample=0.1)
    sol.save(tmp_path / "brake.nc")
    same = jd.load(tmp_path / "brake.nc")
    for name in ("brake.work", "work.contacts", "work.contact_drives"):
        np.testing.assert_array_equal(same.values(name), sol.values(name))
    assert float(sol.at(0.55)["brake.work"]) == pytest.approx(
        float(sol.at(0.55)["work.contacts"]), rel=1e-14
    )
