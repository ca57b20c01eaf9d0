"""What must not matter to the dynamics: orders, directions, frames, and the way of computing."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain import math
from jourdain.model.elements import Frame
from jourdain.model.joints import all_joint_kinds
from jourdain.testing import all_user_kinds, random_model, random_state
from jourdain.testing.strategies import models, seeds

RTOL = 1e-10
ALL_KINDS = (*all_joint_kinds(), *all_user_kinds())
executions = st.sampled_from([jd.Plain(), jd.Unrolled(), jd.Looped()])


class Inverse(jd.Joint):
    """The motion of another kind, seen from its child."""

    kind: Any

    @property
    def coordinates(self):
        return self.kind.coordinates

    @property
    def velocities(self):
        return self.kind.velocities

    def pose(self, q, t):
        R, r = self.kind.pose(q, t)
        R = math.matrix(R)
        return R.T, -(R.T @ math.vector(r))

    def rates(self, q):
        return self.kind.rates(q)

    def start(self):
        return self.kind.start()


def rebuilt(model, bodies=None, joints=None, *, change=None, gravity=None):
    """Model of the same elements in other orders, joints changed."""
    twin = jd.Model(model.name, model.gravity if gravity is None else gravity)
    for name in bodies or model.bodies:
        twin.add_body(name, model.bodies[name].inertia)
    for name in joints or model.joints:
        joint = model.joints[name]
        parent, child, kind = change(joint) if change else (joint.parent, joint.child, joint.kind)
        rotors = {n: a for n, a in joint.armature.items() if n in kind.velocities}
        twin.add_joint(name, parent, child, kind, driven=dict(joint.driven), armature=rotors)
    return twin


class Answers:
    """Everything that forces and accelerations of one state have to do with each other."""

    def __init__(self, system, q, v, vdot, tau, t):
        self.mass_matrix = system.mass_matrix(q, t)
        self.forces = system.inverse_dynamics(q, v, vdot, t)
        self.accelerations = system.forward_dynamics(q, v, tau, t)
        self.gravity = system.gravity_forces(q, t)
        self.energy = np.stack(system.energy(q, v, t))
        self.momentum = system.momentum(q, v, t)
        self._back = system.inverse_dynamics(q, v, self.accelerations, t)

    def require(self, other, index=slice(None)):
        """Compare with the answers of another system, whose velocities are ours at ``index``."""
        M = self.mass_matrix[index][:, index]
        roots = np.sqrt(np.diagonal(M))
        assert np.abs((other.mass_matrix - M) / np.outer(roots, roots)).max(initial=0) < RTOL
        size = np.abs(self.forces[index]) + np.abs(M) @ np.abs(other.accelerations) + 1.0
        # Accelerations are compared as forces: small inertias do not make them less right.
        apart = M @ (other.accelerations - self.accelerations[index])
        assert np.abs(apart / size).max(initial=0.0) < RTOL
        for name in ("forces", "gravity"):
            found, wanted = getattr(other, name), getattr(self, name)[index]
            assert np.abs((found - wanted) / size).max(initial=0.0) < RTOL, name
        scale = np.abs(self.energy).sum() + 1.0
        assert np.abs(other.energy - self.energy).max() < RTOL * scale

    def require_momentum(self, other, turn=None):
        """Momentum is the same, or turned with the world."""
        turned = self.momentum if turn is None else turn @ self.momentum
        assert np.abs(other.momentum - turned).max() < RTOL * (np.abs(turned).max() + 1.0)


def answers(system, state, tau):
    q, v, vdot, t = state
    return Answers(system, q, v, vdot, tau, t)


@settings(max_examples=6)
@given(model=models(1, 8), seed=seeds(), execution=executions)
def test_order_of_bodies_and_joints(model, seed, execution):
    rng = np.random.default_rng(seed)
    system = jd.compile(model, execution=jd.Plain())
    floating = {name.partition(".")[0] for name in system.names.q} & set(model.bodies)
    shuffled = rng.permutation(list(model.bodies)).tolist()
    bodies = sorted(shuffled, key=lambda name: name not in floating)  # the first added floats
    twin = rebuilt(model, bodies, rng.permutation(list(model.joints)).tolist())
    other = jd.compile(twin, execution=execution)
    q, v, vdot, t = random_state(system, rng)
    tau = rng.normal(size=len(v))
    iq = [system.names.q.index(name) for name in other.names.q]
    iv = [system.names.v.index(name) for name in other.names.v]
    one = answers(system, (q, v, vdot, t), tau)
    two = answers(other, (q[iq], v[iv], vdot[iv], t), tau[iv])
    one.require(two, iv)
    one.require_momentum(two)


@settings(max_examples=6)
@given(model=models(1, 7, floating=False), seed=seeds(), execution=executions)
def test_joints_written_the_other_way_round(model, seed, execution):
    rng = np.random.default_rng(seed)
    swapped = {name for name in model.joints if rng.random() < 0.7}

    def change(joint):
        if joint.name not in swapped:
            return joint.parent, joint.child, joint.kind
        return joint.child, joint.parent, Inverse(joint.kind)

    system = jd.compile(model, execution=jd.Plain())
    other = jd.compile(rebuilt(model, change=change), execution=execution)
    state = random_state(system, rng)
    tau = rng.normal(size=len(state[1]))
    one, two = answers(system, state, tau), answers(other, state, tau)
    one.require(two)
    one.require_momentum(two)


SIGNED = [jd.Revolute, jd.Prismatic, jd.Cylindrical, lambda axis: jd.Screw(axis, 0.3)]


@pytest.mark.parametrize("execution", [jd.Plain(), jd.Unrolled(), jd.Looped()], ids=str)
def test_swapped_ends_change_the_sign(execution, rng):
    """A joint about an axis, its ends swapped: all coordinates, rates and forces turn round."""
    axes = rng.normal(size=(8, 3))
    kinds = [SIGNED[k % 4](tuple(a / np.linalg.norm(a))) for k, a in enumerate(axes)]
    model = random_model(rng, 8, kinds=[jd.Revolute("x")], driven=False, floating=False)
    by_name = dict(zip(model.joints, kinds, strict=True))
    one = rebuilt(model, change=lambda j: (j.parent, j.child, by_name[j.name]))
    two = rebuilt(model, change=lambda j: (j.child, j.parent, by_name[j.name]))
    systems = jd.compile(one, execution=jd.Plain()), jd.compile(two, execution=execution)
    q, v, vdot, t = random_state(systems[0], rng)
    tau = rng.normal(size=len(v))
    first = answers(systems[0], (q, v, vdot, t), tau)
    second = answers(systems[1], (-q, -v, -vdot, t), -tau)
    for name in ("accelerations", "forces", "gravity"):
        setattr(second, name, -getattr(second, name))
    first.require(second)
    first.require_momentum(second)


@settings(max_examples=6)
@given(model=models(1, 7, floating=False), seed=seeds(), execution=executions)
def test_axes_and_origin_of_the_world(model, seed, execution):
    rng = np.random.default_rng(seed)
    R, p = math.rotation_quaternion(rng.normal(size=4)), rng.uniform(-1.0, 1.0, 3)

    def moved(frame):
        if frame.body != "world":
            return frame
        position, rotation = np.array(frame.position), np.array(frame.rotation)
        return model.world.at(*(p + R @ position), rotation=R @ rotation)

    twin = rebuilt(
        model,
        change=lambda j: (moved(j.parent), moved(j.child), j.kind),
        gravity=tuple(R @ model.gravity),
    )
    system, other = jd.compile(model, execution=jd.Plain()), jd.compile(twin, execution=execution)
    state = random_state(system, rng)
    tau = rng.normal(size=len(state[1]))
    one, two = answers(system, state, tau), answers(other, state, tau)
    lower = np.array(model.gravity) @ (R.T @ p)  # the zero of the potential moves with the origin
    mass = sum(b.inertia.mass for b in model.bodies.values())
    two.energy[1] += mass * lower
    one.require(two)
    turn = np.kron(np.eye(2), R)
    turn[:3, 3:] = math.skew(p) @ R
    one.require_momentum(two, turn)


@settings(max_examples=5)
@given(model=models(1, 6, floating=False), seed=seeds())
def test_frames_that_move_evenly_or_fall(model, seed):
    """Even motion of the base changes nothing; acceleration of the base acts as gravity."""
    rng = np.random.default_rng(seed)
    speed, acceleration = rng.uniform(-2, 2, (2, 3))
    kind = jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z")

    def carried(a, gravity):
        twin = jd.Model("carried", gravity=tuple(gravity))
        trolley = twin.add_body("trolley", jd.Inertia(0.0))
        for body in model.bodies.values():
            twin.add_body(body.name, body.inertia)
        drives = {
            f"position_{k + 1}": lambda t, k=k: speed[k] * t + 0.5 * a[k] * t * t for k in range(3)
        }
        twin.add_joint("rail", twin.world, trolley, kind, driven=drives)
        for joint in model.joints.values():
            ends = [
                trolley.at(*f.position, rotation=f.rotation) if f.body == "world" else f
                for f in (joint.parent, joint.child)
            ]
            more = {"driven": dict(joint.driven), "armature": dict(joint.armature)}
            twin.add_joint(joint.name, *ends, joint.kind, **more)
        return jd.compile(twin, execution=jd.Plain())

    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, rng)
    expected = system.inverse_dynamics(q, v, vdot, t)
    for a in (np.zeros(3), acceleration):
        other = carried(a, np.array(model.gravity) + a)
        assert other.names.v == system.names.v
        found = other.inverse_dynamics(q, v, vdot, t)
        np.testing.assert_allclose(found, expected, rtol=RTOL, atol=1e-11)


@settings(max_examples=5)
@given(model=models(1, 6), seed=seeds(), execution=executions)
def test_axes_and_origin_of_a_body(model, seed, execution):
    rng = np.random.default_rng(seed)
    name = list(model.bodies)[seed % len(model.bodies)]
    R, p = math.rotation_quaternion(rng.normal(size=4)), rng.uniform(-0.5, 0.5, 3)
    system = jd.compile(model, execution=jd.Plain())
    if any(q.startswith(f"{name}.") for q in system.names.q):
        return  # the coordinates of a floating body are those of the frame that changes

    def moved(frame):
        if frame.body != name:
            return frame
        position, rotation = np.array(frame.position), np.array(frame.rotation)
        return Frame(name, R.T @ (position - p), R.T @ rotation)

    twin = jd.Model(model.name, model.gravity)
    for body in model.bodies.values():
        inertia = body.inertia
        own = inertia.moved(-R.T @ p, R.T) if body.name == name else inertia
        twin.add_body(body.name, own)
    for j in model.joints.values():
        more = {"driven": dict(j.driven), "armature": dict(j.armature)}
        twin.add_joint(j.name, moved(j.parent), moved(j.child), j.kind, **more)
    other = jd.compile(twin, execution=execution)
    state = random_state(system, rng)
    tau = rng.normal(size=len(state[1]))
    one, two = answers(system, state, tau), answers(other, state, tau)
    one.require(two)
    one.require_momentum(two)


@pytest.fixture(scope="module")
def require_agreement(states_of):
    """Compare ways of running with plain Python, in batches and one by one."""

    def compare(model, seed, ways, n_states=5):
        plain = jd.compile(model, execution=jd.Plain())
        q, v, vdot, t = states_of(plain, seed, n_states)
        tau = np.random.default_rng(seed).normal(size=v.shape)
        wanted = plain.forward_dynamics(q, v, tau, t)
        back = plain.inverse_dynamics(q, v, wanted, t)
        forces = plain.inverse_dynamics(q, v, vdot, t)
        M = plain.mass_matrix(q, t)
        bias = plain.bias(q, v, t)
        size = np.einsum("kij,kj->ki", np.abs(M), np.abs(wanted)) + np.abs(bias) + np.abs(tau)
        assert np.abs((back - tau) / size).max(initial=0.0) < RTOL
        large = np.einsum("kij,kj->ki", np.abs(M), np.abs(vdot)) + np.abs(bias)
        for way in ways:
            system = jd.compile(model, execution=way)
            found = system.forward_dynamics(q, v, tau, t)
            one = system.forward_dynamics(q[0], v[0], tau[0], float(t[0]))
            apart = np.einsum("kij,kj->ki", M, found - wanted) / size
            assert np.abs(apart).max(initial=0.0) < RTOL, f"accelerations, {way}"
            assert np.abs(M[0] @ (one - found[0]) / size[0]).max(initial=0.0) < RTOL
            error = (system.inverse_dynamics(q, v, vdot, t) - forces) / large
            assert np.abs(error).max(initial=0.0) < RTOL, f"forces, {way}"

    return compare


SIMD = [jd.Unrolled(lanes=4), jd.Unrolled(lanes=8), jd.Looped(lanes=4), jd.Looped(lanes=8)]


@settings(max_examples=4)
@given(model=models(1, 4, n_coordinates=1), seed=seeds(), ways=st.permutations(SIMD))
def test_ways_of_running_small_trees(model, seed, ways, require_agreement):
    require_agreement(model, seed, ways[:2], n_states=11)


@settings(max_examples=2)
@given(model=models(1, 4, parameters=True), seed=seeds())
def test_ways_of_running_with_parameters(model, seed, require_agreement):
    require_agreement(model, seed, [jd.Unrolled(lanes=4), jd.Looped(lanes=4)])


@pytest.mark.slow
def test_tree_with_every_kind(require_agreement):
    model = random_model(60, len(ALL_KINDS), kinds=ALL_KINDS, floating=False)
    require_agreement(model, 61, [jd.Looped(lanes=4)])


@settings(max_examples=4)
@given(model=models(1, 8, n_coordinates=1), seed=seeds(), execution=executions)
def test_products_with_the_mass_matrix_and_its_inverse(model, seed, execution):
    rng = np.random.default_rng(seed)
    system = jd.compile(model, execution=execution)
    q, v, vdot, t = random_state(system, rng)
    n = len(v)
    M, X = system.mass_matrix(q, t), rng.normal(size=(3, n))
    roots = np.sqrt(np.diagonal(M))
    products = np.array([system.multiply_mass_matrix(q, x, t) for x in X]).reshape(3, n)
    size = np.abs(X) @ np.abs(M)
    np.testing.assert_array_less(np.abs(products - X @ M), RTOL * size + 1e-300)
    Y = system.solve_mass_matrix(q, X, t)
    assert Y.shape == X.shape
    left = np.abs(Y @ M - X) / roots
    right = (np.abs(Y) @ np.abs(M) + np.abs(X)) / roots
    assert np.all(left <= RTOL * right)
