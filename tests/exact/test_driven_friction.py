"""Dry friction where drives give the motion: drives carry it, alone or through loops."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import jourdain as jd

METHODS = [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)]
IDS = ["event_driven", "moreau_jean", "alpha"]
TIMES = np.array([0.0, 0.04, 0.1, 0.2, 0.5])
SPEED, START, CRANK, ROD = 10.0, 0.3, 0.1, 0.3
FRICTION = {"guide.position": 5.0, "wrist.angle": 0.5, "big.angle": 0.3, "main.angle": 0.7}


def slider_crank(order: tuple[str, ...]) -> jd.Model:
    """Driven slider-crank with friction in all joints; the last joint is cut."""
    m = jd.Model("crank", gravity=(0, 0, 0))
    crank = m.add_body("crank", jd.solid.rod(mass=1.0, end=(CRANK, 0, 0)))
    rod = m.add_body("rod", jd.solid.rod(mass=0.6, end=(ROD, 0, 0)))
    piston = m.add_body("piston", jd.solid.ball(mass=0.4, radius=0.03))
    ends = {
        "main": (m.world, crank, jd.Revolute("y")),
        "big": (crank.at(CRANK, 0, 0), rod, jd.Revolute("y")),
        "wrist": (rod.at(ROD, 0, 0), piston, jd.Revolute("y")),
        "guide": (m.world, piston, jd.Prismatic("x")),
    }
    for name in order:
        drive = {"angle": lambda t: SPEED * t + START} if name == "main" else None
        m.add_joint(name, *ends[name], driven=drive)
    for name, limit in FRICTION.items():
        m.add_connection(f"rub {name.split('.')[0]}", jd.Coordinate(name), jd.Interval(limit))
    return m


@pytest.mark.parametrize("method", METHODS, ids=IDS)
def test_drives_carry_friction_of_their_own_joint(method: object) -> None:
    """Weight and friction of a driven arm, from the first sample on, and its work."""
    m = jd.Model("arm")
    arm = m.add_body("arm", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    m.add_joint("main", m.world, arm, jd.Revolute("y"), driven={"angle": jd.sin})
    m.add_connection("rub", jd.Coordinate("main.angle"), jd.Interval(5.0))
    sol = jd.simulate(m, 4.0, method=method, sample=np.array([0.0, 0.5, 2.0, 4.0]))
    t = sol.time
    inertia = -0.01 / 3.0 * np.sin(t) - 0.05 * 9.81 * np.cos(np.sin(t))
    rub = 5.0 * np.sign(np.cos(t))
    np.testing.assert_allclose(sol.values("rub.force"), -rub, atol=1e-9)
    np.testing.assert_allclose(sol.values("main.applied_torque"), inertia + rub, atol=1e-4)
    assert sol.values("rub.work")[-1] == pytest.approx(-5.0 * (2.0 - np.sin(4.0)), abs=1e-3)
    assert [(round(e.time, 2), e.kind) for e in sol.events] == [(1.57, "slip")]


@pytest.mark.parametrize("method", METHODS, ids=IDS)
@pytest.mark.parametrize(
    "order",
    [("main", "big", "wrist", "guide"), ("main", "guide", "wrist", "big")],
    ids=["guide cut", "big end cut"],
)
def test_drives_carry_friction_through_loops(order: tuple[str, ...], method: object) -> None:
    """The torque of the drive balances the powers of inertia and friction (closed form)."""
    sol = jd.simulate(slider_crank(order), 0.5, method=method, sample=TIMES)
    rates = {name: sol.values(rate_of(name)) for name in FRICTION}
    rub = sum(limit * np.abs(rates[name]) for name, limit in FRICTION.items())
    kinetic = sol.values("energy.kinetic")
    step = 1e-5
    ahead, behind = (kinetic_energy(sol.time + x) for x in (step, -step))
    np.testing.assert_allclose(kinetic, kinetic_energy(sol.time), rtol=1e-6)
    power = (ahead - behind) / (2 * step) + rub
    np.testing.assert_allclose(sol.values("main.applied_torque") * SPEED, power, rtol=1e-5)
    np.testing.assert_allclose(sol.values("power.drives"), power, rtol=1e-5)
    np.testing.assert_allclose(
        np.abs(sol.values("guide.force")[:, 0]), FRICTION["guide.position"], rtol=1e-6
    )


def rate_of(coordinate: str) -> str:
    """Name of the rate of a coordinate."""
    joint, word = coordinate.split(".")
    return f"{joint}.velocity" if word == "position" else f"{joint}.rate"


def kinetic_energy(t: np.ndarray) -> np.ndarray:
    """Kinetic energy of the slider-crank in its plane."""
    a = SPEED * t + START
    sine = CRANK / ROD * np.sin(a)
    turning = CRANK / ROD * np.cos(a) * SPEED / np.sqrt(1 - sine**2)
    slide = -CRANK * SPEED * np.sin(a) - ROD * sine * turning
    pin = CRANK * SPEED * np.array([-np.sin(a), np.cos(a)])
    end = np.array([slide, np.zeros_like(slide)])
    rod = 0.6 / 6.0 * ((pin**2).sum(0) + (end**2).sum(0) + (pin * end).sum(0))
    return np.asarray(0.5 * (CRANK**2 / 3.0) * SPEED**2 + rod + 0.2 * slide**2)


@pytest.mark.parametrize("method", METHODS, ids=IDS)
def test_reversals_of_driven_friction_are_those_of_the_motion(method: object) -> None:
    """Guide and wrist reverse twice a turn; time steps sometimes saw rounding, and stopped."""
    sol = jd.simulate(slider_crank(("main", "big", "wrist", "guide")), 2.0, method=method)
    turns = Counter(e.name for e in sol.events if e.kind in ("slip", "stick"))
    a = SPEED * 2.0 + START
    assert turns["rub guide"] == int(a / np.pi)
    assert turns["rub wrist"] == int(a / np.pi + 0.5)
    assert turns["rub main"] == turns["rub big"] == 0


@pytest.mark.parametrize("method", METHODS[1:], ids=IDS[1:])
def test_first_samples_of_time_steps_have_forces(method: object) -> None:
    """A box that slides from the start on, and a stop that is pressed; impacts are not forces."""
    slope = jd.Model("slope", gravity=(3.0, 0, -9.0))
    box = slope.add_body("box", jd.solid.box(mass=2.0, size=(0.2, 0.2, 0.2)))
    slope.add_contact(
        "floor", jd.HalfSpace(slope.world), jd.Box(box, (0.2, 0.2, 0.2)), jd.Coulomb(0.2)
    )
    sol = jd.simulate(slope, 0.01, start={"box.position": (0, 0, 0.1)}, method=method)
    np.testing.assert_allclose(sol.values("floor.force")[0], [-3.6, 0, 18.0], atol=1e-8)
    assert sol.values("box.velocity")[-1, 0] == pytest.approx(1.2 * 0.01)

    pressed = jd.Model("pressed", gravity=(0, 0, 0))
    pressed.add_coordinate("x", 1.0, unit="m")
    pressed.add_connection("stop", jd.Coordinate("x"), jd.Unilateral())
    pressed.add_connection("push", jd.Coordinate("x"), jd.Force(-2.0))
    sol = jd.simulate(pressed, 0.01, method=method)
    np.testing.assert_allclose(sol.values("stop.force"), 2.0)
    sol = jd.simulate(pressed, 0.01, start={"x.rate": -1.0}, method=method)
    assert sol.values("stop.force")[0] == 0.0


def test_any_moment_of_a_run_is_a_start() -> None:
    """The same as by the state of that moment, also where contacts rest."""
    m = jd.Model("dropped")
    ball = m.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    m.add_contact("floor", jd.HalfSpace(m.world), jd.Sphere(ball, 0.1), jd.Coulomb(0.3))
    start = {"ball.position": (0, 0, 0.3), "ball.velocity": (1, 0, 0)}
    sol = jd.simulate(m, 0.5, start=start, sample=0.1)
    for t in (0.1, 0.15, 0.4):
        on = jd.simulate(m, (t, 0.5), start=sol.at(t))
        np.testing.assert_allclose(on.final["ball.position"], sol.final["ball.position"], atol=1e-9)
