"""Every part knows its losses: they make up the whole audit over oil and mechanics."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(air=0.003)
LOSING = ("inlet", "hose", "valve", "ram", "motor", "return", "relief", "pilot", "film", "bypass")


def machine():
    """An accumulator drives a ram through a 4/3 valve, a motor, and a pilot spool."""
    model = jd.Model("machine", gravity=(0, 0, 0))
    model.add_coordinate("ram", 30.0, unit="m")
    model.add_coordinate("wheel", 0.02)
    ram, wheel = jd.Coordinate("ram"), jd.Coordinate("wheel")
    oil = model.group("oil")
    T = oil.add("T", hy.Tank(FLUID))
    S = oil.add("S", hy.Accumulator(FLUID, gas=2e-3, precharge=40e5, start=90e5))
    P = oil.add("P", hy.Volume(FLUID, 3e-4, start=20e5))
    A, B = (oil.add(n, hy.Volume(FLUID, 2e-4, start=1e5)) for n in "AB")
    a = oil.add("a", hy.Junction(FLUID))
    oil.add("inlet", hy.CheckValve(S, P, area=2e-5, cracking=1e5, length=0.1))
    oil.add("relief", hy.ReliefValve(P, T, cracking=60e5, slope=1e-10))
    command = lambda t: jd.where(t < 0.15, 1.0, -1.0)  # noqa: E731
    oil.add("valve", hy.DirectionalValve(P, a, B, T, 1e-5, command, length=0.02, section=1e-4))
    oil.add("hose", hy.Line(a, A, length=2.0, diameter=0.012))
    seals = {"friction": 200.0, "leakage": 1e-12}
    oil.add("ram", hy.Cylinder(A, B, ram, (1.2e-3, 0.8e-3), (0.0, 0.3), **seals))
    machine = {"displacement": 1e-5, "friction": 1.0, "leakage": 5e-13}
    oil.add("motor", hy.Motor(P, T, wheel, setting=lambda at: 0.5 + at.t, **machine))
    oil.add("bypass", hy.Leakage(P, T, 1e-12))
    oil.add("return", hy.ElasticLine(B, T, length=5.0, diameter=0.006, functions=5, start=0.0))
    edges = {"edge": hy.Edge(P, T, 1e-3, opens=1e-4)}
    spool = hy.SpoolValve(
        0.1, edges, [(P, 1e-4)], (0.0, 5e-4), stiffness=2e5, preload=300.0, damping=50.0,
        friction=5.0,
    )  # fmt: skip
    oil.add("pilot", spool)
    oil.add("film", hy.Gap(P, T, radius=8e-3, height=2e-5, length=0.02, wall=ram))
    return model


@pytest.fixture(scope="module")
def run():
    return jd.simulate(machine(), 0.3, sample=2e-5, start={"ram": 0.02})


def convected(sol):
    """Work on chambers that grow with their pressure: A ẋ times the energy of the oil (4.F1)."""
    x = sol.values("ram.rate")
    chambers = (
        ("A", 1.2e-3 * x),
        ("B", -0.8e-3 * x),
        ("P", 1e-4 * sol.values("oil.pilot.spool.rate")),
    )
    return sum(rate * FLUID.energy(sol.values(f"oil.{n}.pressure")) for n, rate in chambers)


def test_losses_of_the_parts_are_the_energy_that_is_missing(run):
    """Stored energy at the start less that at the end = Σ ∫ losses, impacts at stops included."""
    losses = {name: np.trapezoid(run.values(f"oil.{name}.loss"), run.time) for name in LOSING}
    assert min(losses.values()) > 1e-3  # each of them takes part
    total = run.values("energy.total")
    impacts = sum(-e.details["energy"] for e in run.events if e.details.get("energy"))
    gained = np.trapezoid(convected(run), run.time)
    missing = total[0] - total[-1] + gained
    assert missing > 1000.0
    assert sum(losses.values()) + impacts == pytest.approx(missing, rel=2e-4)


def test_the_audit_closes_whatever_the_samples():
    """To 1e-9 with valves that close, seals that stick, stops, kinks: by default, and with few."""
    for few in ({}, {"sample": 0.05}):
        sol = jd.simulate(machine(), 0.3, start={"ram": 0.02}, **few)
        balance = energy_balance(sol)
        assert balance.work_error == 0.0  # no power is summed up over samples
        assert balance.largest < 1e-9 * balance.exchanged


@pytest.mark.parametrize("method", [jd.Dop853(), jd.Radau5(rtol=1e-9), jd.EventDriven()])
def test_the_audit_of_a_fast_release(method):
    """A ram is released in microseconds, and a driven pump works; every quantity is smooth."""
    model = jd.Model("release", gravity=(0, 0, 0))
    model.add_coordinate("ram", 20.0, unit="m")
    model.add_coordinate("motor", 0.1, driven=lambda t: 150.0 * t)
    ram, oil = jd.Coordinate("ram"), model.group("oil")
    model.add_connection("spring", ram, jd.Spring(2e5) + jd.Damper(500.0))
    S = oil.add("S", hy.Accumulator(FLUID, gas=1e-3, precharge=40e5, start=90e5))
    A, T = oil.add("A", hy.Volume(FLUID, 1e-4)), oil.add("T", hy.Tank(FLUID))
    oil.add("orifice", hy.Orifice(S, A, area=2e-5))
    oil.add("ram", hy.Cylinder(A, T, ram, (1e-3, 5e-4)))
    oil.add("pump", hy.Pump(T, A, jd.Coordinate("motor"), 1e-6))
    sol = jd.simulate(model, 0.02, method=method)
    balance = energy_balance(sol)
    assert balance.largest < 1e-8 * balance.exchanged
    given = np.trapezoid(sol.values("power.drives"), sol.time)
    assert given > 0.1  # the motor takes part
    assert np.ptp(sol.values("work.laws")) > 1.0


def test_time_steps_do_not_tell_the_work_of_laws():
    """It is summed up over samples, and the balance says how well; other times can be asked for."""
    model = jd.Model("filled", gravity=(0, 0, 0))
    oil = model.group("oil")
    T, A = oil.add("T", hy.Tank(FLUID)), oil.add("A", hy.Volume(FLUID, 1e-3, start=90e5))
    oil.add("leak", hy.Leakage(A, T, 1e-10))
    sol = jd.simulate(model, 0.01, method=jd.MoreauJean(1e-3))
    assert np.isnan(sol.values("work.laws")).all()
    assert np.isfinite(sol.at([0.0, 0.0035]).values("oil.A.pressure")).all()
    assert energy_balance(sol).work_error > 0.0
    whole = jd.simulate(model, 0.01)
    assert energy_balance(whole.at([0.0, 0.0033, 0.01])).work_error == 0.0


def test_energies_of_the_parts_are_that_of_the_machine(run):
    """Volumes, accumulator, columns, lines; kinetic energy of ram, wheel and spool; its spring."""
    stored = sum(run.values(f"oil.{n}.energy") for n in ("S", "P", "A", "B", "hose", "return"))
    inlet = FLUID.density * 0.1 / 2e-5
    stored = stored + 0.5 * inlet * run.values("oil.inlet.flow") ** 2
    for edge in ("PA", "PB", "AT", "BT"):
        column = FLUID.density * 0.02 / 1e-4
        stored = stored + 0.5 * column * run.values(f"oil.valve.{edge}.flow") ** 2
    for name, inertia in (("ram", 30.0), ("wheel", 0.02), ("oil.pilot.spool", 0.1)):
        stored = stored + 0.5 * inertia * run.values(f"{name}.rate") ** 2
    stored = stored + run.values("oil.pilot.spring.energy")
    np.testing.assert_allclose(stored, run.values("energy.total"), rtol=1e-9)


def test_powers_of_machines(run):
    """What the oil gives to ram and wheel is what they gain and what rubs there."""
    wheel = 0.5 * 0.02 * run.values("wheel.rate") ** 2
    given = np.trapezoid(run.values("oil.motor.power"), run.time)
    rubbed = -np.trapezoid(run.values("oil.motor.friction.power"), run.time)
    assert given == pytest.approx(wheel[-1] + rubbed, rel=1e-4)
    assert run.values("oil.valve.flow_a").max() > 1e-4
    come = run.values("oil.valve.flow_p") - run.values("oil.valve.PA.flow")
    np.testing.assert_allclose(come, run.values("oil.valve.PB.flow"), atol=1e-15)
