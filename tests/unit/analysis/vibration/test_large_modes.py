"""Lowest modes of large machines against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.vibration.large_modes import large_modes


def test_free_torsional_chain():
    """V1 with 1500 shafts: one free motion, then 2 sin(kπ/2n)."""
    n = 1500
    model = jd.Model("chain")
    for k in range(n):
        model.add_coordinate(f"s{k}", 1.0)
    places = [jd.Coordinate(f"s{k}") for k in range(n)]
    for k in range(n - 1):
        model.add_connection(f"c{k}", places[k + 1] - places[k], jd.Spring(1.0))
    modes = jd.eigenmodes(model, count=12)
    expected = 2 * np.sin(np.arange(12) * np.pi / (2 * n))
    np.testing.assert_allclose(2 * np.pi * modes.frequencies, expected, atol=9e-9)
    assert len(modes.free_motions) == 1
    np.testing.assert_allclose(list(modes[0].shape.values()), 1.0, atol=1e-6)
    assert "free motion" in str(modes)


def hanging(n):
    """V19: n equal masses on massless rods, one metre long in all."""
    model = jd.Model("hanging chain")
    carrier = model.world
    for k in range(n):
        ball = model.add_body(f"m{k}", jd.solid.point(1.0, at=(0, 0, -1.0 / n)))
        model.add_joint(f"pin_{k}", carrier, ball, jd.Revolute("y"))
        carrier = ball.at(0, 0, -1.0 / n)
    return model


@pytest.mark.parametrize("n", [3, 60])
def test_hanging_chain(n):
    zeros = np.polynomial.laguerre.lagroots([0.0] * n + [1.0]) if n < 20 else None
    if zeros is None:  # those of the Jacobi matrix of Laguerre's polynomials
        k = np.arange(n)
        zeros = np.linalg.eigvalsh(np.diag(2.0 * k + 1) + np.diag(k[1:], 1) + np.diag(k[1:], -1))
    expected = np.sqrt(9.81 * n * np.sort(zeros))[: min(n, 10)]
    system = jd.compile(hanging(n))
    q = np.zeros(n)
    found = large_modes(system, q, 0.0, np.zeros(0), min(n, 10))
    np.testing.assert_allclose(2 * np.pi * found.frequencies, expected, rtol=1e-9)
    if n == 3:
        np.testing.assert_allclose(expected, [3.49803448, 8.21709626, 13.60562692], rtol=1e-8)


def test_motion_and_options():
    system = jd.compile(hanging(3))
    mode = large_modes(system, np.zeros(3), 0.0, np.zeros(0), 2)[0]
    sol = mode.motion(0.2)
    assert float(np.abs(sol.q).max()) == pytest.approx(0.2)
    assert sol.time[-1] == pytest.approx(1.0 / mode.frequency)
    with pytest.raises(jd.ModelError, match="take no inputs with count"):
        jd.eigenmodes(hanging(301), count=2, inputs=["pin_0.angle"])


def test_modes_that_come_twice():
    """Two equal oscillators: the same frequency twice."""
    model = jd.Model("twins")
    for name in ("a", "b", "c", "d", "e", "f"):
        model.add_coordinate(name, 2.0)
        model.add_connection(
            f"s_{name}", jd.Coordinate(name), jd.Spring(18.0 if name < "c" else 50.0)
        )
    found = large_modes(jd.compile(model), np.zeros(6), 0.0, np.zeros(0), 3)
    np.testing.assert_allclose(2 * np.pi * found.frequencies, [3.0, 3.0, 5.0], rtol=1e-9)
