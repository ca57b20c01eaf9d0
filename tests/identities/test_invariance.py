"""What must not matter: the order of bodies, the direction of joints, the place of the world."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain import math
from jourdain.model.joints import all_joint_kinds
from jourdain.testing import all_user_kinds, random_state
from jourdain.testing.strategies import models, seeds

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


def rebuilt(model, bodies=None, joints=None, change=lambda joint: joint):
    """Model of the same elements in other orders, joints changed."""
    twin = jd.Model(model.name, model.gravity)
    for name in bodies or model.bodies:
        twin.add_body(name, model.bodies[name].inertia)
    for name in joints or model.joints:
        parent, child, kind = change(model.joints[name])
        twin.add_joint(name, parent, child, kind, driven=dict(model.joints[name].driven))
    return twin


def ends_and_kind(joint):
    return joint.parent, joint.child, joint.kind


def reordered(system, other, q, v):
    """State of another system with the same names."""
    q_of = dict(zip(system.names.q, q, strict=True))
    v_of = dict(zip(system.names.v, v, strict=True))
    return [q_of[name] for name in other.names.q], [v_of[name] for name in other.names.v]


@settings(max_examples=8)
@given(model=models(1, 8), seed=seeds(), execution=executions)
def test_order_of_bodies_and_joints(model, seed, execution, agree, rounding_of):
    system = jd.compile(model, execution=jd.Plain())
    rng = np.random.default_rng(seed)
    bodies = _shuffled_but_floating(system, rng)
    twin = rebuilt(model, bodies, rng.permutation(list(model.joints)).tolist(), ends_and_kind)
    other = jd.compile(twin, execution=execution)
    q, v, vdot, t = random_state(system, rng)
    (q2, v2), (_, vdot2) = (reordered(system, other, q, x) for x in (v, vdot))
    order = [system.names.bodies.index(name) for name in other.names.bodies]
    found = other.kinematics(q2, v2, vdot2, t)
    for a, b in zip(found, system.kinematics(q, v, vdot, t), strict=True):
        agree(a, b[order], rounding_of(model))


def _shuffled_but_floating(system, rng):
    """Bodies in random order, floating bases first, because the first one added floats."""
    names = list(rng.permutation(list(system.names.bodies)))
    floating = {name.partition(".")[0] for name in system.names.q} & set(names)
    return sorted(map(str, names), key=lambda name: name not in floating)


@settings(max_examples=8)
@given(model=models(1, 7, floating=False), seed=seeds(), execution=executions)
def test_swapped_joints(model, seed, execution, agree, rounding_of):
    rng = np.random.default_rng(seed)
    swapped = {name for name in model.joints if rng.random() < 0.7}

    def change(joint):
        if joint.name not in swapped:
            return ends_and_kind(joint)
        return joint.child, joint.parent, Inverse(joint.kind)

    system = jd.compile(model, execution=jd.Plain())
    other = jd.compile(rebuilt(model, change=change), execution=execution)
    assert other.names == system.names
    state = random_state(system, rng)
    for a, b in zip(other.kinematics(*state), system.kinematics(*state), strict=True):
        agree(a, b, 10 * rounding_of(model))  # modes are derived by another way


@pytest.mark.parametrize(
    "make",
    [jd.Revolute, jd.Prismatic, jd.Cylindrical, lambda axis: jd.Screw(axis, 0.3)],
    ids=["Revolute", "Prismatic", "Cylindrical", "Screw"],
)
def test_swapped_joints_about_the_opposite_axis(make, rng, agree):
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    frames = [(rng.normal(size=3), math.rotation_quaternion(rng.normal(size=4))) for _ in "ab"]
    results = []
    for sign in (1, -1):
        model = jd.Model("pair")
        body = model.add_body("body", jd.Inertia(1.0))
        ends = [
            place.at(*position, rotation=rotation)
            for place, (position, rotation) in zip((model.world, body), frames, strict=True)
        ]
        model.add_joint("joint", *ends[::sign], make(tuple(sign * axis)))
        system = jd.compile(model, execution=jd.Unrolled())
        n = len(system.names.q)
        results.append(system.kinematics(np.full(n, 0.4), np.full(n, 1.3), np.full(n, -0.7)))
    for a, b in zip(*results, strict=True):
        agree(a, b, 1e-14)


@settings(max_examples=10)
@given(seed=seeds(), execution=st.sampled_from([jd.Plain(), jd.Looped()]))
def test_products_equal_joints_in_series(seed, execution, agree):
    """A product of two kinds moves as the two with a body between them."""
    rng = np.random.default_rng(seed)
    kinds = (*all_joint_kinds(), *all_user_kinds())
    first, second = (kinds[i] for i in rng.integers(len(kinds), size=2))
    product, series = jd.Model("product"), jd.Model("series")
    body = product.add_body("body", jd.Inertia(1.0))
    product.add_joint("joint", product.world, body.at(0.1, 0.2, 0.3), first * second)
    between, body = (series.add_body(name, jd.Inertia(1.0)) for name in ("between", "body"))
    series.add_joint("one", series.world, between, first)
    series.add_joint("two", between, body.at(0.1, 0.2, 0.3), second)
    one, two = jd.compile(product, execution=execution), jd.compile(series, execution=jd.Plain())
    state = random_state(two, rng)
    for a, b in zip(one.kinematics(*state), two.kinematics(*state), strict=True):
        agree(a[0], b[1], 1e-12, f"{first!r} * {second!r}")


@settings(max_examples=8)
@given(model=models(1, 7, floating=False), seed=seeds(), execution=executions)
def test_place_of_the_world(model, seed, execution, agree, rounding_of):
    rng = np.random.default_rng(seed)
    R, p = math.rotation_quaternion(rng.normal(size=4)), rng.uniform(-1.0, 1.0, 3)

    def moved(frame):
        if frame.body != "world":
            return frame
        position, rotation = np.array(frame.position), np.array(frame.rotation)
        return model.world.at(*(p + R @ position), rotation=R @ rotation)

    def change(joint):
        return moved(joint.parent), moved(joint.child), joint.kind

    system = jd.compile(model, execution=jd.Plain())
    other = jd.compile(rebuilt(model, change=change), execution=execution)
    state = random_state(system, rng)
    poses, twists, accelerations = system.kinematics(*state)
    found = other.kinematics(*state)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    tolerance = rounding_of(model)
    agree(found[0], X @ poses, tolerance)
    for a, b in zip(found[1:], (twists, accelerations), strict=True):
        agree(a, np.concatenate((b[:, :3] @ R.T, b[:, 3:] @ R.T), axis=1), tolerance)


@settings(max_examples=6)
@given(model=models(1, 6), seed=seeds())
def test_body_axes_and_origin(model, seed, agree, rounding_of):
    """A body described in other axes about another origin carries them and moves the same."""
    rng = np.random.default_rng(seed)
    name = list(model.bodies)[seed % len(model.bodies)]
    R, p = math.rotation_quaternion(rng.normal(size=4)), rng.uniform(-0.5, 0.5, 3)

    def moved(frame):
        if frame.body != name:
            return frame
        position, rotation = np.array(frame.position), np.array(frame.rotation)
        return model.bodies[name].at(*(R.T @ (position - p)), rotation=R.T @ rotation)

    system = jd.compile(model, execution=jd.Plain())
    if any(q.startswith(f"{name}.") for q in system.names.q):
        return  # a floating body's coordinates are those of the frame that changed
    twin = rebuilt(
        model, change=lambda joint: (moved(joint.parent), moved(joint.child), joint.kind)
    )
    other = jd.compile(twin, execution=jd.Plain())
    q, v, _, t = random_state(system, rng)
    place = system.names.bodies.index(name)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    expected = system.poses(q, t)
    expected[place] = expected[place] @ X
    agree(other.poses(q, t), expected, rounding_of(model))
    origin = model.bodies[name].at(*p)
    for a, b in (
        (other.jacobian(name, q, t), system.jacobian(origin, q, t)),
        (other.jacobian_rate(name, q, v, t), system.jacobian_rate(origin, q, v, t)),
    ):
        agree(a, b, rounding_of(model))
