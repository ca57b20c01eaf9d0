"""Bars and beams against elementary formulas."""

import numpy as np
import pytest

from jourdain.model.laws import Bar, Beam

L, EA, EI, GJ = 0.8, 2e5, 30.0, 12.0


def test_bar():
    bar = Bar(L, EA)
    assert bar.force(L + 1e-3, 0.0, None) == pytest.approx(-EA / L * 1e-3)
    assert bar.energy(L + 1e-3, None) == pytest.approx(0.5 * EA / L * 1e-6)


def test_tip_load_in_the_plane():
    """P at the tip: P l³/3EI and P l²/2EI; a moment: M l²/2EI and M l/EI."""
    K = Beam(L, EA, EI).stiffness()
    np.testing.assert_allclose(np.linalg.solve(K, (0, 1, 0)), (0, L**3 / 3 / EI, L**2 / 2 / EI))
    np.testing.assert_allclose(np.linalg.solve(K, (0, 0, 1)), (0, L**2 / 2 / EI, L / EI))
    np.testing.assert_allclose(np.linalg.solve(K, (1, 0, 0)), (L / EA, 0, 0))


def test_tip_load_in_space():
    """A load along z turns the end about −y; torsion is G J φ/l."""
    y, z = 30.0, 50.0
    flexibility = np.linalg.inv(Beam(L, EA, (y, z), GJ).stiffness())
    tip = flexibility @ (0, 0, 1, 0, 0, 0)
    np.testing.assert_allclose(tip, (0, 0, L**3 / 3 / y, 0, -(L**2) / 2 / y, 0), atol=1e-16)
    tip = flexibility @ (0, 1, 0, 0, 0, 0)
    np.testing.assert_allclose(tip, (0, L**3 / 3 / z, 0, 0, 0, L**2 / 2 / z), atol=1e-16)
    assert flexibility[3, 3] == pytest.approx(L / GJ)


def test_beam_in_space_holds_the_one_in_the_plane():
    spatial = Beam(L, EA, (7.0, EI), GJ).stiffness()
    plane = [0, 1, 5]
    np.testing.assert_array_equal(spatial[np.ix_(plane, plane)], Beam(L, EA, EI).stiffness())


def test_round_beam_has_no_preferred_plane():
    """The stiffness does not change when the frame turns about the beam."""
    K = Beam(L, EA, EI, GJ).stiffness()
    c, s = np.cos(0.7), np.sin(0.7)
    R = np.array(((1, 0, 0), (0, c, -s), (0, s, c)))
    T = np.block([[R, np.zeros((3, 3))], [np.zeros((3, 3)), R]])
    np.testing.assert_allclose(T @ K @ T.T, K, atol=1e-9)


def test_slack_beam_exerts_nothing():
    for beam, n in ((Beam(L, EA, EI), 3), (Beam(L, EA, EI, GJ), 6)):
        x = np.zeros(n)
        x[0] = L
        np.testing.assert_array_equal(beam.force(x, np.zeros(n), None), np.zeros(n))
        assert beam.energy(x, None) == 0.0
