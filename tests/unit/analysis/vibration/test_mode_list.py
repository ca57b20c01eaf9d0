"""Modes in a row."""

from __future__ import annotations

import math

import jourdain as jd


def test_an_undamped_mode_has_a_damping_of_plus_zero():
    """Minus zero would be printed."""
    model = jd.Model("mass", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(4.0 * math.pi**2))
    modes = jd.eigenmodes(model)
    assert len(modes) == 1
    assert math.copysign(1.0, modes.damping_ratios[0]) == 1.0
    assert abs(modes.frequencies[0] - 1.0) < 1e-12
    assert modes.free_motions == ()
    assert [mode.eigenvalue for mode in modes] == list(modes.eigenvalues)
    assert modes[0:1] == (modes[0],)
