"""A servo cylinder under position control, beside its equations written by hand."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.library import hydraulics as hy

E, RHO, VOLUME, AREA, MASS, DRAG, SUPPLY = 1.2e9, 860.0, 4e-4, 1e-3, 200.0, 4e3, 200e5
EDGE, GAIN, TARGET, LEAK = 4e-6, 40.0, 0.1, 5e-12
TIME = np.linspace(0.0, 0.6, 121)


def drive(command=None):
    """A symmetric cylinder; its valve is asked for the error of its way."""
    model = jd.Model("servo", gravity=(0, 0, 0))
    x = jd.Coordinate(model.add_coordinate("load", MASS, unit="m"))
    model.add_connection("drag", x, jd.Damper(DRAG))
    fluid = hy.Fluid(density=RHO, bulk_modulus=E, viscosity=0.03, air=0.0)
    oil = model.group("oil")
    P, T = oil.add("P", hy.PressureSource(fluid, SUPPLY)), oil.add("T", hy.Tank(fluid))
    A, B = (oil.add(n, hy.Volume(fluid, VOLUME, start=SUPPLY / 2)) for n in "AB")
    more = {"frequency": 80.0, "damping": 0.8, "reynolds": 0.0}
    oil.add("valve", hy.ServoValve(P, A, B, T, EDGE, command=command, **more))
    sizes = {"limits": (-0.2, 0.2), "leakage": LEAK}
    oil.add("cylinder", hy.Cylinder(A, B, x, (AREA, AREA), **sizes))
    return model


def by_hand():
    """Way of the load: chambers, edges and spool as written in any textbook."""
    w = 2.0 * np.pi * 80.0

    def edge(share, drop):
        return (
            0.7 * EDGE * np.clip(share, 0.0, 1.0) * np.sign(drop) * np.sqrt(2.0 * abs(drop) / RHO)
        )

    def rates(t, y):
        x, v, a, b, s, r = y
        asked = np.clip(GAIN * (TARGET - x), -1.0, 1.0)
        into_a = edge(s, SUPPLY - a) - edge(-s, a) - LEAK * (a - b)
        into_b = edge(-s, SUPPLY - b) - edge(s, b) + LEAK * (a - b)
        force = AREA * (a - b) - DRAG * v
        pressures = (
            E * (into_a - AREA * v) / (VOLUME + AREA * (0.2 + x)),
            E * (into_b + AREA * v) / (VOLUME + AREA * (0.2 - x)),
        )
        return [v, force / MASS, *pressures, r, w**2 * (asked - s) - 1.6 * w * r]

    y = [0.0, 0.0, SUPPLY / 2, SUPPLY / 2, 0.0, 0.0]
    found = solve_ivp(rates, (0.0, TIME[-1]), y, "LSODA", TIME, rtol=1e-10, atol=1e-12)
    return found.y[0]


@pytest.mark.parametrize("is_input", [False, True], ids=["formula", "input"])
def test_position_control(is_input):
    """The command as a formula of the machine, or as an input that is a function of the state."""
    inputs = None
    command = jd.Formula(lambda at: GAIN * (TARGET - at.coordinate("load")))
    if is_input:
        command, name = None, "oil.valve.spool.command"
        inputs = {name: lambda t, s: np.clip(GAIN * (TARGET - s["load"]), -1.0, 1.0)}
    sol = jd.simulate(drive(command), TIME[-1], sample=TIME, inputs=inputs)
    np.testing.assert_allclose(sol.values("load"), by_hand(), atol=2e-6 * TARGET)
    assert sol.values("load")[-1] == pytest.approx(TARGET, rel=1e-2)
