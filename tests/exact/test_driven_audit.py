"""Laws and constraints on driven coordinates: the drive pays for them, and the balance closes."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance


@pytest.mark.parametrize("law", [jd.Damper(3.0), jd.Spring(5.0), jd.Equal()], ids=str)
@pytest.mark.parametrize("is_scalar", [True, False], ids=["scalar", "joint"])
def test_the_balance_closes(law, is_scalar):
    model = jd.Model("drive", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("b", 2.0)
    motion = jd.Sine(0.5, 1.0)
    if is_scalar:
        model.add_coordinate("x", 1.0, driven=motion)
    else:
        body = model.add_body("body", jd.solid.ball(mass=1.0, radius=0.1))
        model.add_joint("x", model.world, body, jd.Revolute("z"), driven={"angle": motion})
    measure = jd.Coordinate("x" if is_scalar else "x.angle") - jd.Coordinate("b")
    model.add_connection("law", measure, law)
    sol = jd.simulate(model, 2.0)
    powers = sum(sol[f"power.{n}"] for n in ("drives", "connections", "applied"))
    gained = sol["energy.total"][-1] - sol["energy.total"][0]
    assert float(np.trapezoid(powers, sol.time)) == pytest.approx(float(gained), abs=2e-3)


def test_a_drive_against_a_damper():
    """All of c ẋ² comes from the drive: ∫ c (X w cos w t)² = c X² w² t/2 over whole periods."""
    model = jd.Model("drive")
    model.add_coordinate("x", 1.0, driven=jd.Sine(0.5, 1.0))
    model.add_connection("d", jd.Coordinate("x"), jd.Damper(3.0))
    sol = jd.simulate(model, 2.0)
    given = float(np.trapezoid(sol["power.drives"], sol.time))
    assert given == pytest.approx(3.0 * 0.25 * (2.0 * np.pi) ** 2, rel=1e-5)


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("is_scalar", [True, False], ids=["scalar", "joint"])
def test_impacts_on_a_piston_that_is_held_at_a_moving_place(is_scalar, restitution):
    """Ball on a piston at x(t) = A sin w t, held by `Equal`: the drive works in the impact.

    The impulse (1 + e) m (ẋ − ẏ) acts at the speed ẋ of the piston, which the drive keeps.
    """
    model = jd.Model("piston", gravity=(0.0, 0.0, 0.0))
    if is_scalar:
        model.add_coordinate("x", 3.0, unit="m")
        place, speed = jd.Coordinate("x"), "x.rate"
    else:
        piston = model.add_body("piston", jd.solid.ball(mass=3.0, radius=0.1))
        model.add_joint("x", model.world, piston, jd.Prismatic("z"))
        place, speed = jd.Coordinate("x.position"), "x.velocity"
    model.add_coordinate("y", 0.5, unit="m")
    model.add_connection("drive", place, jd.Equal(lambda t: 0.3 * jd.sin(5.0 * t)))
    model.add_connection("weight", jd.Coordinate("y"), jd.Force(-0.5 * 9.81))
    law = jd.Unilateral(restitution=restitution)
    model.add_connection("touch", jd.Coordinate("y") - place, law)
    sol = jd.simulate(model, 0.5, start={"y.value": 0.5, speed: 1.5}, method=jd.EventDriven())
    event = next(x for x in sol.events if x.kind == "impact")
    rate, fall = 1.5 * np.cos(5.0 * event.time), -9.81 * event.time
    impulse = (1.0 + restitution) * 0.5 * (rate - fall)
    assert event.details["drive_work"] == pytest.approx(impulse * rate, rel=1e-7)
    for method in (jd.MoreauJean(5e-4), jd.NonsmoothAlpha(5e-4)):
        stepped = jd.simulate(model, 0.5, start={"y.value": 0.5, speed: 1.5}, method=method)
        hit = next(x for x in stepped.events if x.kind == "impact")
        assert hit.details["drive_work"] == pytest.approx(impulse * rate, rel=1e-2)
        works = stepped.values("work.contact_drives"), sol.values("work.contact_drives")
        assert works[0][-1] == pytest.approx(works[1][-1], rel=1e-2)
        balance = energy_balance(stepped)  # it was off by all that the drive gave, 0.5 to 1.6 J
        assert balance.largest < 5e-3 * balance.exchanged
