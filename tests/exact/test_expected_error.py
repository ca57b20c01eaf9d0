"""A31: reports of time steps tell the error to expect, and keep to it."""

import re

import numpy as np
import pytest

import jourdain as jd

G = 9.81


def bouncing():
    model = jd.Model("ball", gravity=(0, 0, 0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=0.7))
    return jd.compile(model)


@pytest.mark.parametrize("height", np.linspace(0.2, 0.3, 7))
def test_an_impact_costs_no_more_than_is_told(height):
    h = 1e-2
    sol = jd.simulate(bouncing(), 0.4, start={"z.value": height}, method=jd.MoreauJean(h))
    line = next(x for x in str(sol).splitlines() if x.split()[0] == "error")
    told = float(re.search(r"by up to ([\d.e+-]+) m", line)[1])
    fall = np.sqrt(2 * height / G)
    speed, rest = 0.7 * G * fall, sol.time[-1] - fall
    exact = speed * rest - 0.5 * G * rest**2
    # the way of the contact, and what its time and speed are off by until the end
    assert abs(sol.final["z.value"] - exact) <= told + 0.5 * h * G * (rest + fall)
    assert told <= 1.01 * 0.5 * h * 1.7 * (G * fall + 0.5 * h * G) + 0.05 * told


def test_second_order_is_told():
    sol = jd.simulate(bouncing(), 0.1, start={"z.value": 1.0}, method=jd.NonsmoothAlpha(1e-3))
    assert "error        falls with the square of the step" in str(sol)
    assert "\n  error" not in str(jd.simulate(bouncing(), 0.1, start={"z.value": 1.0}))


def test_steps_of_another_theta_are_of_first_order():
    """A swinging mass: ten times smaller steps leave a tenth of the error; it is told."""
    model = jd.Model("swing", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(100.0))
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral(-5.0))
    offs = []
    for dt in (1e-3, 1e-4):
        sol = jd.simulate(model, 1.0, start={"x": 0.1}, method=jd.MoreauJean(dt, theta=1.0))
        assert "error        falls with the step\n" in str(sol)
        offs.append(abs(sol.values("x")[-1] - 0.1 * np.cos(10.0)))
    assert offs[0] == pytest.approx(10.0 * offs[1], rel=0.05)
