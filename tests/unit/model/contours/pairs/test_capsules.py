import numpy as np
import pytest

from jourdain.math import rotation_z
from jourdain.model.contours import Capsule
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

GAP = Gap(Capsule(Frame("one"), 0.1, 1.0, "x"), Capsule(Frame("two"), 0.2, 1.0, "x"))


def seen(places, R, r):
    return GAP.points(places(one=(np.eye(3), np.zeros(3)), two=(R, np.array(r))))


def test_crossed_ones_touch_in_the_middle(places):
    p = min(seen(places, rotation_z(1.0), (0.1, 0, 0.5)), key=lambda point: point.gap)
    np.testing.assert_allclose([p.gap, *p.normal], (0.2, 0, 0, 1), atol=1e-12)
    np.testing.assert_allclose([p.point_a, p.point_b], [(0.1, 0, 0.1), (0.1, 0, 0.3)], atol=1e-12)


def test_parallel_ones_touch_along_the_length_they_share(places):
    found = [p for p in seen(places, np.eye(3), (0.3, 0, 0.3)) if p.gap < 1e-9]
    assert sorted(round(float(p.point_a[0]), 9) for p in found) == [-0.2, 0.5]
    assert all(p.normal @ (0, 0, 1) == pytest.approx(1.0) for p in found)
