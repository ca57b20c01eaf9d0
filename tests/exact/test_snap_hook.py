"""6.V1: stiffness of a snap hook on a tapered beam, to all digits."""

import numpy as np
import pytest

import jourdain as jd


def test_a_snap_hook():
    """In mm and N: height 5 at the clamp, 2.7 at the tip, width 20, length 40, E = 2700."""

    def section(x):
        height = 5.0 + (2.7 - 5.0) * x / 40.0
        EI = 2700.0 * 20.0 * height**3 / 12.0
        return jd.flexible.Section(EI, EI, 1.0, 1.0, 1.0)

    hook = jd.flexible.beam(40.0, section, modes=12, fields=("z",), functions=12)
    C = hook.compliance((40.0, 0.0, 0.0))
    pair = np.ix_([1, 5], [1, 5])  # turn about y, displacement along z
    K = np.linalg.inv(C[pair])
    assert K[1, 1] == pytest.approx(45.544775, rel=1e-7)
    assert K[0, 1] == pytest.approx(638.809826, rel=1e-7)
    assert K[0, 0] == pytest.approx(14285.417033, rel=1e-7)
