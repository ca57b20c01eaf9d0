"""The ledger of contacts: what happened, what it cost, on screen and in files."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance

G = 9.81


@pytest.fixture(scope="module")
def system():
    """A ball that slides, bounces, and rolls against a spring."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=0.5, radius=0.1))
    law = jd.Coulomb(0.3, restitution=0.5)
    model.add_contact("table", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), law)
    return jd.compile(model)


START = {"ball.position": (0.0, 0.0, 0.3), "ball.velocity": (1.0, 0.5, 0.0)}


@pytest.fixture(scope="module")
def thrown(system):
    return jd.simulate(system, 1.5, start=START)


def test_impacts_tell_their_impulses_velocities_and_energy(thrown):
    hits = [event for event in thrown.events if event.kind == "impact"]
    speed = np.sqrt(2 * G * 0.2)
    for k, hit in enumerate(hits[:4]):
        x, down = hit.details, 0.5**k * speed
        assert x["contacts"] == ("table",)
        assert x["before"][0][0] == pytest.approx(-down, rel=1e-9)
        assert x["after"][0][0] == pytest.approx(0.5 * down, rel=1e-9)
        assert x["impulses"][0][0] == pytest.approx(0.5 * 1.5 * down, rel=1e-9)
        assert np.hypot(*x["impulses"][0][1:]) <= 0.3 * x["impulses"][0][0] * (1 + 1e-12)
        work = 0.5 * np.dot(x["impulses"][0], np.add(x["before"][0], x["after"][0]))
        assert x["energy"] == pytest.approx(work, rel=1e-12)
        assert x["energy"] < 0.0
        assert x["residual"] <= 1e-9


def test_energy_audit_closes(thrown):
    balance = energy_balance(thrown)
    assert abs(balance.residual) <= 1e-9 * balance.exchanged
    slid = [event for event in thrown.events if event.kind == "stick"]
    assert len(slid) == 1
    assert balance.change < 0.0


def test_energy_audit_of_time_steps_closes(system):
    sol = jd.simulate(system, 0.5, start=START, method=jd.MoreauJean(2e-3))
    balance = energy_balance(sol)
    assert sol.statistics.contact_work < 0.0
    assert abs(balance.residual) <= 1e-3 * balance.exchanged


def test_print_tells_about_contacts(thrown):
    n = sum(event.kind == "impact" for event in thrown.events)
    line = next(x for x in str(thrown).splitlines() if x.strip().startswith("contacts"))
    first = f"first: impact of table at {np.sqrt(2 * 0.2 / G):.6g} s"
    assert f"{n} impacts" in line
    assert first in line
    assert "1 stick;" in line
    assert "impacts took" in line


def test_files_keep_the_ledger(thrown, tmp_path):
    thrown.save(tmp_path / "thrown.nc")
    same = jd.load(tmp_path / "thrown.nc")
    assert len(same.events) == len(thrown.events)
    for a, b in zip(same.events, thrown.events, strict=True):
        assert (a.name, a.time, a.kind, a.details) == (b.name, b.time, b.kind, b.details)
        np.testing.assert_array_equal(a.q, b.q)
        np.testing.assert_array_equal(a.v, b.v)
    forces = "table.normal_force"
    np.testing.assert_array_equal(same.values(forces), thrown.values(forces))
    assert str(same) == str(thrown)


@pytest.mark.parametrize(
    "method", [jd.EventDriven(), jd.NonsmoothAlpha(1e-2)], ids=["events", "alpha"]
)
def test_drives_work_in_impacts(method):
    """A ball rebounds from a lift that rises with V: the lift gives V Λ beyond the loss."""
    rise, e = 0.5, 0.6
    model = jd.Model("lift")
    lift = model.add_body("lift", jd.solid.box(mass=2.0, size=(1.0, 1.0, 0.1)))
    up = {"position": lambda t: rise * t}
    model.add_joint("shaft", model.world.at(0, 0, -0.05), lift, jd.Prismatic("z"), driven=up)
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.05))
    model.add_joint("guide", model.world.at(0, 0, 0.05), ball, jd.Prismatic("z"))
    top = jd.HalfSpace(lift.at(0, 0, 0.05))
    model.add_contact("floor", top, jd.Sphere(ball, 0.05), jd.Unilateral(restitution=e))
    sol = jd.simulate(model, 0.5, start={"guide.position": 0.5}, method=method)
    (hit,) = (event.details for event in sol.events)
    fall = (np.sqrt(rise**2 + 2.0 * 9.81 * 0.5) - rise) / 9.81
    impulse = (1.0 + e) * (9.81 * fall + rise)
    assert hit["impulses"][0][0] == pytest.approx(impulse, rel=1e-9)
    assert hit["drive_work"] == pytest.approx(rise * impulse, rel=1e-9)
    assert hit["residual"] <= 1e-12
    balance = energy_balance(sol)
    assert abs(balance.residual) <= 1e-9 * balance.exchanged


def slider_crank():
    model = jd.Model("slider_crank", gravity=(0.0, 0.0, 0.0))
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(0.3, 0, 0)))
    shape = {"radius": 0.04, "length": 0.05, "axis": "x"}
    piston = model.add_body("piston", jd.solid.cylinder(mass=0.4, **shape))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("big_end", crank.at(0.1, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(0.3, 0, 0), piston, jd.Revolute("y"))
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    law = jd.Interval(jd.Parameter("friction", 2.0))
    model.add_connection("friction", jd.Coordinate("guide.position"), law)
    return jd.compile(model)


def test_every_reversal_at_a_dead_point_is_noted():
    """A26: the piston turns round wherever the crank passes a multiple of π."""
    system = slider_crank()
    for rtol in (1e-8, 1e-12):
        for rate in (110.9, 118.18, 140.0):
            for friction in (0.0, 0.5, 2.0):
                sol = jd.simulate(
                    system, 1.0, start={"main.angle": 0.4, "main.rate": rate},
                    parameters={"friction": friction},
                    method=jd.EventDriven(jd.Dop853(rtol=rtol)),
                )  # fmt: skip
                angle = sol.values("main.angle")
                turns = np.arange(1, int(angle[-1] / np.pi) + 1) * np.pi
                found = [e.time for e in sol.events if e.kind == "slip"]
                assert len(found) == len(turns)
                np.testing.assert_allclose(np.interp(found, sol.time, angle), turns, atol=1e-4)
