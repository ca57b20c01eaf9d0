"""Campbell diagrams with closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def rotor(across):
    model = jd.Model("rotor", gravity=(0, 0, 0))
    frame = model.add_body("frame", jd.Inertia(0.0))
    disc = model.add_body("disc", jd.Inertia(1.0, (0, 0, 0), np.diag([across, across, 0.04])))
    model.add_joint("tilt", model.world, frame, jd.Universal("x", "y"))
    model.add_joint("spin", frame, disc, jd.Revolute("z"))
    for k in (1, 2):
        model.add_connection(f"s{k}", jd.Coordinate(f"tilt.angle_{k}"), jd.Spring(900.0))
    return model


def test_critical_speeds_of_a_rotor():
    """V5: forward whirl at 300 rad/s, backward at 100."""
    diagram = jd.campbell(rotor(0.05), "spin.rate", np.linspace(60.0, 330.0, 28), count=3)
    speeds = [speed for speed, _ in diagram.critical()]
    np.testing.assert_allclose(speeds, [100.0, 300.0], rtol=1e-3)


def test_branches_over_a_parameter():
    model = jd.Model("mass")
    model.add_coordinate("x", 2.0, unit="m")
    spring = jd.Spring(jd.Parameter("k", 500.0, unit="N/m"))
    model.add_connection("spring", jd.Coordinate("x"), spring)
    diagram = jd.campbell(model, "k", [200.0, 500.0, 800.0])
    expected = np.sqrt(np.array([200.0, 500.0, 800.0]) / 2.0)
    np.testing.assert_allclose(diagram.eigenvalues[:, 0].imag, expected, rtol=1e-12)
    with pytest.raises(jd.ModelError, match="critical speeds need a speed"):
        diagram.critical()


def test_bad_requests():
    with pytest.raises(jd.UnknownNameError, match="no parameter, velocity or input 'speed'"):
        jd.campbell(rotor(0.05), "speed", [1.0])
    with pytest.raises(jd.ModelError, match="at least one"):
        jd.campbell(rotor(0.05), "spin.rate", [])
