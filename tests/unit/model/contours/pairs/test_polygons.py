import numpy as np
import pytest

from jourdain.math import rotation_z
from jourdain.model.contours import Polygon
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
GAP = Gap(Polygon(Frame("one"), SQUARE), Polygon(Frame("two"), SQUARE[::-1]))


def seen(places, angle, x, y):
    return GAP.points(places(one=(np.eye(3), np.zeros(3)), two=(rotation_z(angle), [x, y, 0.3])))


@pytest.mark.parametrize("overlap", [-1e-7, 0.0, 1e-9])
@pytest.mark.parametrize("shift", [0.0, 1e-15, 0.5])
def test_squares_stack(places, overlap, shift):
    found = [p for p in seen(places, 0.0, shift, 2.0 - overlap) if p.gap < 1e-6]
    across = {round(float(p.point_b[0]), 6) for p in found}
    assert across == {round(shift - 1.0, 6), 1.0}
    for p in found:
        np.testing.assert_allclose([p.gap, *p.normal], [-overlap, 0, 1, 0], atol=1e-12)


def test_a_corner_meets_an_edge(places):
    p = min(seen(places, np.pi / 4, 0.2, 1.5 + np.sqrt(2)), key=lambda point: point.gap)
    assert p.gap == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(p.point_b[:2], (0.2, 1.5), atol=1e-12)


def test_a_corner_meets_a_corner(places):
    p = min(seen(places, 0.0, 2.3, 2.4), key=lambda point: point.gap)
    assert p.gap == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(p.normal, (0.6, 0.8, 0), atol=1e-12)
