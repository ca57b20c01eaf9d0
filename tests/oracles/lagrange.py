"""Lagrange's equations of a tree with flexible bodies, by automatic differentiation.

Kinetic energy of every body from poses that are put together one by one; no recursion on velocities
or accelerations. Coordinates must be such that v = dq/dt.
"""

import casadi as ca
import numpy as np


def accelerations(system, q, v):
    """Accelerations from d/dt ∂T/∂v − ∂T/∂q + ∂U/∂q = forces of springs and dampers."""
    Q, V = ca.SX.sym("q", len(q)), ca.SX.sym("v", len(v))
    T, U = _energies(system, Q, V)
    losses = _losses(system, V)
    p = ca.gradient(T, V)
    M = ca.jacobian(p, V)
    forces = ca.gradient(T, Q) - ca.gradient(U, Q) - ca.gradient(losses, V) - ca.jtimes(p, Q, V)
    M, forces = (np.array(x) for x in ca.Function("f", [Q, V], [M, forces])(q, v))
    return M, np.linalg.solve(M, forces).ravel()


def _energies(system, Q, V):
    d = system.description
    gravity = np.array(system.model.gravity, dtype=float)
    poses, T, U = [(ca.SX.eye(3), ca.SX.zeros(3))], 0.0, 0.0
    for k, link in enumerate(d.links):
        own = slice(d.layout.q_start[k], d.layout.q_start[k] + link.n_q)
        R, r = _pose(link, d, Q, k)
        R_in, p_in = poses[link.inboard]
        R0, p0 = link.constants["R0"], link.constants["p0"]
        pose = R_in @ R0 @ R, p_in + R_in @ (p0 + R0 @ r)
        poses.append(pose)
        w = _axial(pose[0].T @ ca.reshape(ca.jtimes(ca.vec(pose[0]), Q, V), 3, 3))
        twist = ca.vertcat(w, pose[0].T @ ca.jtimes(pose[1], Q, V))
        h, energy = _of_body(link, system, Q[own], V[own], twist)
        T += energy
        U -= ca.dot(gravity, link.constants["m"] * pose[1] + pose[0] @ h)
    for c in system.model.connections.values():
        if ".stiffness." in c.name:
            U += 0.5 * c.law.stiffness * Q[list(system.names.q).index(c.measure.name)] ** 2
    return T, U


def _losses(system, V):
    total = ca.SX(0)
    for c in system.model.connections.values():
        if ".damping." in c.name:
            k = list(system.names.q).index(c.measure.name)
            total += 0.5 * c.law.damping * V[k] ** 2
    return total


def _pose(link, d, Q, k):
    """Pose of a link in the frame of its joint, as the tree runs."""
    if link.deflection is None:
        own = Q[d.layout.q_start[k] : d.layout.q_start[k] + link.n_q]
        R, r = link.joint.joint.kind.pose(ca.vertsplit(own) if link.n_q else [], 0.0)
        R, r = ca.SX(ca.vertcat(*(ca.horzcat(*row) for row in _rows(R)))), ca.vertcat(*_column(r))
        return (R.T, -R.T @ r) if link.joint.reversed else (R, r)
    owner = link.inboard - 1 if link.is_section else k
    place = link.joint.joint.kind.place if link.is_section else link.joint.joint.kind.root
    e = Q[d.layout.q_start[owner] : d.layout.q_start[owner] + place.n]
    turn, r = _polynomial(place.T, place.T2, e), place.x + _polynomial(place.A, place.B, e)
    K = ca.skew(turn * (1.0 + ca.dot(turn, turn) / 12.0))
    half = ca.SX.eye(3) - 0.5 * K
    R = ca.solve(half, ca.SX.eye(3) + 0.5 * K)  # Cayley
    return (R, r) if link.is_section else (R.T, -R.T @ r)


def _rows(R):
    return [[R[i, j] for j in range(3)] for i in range(3)]


def _column(r):
    return [r[i] for i in range(3)]


def _polynomial(first, second, e):
    return ca.vertcat(
        *(ca.dot(first[a], e) + 0.5 * ca.bilin(ca.SX(second[a]), e, e) for a in range(3))
    )


def _of_body(link, system, e, rate, V):
    """First moment and kinetic energy of a body, whose twist is V."""
    m, h, J = (link.constants[name] for name in ("m", "h", "J"))
    C, M = ca.SX.zeros(6, 0), ca.SX.zeros(0, 0)
    if link.block is None:
        rate = ca.SX(0, 1)
    else:
        own = system.model.bodies[link.name].elastic.elasticity.integrals
        n = range(own.n)
        P1 = own.Q11.transpose(1, 0, 2, 3) + own.Q02
        P = [own.P0[i] + sum(P1[i, j] * e[j] for j in n) for i in n]
        C_t = [own.h1[:, i] + sum(own.h2[:, i, j] * e[j] for j in n) for i in n]
        h = own.h0 + sum(0.5 * (own.h1[:, i] + C_t[i]) * e[i] for i in n)
        Q = own.Q0 + sum(0.5 * (own.P0[i] + P[i] + (own.P0[i] + P[i]).T) * e[i] for i in n)
        J = ca.trace(Q) * ca.SX.eye(3) - Q
        C = ca.horzcat(*(ca.vertcat(-2.0 * _axial(P[i]), C_t[i]) for i in n))
        M = own.mass_matrix
    H = ca.skew(ca.SX(h))
    inertia = ca.blockcat([[ca.SX(J), H], [H.T, m * ca.SX.eye(3)]])
    energy = 0.5 * ca.bilin(inertia, V, V) + ca.dot(V, C @ rate)
    return h, energy + (0.5 * ca.bilin(ca.SX(M), rate, rate) if rate.numel() else 0.0)


def _axial(X):
    """Half the axial vector of X − Xᵀ; of a skew matrix its vector."""
    return 0.5 * ca.vertcat(X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1])
