"""A point against a surface."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import Frame
from jourdain.model.measures import OnSurface


def sphere(r):
    return math.norm(r) - 0.5


def circle(r):
    return math.vector(math.norm(r) - 0.5, r[2])


def test_distance_to_a_sphere():
    point, centre = Frame("a", (0.1, 0, 0)), Frame("world", (0, 0, 1.0))
    measure = OnSurface(point, centre, sphere)
    at = Snapshot({"a": (np.eye(3), np.array((0.2, 0.4, 1.0)))})
    assert measure.value(at) == pytest.approx(0.0, abs=1e-15)


def test_two_functions_make_a_curve():
    measure = OnSurface(Frame("a"), Frame("world"), circle, size=2)
    at = Snapshot({"a": (np.eye(3), np.array((0.3, 0.4, 0.0)))})
    np.testing.assert_allclose(measure.value(at), (0.0, 0.0), atol=1e-15)
    assert measure.size == 2
