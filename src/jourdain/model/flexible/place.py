"""Frames that move with a flexible body, to second order in its elastic coordinates.

    r = x + A d + ½ dᵀ B d,   θ = T d + ½ dᵀ T₂ d                                    (FB-3, F4)

d are the elastic coordinates, r the position and θ the rotation vector of the frame, both in the
frame of the body. First order alone loses geometric stiffness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Place:
    """A frame of a flexible body; undeformed, its axes are those of the body.

    Parameters
    ----------
    x : (3,) [m]
        Position without deformation.
    A : (3, n)
        Displacements by the coordinates.
    B : (3, n, n)
        Second derivatives of the position.
    T : (3, n)
        Turns by the coordinates.
    T2 : (3, n, n)
        Second derivatives of the rotation vector.
    """

    x: Any
    A: Any
    B: Any
    T: Any
    T2: Any

    @property
    def n(self) -> int:
        """Number of elastic coordinates."""
        return int(self.A.shape[1])

    @property
    def is_still(self) -> bool:
        """Whether no deformation moves it."""
        return not any(np.any(part) for part in (self.A, self.B, self.T, self.T2))

    def in_terms_of(self, Z: Any) -> Place:
        """The same frame for other coordinates: d = Z d'."""
        B, T2 = (np.einsum("aij,ik,jl->akl", x, Z, Z) for x in (self.B, self.T2))
        return Place(self.x, self.A @ Z, B, self.T @ Z, T2)

    def beside(self, offset: Any) -> Place:
        """A frame that is fixed to this one, ``offset`` [m] away."""
        T, turned = self.T, np.cross(self.T.T, offset).T
        B = self.B + np.cross(self.T2, offset, axisa=0, axisc=0)
        B = B + _symmetric(np.cross(T[:, :, None], turned[:, None, :], axis=0))
        return Place(self.x + offset, self.A + turned, B, T, self.T2)

    def seen_from(self, root: Place) -> Place:
        """The frame as seen from another frame of the body, which it is measured from now (F9)."""
        x, A, T0 = self.x - root.x, self.A - root.A, root.T
        back = np.cross(T0.T, x).T
        B = self.B - root.B - np.cross(root.T2, x, axisa=0, axisc=0)
        B = B - 2.0 * _symmetric(np.cross(T0[:, :, None], A[:, None, :], axis=0))
        B = B + _symmetric(np.cross(T0[:, :, None], back[:, None, :], axis=0))
        T2 = self.T2 - root.T2
        T2 = T2 - _symmetric(np.cross(T0[:, :, None], self.T[:, None, :], axis=0))
        return Place(x, A - back, B, self.T - T0, T2)


def _symmetric(X: Any) -> Any:
    """Symmetric part of a matrix for each component."""
    return 0.5 * (X + X.transpose(0, 2, 1))


def fixed(x: Any, n: int) -> Place:
    """A place that no deformation moves."""
    zeros = np.zeros((3, n))
    return Place(np.asarray(x, dtype=float), zeros, np.zeros((3, n, n)), zeros, np.zeros((3, n, n)))
