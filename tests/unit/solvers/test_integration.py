"""Records that the loops of integrators work on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.codegen.kernel import address
from jourdain.codegen.translator.loops import call
from jourdain.solvers.integration import NO_KERNEL, Integration, KernelCall, call_of
from jourdain.solvers.native import native
from jourdain.system.state import state_kernel


@native()
def call_it(kernel: KernelCall) -> Any:
    call(kernel.function, kernel.at)
    return 0


def test_loops_call_a_kernel():
    model = jd.Model("free fall", gravity=(0, 0, -3.0))
    model.add_body("ball", jd.Inertia(1.0, moments=(1, 1, 1)))
    system = jd.compile(model)
    kernel = state_kernel(system, {}, {})
    q, v = system.state({"ball.velocity": (1.0, 2.0, 3.0)})
    zero, found = np.zeros(1), [np.zeros(len(q)), np.zeros(len(v))]
    pointers = np.array([address(x) for x in (q, v, zero, zero, zero, *found)], dtype=np.int64)
    assert call_it(call_of(kernel, pointers)) == 0
    for have, wanted in zip(found, kernel(q, v, [], 0.0, []), strict=True):
        np.testing.assert_array_equal(have, wanted)
    assert sorted(found[1]) == [-3.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_what_is_missing_is_named():
    run = Integration(rates=NO_KERNEL, events=NO_KERNEL, w=np.zeros(3), at_events=2)
    with pytest.raises(AttributeError, match="Integration has no ip, dp, quaternions, extension"):
        run.complete()
