"""Dynamics against Pinocchio on random trees of the joint types that both have.

Pinocchio writes the linear velocity of free and planar joints in the axes of the child and stores
quaternions scalar last; `Twin` translates.
"""

from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.joints import Product
from jourdain.testing.states import random_state

pin = pytest.importorskip("pinocchio")

RTOL = 1e-9
AXES = ("x", "y", "z", (0.36, 0.48, -0.8))
KINDS = (
    *(jd.Revolute(axis) for axis in AXES),
    *(jd.Prismatic(axis) for axis in AXES),
    jd.Spherical(),
    jd.Planar("z"),
    jd.Free(),
    *(jd.Prismatic(axis) * jd.Revolute(axis) for axis in ("x", AXES[3])),
    jd.Revolute("x") * jd.Revolute("y") * jd.Revolute("z"),
)


def random_tree(rng, n_bodies, base=None):
    """Tree whose joints are all written away from the world; no drives."""
    model = jd.Model("tree", gravity=tuple(rng.uniform(-9, 9, 3)))
    bodies = [model.world]
    for k in range(1, n_bodies + 1):
        spread = rng.normal(size=(3, 3)) * 0.2
        mass, second = rng.uniform(0.3, 3.0), spread @ spread.T
        moments = mass * (np.trace(second) * np.eye(3) - second)
        inertia = jd.Inertia(mass, tuple(rng.uniform(-0.2, 0.2, 3)), moments)
        body = model.add_body(f"body_{k}", inertia)
        inboard = bodies[rng.integers(len(bodies)) if k > 1 else 0]
        ends = [
            b.at(
                *rng.uniform(-0.4, 0.4, 3), rotation=jd.math.rotation_quaternion(rng.normal(size=4))
            )
            for b in (inboard, body)
        ]
        kind = base if base and k == 1 else KINDS[rng.integers(len(KINDS))]
        model.add_joint(f"joint_{k}", *ends, kind)
        bodies.append(body)
    return model


def axis_joint(rotary, axis):
    names = {True: ("RX", "RY", "RZ"), False: ("PX", "PY", "PZ")}[rotary]
    if isinstance(axis, str):
        return getattr(pin, f"JointModel{names['xyz'.index(axis)]}")()
    unaligned = pin.JointModelRevoluteUnaligned if rotary else pin.JointModelPrismaticUnaligned
    return unaligned(np.array(axis))


def joint_model(kind):
    if isinstance(kind, jd.Revolute):
        return axis_joint(True, kind.axis)
    if isinstance(kind, jd.Prismatic):
        return axis_joint(False, kind.axis)
    if isinstance(kind, Product):
        composite = pin.JointModelComposite()
        for factor in kind.factors:
            composite.addJoint(joint_model(factor))
        return composite
    plain = {
        jd.Spherical: pin.JointModelSpherical,
        jd.Planar: pin.JointModelPlanar,
        jd.Free: pin.JointModelFreeFlyer,
    }
    return plain[type(kind)]()


def depth_first(model, body="world"):
    """Joints in the order that Pinocchio's composite-body algorithm relies on."""
    for joint in model.joints.values():
        if joint.parent.body == body:
            yield joint
            yield from depth_first(model, joint.child.body)


