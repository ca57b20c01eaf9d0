"""A tree in the matrices of Sol's thesis (chapters 4 and 5, V15), written out independently.

Five bodies on two trees, l = [0, 1, 2, 1, 0], with a prismatic hinge, a ball by Bryant angles, a
hinge of two coordinates that also moves with time, a pin and a free body.
"""

import itertools

import numpy as np
import pytest

import jourdain as jd

INBOARD = (0, 1, 2, 1, 0)
COUNTS = (1, 3, 2, 1, 6)
SPEED, SWING = 0.7, 0.1
STARTS = np.concatenate(([0], np.cumsum(COUNTS)))
PARTS = [slice(a, b) for a, b in itertools.pairwise(STARTS)]
Ex, Ey, Ez = np.eye(3)


def rx(a):
    return np.array(((1, 0, 0), (0, np.cos(a), -np.sin(a)), (0, np.sin(a), np.cos(a))))


def ry(a):
    return np.array(((np.cos(a), 0, np.sin(a)), (0, 1, 0), (-np.sin(a), 0, np.cos(a))))


def rz(a):
    return np.array(((np.cos(a), -np.sin(a), 0), (np.sin(a), np.cos(a), 0), (0, 0, 1)))


def bryant(q, qd):
    """C, w and w00 of three rings."""
    w = np.column_stack((Ex, rx(q[0]) @ Ey, rx(q[0]) @ ry(q[1]) @ Ez))
    first, second, third = (w * qd).T
    w00 = np.cross(first, second) + np.cross(first + second, third)
    return rx(q[0]) @ ry(q[1]) @ rz(q[2]), w, w00


def hinge(k, q, qd, t):
    """Functions c, C, v, v0, v00, w, w0, w00 of a hinge in its reference base."""
    o, O = np.zeros(3), np.zeros((3, COUNTS[k]))
    if k == 0:
        return q[0] * Ex, np.eye(3), Ex[:, None], o, o, O, o, o
    if k == 1:
        C, w, w00 = bryant(q, qd)
        return o, C, O, o, o, w, o, w00
    if k == 2:
        turn, spin = rz(SPEED * t), SPEED * Ez
        arm, along = turn @ ((0.5 + q[0]) * Ex), turn @ Ex
        c = arm + SWING * np.sin(3 * t) * Ez
        v0 = np.cross(spin, arm) + 3 * SWING * np.cos(3 * t) * Ez
        v00 = (
            np.cross(spin, np.cross(spin, arm) + 2 * along * qd[0]) - 9 * SWING * np.sin(3 * t) * Ez
        )
        v, w = np.column_stack((along, o)), np.column_stack((o, along))
        return c, turn @ rx(q[1]), v, v0, v00, w, spin, np.cross(spin, along * qd[1])
    if k == 3:
        return o, ry(q[0]), O, o, o, Ey[:, None], o, o
    C, w, w00 = bryant(q[3:], qd[3:])
    zero = np.zeros((3, 3))
    return q[:3], C, np.hstack((np.eye(3), zero)), o, o, np.hstack((zero, w)), o, w00


class Rheonomic(jd.Joint):
    """The hinge of two coordinates as a user writes it: its pose."""

    coordinates = {"position": "m", "angle": "rad"}

    def pose(self, q, t):
        turn = jd.rotation_z(SPEED * t)
        lift = jd.math.vector(0, 0, SWING * jd.sin(3.0 * t))
        return turn @ jd.rotation_x(q[1]), turn @ jd.math.vector(0.5 + q[0], 0, 0) + lift


KINDS = (
    jd.Prismatic("x"),
    jd.Gimbal(),
    Rheonomic(),
    jd.Revolute("y"),
    jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z") * jd.Gimbal(),
)


