"""Heavy symmetric top: steady precession for many turns, and nutation between two angles."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

MASS, LENGTH, ACROSS, ALONG, G = 0.5, 0.08, 0.0045, 0.0009, 9.81  # moments about the tip
LEAN, SPIN = 0.6, 400.0
TIGHT = jd.Dop853(rtol=1e-12, atol=1e-13)
MOMENT = MASS * G * LENGTH


@pytest.fixture(scope="module")
def system():
    model = jd.Model("top", gravity=(0, 0, -G))
    across = ACROSS - MASS * LENGTH**2
    top = model.add_body("top", jd.Inertia(MASS, (0, 0, LENGTH), (across, across, ALONG)))
    model.add_joint("tip", model.world, top, jd.Spherical())
    return jd.compile(model)


def leaning():
    """Quaternion of a lean about x."""
    return np.cos(0.5 * LEAN), np.sin(0.5 * LEAN), 0.0, 0.0


def precession(sign):
    """Slow or fast rate: A Ω² cos θ − C ω₃ Ω + m g l = 0."""
    root = np.sqrt((ALONG * SPIN) ** 2 - 4 * ACROSS * np.cos(LEAN) * MOMENT)
    return (ALONG * SPIN + sign * root) / (2 * ACROSS * np.cos(LEAN))


def heights(sol):
    """Cosine of the lean at all times, from the quaternion."""
    _, x, y, _ = sol.values("tip.orientation").T
    return 1.0 - 2.0 * (x**2 + y**2)


@pytest.mark.parametrize("sign", [-1, 1], ids=["slow", "fast"])
def test_steady_precession_for_three_turns(system, sign):
    rate = precession(sign)
    start = {
        "tip.orientation": leaning(),
        "tip.angular_velocity": (0.0, rate * np.sin(LEAN), SPIN),
    }
    sol = jd.simulate(system, 6.0 * np.pi / rate, start=start, method=TIGHT, sample=0.1 / rate)
    angle = rate * sol.time
    way = np.sin(LEAN) * np.column_stack((np.sin(angle), -np.cos(angle)))
    exact = LENGTH * np.column_stack((way, np.full(len(angle), np.cos(LEAN))))
    found = sol.values("centre_of_mass.position")
    # an error of the rate is multiplied by the turns of the spin
    np.testing.assert_allclose(found, exact, atol=1e-12 * SPIN * sol.time[-1])


def test_nutation_between_two_angles(system):
    """Let go at rest but for its spin: β (1 − u²) = a² (u₀ − u) at the lower turning point."""
    a2, beta, u0 = (ALONG * SPIN / ACROSS) ** 2, 2 * MOMENT / ACROSS, np.cos(LEAN)
    roots = np.roots((beta, -a2, a2 * u0 - beta)).real
    lowest = roots[np.abs(roots) < 1][0]
    start = {"tip.orientation": leaning(), "tip.angular_velocity": (0.0, 0.0, SPIN)}

    def sinking(t, s):
        """Rate of the height of the axis: ω_x y-axis − ω_y x-axis, of the third row of R."""
        w, x, y, z = (s[f"tip.orientation.{c}"] for c in "wxyz")
        wx, wy = s["tip.angular_velocity.x"], s["tip.angular_velocity.y"]
        return 2 * (x * z - w * y) * wy - 2 * (y * z + w * x) * wx

    sol = jd.simulate(system, 1.0, start=start, method=TIGHT, events={"turn": sinking}, sample=1e-3)
    turns = [1.0 - 2.0 * (event.q[1] ** 2 + event.q[2] ** 2) for event in sol.events]
    assert len(turns) > 10
    expected = np.where(np.arange(len(turns)) % 2 == 0, lowest, u0)
    np.testing.assert_allclose(turns, expected, atol=1e-9)
    assert heights(sol).min() >= lowest - 1e-9
    assert heights(sol).max() <= u0 + 1e-9


def test_energy_and_both_momenta_stay(system):
    start = {"tip.orientation": (0.8, 0.36, 0.48, 0.0), "tip.angular_velocity": (3.0, -2.0, 100.0)}
    sol = jd.simulate(system, 5.0, start=start, method=TIGHT)
    energy, vertical = sol.values("energy.total"), sol.values("momentum.angular.z")
    axial = sol.values("tip.angular_velocity.z")
    np.testing.assert_allclose(energy, energy[0], rtol=1e-10)
    np.testing.assert_allclose(vertical, vertical[0], rtol=1e-10)
    np.testing.assert_allclose(axial, 100.0, rtol=1e-12)
