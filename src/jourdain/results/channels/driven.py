"""Driven coordinates over time: values, velocities and accelerations."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math

_STEP = 1e-5  # s, of the difference that gives the rate of Y₁; it is linear in q for quaternions


def drive_values(description: Any, time: Any, p: Any) -> tuple[Any, Any, Any]:
    """Values e, de/dt, d²e/dt² of all driven coordinates, each (n, n_e)."""
    n = len(time)
    if not description.layout.n_e or not n:
        return (np.zeros((n, description.layout.n_e)),) * 3
    columns = description.drives(np.reshape(time, (1, n)), np.asarray(p, dtype=float))
    return tuple(np.array(x).T for x in columns)  # type: ignore[return-value]


def driven_rates(
    kind: Any, driven: list[int], columns: list[int], positions: Any, rates: Any, second: Any
) -> tuple[Any, Any]:
    """Driven velocities and their rates from the driven coordinates' rates.

        v = Y⁺ de/dt,   dv/dt = Y⁺ (d²e/dt² − (dY/dt) v) + (YᵀY)⁻¹ (dY/dt)ᵀ (de/dt − Y v)

    The last term is there for drives that Y cannot follow, such as quaternions that change length.

    Parameters
    ----------
    kind : Joint
        The kind, with numbers for its parameters.
    driven, columns : lists of int
        Driven position coordinates, and the velocity coordinates they determine.
    positions, rates : (n, n_q)
        All coordinates of the joint and their rates.
    second : (n, n_driven)
        Second rates of the driven coordinates.
    """
    if not len(positions) or kind.rates(positions[0]) is None:
        return rates[:, driven], second
    velocities, accelerations = [], []
    for q, qdot, e2 in zip(positions, rates, second, strict=True):
        before, here, after = (
            np.asarray(math.matrix(kind.rates(x)), dtype=float)[np.ix_(driven, columns)]
            for x in (q - _STEP * qdot, q, q + _STEP * qdot)
        )
        back = np.linalg.pinv(here)
        v, turning = back @ qdot[driven], (after - before) / (2 * _STEP)
        velocities.append(v)
        beyond = back @ back.T @ turning.T @ (qdot[driven] - here @ v)
        accelerations.append(back @ (e2 - turning @ v) + beyond)
    return np.array(velocities), np.array(accelerations)
