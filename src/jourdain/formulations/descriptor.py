"""Free bodies and their joints as constraints: the matrices of Lagrange's first kind.

The absolute velocities of a body are [ω; velocity of the body frame], in world components. A joint
sees G = [Ω; V], the velocity of the user's child frame relative to the parent frame, in parent
components (Schwertassek & Senger 2.10):

    G = A dz/dt,      dG/dt = A d²z/dt² + a = φ dv/dt + γ                  (AG-1)
    W = ψ̄ᵀ A,        W d²z/dt² = ψ̄ᵀ (γ − a)                               (AG-2)

with ψ̄ an orthonormal basis of what the free modes φ leave, so that ψ = φ (φᵀφ)⁻¹. Elastic
coordinates d of flexible bodies are absolute coordinates, too, behind those of the frames: their
sections have G = Φ ḋ (FB-1), and A has ones in their rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain import math
from jourdain.formulations.deforming import Deformed
from jourdain.formulations.hinge import HingeMotion
from jourdain.formulations.skeleton import Place, Posture, Skeleton


@dataclass(frozen=True)
class Ends:
    """Joint in the user's direction, in world components.

    Parameters
    ----------
    a, b : int
        Numbers of the bodies of the parent and the child.
    base : (3, 3)
        Axes of the parent frame.
    c, e : (3,) [m]
        Place of the child frame from the body frames of b and of a.
    """

    a: int
    b: int
    base: Any
    c: Any
    e: Any

    @staticmethod
    def of(parent: Place, child: Place, a: int, b: int, bodies: tuple[Any, Any]) -> Ends:
        """Ends on bodies of given numbers, orientations and positions."""
        R, p = bodies
        c = R[b] @ child.position
        return Ends(a, b, R[a] @ parent.rotation, c, p[b] + c - p[a])

    def rows(self, size: int) -> Any:
        """Relative velocity from absolute ones (6, size) (AG-1)."""
        A = np.zeros((6, size))
        turn = np.kron(np.eye(2), self.base.T)
        for number, arm, sign in ((self.a, self.e, -1.0), (self.b, self.c, 1.0)):
            if number:
                carried = np.eye(6)
                carried[3:, :3] = -math.skew(arm)
                A[:, 6 * number - 6 : 6 * number] = sign * turn @ carried
        return A

    def bias(self, hinge: HingeMotion, z_dot: Any) -> Any:
        """γ − a (6,): what the motion adds to φ dv/dt and to A d²z/dt² (AG-1)."""
        w, p_dot = (np.vstack([np.zeros(3), x]) for x in np.split(z_dot.reshape(-1, 6), 2, axis=1))
        w_a, w_b = w[self.a], w[self.b]
        e_dot = p_dot[self.b] + np.cross(w_b, self.c) - p_dot[self.a]
        V = e_dot - np.cross(w_a, self.e)
        turning = -np.cross(w_a, w_b)
        moving = np.cross(w_b, np.cross(w_b, self.c)) - np.cross(w_a, e_dot + V)
        a = np.concatenate([turning @ self.base, moving @ self.base])
        return np.concatenate(hinge.bias) - a


class Descriptor:
    """Matrices of the free bodies and their joints at one state (Pfeiffer 3.56–3.63).

    Parameters
    ----------
    skeleton, posture
        The system at one state.
    v : (n_v,) [m/s, rad/s]
        Velocity coordinates.
    wrenches : (n, 6) [N m, N]
        External loads at the body frames.
    """

    def __init__(self, skeleton: Skeleton, posture: Posture, v: Any, wrenches: Any) -> None:
        self._skeleton, self.posture = skeleton, posture
        self._v, self._wrenches = v, wrenches
        self.n_twists = 6 * len(posture.segments)
        self.size = self.n_twists + sum(own.n for own in posture.deformed)

    @cached_property
    def A(self) -> Any:  # noqa: N802
        """Relative velocities of all joints from absolute ones (6n, 6n): G = A dz/dt (AG-1)."""
        A = np.eye(self.size)
        for k, joint in enumerate(self.joints):
            A[6 * k : 6 * k + 6] = joint.rows(self.size)
        return A

    @cached_property
    def phi(self) -> Any:
        """Free modes of all joints (6n, n_v)."""
        phi = np.zeros((self.size, self._skeleton.n_v))
        for k, (s, h) in enumerate(self._pairs):
            phi[6 * k : 6 * k + 6, s.v] = h.modes
        for own, rows in self.elastic_rows:
            phi[rows] = own.E
        return phi

    @cached_property
    def psi(self) -> Any:
        """Duals of the free modes (6n, n_v): ψᵀφ = E."""
        psi = np.zeros_like(self.phi)
        for rows, columns in self._groups:
            psi[np.ix_(rows, columns)] = np.linalg.pinv(self.phi[np.ix_(rows, columns)]).T
        return psi

    @cached_property
    def psi_c(self) -> Any:
        """Duals ψ̄ of the constrained modes (6n, n_c): orthonormal, ψ̄ᵀφ = 0."""
        parts = []
        for rows, columns in self._groups:
            basis = np.linalg.qr(self.phi[np.ix_(rows, columns)], mode="complete")[0]
            part = np.zeros((self.size, len(rows) - len(columns)))
            part[rows] = basis[:, len(columns) :]
            parts.append(part)
        return np.hstack([np.zeros((self.size, 0)), *parts])

    @cached_property
    def _groups(self) -> list[tuple[Any, Any]]:
        """Rows and velocities that belong together: joints, and flexible bodies with sections."""
        owners = {own.number: rows for own, rows in self.elastic_rows}
        rows = {k: [*range(6 * k, 6 * k + 6)] for k in range(len(self.posture.segments))}
        for k, s in enumerate(self.posture.segments):
            owner = s.inboard - 1
            if k in owners:
                rows[k] += range(owners[k].start, owners[k].stop)
            elif owner in owners and s.is_section:
                rows[owner] += rows.pop(k)
        return [(own, self.posture.segments[k].v) for k, own in rows.items()]

    @cached_property
    def elastic_rows(self) -> list[tuple[Deformed, slice]]:
        """Flexible bodies with the places of their elastic coordinates."""
        ends = np.cumsum([self.n_twists, *(own.n for own in self.posture.deformed)]).tolist()
        return [
            (own, slice(a, b))
            for own, (a, b) in zip(self.posture.deformed, pairwise(ends), strict=True)
        ]

    @cached_property
    def W(self) -> Any:  # noqa: N802
        """Constraint Jacobian (n_c, 6n) (AG-2)."""
        return self.psi_c.T @ self.A

    @cached_property
    def z_dot(self) -> Any:
        """Absolute velocities (6n,) that the joints allow: A dz/dt = φ v + excited."""
        excited = np.zeros(self.size)
        for k, (_, h) in enumerate(self._pairs):
            excited[6 * k : 6 * k + 6] = h.excited
        for own, rows in self.elastic_rows:
            excited[rows] = own.rate - own.E @ self._v
        return np.linalg.solve(self.A, self.phi @ self._v + excited)

    @cached_property
    def relative_bias(self) -> Any:
        """γ − a (6n,): what the motion adds to φ dv/dt and to A d²z/dt² (AG-1)."""
        pairs = zip(self.joints, self.posture.hinges, strict=True)
        bias = np.zeros(self.size)
        for k, (joint, h) in enumerate(pairs):
            bias[6 * k : 6 * k + 6] = joint.bias(h, self.twists)
        for own, rows in self.elastic_rows:
            bias[rows] = own.known
        return bias

    @cached_property
    def M(self) -> Any:  # noqa: N802
        """Mass matrix (6n, 6n) of the free bodies (Pfeiffer 3.56, angular part first)."""
        M = np.zeros((self.size, self.size))
        for k, (m, s, J) in enumerate(self._inertias):
            cross = m * math.skew(s)
            M[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = np.block(
                [[J, cross], [cross.T, m * np.eye(3)]]
            )
        for places, block, _ in self._flexible:
            M[np.ix_(places, places)] = block
        return M

    @cached_property
    def _flexible(self) -> list[tuple[Any, Any, Any]]:
        """Places, mass matrices and biases of flexible bodies."""
        found = []
        for own, rows in self.elastic_rows:
            k = own.number
            R = self.posture.bodies[0][k + 1]
            places = [*range(6 * k, 6 * k + 6), *range(rows.start, rows.stop)]
            found.append((places, *own.twists(R, self.twists[6 * k : 6 * k + 6], np.zeros(3))))
        return found

    @cached_property
    def f(self) -> Any:
        """Applied loads and weights less gyroscopic ones (6n,)."""
        f = np.array(self._wrenches, dtype=float)
        g = self._skeleton.gravity
        flexible = {own.number for own, _ in self.elastic_rows}
        for k, ((m, s, J), w) in enumerate(zip(self._inertias, self._spins, strict=True)):
            if k in flexible:
                continue
            f[k, :3] += m * np.cross(s, g) - np.cross(w, J @ w)
            f[k, 3:] += m * g - m * np.cross(w, np.cross(w, s))
        whole = np.zeros(self.size)
        whole[: self.n_twists] = f.reshape(-1)
        for places, block, bias in self._flexible:
            whole[places] += block[:, 3:6] @ g - bias
        return whole

    @cached_property
    def rotor_masses(self) -> Any:
        """What the armatures of joints add to the masses of the bodies (6n, 6n) (AG-7)."""
        along = self.A.T @ self.psi
        return (along * self._skeleton.armatures) @ along.T

    @cached_property
    def rotor_forces(self) -> Any:
        """What they add to the loads (6n,): −J dv/dt without the part of d²z/dt² (AG-7)."""
        known = self._skeleton.armatures * (self.psi.T @ self.relative_bias)
        return self.A.T @ (self.psi @ known)

    def mass_matrix(self) -> Any:
        """Mass matrix of the joint velocities: dz/dt = A⁻¹ φ v solves the constraints."""
        R = np.linalg.solve(self.A, self.phi)
        return R.T @ self.M @ R

    @cached_property
    def _pairs(self) -> list[Any]:
        return list(zip(self.posture.segments, self.posture.hinges, strict=True))

    @property
    def twists(self) -> Any:
        """Twists (6n,) of the body frames."""
        return self.z_dot[: self.n_twists]

    @property
    def _spins(self) -> Any:
        """Angular velocities (n, 3)."""
        return self.twists.reshape(-1, 6)[:, :3]

    @cached_property
    def joints(self) -> list[Ends]:
        """Tree joints in the user's direction."""
        joints = []
        for k, s in enumerate(self.posture.segments, 1):
            a, b = (k, s.inboard) if s.is_reversed else (s.inboard, k)
            joints.append(Ends.of(s.parent, s.child, a, b, self.posture.bodies))
        return joints

    @cached_property
    def _inertias(self) -> list[tuple[float, Any, Any]]:
        """Mass, place of the centre of mass and inertia about the body frame, world components."""
        inertias = []
        for R, s in zip(self.posture.bodies[0][1:], self.posture.segments, strict=True):
            arm = R @ s.com
            J = R @ s.moments @ R.T - s.mass * math.skew(arm) @ math.skew(arm)
            inertias.append((s.mass, arm, J))
        return inertias


def solve_saddle(M: Any, W: Any, f: Any, right: Any) -> tuple[Any, Any]:
    """Accelerations and multipliers of ``M z̈ = f + Wᵀ μ``, ``W z̈ = right`` (Pfeiffer 3.63).

    Parameters
    ----------
    M : (n, n)
        Mass matrix; it may be singular where the constraints hold the motion.
    W : (m, n)
        Constraint Jacobian of full rank.
    f, right : (n,), (m,)
        Loads and constrained accelerations.

    Returns
    -------
    z_ddot, mu : (n,), (m,)
        Accelerations and multipliers.
    """
    n, m = len(M), len(W)
    K = np.block([[M, W.T], [W, np.zeros((m, m))]])
    both = np.linalg.solve(K, np.concatenate([f, right]))
    return both[:n], -both[n:]
