"""Lines."""

import numpy as np
import pytest

from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.lines.line import PipeLoss

RHO, BORE = 850.0, 0.01
AREA = np.pi * BORE**2 / 4.0
FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


@pytest.mark.parametrize("flow", [1e-5, -3e-4, 2e-3, -4e-3])
def test_losses_of_a_line(flow):
    """Hagen–Poiseuille below Re = 2320, Blasius above 4000."""
    own = FLUID
    loss = PipeLoss(own, 2.0, BORE, 0.0, 0.0)
    v = flow / AREA
    re = RHO * abs(v) * BORE / 0.03
    friction = 64.0 / re if re < 2320 else 0.3164 / re**0.25
    assert re < 2320 or re > 4000
    assert loss.drop(flow) == pytest.approx(friction * 2.0 / BORE * RHO / 2 * v * abs(v), rel=1e-12)
    assert loss.drop(flow) * flow > 0.0