class Twin:
    """The same machine in Pinocchio; velocities are ``v_pin = P v``."""

    def __init__(self, model, system):
        self.jourdain, self.system = model, system
        self.model = pin.Model()
        self.model.gravity.linear = np.array(model.gravity)
        numbers, outer = {"world": 0}, {"world": pin.SE3.Identity()}
        for joint in depth_first(model):
            ends = joint.parent, joint.child
            low, high = (pin.SE3(np.array(f.rotation), np.array(f.position)) for f in ends)
            placement = outer[joint.parent.body].inverse() * low
            number = self.model.addJoint(
                numbers[joint.parent.body], joint_model(joint.kind), placement, joint.name
            )
            inertia = model.bodies[joint.child.body].inertia
            own = pin.Inertia(inertia.mass, np.array(inertia.com), np.array(inertia.moments))
            self.model.appendBodyToJoint(number, own, high.inverse())
            numbers[joint.child.body], outer[joint.child.body] = number, high
        self.data = self.model.createData()

    def _parts(self):
        for joint in self.jourdain.joints.values():
            prefix = f"{joint.name}."
            q = [k for k, n in enumerate(self.system.names.q) if n.startswith(prefix)]
            v = [k for k, n in enumerate(self.system.names.v) if n.startswith(prefix)]
            number = self.model.getJointId(joint.name)
            yield joint.kind, q, v, self.model.joints[number]

    def state(self, q, v, vdot):
        """Coordinates, velocities, accelerations and the matrix P."""
        m = self.model
        q_pin, v_pin, a_pin = pin.neutral(m), np.zeros(m.nv), np.zeros(m.nv)
        P = np.zeros((m.nv, m.nv))
        for kind, iq, iv, joint in self._parts():
            own, rate, bias = self._translate(kind, q[iq], v[iv])
            q_pin[joint.idx_q : joint.idx_q + joint.nq] = own
            rows = slice(joint.idx_v, joint.idx_v + joint.nv)
            P[rows, iv] = rate
            v_pin[rows], a_pin[rows] = rate @ v[iv], rate @ vdot[iv] + bias
        return q_pin, v_pin, a_pin, P

    def _translate(self, kind, q, v):
        if isinstance(kind, jd.Spherical):
            return np.roll(q, -1), np.eye(3), np.zeros(3)
        if isinstance(kind, jd.Free):
            R = jd.math.rotation_quaternion(q[3:])
            rate = np.eye(6)
            rate[:3, :3] = R.T
            bias = np.concatenate((-np.cross(v[3:], R.T @ v[:3]), np.zeros(3)))
            return np.concatenate((q[:3], np.roll(q[3:], -1))), rate, bias
        if isinstance(kind, jd.Planar):
            c, s = np.cos(q[2]), np.sin(q[2])
            rate = np.array(((c, s, 0), (-s, c, 0), (0, 0, 1)))
            turned = v[2] * np.array(((-s, c, 0), (-c, -s, 0), (0, 0, 0)))
            return np.array((q[0], q[1], c, s)), rate, turned @ v
        return q, np.eye(len(v)), np.zeros(len(v))


SEEDS = range(12)


@pytest.fixture(params=SEEDS)
def pair(request):
    rng = np.random.default_rng(1000 + request.param)
    n_bodies = int(rng.integers(1, 16))
    base = jd.Free() if request.param % 3 == 0 else None
    model = random_tree(rng, n_bodies, base)
    execution = (jd.Unrolled(), jd.Looped(), jd.Plain())[request.param % 3]
    system = jd.compile(model, execution=execution)
    return system, Twin(model, system), rng


def close(found, expected):
    scale = np.abs(expected).max(initial=1e-300)
    np.testing.assert_allclose(found, expected, rtol=RTOL, atol=RTOL * scale)


def test_dynamics(pair):
    system, twin, rng = pair
    m, data = twin.model, twin.data
    for _ in range(3):
        q, v, vdot, _ = random_state(system, rng)
        q_pin, v_pin, a_pin, P = twin.state(q, v, vdot)
        close(system.inverse_dynamics(q, v, vdot), P.T @ pin.rnea(m, data, q_pin, v_pin, a_pin))
        M = pin.crba(m, data, q_pin)
        M = np.triu(M) + np.triu(M, 1).T
        close(system.mass_matrix(q), P.T @ M @ P)
        weight = pin.computeGeneralizedGravity(m, data, q_pin)
        close(system.gravity_forces(q), P.T @ weight)
        tau = rng.uniform(-5, 5, len(v))
        found = system.forward_dynamics(q, v, tau)
        tau_pin = np.linalg.solve(P.T, tau)
        expected = pin.aba(m, data, q_pin, v_pin, tau_pin)
        bias = a_pin - P @ vdot
        close(found, np.linalg.solve(P, expected - bias))


