"""Velocities of joints by central differences of their poses: slow, simple and independent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.joints.joint import Joint

STEP = 6e-6  # cube root of the rounding unit: error about 4e-11 for functions of size one


def derivative(function: Callable[[float], Any]) -> Any:
    """Derivative at zero of a function of one number that returns an array."""
    return (function(STEP) - function(-STEP)) / (2.0 * STEP)


def pose_matrix(kind: Joint, q: Any, t: float) -> Any:
    """Pose of a joint with floats, as the 3×4 array ``[R r]``."""
    R, r = kind.pose(q, t)
    return np.column_stack((np.array(math.matrix(R)), math.vector(r)))


def inverse_pose(pose: Any) -> Any:
    """Inverse ``[Rᵀ −Rᵀr]`` of a pose."""
    R = pose[:, :3]
    return np.column_stack((R.T, -R.T @ pose[:, 3]))


def velocity(pose: Callable[[float], Any]) -> Any:
    """Relative velocity G = [Ω; V] in parent components, of a pose given as a function of time.

    Parameters
    ----------
    pose : function of float
        Pose ``[R r]`` at a time near zero [s].

    Returns
    -------
    (6,) [rad/s, m/s]
        Angular part first.
    """
    slope = derivative(pose)
    return np.concatenate((math.axial(slope[:, :3] @ pose(0.0)[:, :3].T), slope[:, 3]))


def in_outboard_axes(G: Any, R: Any) -> Any:
    """Turn both halves of a velocity to the axes of the frame with orientation R."""
    return np.concatenate((R.T @ G[:3], R.T @ G[3:]))
