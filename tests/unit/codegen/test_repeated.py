from __future__ import annotations

from functools import partial

import casadi as ca
import numpy as np
import pytest

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.repeated import repeated_core

MOST = 5  # rows of held input


@pytest.fixture(scope="module", params=[1, 4, 8])
def kernel(request):
    """Steps of x ← x + h (v + u₀), v ← 0.5 v + u₁."""
    x, v, u, h = ca.SX.sym("x", 2), ca.SX.sym("v"), ca.SX.sym("u", 2), ca.SX.sym("h")
    state = {"x": x + h * (v + u[0]), "v": 0.5 * v + u[1]}
    core = partial(repeated_core, {"x": x, "v": v, "u": u, "h": h}, state, "u")
    sizes = [("x", 2), ("v", 1), ("u", 2 * MOST), ("h", 1), ("steps", 1), ("stride", 1)]
    return Kernel(core, request.param, sizes, [("x", (2,)), ("v", (1,))], work_size=3)


def stepped(x, v, u, h, steps, stride):
    rows = u.reshape(MOST, 2)
    for k in range(steps):
        now = rows[k * stride // 2]
        x, v = x + h * (v + now[0]), 0.5 * v + now[1]
    return x, v


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
@pytest.mark.parametrize("stride", [0, 2])
def test_steps_are_repeated(kernel, steps, stride, rng):
    x, v, u = rng.normal(size=(9, 2)), rng.normal(size=(9, 1)), rng.normal(size=(9, 2 * MOST))
    h = np.array([0.1])
    numbers = np.array([float(steps)]), np.array([float(stride)])
    ends = kernel(x, v, u, h, *numbers)
    for k in range(9):
        wanted = stepped(x[k], v[k], u[k], 0.1, steps, stride)
        alone = kernel(x[k], v[k], u[k], h, *numbers)
        for batch, single, right in zip(ends, alone, wanted, strict=True):
            np.testing.assert_allclose(batch[k], right, rtol=1e-14)
            np.testing.assert_allclose(single, right, rtol=1e-14)
