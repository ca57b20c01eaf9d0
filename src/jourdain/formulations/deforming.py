"""Flexible bodies at one state, for the formulations that check the recursion.

Their equations of motion are Lagrange's (`equations.flexible.lagrange`); nothing here comes from
the blocks of the recursion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.flexible.lagrange import deforming
from jourdain.model.flexible.solid import FlexibleSolid


@dataclass(frozen=True)
class Deformed:
    """A flexible body at one state.

    Parameters
    ----------
    number : int
        Index of its segment.
    name : str
        Name of the body.
    solid : FlexibleSolid
        What it is made of.
    d, rate : (n,)
        Elastic coordinates and their rates.
    known : (n,)
        Second rates that drives give.
    E : (n, n_v)
        Part of the rates that is free: ḋ = E v + …
    """

    number: int
    name: str
    solid: FlexibleSolid
    d: Any
    rate: Any
    known: Any
    E: Any

    @property
    def n(self) -> int:
        """Number of its elastic coordinates."""
        return len(self.d)

    @property
    def first_moment(self) -> Any:
        """First moment of mass (3,) [kg m] about its frame, in its axes."""
        own = self.solid.elasticity.integrals
        return own.h0 + own.h1 @ self.d + 0.5 * np.einsum("aij,i,j", own.h2, self.d, self.d)

    def energy(self, R: Any, V: Any) -> tuple[float, Any]:
        """Kinetic energy, and momentum at its frame, in world components as its twist V."""
        own = np.concatenate([R.T @ V[:3], R.T @ V[3:]])
        T, p = deforming(self.solid).energy(own, self.d, self.rate)
        return T, np.concatenate([R @ p[:3], R @ p[3:]])

    def twists(self, R: Any, V: Any, arm: Any) -> tuple[Any, Any]:
        """Mass matrix and bias for accelerations [α; a of a point; d̈] in world components.

        Parameters
        ----------
        R : (3, 3)
            Axes of its frame.
        V : (6,)
            Twist of its frame in world components.
        arm : (3,) [m]
            Place of its frame from the point, in world components.
        """
        w = V[:3]
        M, bias = deforming(self.solid).twists(
            np.concatenate([R.T @ w, R.T @ V[3:]]), self.d, self.rate
        )
        X = np.eye(6 + self.n)
        X[:3, :3], X[3:6, 3:6] = R.T, R.T
        X[3:6, :3] = -R.T @ math.skew(arm)
        towards = np.zeros(6 + self.n)
        towards[3:6] = R.T @ np.cross(w, np.cross(w, arm))
        return X.T @ M @ X, X.T @ (bias + M @ towards)