class SolTree:
    """Masses, moments about the centres of mass, and places of the hinges."""

    def __init__(self, rng):
        self.m = rng.uniform(0.5, 2.0, 5)
        self.J = [np.diag(0.2 + rng.uniform(0, 0.15, 3)) for _ in range(5)]
        self.b = rng.uniform(-0.4, 0.4, (2, 5, 3))  # hinge on the lower and on the upper body
        angles = rng.uniform(-1, 1, (2, 5, 3))
        self.B = [[rz(a) @ ry(b) @ rx(c) for a, b, c in side] for side in angles]
        self.g = np.array((1.0, -2.0, -9.0))
        S = np.eye(5)
        for k, i in enumerate(INBOARD):
            if i:
                S[i - 1, k] = -1.0
        self.T = np.linalg.inv(S)

    def model(self):
        model = jd.Model("sol", gravity=self.g)
        bodies = [model.world]
        for k in range(5):
            bodies.append(model.add_body(f"body_{k + 1}", jd.Inertia(self.m[k], moments=self.J[k])))
        for k, kind in enumerate(KINDS):
            low = bodies[INBOARD[k]].at(*self.b[0][k], rotation=self.B[0][k])
            high = bodies[k + 1].at(*self.b[1][k], rotation=self.B[1][k])
            model.add_joint(f"hinge_{k + 1}", low, high, kind)
        return model

    def motion(self, q, qd, t):
        """Angular and linear velocities of the bodies as UT, WT and their bias terms."""
        T, n = self.T, len(q)
        R, r = [np.eye(3)], [np.zeros(3)]
        W, V = np.zeros((n, 5, 3)), np.zeros((n, 5, 3))
        W0, V0, Om, vr, w00, v00 = (np.zeros((5, 3)) for _ in range(6))
        BC, reach = np.zeros((5, 5, 3)), np.zeros((5, 3))
        for k, i in enumerate(INBOARD):
            c, C, v, v0, vv, w, w0, ww = hinge(k, q[PARTS[k]], qd[PARTS[k]], t)
            E = R[i] @ self.B[0][k]
            R.append(E @ C @ self.B[1][k].T)
            reach[k] = R[i] @ self.b[0][k] + E @ c
            r.append(r[i] + reach[k] - R[k + 1] @ self.b[1][k])
            W[PARTS[k], k], V[PARTS[k], k] = (E @ w).T, (E @ v).T
            W0[k], V0[k] = E @ w0, E @ v0
            Om[k], vr[k] = E @ (w @ qd[PARTS[k]] + w0), E @ (v @ qd[PARTS[k]] + v0)
            w00[k], v00[k] = E @ ww, E @ vv
            BC[k, k] += R[k + 1] @ self.b[1][k]
            if i:
                BC[i - 1, k] = -reach[k]
        om = T.T @ (np.einsum("akx,a->kx", W, qd) + W0)
        before = np.vstack((np.zeros(3), om))[list(INBOARD)]
        WT = np.einsum("akx,kj->ajx", W, T)
        UT = np.einsum("akx,kj->ajx", V - np.cross(WT[:, :, None], BC[None]).sum(1), T)
        U0 = V0 + np.cross(BC, (T.T @ W0)[:, None]).sum(0)
        rd = np.einsum("ajx,a->jx", UT, qd) + T.T @ U0
        upper = np.array([R[k + 1] @ self.b[1][k] for k in range(5)])
        W00 = w00 + np.cross(before, Om)
        V00 = v00 + np.cross(before, np.cross(before, reach) + 2 * vr)
        V00 -= np.cross(om, np.cross(om, upper))
        U00 = V00 + np.cross(BC, (T.T @ W00)[:, None]).sum(0)
        return R[1:], r[1:], om, rd, UT, WT, T.T @ U00, T.T @ W00, BC, W, V

    def equations(self, q, qd, t):
        """A and Q of A q'' = Q, with the velocities for comparison."""
        R, r, om, rd, UT, WT, a0, alpha0, BC, W, V = self.motion(q, qd, t)
        J = np.array([R[k] @ self.J[k] @ R[k].T for k in range(5)])
        A = np.einsum("ajx,j,bjx->ab", UT, self.m, UT) + np.einsum("ajx,jxy,bjy->ab", WT, J, WT)
        gyro = np.cross(om, np.einsum("jxy,jy->jx", J, om))
        F, M = self.m[:, None] * (self.g - a0), -np.einsum("jxy,jy->jx", J, alpha0) - gyro
        return A, np.einsum("ajx,jx->a", UT, F) + np.einsum("ajx,jx->a", WT, M)

    def hinge_loads(self, q, qd, qdd, t):
        """Torque and force on every upper body at its hinge."""
        R, r, om, rd, UT, WT, a0, alpha0, BC, W, V = self.motion(q, qd, t)
        J = np.array([R[k] @ self.J[k] @ R[k].T for k in range(5)])
        a = np.einsum("ajx,a->jx", UT, qdd) + a0
        alpha = np.einsum("ajx,a->jx", WT, qdd) + alpha0
        F = self.m[:, None] * (self.g - a)
        gyro = np.cross(om, np.einsum("jxy,jy->jx", J, om))
        M = -np.einsum("jxy,jy->jx", J, alpha) - gyro
        force = -self.T @ F
        torque = -self.T @ (M + np.cross(BC, force[None]).sum(1))
        return torque, force, W, V


