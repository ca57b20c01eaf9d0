"""Chain tensioners; see also tests/exact."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

AREA, LENGTH, SUPPLY = np.pi * 7.5e-3**2, 0.02, 3e5
RESISTANCE = 4.6969144e11  # of a gap of 60 µm [Pa s/m³]
BALL = {
    "seat": hy.BallSeat(2.5e-3, np.pi / 4), "lift": 3e-4, "stiffness": 300.0, "preload": 0.05,
    "mass": 5e-4, "damping": 0.5,
}  # fmt: skip


def test_spring_and_stops_of_a_tensioner():
    """Without motion the spring and the supply press together: c x + F₀ + p_s A on the stop."""
    own = hy.Fluid(density=850.0, viscosity=0.02, bulk_modulus=1.5e9, air=0.0)
    model = jd.Model("still", gravity=(0, 0, 0))
    model.add_coordinate("piston", 0.05, unit="m")
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(own, SUPPLY)), oil.add("T", hy.Tank(own))
    sizes = {"diameter": 15e-3, "gap": 6e-6, "length": LENGTH, "limits": (-0.01, 0.005)}
    spring = {"stiffness": 2000.0, "preload": 40.0, "volume": 4e-6, "start": SUPPLY}
    part = hy.ChainTensioner(S, T, jd.Coordinate("piston"), **sizes, **spring, ball=BALL)
    oil.add("tensioner", part)
    sol = jd.simulate(model, 0.2)
    assert sol.values("piston")[-1] == pytest.approx(0.005, abs=1e-9)
    leak = 1.0 / (RESISTANCE * 1e3)
    lost = SUPPLY - sol.values("oil.tensioner.pressure")[-1]  # drop of the open ball
    assert 0.0 < lost < 0.1 * SUPPLY
    push = sol.values("oil.tensioner.force")[-1]
    drag = np.pi * 7.5e-3 * 6e-6 * SUPPLY
    assert push == pytest.approx(AREA * (SUPPLY - lost) + 40.0 - 10.0 + drag, rel=1e-3)
    assert sol.values("oil.tensioner.flow")[-1] == pytest.approx(leak * SUPPLY, rel=0.1)
