"""A point against a curve."""

import numpy as np
import pytest

from jourdain import math
from jourdain.math import Table
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import Frame
from jourdain.model.measures import OnCurve

WORLD = Frame("world")


def ball(*place, R=None):
    return Snapshot({"a": (np.eye(3) if R is None else R, np.array(place))})


def parabola(x):
    return 0.5 * x**2


def test_height_above_a_parabola():
    measure = OnCurve(Frame("a"), WORLD, parabola)
    assert measure.value(ball(2.0, 3.5, 7.0)) == 1.5
    assert measure.value(ball(2.0, 2.0, -7.0)) == 0.0


def test_curve_moves_with_its_body():
    measure = OnCurve(WORLD, Frame("a", (1.0, 0.0, 0.0)), parabola)
    at = ball(0.3, 0.4, 0.5, R=math.rotation_z(0.3))
    x, y, _ = at.relative(WORLD, measure.frame)[1]
    assert measure.value(at) == y - parabola(x)


def test_cam_in_polar_form():
    """An eccentric disc: the pitch curve is a circle about (e, 0), in every direction."""
    e, R = 0.1, 0.4
    angles = np.linspace(0.0, 2 * np.pi, 200)
    radii = e * np.cos(angles) + np.sqrt(R**2 - (e * np.sin(angles)) ** 2)
    measure = OnCurve(Frame("a"), WORLD, Table(angles, radii, "cubic", "repeat"), polar=True)
    for angle in (-2.0, 0.5, 3.0, -3.1):
        on_circle = ball(e + R * np.cos(angle), R * np.sin(angle), 0.2)
        assert measure.value(on_circle) == pytest.approx(0.0, abs=1e-8)
