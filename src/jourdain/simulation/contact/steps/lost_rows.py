"""Coordinates and constraints of a time step that forces do not move, or do not hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import SingularSystemError
from jourdain.simulation.contact.steps.responses import constraint_matrix, mass_matrix
from jourdain.simulation.tolerances import LOST_RESPONSE, TAKES_PART
from jourdain.solvers.timestep.records import Machine
from jourdain.system import System
from jourdain.system.checks.singular import bent_too_far


def require_responses(system: System, m: Machine) -> None:
    """Refuse constraints whose response is lost in rounding beside that of others.

    The rank of the rows must be the same with and without the masses (CD-9).

    Raises
    ------
    SingularSystemError
        If it is not; the text names a constraint.
    """
    if not m.n_c or not m.is_wide:
        return
    P, M = constraint_matrix(m), mass_matrix(m)
    used = np.abs(P).max(axis=1) > 0.0
    if not used.any() or not np.isfinite(P).all() or not np.isfinite(M).all():
        return
    G = P[used] @ np.linalg.solve(M, P[used].T)
    size = np.sqrt(np.diag(G))
    values, vectors = np.linalg.eigh(G / np.outer(size, size))
    n_felt = int((values > LOST_RESPONSE).sum())
    if n_felt < _rank(P[used]):
        row = int(np.flatnonzero(used)[np.argmax(np.abs(vectors[:, len(values) - n_felt - 1]))])
        raise SingularSystemError(f"constraint {_name(system, row)!r} cannot be held: {_CAUSE}")


def _rank(P: Any) -> int:
    """Number of independent rows, whatever the units of coordinates."""
    for _ in range(2):
        P = P / np.maximum(np.abs(P).max(axis=0), 1e-300)
        P = P / np.abs(P).max(axis=1)[:, None]
    values = np.linalg.svd(P, compute_uv=False)
    return int((values > TAKES_PART * values[0]).sum())


def without_inertia(system: System, m: Machine, column: int, t: float) -> str:
    """Text for a coordinate, by its column of the matrix of a step, at the time t [s]."""
    name = system.names.v[m.place[: m.n_v].tolist().index(column)]
    whole, word, _ = name.partition(".elastic.")
    if word:
        return bent_too_far(whole, name, t)
    return (
        f"{name!r} has no inertia at t = {t:.9g} s: a force along it would accelerate it without "
        "bound. Give what it moves a mass or a moment of inertia."
    )


def not_held(system: System, m: Machine, row: int, t: float) -> str:
    """Text for a constraint that moves at the time t [s]."""
    rate = float(m.end_c_rate[row])
    return f"{_name(system, row)!r} is held, but moves at {rate:.3g} at t = {t:.9g} s: {_CAUSE}"


def _name(system: System, row: int) -> str:
    rows = system.constraint_rows.items()
    return next((name for name, own in rows if own.start <= row < own.stop), f"row {row}")


_CAUSE = (
    "its response to forces is lost in rounding beside that of others. Likely cause: inertias that "
    "differ by more than 1e12 and are tied to each other. Next: leave the smallest inertias out "
    "(a massless connection, or inertia 0), make them larger, or take an integrator such as "
    "jd.Dop853() or jd.EventDriven(), which bear wider ratios."
)
