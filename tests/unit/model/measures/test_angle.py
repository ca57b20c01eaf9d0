"""Angle about an axis."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import Frame
from jourdain.model.measures import Angle

A, B = Frame("a"), Frame("b")


def turned(rng, R):
    axis = rng.normal(size=3)
    base = math.rotation(axis / np.linalg.norm(axis), 1.1)
    return Snapshot({"a": (base, rng.normal(size=3)), "b": (base @ R, rng.normal(size=3))})


@pytest.mark.parametrize("angle", [-3.1, -1.6, -0.2, 0.0, 1e-9, 0.7, 1.6, 3.1])
@pytest.mark.parametrize("axis", ["x", "y", "z", (0.36, 0.48, -0.8)])
def test_turn_about_the_axis(rng, axis, angle):
    found = Angle(A, B, axis).value(turned(rng, math.rotation(axis, angle)))
    assert found == pytest.approx(angle, abs=1e-14)


def test_opposite_axis_counts_the_other_way(rng):
    at = turned(rng, math.rotation_y(0.4))
    assert Angle(A, B, "-y").value(at) == pytest.approx(-0.4, abs=1e-14)


def test_tilt_does_not_count(rng):
    """A tilt about an axis normal to z, before or after the turn about z."""
    tilt = math.rotation((0.6, 0.8, 0.0), 0.9)
    for R in (tilt @ math.rotation_z(0.5), math.rotation_z(0.5) @ tilt):
        assert Angle(A, B).value(turned(rng, R)) == pytest.approx(0.5, abs=1e-14)