@pytest.fixture(scope="module")
def tree():
    return SolTree(np.random.default_rng(15))


@pytest.fixture(scope="module", params=[jd.Unrolled(), jd.Looped()], ids=str)
def system(request, tree):
    return jd.compile(tree.model(), execution=request.param)


@pytest.fixture
def states(rng):
    return [(rng.uniform(-1, 1, 13), rng.uniform(-1, 1, 13), rng.uniform(0, 2)) for _ in range(5)]


def test_poses_and_velocities(system, tree, states):
    for q, qd, t in states:
        R, r, om, rd, *_ = tree.motion(q, qd, t)
        poses, twists, _ = system.kinematics(q, qd, None, t)
        np.testing.assert_allclose(poses[:, :3, :3], R, atol=1e-13)
        np.testing.assert_allclose(poses[:, :3, 3], r, atol=1e-13)
        np.testing.assert_allclose(twists, np.hstack((om, rd)), atol=1e-13)


def test_equations_of_motion(system, tree, states):
    for q, qd, t in states:
        A, Q = tree.equations(q, qd, t)
        np.testing.assert_allclose(system.mass_matrix(q, t), A, atol=1e-13)
        np.testing.assert_allclose(system.bias(q, qd, t), -Q, atol=1e-12)
        vdot = np.linalg.solve(A, Q)
        np.testing.assert_allclose(
            system.forward_dynamics(q, qd, t=t), vdot, rtol=1e-10, atol=1e-10
        )


def test_accelerations_of_the_bodies(system, tree, states, rng):
    for q, qd, t in states:
        qdd = rng.uniform(-2, 2, 13)
        *_, UT, WT, a0, alpha0, _, _, _ = tree.motion(q, qd, t)
        alpha = np.einsum("ajx,a->jx", WT, qdd) + alpha0
        a = np.einsum("ajx,a->jx", UT, qdd) + a0
        found = system.spatial_accelerations(q, qd, qdd, t)
        np.testing.assert_allclose(found, np.hstack((alpha, a)), atol=1e-12)


def test_hinge_loads_do_no_work_on_free_motions(system, tree, states):
    for q, qd, t in states:
        vdot = system.forward_dynamics(q, qd, t=t)
        torque, force, W, V = tree.hinge_loads(q, qd, vdot, t)
        power = np.einsum("akx,kx->a", W, torque) + np.einsum("akx,kx->a", V, force)
        np.testing.assert_allclose(power, 0.0, atol=1e-11)
        assert np.abs(force).max() > 1.0


def test_lagranges_equations(system, states, rng):
    """d/dt ∂L/∂q' − ∂L/∂q = τ by differences of the energies; v is dq/dt here."""
    q, v, t = states[0]
    vdot, h = rng.uniform(-2, 2, 13), 1e-3

    def lagrangian(q, v, t):
        kinetic, potential = system.energy(q, v, t)
        return kinetic - potential

    def slope(function):
        near, far = (function(k * h) - function(-k * h) for k in (1, 2))
        return (8 * near - far) / (12 * h)

    def momentum(s):
        at = q + s * v + 0.5 * s * s * vdot, v + s * vdot, t + s
        return np.array(
            [slope(lambda e, u=u: lagrangian(at[0], at[1] + e * u, at[2])) for u in np.eye(13)]
        )

    gradient = np.array([slope(lambda e, u=u: lagrangian(q + e * u, v, t)) for u in np.eye(13)])
    tau = system.inverse_dynamics(q, v, vdot, t)
    np.testing.assert_allclose(slope(momentum) - gradient, tau, atol=1e-8)
