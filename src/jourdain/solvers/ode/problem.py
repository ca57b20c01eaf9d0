"""What is integrated and how: problem and step sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.solvers.closure import Partition


@dataclass(frozen=True)
class Problem:
    """What is to be integrated.

    Parameters
    ----------
    rates : Kernel
        State equation q, v, u, t, p → dq/dt, dv/dt.
    events : Kernel or None
        Event functions of the same inputs, then functions that are positive inside of modes.
    directions, terminal : sequences
        Per event: wanted sign of the crossing (0 for both), and whether it ends the run.
    quaternions : sequence of int
        Indices in q where quaternions begin.
    u, p : arrays
        Held inputs, then modes of kinks (any values); and parameters.
    tangent : function giving a Kernel
        Derivative of the state equation, for implicit methods; compiled when it is called.
    projection : Kernel or None
        Changes of q and v that take constraint errors away, and the largest errors of both.
    partition : Partition or None
        Dependent coordinates follow from independent ones; ``projection`` gives what that needs.
    units : sequence of str
        Units of q and v: coordinates with one unit have rounding of one size.
    modes : Kernel or None
        Modes of kinks beyond the nearest border, and those that are right now.
    sizes : (n_q + n_v,) or None
        Largest values of q and v in earlier phases of a motion, by which errors are judged.
    integrands : Kernel or None
        Functions of the same inputs; the integrals of its last output over time are wanted.
    integrals : array
        Values of these integrals at the start.
    """

    rates: Kernel
    events: Kernel | None
    directions: Sequence[float]
    terminal: Sequence[bool]
    quaternions: Sequence[int]
    u: Any
    p: Any
    tangent: Callable[[], Kernel] | None = None
    projection: Kernel | None = None
    partition: Partition | None = None
    units: Sequence[str] = ()
    modes: Kernel | None = None
    sizes: Any = None
    integrands: Kernel | None = None
    integrals: Any = ()

    @property
    def n_q(self) -> int:
        """Number of position coordinates."""
        return self.rates.inputs[0][1]

    @property
    def n_rows(self) -> int:
        """Number of constraint rows that are partitioned."""
        if self.partition is None or self.projection is None:
            return 0
        return int(dict(self.projection.outputs)["velocity_rows"][0])

    @property
    def n_modes(self) -> int:
        """Number of kinks that are watched."""
        return self.modes.outputs[0][1][0] if self.modes else 0


@dataclass(frozen=True)
class Control:
    """Step sizes and tolerances; ``rtol`` is None for fixed steps, ``atol`` for one by sizes."""

    step: float
    rtol: float | None = None
    atol: float | None = None
    max_step: float = np.inf
