"""Impacts of a time step in what is held: locks that close, and works of constraints that move."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.steps.responses import (
    constraint_matrix,
    contact_matrix,
    solved,
)
from jourdain.simulation.tolerances import STILL
from jourdain.solvers.timestep.records import STICKS, Machine, Step

_ROUNDING = 1e-14  # part of the terms of a velocity that is rounding


def closing_locks(contacts: Contacts, m: Machine, s: Step, v: Any) -> list[int]:
    """Numbers of locks that have closed in the last step with speed; v are velocities before."""
    found = []
    for k, x in enumerate(contacts.touches):
        if x.is_lock and s.noted[k] == STICKS != s.was_noted[k]:
            row = x.tangents[0]
            own = slice(m.W_start[row], m.W_start[row + 1])
            terms = m.W[own] * v[m.W_column[own]]
            drift = m.u[row] - terms.sum()
            if abs(m.u[row]) > STILL * (np.abs(terms).sum() + abs(drift)):
                found.append(k)
    return found


def held_work(m: Machine, s: Step, v: Any) -> float:
    """Work [J] of constraints that answer to the impulses of contacts that were met.

    Impulses Wᵀ Λ cause changes M Δ = Wᵀ Λ + Pᵀ μ with P Δ = 0. Measures that are held move with
    P v = −d, where d is their change in time alone; so Pᵀ μ does the work −μᵀ d. The velocities v
    are those before the step.
    """
    if m.n_c == 0:
        return 0.0
    P = constraint_matrix(m)
    drift = m.c_rate[: m.n_c] - P @ v
    drift[np.abs(drift) <= _ROUNDING * (np.abs(P) @ np.abs(v))] = 0.0
    if not drift.any():
        return 0.0
    is_met = s.struck[s.owner[: m.n_rows]] != 0
    right = np.zeros((m.n_v + m.n_c, 1))
    right[: m.n_v, 0] = contact_matrix(m)[is_met].T @ s.impulses[: m.n_rows][is_met]
    reactions = solved(m, right)[m.n_v :, 0]  # −μ
    return float(reactions @ drift)
