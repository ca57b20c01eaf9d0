"""Laws and constraints on driven coordinates: the drive pays for them, and the balance closes."""

import numpy as np
import pytest

import jourdain as jd


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
