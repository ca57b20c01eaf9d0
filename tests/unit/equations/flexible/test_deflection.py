"""Motion of sections: modes are derivatives of poses, rotations are orthogonal."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.flexible.deflection import Deflection

SECTION = jd.flexible.Section(1.0, 2.0, 3.0, 4.0, 1.0, (0.1, 0.1, 0.1))


@pytest.mark.parametrize("is_reversed", [False, True])
def test_modes_are_derivatives_of_poses(is_reversed):
    beam = jd.flexible.beam(1.2, SECTION, modes=5, functions=3)
    own = Deflection(beam.elasticity.place((0.7, 0.1, -0.05)), is_reversed)
    rng = np.random.default_rng(2)
    d, rate = 0.1 * rng.normal(size=5), rng.normal(size=5)

    def at(x, v):
        found = own.function([], x, v, 0.0, [], [], [])
        return [np.array(part) for part in found]

    R, r, S, _, c, _, _ = at(d, rate)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-14)
    step = 1e-6
    ahead, behind = at(d + step * rate, rate), at(d - step * rate, rate)
    spin = R.T @ (ahead[0] - behind[0]) / (2.0 * step)
    slide = R.T @ (ahead[1] - behind[1]) / (2.0 * step)
    moved = np.concatenate([[spin[2, 1], spin[0, 2], spin[1, 0]], slide.ravel()])
    assert np.allclose(S @ rate, moved, atol=1e-8)
    assert np.allclose(c.ravel(), (ahead[2] - behind[2]) @ rate / (2.0 * step), atol=1e-7)
    assert r.shape == (3, 1)
