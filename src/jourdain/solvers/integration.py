"""Records that the loops of all integrators work on."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address
from jourdain.codegen.translator.loop_records import Floats, Integers, LoopRecord


class KernelCall(LoopRecord):
    """A compiled kernel as loops call it: ``call(kernel.function, kernel.at)``."""

    function: int  # address of its code
    pointers: Integers  # addresses of its inputs and outputs
    at: int  # address of these


NO_KERNEL = KernelCall(function=0, pointers=np.zeros(8, dtype=np.int64), at=0)
"""In the place of a kernel that is not there; loops do not call it."""


def call_of(kernel: Kernel, pointers: Any) -> KernelCall:
    """Kernel with the addresses of its inputs and outputs."""
    code = kernel.library.addresses["single"]
    return KernelCall(function=code, pointers=pointers, at=address(pointers))


class Integration(LoopRecord):
    """Memory of one integration.

    ``w`` is laid out as `solvers.ode.stepping` says, ``ip`` and ``dp`` hold the counts and numbers
    that it names.
    """

    rates: KernelCall  # right-hand side
    events: KernelCall  # event functions and kinks
    w: Floats
    w_at: int  # address of w
    ip: Integers
    dp: Floats
    quaternions: Integers  # places of quaternions in y
    extension: Floats  # coefficients P of the continuous extension
    times: Floats  # of the samples
    samples: Floats
    at_events: int  # place of event values in w
    found: Floats  # directions and ends of events, then those that were found


class Kinks(LoopRecord):
    """Modes of kinks in a run; what is remembered of each is told in `solvers.switches`."""

    ask: KernelCall  # gives `beyond` and `now`
    modes: Floats  # among the inputs of the state equation
    memory: Floats
    beyond: Floats  # modes beyond the nearest border
    now: Floats  # modes that are right
    at_once: float  # [s] within which a kink is passed again at once, however short the step


class ExplicitMethod(LoopRecord):
    """Coefficients of an explicit Runge–Kutta method."""

    A: Floats
    b: Floats
    c: Floats
    errors: Floats  # weights of the error estimates


class ImplicitMethod(LoopRecord):
    """Coefficients of an implicit method, and the derivative of the right-hand side."""

    coefficients: Floats
    tangent: KernelCall
    form: Integers  # of the Jacobian, see `solvers.ode.banded`
    at_matrices: int  # place of matrices in w
