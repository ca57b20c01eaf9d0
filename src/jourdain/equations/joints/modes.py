"""Mode vectors of a joint and their duals, as numbers, for teaching and tests.

The relative velocity G = [Ω; V] of a joint, in the parent frame, is (Schwertassek & Senger 3.10)

    G = φ g + φ̄_k κ + φ̄_l 0

with free modes φ, excited modes φ̄_k (drives and explicit time) and locked modes φ̄_l. The dual
basis ψ̂ᵀ = φ̂⁻¹ (3.19) gives coordinates by projection: ψᵀG = g, ψ̄ᵀG = κ or 0. The duals of the
constrained modes are the rows of the implicit velocity constraints of the joint when it is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.equations.joints.motion import evaluate_motion, split, traced
from jourdain.errors import ModelError, SingularSystemError, unknown_name
from jourdain.model.drive import members
from jourdain.model.joints.joint import Joint
from jourdain.spatial.parameter import evaluate, parameters_in

_RANK_TOLERANCE = 1e-9  # relative to the largest singular value


@dataclass(frozen=True)
class ModeVectors:
    """Six-dimensional basis of the relative motion of a joint and its dual basis.

    All are arrays (6, n), angular part first [1, m], components in the parent frame.
    """

    free: Any
    excited: Any
    locked: Any
    free_dual: Any
    excited_dual: Any
    locked_dual: Any

    def __str__(self) -> str:
        lines = ["            " + "".join(f"{c:>10}" for c in ("Ωx", "Ωy", "Ωz", "Vx", "Vy", "Vz"))]
        for name in ("free", "excited", "locked", "free_dual", "excited_dual", "locked_dual"):
            for k, column in enumerate(getattr(self, name).T):
                head = f"{name if k == 0 else '':<12}"
                lines.append(head + "".join(f"{x + 0.0:>10.4g}" for x in column))
        return "\n".join(lines)


def mode_vectors(
    kind: Joint,
    q: Any = None,
    t: float = 0.0,
    *,
    driven: tuple[str, ...] = (),
    parameters: Mapping[str, float] | None = None,
) -> ModeVectors:
    """Show the mode vectors of a joint kind and their duals.

    Parameters
    ----------
    kind : Joint
        The kind, built in or your own.
    q : (n_q,) [m, rad, 1]
        All its position coordinates, driven ones too; default: the reference position.
    t : float [s]
        Time.
    driven : tuple of str
        Names of coordinates to count as driven: their modes are excited, not free.
    parameters : mapping
        Values of parameters of the kind; default: nominal.

    Returns
    -------
    ModeVectors
        ``.free, .excited, .locked`` and their duals ``.free_dual, .excited_dual, .locked_dual``.

    Raises
    ------
    SingularSystemError
        If the free modes are dependent there, as Bryant angles at a right angle are.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.mode_vectors(jd.Revolute("z")).free.T
    array([[0., 0., 1., 0., 0., 0.]])
    """
    names = list(kind.coordinates)
    q = np.asarray(kind.start() if q is None else q, dtype=float).reshape(-1)
    if q.size != len(names):
        raise ModelError(
            f"{type(kind).__name__} has {len(names)} coordinates ({', '.join(names)}), "
            f"but q has {q.size} numbers."
        )
    for name in driven:
        if not members(kind, name):
            raise unknown_name("coordinate", name, names, f"joint kind {type(kind).__name__}")
    indices = tuple(names.index(n) for key in driven for n in members(kind, key))
    motion = traced(kind, tuple(sorted(indices)), False, False)
    given = parameters or {}
    slots = split(kind, False)[1]
    values = evaluate(slots, {p.name: p.value for p in parameters_in(slots)} | dict(given))
    phi, phi_t = evaluate_motion(motion, values, q, t)
    free = phi[:, list(motion.free_columns)]
    _require_rank(free, kind, q)
    excited = _independent(free, np.hstack([phi[:, list(motion.driven_columns)], phi_t]))
    locked = _complement(np.hstack([free, excited]))
    basis = np.hstack([free, excited, locked])
    duals = np.split(np.linalg.inv(basis).T, np.cumsum([free.shape[1], excited.shape[1]]), axis=1)
    return ModeVectors(free + 0.0, excited + 0.0, locked, *(d + 0.0 for d in duals))


def _require_rank(free: Any, kind: Joint, q: Any) -> None:
    if not free.size:
        return
    values = np.linalg.svd(free, compute_uv=False)
    rank = int(np.sum(values > _RANK_TOLERANCE * values[0])) if values[0] > 0 else 0
    if rank < free.shape[1]:
        raise SingularSystemError(
            f"joint kind {type(kind).__name__} is singular at "
            f"q = {np.array2string(q, precision=6)}: "
            f"its {free.shape[1]} free mode vectors span only {rank} dimensions. "
            "Use coordinates without this singularity, for example jd.Spherical() instead of "
            "angles."
        )


def _independent(free: Any, candidates: Any) -> Any:
    """Columns that add a dimension to the free modes; motion along free modes is no excitation."""
    kept = free
    for column in candidates.T:
        wider = np.column_stack([kept, column])
        values = np.linalg.svd(wider, compute_uv=False)
        if wider.shape[1] <= len(column) and values[-1] > _RANK_TOLERANCE * max(values[0], 1.0):
            kept = wider
    return kept[:, free.shape[1] :]


def _complement(taken: Any) -> Any:
    """Orthonormal basis of what is left, along the axes wherever these are left."""
    n = 6 - taken.shape[1]
    projector = np.eye(6) - taken @ np.linalg.pinv(taken)
    basis: list[Any] = []
    order = sorted(range(6), key=lambda i: (round(1 - projector[i, i], 9), i))
    for i in order:
        rest = projector[i] - sum((b * b[i] for b in basis), np.zeros(6))
        for _ in range(2):  # once more against rounding
            rest = rest - sum((b * (b @ rest) for b in basis), np.zeros(6))
        length = np.linalg.norm(rest)
        if length > 1e-6 and len(basis) < n:
            basis.append(rest / length)
    basis.sort(key=lambda b: int(np.argmax(np.abs(b))))
    locked = np.array(basis).T.reshape(6, len(basis))
    locked[np.abs(locked) < 1e-15] = 0.0
    return locked