@pytest.mark.parametrize("seed", range(9))
def test_armature(seed):
    """Rotors on hinges, slides and ball joints, whose velocities are the same in both."""
    rng = np.random.default_rng(2000 + seed)
    model = random_tree(rng, int(rng.integers(1, 12)), jd.Free() if seed % 3 == 0 else None)
    rotors = {}
    for name, joint in model.joints.items():
        if isinstance(joint.kind, jd.Revolute | jd.Prismatic | jd.Spherical) and rng.random() < 0.8:
            rotors[name] = {v: rng.uniform(0.01, 2.0) for v in joint.kind.velocities}
            model._joints[name] = replace(joint, armature=rotors[name])
    execution = (jd.Unrolled(), jd.Looped(), jd.Looped(lanes=4))[seed % 3]
    system = jd.compile(model, execution=execution)
    twin = Twin(model, system)
    m, data = twin.model, twin.data
    for name, given in rotors.items():
        own = m.joints[m.getJointId(name)]
        m.armature[own.idx_v : own.idx_v + own.nv] = list(given.values())
    q, v, vdot, _ = random_state(system, rng)
    q_pin, v_pin, a_pin, P = twin.state(q, v, vdot)
    close(system.inverse_dynamics(q, v, vdot), P.T @ pin.rnea(m, data, q_pin, v_pin, a_pin))
    M = pin.crba(m, data, q_pin)
    M = np.triu(M) + np.triu(M, 1).T
    close(system.mass_matrix(q), P.T @ M @ P)
    tau = rng.uniform(-5, 5, len(v))
    expected = pin.aba(m, data, q_pin, v_pin, np.linalg.solve(P.T, tau))
    close(system.forward_dynamics(q, v, tau), np.linalg.solve(P, expected - (a_pin - P @ vdot)))
    close(system.solve_mass_matrix(q, tau), np.linalg.solve(P.T @ M @ P, tau))


def test_energy_momentum_and_centre_of_mass(pair):
    system, twin, rng = pair
    m, data = twin.model, twin.data
    q, v, vdot, _ = random_state(system, rng)
    q_pin, v_pin, _, P = twin.state(q, v, vdot)
    kinetic, potential = system.energy(q, v)
    close(kinetic, pin.computeKineticEnergy(m, data, q_pin, v_pin))
    close(potential, pin.computePotentialEnergy(m, data, q_pin))
    centre = pin.centerOfMass(m, data, q_pin)
    close(system.centre_of_mass(q), centre)
    J = np.reshape(pin.jacobianCenterOfMass(m, data, q_pin), (3, m.nv))
    close(system.centre_of_mass_jacobian(q), J @ P)
    h = pin.computeCentroidalMomentum(m, data, q_pin, v_pin)
    momentum = system.momentum(q, v)
    close(momentum[3:], h.linear)
    close(momentum[:3], h.angular + np.cross(centre, h.linear))


def test_external_loads(pair):
    system, twin, rng = pair
    m, data = twin.model, twin.data
    q, v, vdot, _ = random_state(system, rng)
    q_pin, v_pin, a_pin, P = twin.state(q, v, vdot)
    wrenches = rng.uniform(-3, 3, (len(system.names.bodies), 6))
    poses = system.poses(q)
    pin.forwardKinematics(m, data, q_pin)
    loads = pin.StdVec_Force()
    loads.append(pin.Force.Zero())
    for joint in depth_first(twin.jourdain):
        k = system.names.bodies.index(joint.child.body)
        number = m.getJointId(joint.name)
        at_body = pin.Force(wrenches[k, 3:], wrenches[k, :3])
        body = pin.SE3(np.eye(3), poses[k, :3, 3])
        loads.append(data.oMi[number].actInv(body.act(at_body)))
    expected = P.T @ pin.rnea(m, data, q_pin, v_pin, a_pin, loads)
    close(system.inverse_dynamics(q, v, vdot, wrenches=wrenches), expected)
