"""Flexible bodies by Lagrange's equations of their own kinetic energy, one by one.

A point of a body is at r + U x(d), with U the axes of its frame and x = x₀ + A d + ½ dᵀ B d. With
the integrals of (FB-5), to the order of (FB-6),

    T = ½ m ṙ² + ṙ·(U̇ h + U C_t ḋ) + ½ U̇ᵀU̇ : Q + Σ ḋ_k U̇ᵀU : P_k + ½ ḋᵀ M ḋ           (AG-8)

Mass matrix and forces follow by differentiation, in natural coordinates [r; u₁; u₂; u₃; d] and for
twists, [F; Q] = 𝓜 [A; d̈] + bias. Nothing here comes from `block`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import casadi as ca
import numpy as np

from jourdain.model.flexible.integrals import Integrals
from jourdain.model.flexible.solid import FlexibleSolid


class Deforming:
    """Equations of motion of one flexible body by itself.

    Parameters
    ----------
    own : Integrals
        Integrals over its mass.
    """

    def __init__(self, own: Integrals) -> None:
        self._own, self.n = own, own.n
        self._d, self._rate = (ca.SX.sym(name, own.n) for name in ("d", "rate"))

    def _energy(self, r_dot: Any, U: Any, U_dot: Any) -> Any:
        """Kinetic energy (AG-8)."""
        own, d, n = self._own, self._d, range(self.n)
        P1 = own.Q11.transpose(1, 0, 2, 3) + own.Q02
        P = [own.P0[i] + sum(P1[i, j] * d[j] for j in n) for i in n]
        C_t = [own.h1[:, i] + sum(own.h2[:, i, j] * d[j] for j in n) for i in n]
        h = own.h0 + sum(0.5 * (own.h1[:, i] + C_t[i]) * d[i] for i in n)
        Q = own.Q0 + sum((own.P0[i] + P[i]) * d[i] for i in n)
        moved = sum(C_t[i] * self._rate[i] for i in n)
        turned = sum(P[i] * self._rate[i] for i in n)
        T = 0.5 * own.mass * ca.dot(r_dot, r_dot) + ca.dot(r_dot, U_dot @ h + U @ moved)
        T += 0.5 * ca.trace(U_dot.T @ U_dot @ (0.5 * (Q + Q.T))) + ca.trace(U.T @ U_dot @ turned)
        return T + 0.5 * ca.bilin(ca.SX(own.mass_matrix), self._rate, self._rate)

    @cached_property
    def _twists(self) -> Any:
        """Function (V, d, ḋ) → (T, momentum of the frame, 𝓜, bias), V in body axes."""
        V, d, rate = ca.SX.sym("V", 6), self._d, self._rate
        w, v = V[:3], V[3:]
        T = self._energy(v, ca.SX.eye(3), ca.skew(w))
        speeds = ca.vertcat(V, rate)
        p = ca.gradient(T, speeds)
        still = ca.vertcat(ca.SX.zeros(3), -ca.cross(w, v))  # the origin does not accelerate
        p_dot = ca.jtimes(p, ca.vertcat(V, d), ca.vertcat(still, rate))
        torque = ca.cross(w, p[:3]) + ca.cross(v, p[3:6])
        bias = p_dot + ca.vertcat(torque, ca.cross(w, p[3:6]), -ca.gradient(T, d))
        return ca.Function("twists", [V, d, rate], [T, p[:6], ca.jacobian(p, speeds), bias])

    @cached_property
    def _natural(self) -> Any:
        """Function (u, ż, d, ḋ) → (𝓜, bias) of natural coordinates."""
        u, z_dot, d, rate = ca.SX.sym("u", 9), ca.SX.sym("z_dot", 12), self._d, self._rate
        T = self._energy(z_dot[:3], ca.reshape(u, 3, 3), ca.reshape(z_dot[3:], 3, 3))
        speeds = ca.vertcat(z_dot, rate)
        p = ca.gradient(T, speeds)
        p_dot = ca.jtimes(p, ca.vertcat(u, d), ca.vertcat(z_dot[3:], rate))
        bias = p_dot - ca.vertcat(ca.SX.zeros(3), ca.gradient(T, u), ca.gradient(T, d))
        return ca.Function("natural", [u, z_dot, d, rate], [ca.jacobian(p, speeds), bias])

    def energy(self, V: Any, d: Any, rate: Any) -> tuple[float, Any]:
        """Kinetic energy, and momentum [L; P] at its frame in its axes."""
        T, p, _, _ = self._twists(V, d, rate)
        return float(T), np.array(p).ravel()

    def twists(self, V: Any, d: Any, rate: Any) -> tuple[Any, Any]:
        """Mass matrix (6 + n, 6 + n) and bias (6 + n,) for [A; d̈], in the axes of its frame."""
        _, _, M, bias = self._twists(V, d, rate)
        return np.array(M), np.array(bias).ravel()

    def natural(self, u: Any, z_dot: Any, d: Any, rate: Any) -> tuple[Any, Any]:
        """Mass matrix (12 + n, 12 + n) and bias (12 + n,) of natural coordinates."""
        M, bias = self._natural(u.reshape(-1), z_dot, d, rate)
        return np.array(M), np.array(bias).ravel()


_MADE: WeakKeyDictionary[FlexibleSolid, Deforming] = WeakKeyDictionary()


def deforming(solid: FlexibleSolid) -> Deforming:
    """Equations of a flexible body, made once."""
    if solid not in _MADE:
        _MADE[solid] = Deforming(solid.elasticity.integrals)
    return _MADE[solid]
