"""Friction must not jump where sliding begins; it may begin at zero."""

import casadi as ca
import pytest

from jourdain.equations.tracing.continuity import require_continuous
from jourdain.errors import ModelError


@pytest.mark.parametrize(
    "function",
    [
        lambda v: 0.3 + 0.1 * ca.exp(-((v / 0.1) ** 2)),
        lambda v: 0.3 * ca.fabs(v) / (ca.fabs(v) + 0.02),
        lambda v: 50.0 * v**2,
        lambda v: ca.tanh(ca.fabs(v) / 1e-3),
    ],
)
def test_friction_without_a_jump_passes(function):
    require_continuous(function, 1, "it", "")


@pytest.mark.parametrize(
    "function",
    [
        lambda v: ca.if_else(ca.fabs(v) > 1e-9, 0.3, 0.4),
        lambda v: ca.if_else(v > 0.0, 0.3, 0.2),
        lambda v: ca.tanh(ca.fabs(v) / 1e-9),
        lambda v: 0.1 * ca.sign(v) ** 2 + 50.0 * v**2,
    ],
)
def test_friction_that_jumps_is_refused(function):
    with pytest.raises(ModelError, match="jumps at the speed zero"):
        require_continuous(function, 1, "it", "")
