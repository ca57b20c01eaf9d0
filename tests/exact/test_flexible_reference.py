"""6.F18 to 6.F20: reference motion of an arm, its linear deviations, and what is quasi-static."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import jourdain as jd

LENGTH, LOAD, TURN, TIME = 0.8, 0.3, 0.6, 0.4
STEEL = jd.flexible.rectangle(jd.flexible.STEEL, 0.02, 0.012)


def path(t):
    """Angle of the hub from rest to rest."""
    s = t / TIME
    return TURN * (10.0 * s**3 - 15.0 * s**4 + 6.0 * s**5)


def arm(solid):
    """Arm with a load whose hub follows the path."""
    model = jd.Model("arm")
    body = model.add_body("arm", solid)
    load = model.add_body("load", jd.solid.ball(LOAD, 0.03))
    model.add_joint("hub", model.world, body, jd.Revolute("y"), driven={"angle": path})
    model.add_joint("grip", body.at(LENGTH, 0, 0), load, jd.Fixed())
    return model


BEAM = jd.flexible.beam(LENGTH, STEEL, modes=2, fields=("z",), functions=2, damping=0.02)


class Deviations:
    """M₀ ÿ + P₀ ẏ + Q₀ y = h₀ along the motion of the rigid arm (6.F18)."""

    def __init__(self, system):
        self.system = system

    def at(self, t):
        lin = jd.linearize(self.system, moving=True, t=t)
        M, P, Q = (np.asarray(X.toarray()) for X in (lin.M, lin.D + lin.G, lin.K))
        return M, P, Q, M @ self.system.forward_dynamics(np.zeros(2), np.zeros(2), t=t)

    def after(self, duration, steps=12):
        """Deviations at the end of a motion, with coefficients between tabulated instants."""
        grid = np.linspace(0.0, duration, steps + 1)
        rates = []
        for t in grid:
            M, P, Q, h = self.at(t)
            rates.append(np.linalg.solve(M, np.column_stack([P, Q, h])))
        table = CubicSpline(grid, np.array(rates))

        def rate(t, y):
            row = table(t)
            return np.concatenate([y[2:], row[:, 4] - row[:, :2] @ y[2:] - row[:, 2:4] @ y[:2]])

        return solve_ivp(rate, (0.0, duration), np.zeros(4), rtol=1e-8, atol=1e-12).y[:, -1]


def test_deviations_are_linear():
    """Whole equations less linear ones: of second order in the deformation."""
    system = jd.compile(arm(BEAM))
    linear = Deviations(system).after(0.5 * TIME)
    sol = jd.simulate(system, 0.5 * TIME, sample=[0.0, 0.5 * TIME], method=jd.Dop853(rtol=1e-10))
    whole = np.array([float(sol[name][-1]) for name in ("arm.elastic.z1", "arm.elastic.z2")])
    assert abs(whole[0]) > 5e-4
    assert linear[:2] == pytest.approx(whole, abs=2e-3 * abs(whole[0]))


def test_slow_deviations_are_static():
    """6.F19: Q₀ y = h₀; what vibrates around it is small where the motion is slow."""
    thick = jd.flexible.rectangle(jd.flexible.STEEL, 0.02, 0.06)
    system = jd.compile(arm(replace(BEAM, section=thick, damping=0.2)))
    deviations, times = Deviations(system), np.array([0.1, 0.2, 0.3])
    static = []
    for t in times:
        _, _, Q, h = deviations.at(t)
        static.append(np.linalg.solve(Q, h))
    start = dict(zip(system.names.q, np.linalg.solve(*deviations.at(0.0)[2:]), strict=True))
    sol = jd.simulate(system, 0.3, start=start, sample=[0.0, *times])
    whole = np.stack([sol.values(f"arm.elastic.z{k}")[1:] for k in (1, 2)], axis=1)
    size = np.abs(whole[:, 0]).max()
    assert np.abs(whole[:, 0] - np.array(static)[:, 0]).max() < 0.03 * size


def test_nominal_loads_are_those_of_the_rigid_arm():
    """6.F20: moments in cross-sections by all that lies beyond, of the arm with no deformation."""
    model = arm(BEAM)
    for name in ("z1", "z2"):
        model.add_connection(name, jd.Coordinate(f"arm.elastic.{name}"), jd.Equal(0.0))
    sol = jd.simulate(model, 0.15, sample=[0.0, 0.1, 0.15])
    x, t = np.array([0.0, 0.3]), sol.time
    found = jd.flexible.section_loads(sol, "arm", x).torque.sel(axis="y").values
    s = t / TIME
    angle, second = path(t), TURN / TIME**2 * (60.0 * s - 180.0 * s**2 + 120.0 * s**3)
    rest, mass = LENGTH - x, STEEL.mass
    middle = x + 0.5 * rest
    for k in range(len(t)):
        weight = 9.81 * np.cos(angle[k]) * (LOAD * rest + mass * rest * 0.5 * rest)
        inertia = LOAD * rest * LENGTH + mass * rest * (0.5 * rest * middle + rest**2 / 12.0)
        own = 0.4 * LOAD * 0.03**2 + STEEL.moments[1] * rest  # turning of ball and cross-sections
        assert found[k] == pytest.approx(weight - second[k] * (inertia + own), rel=1e-8)
