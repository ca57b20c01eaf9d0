"""Universal joint."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.joints import Universal


def test_matrix_of_the_source(rng):
    # Slaats 1991, appendix C: Bryant angles about axes 1 and 2
    q1, q2 = rng.uniform(-np.pi, np.pi, 2)
    c1, s1, c2, s2 = np.cos(q1), np.sin(q1), np.cos(q2), np.sin(q2)
    C = [[c2, 0, s2], [s1 * s2, c1, -s1 * c2], [-c1 * s2, s1, c1 * c2]]
    R, r = Universal().pose([q1, q2], 0.0)
    np.testing.assert_allclose(R, C, atol=1e-15)
    np.testing.assert_array_equal(r, np.zeros(3))


def test_order_of_axes():
    R, _ = Universal("z", "-x").pose([0.3, 0.5], 0.0)
    np.testing.assert_allclose(R, math.rotation_z(0.3) @ math.rotation_x(-0.5), atol=1e-15)


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.1, np.pi / 2, 2.9])
def test_bent_shaft_runs_unevenly(turn):
    """Hooke's ratio cos β / (1 − sin² β cos² φ) of the speeds of two shafts along z, bent by β."""
    bend, step = 0.6, 1e-5
    shaft = np.array((np.sin(bend), 0.0, np.cos(bend)))

    def driven(angle):
        d = math.rotation_z(-angle) @ shaft
        q = (np.arctan2(-d[1], d[2]), np.arcsin(d[0]))
        return math.rotation_z(angle) @ Universal("x", "y").pose(q, 0.0)[0]

    slope = (driven(turn + step) - driven(turn - step)) / (2 * step)
    speed = math.axial(slope @ driven(turn).T)
    ratio = np.cos(bend) / (1 - np.sin(bend) ** 2 * np.cos(turn) ** 2)
    np.testing.assert_allclose(speed, ratio * shaft, atol=1e-9)  # h² and eps/h are 1e-10
