"""Where the massless nodes of composite connections are: equilibrium, or as held parts place them.

Newton's method on (CN-9) and (CN-10). For elastic parts the matrix is made definite, so that the
way leads down the energy to a stable equilibrium.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.equations.connections.eliminated import singular
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.errors import AssemblyError
from jourdain.system import System
from jourdain.system.checks.insides import Inside, insides, loose_names

_STEPS = 200
_HALVINGS = 40
_EXACT = 1e-14  # step relative to the size of the coordinates
_FOUND = 1e-8  # step that counts as found


def settled(
    system: System,
    q: Any,
    t: float = 0.0,
    parameters: Any = None,
    extra: Any = 0.0,
    *,
    strict: bool = True,
) -> Any:
    """Positions with the internal coordinates of composites where they belong.

    Parameters
    ----------
    system : System
        The compiled machine.
    q : (n_q,)
        Positions.
    t : float [s]
        Time.
    parameters : mapping or array
        Values of parameters that differ from the nominal ones.
    extra : (n_extra,)
        Inputs of laws, see `System.answers`.
    strict : bool
        Whether to raise where nothing is found.

    Raises
    ------
    SingularSystemError
        If an internal coordinate follows from nothing.
    AssemblyError
        If no equilibrium is found.
    """
    if not system.description.parts.composites:
        return q
    q, p = np.array(q, dtype=float), system.parameter_array(parameters)
    for inside in insides(system.mechanism):
        q = _Search(system, inside, t, p, extra).run(q, strict)
    return q


@dataclass(frozen=True)
class _Search:
    system: System
    inside: Inside
    t: float
    p: Any
    extra: Any

    def run(self, q: Any, strict: bool) -> Any:
        for _ in range(_STEPS):
            step = self._step(q)
            size = np.abs(step).max(initial=0.0)
            if not np.isfinite(size) or size <= _EXACT * (1.0 + np.abs(q[self.inside.q]).max()):
                break
            moved = self._moved(q, step)
            if np.array_equal(moved, q):
                break
            q = moved
        if strict:
            self._check(q)
        return q

    def _answer(self, quantity: MechanismQuantity, q: Any) -> Any:
        return self.system.interpreted(quantity, q=q, t=self.t, p=self.p, extra=self.extra)

    def _residual(self, q: Any) -> Any:
        rows = self.inside.rows
        every = self._answer(Mechanism.internal_residuals, q)
        return every[rows]

    def _matrix(self, q: Any) -> Any:
        rows = self.inside.rows
        return self._answer(Mechanism.internal_jacobian, q)[rows, rows]

    def _step(self, q: Any) -> Any:
        if not self.inside.is_elastic:
            return self._answer(Mechanism.internal_steps, q)[self.inside.steps]
        matrix, force = self._matrix(q), self._residual(q)
        if not (np.isfinite(matrix).all() and np.isfinite(force).all()):
            return np.full(len(force), np.nan)
        sizes, basis = np.linalg.eigh(-0.5 * (matrix + matrix.T))
        floor = 1e-12 * np.abs(sizes).max(initial=0.0)
        return basis @ (basis.T @ force / np.maximum(np.abs(sizes), max(floor, 1e-300)))

    def _moved(self, q: Any, step: Any) -> Any:
        """Position after the step, halved until it leads on, and not too far."""
        before = self._measure(q, step)
        for k in range(_HALVINGS):
            moved = q.copy()
            moved[self.inside.q] += 0.5**k * step
            after = self._measure(moved, step)
            if after >= -0.9 * before if self.inside.is_elastic else after <= 0.95 * before:
                return moved
        full = q.copy()
        full[self.inside.q] += step if np.abs(step).max() < _FOUND else 0.0
        return full

    def _measure(self, q: Any, step: Any) -> float:
        """Force along the step, or size of the errors of held parts."""
        residual = self._residual(q)
        return float(residual @ step if self.inside.is_elastic else np.linalg.norm(residual))

    def _check(self, q: Any) -> None:
        where, inside = f"connection {self.inside.name!r}", self.inside
        matrix = self._matrix(q)
        if np.isfinite(matrix).all():
            self._require_regular(matrix, where)
        step = self._answer(Mechanism.internal_steps, q)[inside.steps]
        if not (np.isfinite(matrix).all() and np.isfinite(step).all()):
            pairs = zip(inside.names, q[inside.q], strict=True)
            raise AssemblyError(
                f"{where}: its members give no numbers at "
                f"{', '.join(f'{name} = {x:.6g}' for name, x in pairs)}.\n"
                "  A distance has no direction where its ends meet. Give its nodes start values "
                "elsewhere, jd.Node(name, start=(x, y, z))."
            )
        if np.abs(step).max(initial=0.0) > _FOUND * (1.0 + np.abs(q[inside.q]).max()):
            worst = int(np.argmax(np.abs(step)))
            raise AssemblyError(
                f"{where}: no equilibrium of its members was found; {inside.names[worst]!r} is at "
                f"{q[inside.q][worst]:.6g} and would still move by {step[worst]:.3g}.\n"
                "  Likely causes: members that push without end, held members that cannot "
                "all hold, or start values far away. Next: give its nodes other start values."
            )

    def _require_regular(self, matrix: Any, where: str) -> None:
        names = loose_names(matrix, self.inside.names)
        if names:
            raise singular(where, names, f"{self.inside.lack} here")
