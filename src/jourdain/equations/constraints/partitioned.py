"""What a partition of coordinates into dependent and independent ones needs, scaled.

With the pivots D of the mass matrix (CD-2) and the sizes of the rows that (CD-4) compares with,

    A = diag(1/s) P diag(1/√D),   s_i² = Σ_j |P_ij|²_before terms cancel / D_j      (PT-1)

has entries of at most one without units: a pivot tells how well a coordinate follows from others.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from jourdain.equations.mechanism import Mechanism

PARTITION_MATRICES = ("scaled_rows", "moved")  # among the terms


def partition_terms(m: Mechanism) -> dict[str, Any]:
    """Projection, scaled rows and changes of the state, in the order that solvers expect."""
    column = 1.0 / ca.sqrt(ca.vertcat(*m.factored.pivots))
    sizes = [ca.SX(size) for size in m.factored.sizes]
    row = ca.vertcat(*(ca.if_else(s > 0.0, 1.0 / ca.sqrt(s), 0.0) for s in sizes))
    holds = [0.0 if block.error is None else 1.0 for block in m.blocks for _ in range(block.n)]
    moved, drift = _changes(m)
    return {
        "position_correction": m.position_correction,
        "velocity_correction": m.velocity_correction,
        "largest_errors": m.largest_errors,
        "scaled_rows": ca.diag(row) @ m.jacobian @ ca.diag(column),
        "position_rows": row * m.row_errors,
        "velocity_rows": row * m.velocity_errors,
        "holds_position": ca.SX(holds),
        "moved": moved @ ca.diag(column),
        "drift": drift,
        "scales": column,
    }


def _changes(m: Mechanism) -> tuple[Any, Any]:
    """Change of z along displacements of v, and that of cut joints which follow without any."""
    parts, drift = [ca.jacobian(m.tree_rates, m.v)], [ca.SX.zeros(m.tree_rates.numel())]
    for cut in m.cut_joints:
        parts.append(m.by_velocities((cut.back, cut.velocity)))
        drift.append(cut.back @ cut.error)
    n_states = m.zdot.numel() - sum(part.shape[0] for part in parts)
    parts.append(ca.SX(n_states, m.v.numel()))
    return ca.vertcat(*parts), ca.vertcat(*drift, ca.SX.zeros(n_states))
