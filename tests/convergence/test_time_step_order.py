"""Order of time steps while contacts last, on flat and curved contours (A3, A4, A14)."""

import numpy as np
import pytest

import jourdain as jd


def pendulum_on_a_stop():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("pin", model.world, rod, jd.Revolute("y"))
    model.add_connection("stop", jd.Coordinate("pin.angle"), jd.Unilateral(-0.2, restitution=0.3))
    return model, {"pin.angle": 0.5}, 0.9


def ball_on_a_ball():
    """It rolls off without slipping, from 0.1 rad beside the top."""
    model = jd.Model("balls")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contact("hill", jd.Sphere(model.world, 1.0), jd.Sphere(ball, 0.1), jd.Coulomb(0.5))
    return model, {"ball.position": (1.1 * np.sin(0.1), 0, 1.1 * np.cos(0.1))}, 0.5


METHODS = pytest.mark.parametrize("kind", [jd.MoreauJean, jd.NonsmoothAlpha])


@METHODS
@pytest.mark.parametrize("machine", [pendulum_on_a_stop, ball_on_a_ball])
def test_errors_fall_with_the_square_of_the_step(machine, kind):
    model, start, end = machine()
    system = jd.compile(model)
    exact = jd.simulate(system, end, start=start, sample=end)
    steps = np.array([4e-3, 2e-3, 1e-3])
    off = []
    for h in steps:
        sol = jd.simulate(system, end, start=start, method=kind(float(h)), sample=end)
        off.append(np.abs(sol.q[-1] - exact.q[-1]).max())
    assert off[-1] <= 1e-6
    assert off[0] / off[-1] >= 10.0  # 16 for the square


@METHODS
def test_what_rolls_on_a_curve_neither_sinks_nor_hops(kind):
    model, start, end = ball_on_a_ball()
    sol = jd.simulate(model, end, start=start, method=kind(1e-3), sample=1e-3)
    assert np.abs(sol.values("hill.gap")).max() <= 1e-11
    force = sol.values("hill.normal_force")[1:]
    assert force.min() > 0.0
    assert np.abs(np.diff(force)).max() <= 0.05  # it changes by 2.5 N in all, smoothly
    energy = sol.values("energy.total")
    assert np.abs(energy - energy[0]).max() <= 1e-6
