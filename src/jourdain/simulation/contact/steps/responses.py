"""What the general solvers ask of a step: responses of its masses, laws of an island.

For what is rare: dense, or sparse where large.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from jourdain.simulation.contact.rows import Rows
from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Segment
from jourdain.solvers.nonsmooth.sweeps import CONTACT, DISC, HALF_LINE, SEGMENT
from jourdain.solvers.timestep.records import Machine, Step

_LARGE = 200  # rows from which on sparse factors are quicker
_SINGULAR = 1e-10  # part of the largest pivot below which a constraint repeats others


def contact_matrix(m: Machine) -> Any:
    """Rows of contacts of the last step (n_rows, n_v)."""
    W, counts = np.zeros((m.n_rows, m.n_v)), np.diff(m.W_start[: m.n_rows + 1])
    n = int(m.W_start[m.n_rows])
    W[np.repeat(np.arange(m.n_rows), counts), m.W_column[:n]] = m.W[:n]
    return W


def constraint_matrix(m: Machine) -> Any:
    """Rows of constraints (n_c, n_v)."""
    P, n = np.zeros((m.n_c, m.n_v)), m.n_constraint_entries
    P[m.P_row[:n], m.P_column[:n]] = m.P[:n]
    return P


def mass_matrix(m: Machine) -> Any:
    """Masses (n_v, n_v)."""
    M, n = np.zeros((m.n_v, m.n_v)), m.n_mass
    i, j = m.mass_row[:n], m.mass_column[:n]
    M[i, j] = M[j, i] = m.mass[:n]
    return M


def responses(m: Machine) -> tuple[Any, Any]:
    """Velocities (n_rows, n_v) that unit impulses cause, and accelerations without contact.

    At the state of the last evaluation, without tangents; for what is rare.
    """
    right = np.zeros((m.n_v + m.n_c, m.n_rows + 1))
    right[: m.n_v, :-1] = contact_matrix(m).T
    right[: m.n_v, -1] = m.force[: m.n_v]
    right[m.n_v :, -1] = -m.c_bias[: m.n_c]
    used = np.isfinite(right).all(axis=0)  # slack ropes have no direction
    found = np.full((m.n_v, m.n_rows + 1), np.nan)
    found[:, used] = solved(m, right[:, used])[: m.n_v]
    return found[:, :-1].T, found[:, -1]


def solved(m: Machine, right: Any) -> Any:
    """Velocities and multipliers that masses and constraints give to right sides (n_v + n_c, k).

    The smallest ones where constraints repeat each other.
    """
    n, n_v = m.n_v + m.n_c, m.n_v
    if n >= _LARGE:
        found = _sparse(_constrained_masses(m), right, n_v)
        if found is not None:
            return found
    K = np.zeros((n, n))
    K[:n_v, :n_v] = mass_matrix(m)
    if m.n_c == 0:
        return np.linalg.solve(K, right)
    K[n_v:, :n_v] = constraint_matrix(m)
    K[:n_v, n_v:] = K[n_v:, :n_v].T
    return np.linalg.lstsq(K, right, rcond=1e-12)[0]


def _constrained_masses(m: Machine) -> Any:
    """Masses, and rows of constraints below and beside them, sparse."""
    n_mass, n_c, n = m.n_mass, m.n_constraint_entries, m.n_v + m.n_c
    i = np.concatenate([m.mass_row[:n_mass], m.n_v + m.P_row[:n_c]])
    j = np.concatenate([m.mass_column[:n_mass], m.P_column[:n_c]])
    values = np.concatenate([m.mass[:n_mass], m.P[:n_c]])
    below = i != j
    places = np.concatenate([i, j[below]]), np.concatenate([j, i[below]])
    return sp.csr_array((np.concatenate([values, values[below]]), places), shape=(n, n))


def _sparse(K: Any, right: Any, n_v: int) -> Any:
    """Solution by sparse factors of the scaled matrix; None if constraints repeat each other."""
    diagonal = np.abs(K.diagonal())
    if not np.all(diagonal[:n_v] > 0.0):
        return None  # what has no inertia by itself is not to be scaled by it
    scale = np.ones(K.shape[0])
    scale[:n_v] = 1.0 / np.sqrt(diagonal[:n_v])
    rows = K[n_v:, :n_v] @ sp.diags_array(scale[:n_v])
    sizes = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    if not np.all(sizes > 0.0):
        return None
    scale[n_v:] = 1.0 / sizes
    S = sp.diags_array(scale)
    try:
        factors = splu((S @ K @ S).tocsc())
    except RuntimeError:  # exactly singular
        return None
    pivots = np.abs(factors.U.diagonal())
    if pivots.min() < _SINGULAR * pivots.max():
        return None
    return scale[:, None] * factors.solve(scale[:, None] * right)


def island_blocks(s: Step, used: Any) -> list[Any]:
    """Sets of an island's laws, by the rows of the contacts."""
    blocks: list[Any] = []
    for b in range(s.groups):
        a, end, kind = s.start[b], s.start[b + 1], s.kind[b]
        rows = [int(used[i]) for i in s.rows[a:end]]
        lower, upper = float(s.limits[3 * b]), float(s.limits[3 * b + 1])
        if kind == HALF_LINE:
            blocks.append(HalfLine(rows[0]))
        elif kind == SEGMENT:
            blocks.append(Segment(rows[0], lower, upper))
        elif kind == DISC:
            blocks.append(Disc((rows[0], rows[1]), upper))
        elif kind == CONTACT:
            blocks.append(HalfLine(rows[0]))
            blocks.append(_friction(rows[0], rows[1:], s.D[a + 1 : end]))
        else:
            mu = [upper] if len(rows) == 1 else s.D[a:end]
            blocks.append(_friction(int(used[s.normal[b]]), rows, mu))
    return blocks


def _friction(normal: int, rows: list[int], mu: Any) -> Friction:
    both = [float(x) for x in mu]
    alike = len(both) == 1 or both[0] == both[1]
    return Friction(normal, tuple(rows), both[0] if alike else (both[0], both[1]))


def at_impact(s: Step, rows: Rows, closed: list[int]) -> tuple[Any, Rows]:
    """Velocities that forces give after an impact, and rows with those before it (TS-12)."""
    late = [x for x in s.since[closed] if x != 0.5]
    if not s.is_alpha or not late:  # Moreau and Jean: in the middle
        return np.zeros(len(rows.u)), rows
    rest = s.h * max(late)
    u = rows.u - 0.5 * s.h * rows.bias + (s.h - rest) * rows.acceleration
    return rest * rows.acceleration, replace(rows, u=u)
