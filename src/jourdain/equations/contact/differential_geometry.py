"""Curves and surfaces by their functions: frames, curvatures, fundamental forms, symbols.

For a curve r(s) with any regular parameter, ' by s (Pfeiffer 2.75 for arc length),

    t = r'/|r'|,  b = r' × r''/|r' × r''|,  n = b × t,
    κ = |r' × r''|/|r'|³,  τ = (r' × r'')·r'''/|r' × r''|²                         (DG-1)

For a surface r(u, v) (Pfeiffer 2.76 to 2.85, corrected),

    n = r_u × r_v/√D,  E, F, G = r_u·r_u, r_u·r_v, r_v·r_v,  D = E G − F²,
    L, M, N = n·r_uu, n·r_uv, n·r_vv                                             (DG-2)
    [n_u n_v] = −[r_u r_v] g⁻¹ b,   g = [E F; F G], b = [L M; M N]                 (DG-3)
    r_αβ = Γ¹_αβ r_u + Γ²_αβ r_v + b_αβ n                                        (DG-4)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca

from jourdain import math


@dataclass(frozen=True)
class CurveGeometry:
    """A curve at a parameter (DG-1). Normal, binormal and torsion need a curvature.

    Parameters
    ----------
    point : (3,) [m]
        Point.
    speed : float [m]
        Length |r'| per parameter.
    tangent, normal, binormal : (3,) [1]
        Frenet's frame.
    curvature, torsion : float [1/m]
        κ and τ.
    """

    point: Any
    speed: Any
    tangent: Any
    normal: Any
    binormal: Any
    curvature: Any
    torsion: Any


def curve_geometry(function: Callable[[Any], Any], s: Any) -> CurveGeometry:
    """Geometry of a curve at a symbol s."""
    r = ca.SX(math.vector(function(s)))
    d1 = ca.jacobian(r, s)
    d2 = ca.jacobian(d1, s)
    d3 = ca.jacobian(d2, s)
    turn, speed = math.cross(d1, d2), math.norm(d1)
    size = math.norm(turn)
    t, b = d1 / speed, turn / size
    curvature, torsion = size / speed**3, math.dot(turn, d3) / size**2
    return CurveGeometry(r, speed, t, math.cross(b, t), b, curvature, torsion)


@dataclass(frozen=True)
class SurfaceGeometry:
    """A surface at two parameters (DG-2 to DG-4).

    Parameters
    ----------
    point : (3,) [m]
        Point.
    tangents : (3, 2) [m]
        r_u and r_v.
    normal : (3,) [1]
        Unit normal.
    first, second : (2, 2)
        Matrices g and b of the fundamental forms.
    normal_rates : (2, 2)
        Column β has the components of n_β along r_u and r_v.
    christoffel : ((2, 2), (2, 2))
        Γ¹ and Γ², each with entries αβ.
    """

    point: Any
    tangents: Any
    normal: Any
    first: Any
    second: Any
    normal_rates: Any
    christoffel: tuple[Any, Any]


def surface_geometry(function: Callable[[Any, Any], Any], u: Any, v: Any) -> SurfaceGeometry:
    """Geometry of a surface at two symbols."""
    r = ca.SX(math.vector(function(u, v)))
    c = ca.vertcat(u, v)
    T = ca.jacobian(r, c)
    across = math.cross(T[:, 0], T[:, 1])
    n = across / math.norm(across)
    seconds = [ca.jacobian(T[:, k], c) for k in range(2)]  # r_ku, r_kv
    g = T.T @ T
    b = ca.vertcat(*(n.T @ second for second in seconds))
    D = g[0, 0] * g[1, 1] - g[0, 1] ** 2
    inverse = math.matrix(((g[1, 1], -g[0, 1]), (-g[0, 1], g[0, 0]))) / D
    along = [inverse @ (T.T @ second) for second in seconds]  # Γ^σ_kβ: row σ, column β
    symbols = (
        ca.vertcat(along[0][0, :], along[1][0, :]), ca.vertcat(along[0][1, :], along[1][1, :])
    )  # fmt: skip
    return SurfaceGeometry(r, T, n, g, b, -inverse @ b, symbols)
