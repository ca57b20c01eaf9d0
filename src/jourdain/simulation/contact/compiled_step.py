"""Memory of a time step in machine code, and what it tells."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address, aligned
from jourdain.model.laws import Poisson
from jourdain.simulation.contact.rows import Contacts, Rows, Touch
from jourdain.simulation.methods import MoreauJean
from jourdain.solvers import moreau_jean as loop
from jourdain.solvers.moreau_jean import moreau_jean_step
from jourdain.system.contact import ContactKernels


class CompiledStep:
    """Steps of Moreau and Jean in machine code, as far as they are plain.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    kernels : ContactKernels
        Compiled functions; they read one state and write to memory of their own.
    quaternions : list of int
        Places of quaternions.
    method : MoreauJean
        Where forces are taken, and whether overlaps matter.
    """

    def __init__(
        self, contacts: Contacts, kernels: ContactKernels, quaternions: list[int],
        method: MoreauJean,
    ) -> None:  # fmt: skip
        self._kept: list[Any] = []
        n_q, n_v = len(contacts.system.names.q), len(contacts.system.names.v)
        m, touches = contacts.n_rows, contacts.touches
        is_stiff = method.theta > 0.0 and kernels.has_stiffness
        n_u = kernels.n_held + sum(size for name, size in kernels.rows.inputs if name == "u")
        self._read = [aligned(max(size, 1)) for size in (n_q, n_v, n_u, 1)]
        self._read.append(np.ascontiguousarray(contacts.p, dtype=float))
        functions = [kernels.open_rates, kernels.rows, kernels.rows]
        functions += [kernels.stiffness] if is_stiff else []
        code, written = [], []
        for kernel in functions:
            pointers, outputs = self._bound(kernel)
            code += [kernel.library.addresses["single"], address(pointers)]
            written += outputs
        rates, self._rows, (end_gaps, end_u) = written[:2], written[2:9], written[9:11]
        written = [*rates, *self._rows, end_gaps, end_u, *(written[16:] or [np.zeros(1)] * 2)]
        flags = [is_stiff, method.corrects_positions, kernels.is_moved, 0]
        self._sizes = np.array([n_q, n_v, m, len(touches), len(quaternions), *flags])
        self.y, self.last = np.zeros(n_q + n_v), np.zeros(m + 1)
        self.impulses, self.new = np.zeros(m + 1), np.zeros(n_v + 1)
        self.works = np.zeros(m + 1)  # [J] of all rows, then of drives, in the last step
        self._facts, self._theta = np.zeros(loop.FACTS), method.theta
        n_numbers, n_integers = loop.room(n_v, m)
        w, iw = np.zeros(n_numbers), np.zeros(n_integers, dtype=np.int64)
        table = np.array([_described(x) for x in touches], dtype=np.int64).reshape(-1)
        e = np.array([_restitution(x, contacts.values) for x in touches])
        front = [self._sizes, np.array(code), table, np.array(quaternions, dtype=np.int64)]
        front += [self.y, *(self._read[k] for k in (0, 1, 3)), *written, e, self.last]
        back = [self.impulses, self.new, self.works, self._facts, w, iw]
        self._kept += [front, back]
        self._front, self._back = [address(a) for a in front], [address(a) for a in back]

    def _bound(self, kernel: Kernel) -> tuple[Any, list[Any]]:
        """Pointers of a compiled function that reads the state kept here, and what it writes."""
        buffers = kernel.take_buffers()
        buffers.pointers[:5] = [address(a) for a in self._read]
        self._kept.append(buffers)
        return buffers.pointers, list(buffers.outputs)

    def hold(self, u: Any) -> None:
        """Take sampled inputs and modes."""
        self._read[2][: len(u)] = u

    def advance(self, t: float, h: float) -> bool:
        """Advance ``y`` by h [s]; tell whether that could be done here."""
        done = moreau_jean_step(*self._front, t, h, self._theta, *self._back)
        return done == loop.DONE

    def taken_evaluations(self) -> int:
        """Evaluations since the last time this was asked."""
        count = int(self._sizes[loop.N_EVALUATIONS])
        self._sizes[loop.N_EVALUATIONS] = 0
        return count

    @property
    def residual(self) -> float:
        """Residual of the contact equations of the last step."""
        return float(self._facts[loop.WORST])

    @property
    def has_impact(self) -> bool:
        """Whether contacts met in the last step."""
        return bool(self._facts[loop.HAS_IMPACT])

    @property
    def has_overlap(self) -> bool:
        """Whether contacts overlap after the last step, if the method corrects that."""
        return bool(self._facts[loop.HAS_OVERLAP])

    @property
    def rows(self) -> Rows:
        """Rows in the middle of the last step."""
        gaps, u, bias, capacity, W, B, vdot = (a.copy() for a in self._rows)
        return Rows(gaps, u, bias, capacity.reshape(-1, 2), W, B, vdot)


def _described(x: Touch) -> list[int]:
    """Integers of a touching (see `solvers.moreau_jean`)."""
    row = -1 if x.normal is None else x.normal
    leans_on = -1 if x.leans_on is None else x.leans_on
    first = x.tangents[0] if x.tangents else 0
    is_poisson = isinstance(x.impact, Poisson)
    return [row, first, len(x.tangents), x.has_gap, leans_on, x.is_dry, is_poisson]


def _restitution(x: Touch, values: Any) -> float:
    """Restitution that is a number, or none (NaN)."""
    is_function = callable(getattr(x.law, "restitution", 0.0))
    return float("nan") if is_function else x.restitution(0.0, values)
