"""Three formulations against the compiled recursion, on random trees and on every joint kind."""

from __future__ import annotations

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain import math
from jourdain.equations.recursion.articulated_body import FORWARD
from jourdain.equations.recursion.newton_euler import INVERSE
from jourdain.formulations import Recursive, VelocityTransformation, all_formulations
from jourdain.formulations.skeleton import Skeleton
from jourdain.formulations.twists import centres, transformation
from jourdain.model.joints import all_joint_kinds
from jourdain.system.description import Description
from jourdain.system.execution import symbolic
from jourdain.testing.joints.kinds import all_user_kinds
from jourdain.testing.random_model import random_model
from jourdain.testing.states import random_state

RTOL = 1e-10  # of the largest number of a result
KINDS = (*all_joint_kinds(), *all_user_kinds())
OTHERS = all_formulations()[1:]


def deviations(system, rng):
    """Largest relative deviation from the recursion per formulation and question."""
    q, v, vdot, t = random_state(system, rng)
    tau = rng.normal(size=len(v))
    wrenches = rng.normal(size=(len(system.names.bodies), 6))

    def answers(formulation):
        return {
            "mass_matrix": formulation.mass_matrix(system, q, t),
            "accelerations": formulation.accelerations(system, q, v, tau, t),
            "accelerations under wrenches": formulation.accelerations(
                system, q, v, tau, t, wrenches=wrenches
            ),
            "inverse_dynamics": formulation.inverse_dynamics(
                system, q, v, vdot, t, wrenches=wrenches
            ),
            "loads": formulation.loads(system, q, v, vdot, t, wrenches=wrenches),
        }

    expected = answers(Recursive())
    found = {}
    for formulation in OTHERS:
        for name, value in answers(formulation).items():
            scale = max(np.abs(expected[name]).max(initial=0.0), 1e-6)
            difference = np.abs(value - expected[name]).max(initial=0.0)
            found[f"{name} of {formulation}"] = difference / scale
    return found


def assert_agreement(system, rng):
    found = deviations(system, rng)
    worst = max(found, key=found.get)
    assert found[worst] < RTOL, f"{worst}: {found[worst]:.1e}"


@pytest.mark.parametrize("seed", range(8))
def test_random_trees(seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, int(rng.integers(1, 8)), n_coordinates=seed % 2)
    assert_agreement(jd.compile(model, execution=jd.Plain()), rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [pytest.param(k, marks=pytest.mark.thorough if k % 4 else ()) for k in range(100, 140)]
)
def test_large_random_trees(seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, int(rng.integers(8, 61)), parameters=True, n_coordinates=2)
    assert_agreement(jd.compile(model, execution=jd.Plain()), rng)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_every_kind_in_both_directions(kind, rng):
    model = jd.Model("pair", gravity=(1.0, -2.0, -9.0))
    inner, outer = (
        model.add_body(f"body_{k}", jd.Inertia(k, (0.1, -0.2, 0.05 * k), (0.3, 0.4, 0.5)))
        for k in (1, 2)
    )
    turn = jd.rotation_x(0.4) @ jd.rotation_z(1.1)
    model.add_joint("forward", model.world.at(0, 0, 1), inner.at(0.1, 0, 0.2, rotation=turn), kind)
    model.add_joint("backward", outer.at(0.3, 0.1, 0, rotation=turn), inner.at(0, 0.5, 0), kind)
    assert_agreement(jd.compile(model, execution=jd.Plain()), rng)


def test_straight_line_code():
    rng = np.random.default_rng(3)
    model = random_model(rng, 4, parameters=True, n_coordinates=1)
    assert_agreement(jd.compile(model, execution=jd.Unrolled()), rng)


def test_compiled_loops(rng):
    """Kinds about a general axis are turned ones of those about z: their loads must not be."""
    kinds = (jd.Revolute((0.6, 0.0, 0.8)),)
    model = random_model(rng, 6, kinds=kinds, driven=False, floating=False)
    assert_agreement(jd.compile(model, execution=jd.Looped()), rng)


def test_parameters_reach_all_formulations(rng):
    model = random_model(4, 4, parameters=True)
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, rng)
    changed = {name: 1.1 * p.value for name, p in model.parameters.items()}
    given = {"parameters": changed}
    expected = Recursive().inverse_dynamics(system, q, v, vdot, t, **given)
    nominal = Recursive().inverse_dynamics(system, q, v, vdot, t)
    assert np.abs(expected - nominal).max() > 1e-3 * np.abs(expected).max()
    for formulation in OTHERS:
        tau = formulation.inverse_dynamics(system, q, v, vdot, t, **given)
        np.testing.assert_allclose(tau, expected, atol=RTOL * np.abs(expected).max())
        back = formulation.accelerations(system, q, v, tau, t, **given)
        np.testing.assert_allclose(back, vdot, atol=1e-9)


def test_loads_balance_every_body(rng):
    """Newton and Euler for each body, with accelerations of the recursion's kinematics."""
    model = random_model(6, 6)
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, rng)
    wrenches = rng.normal(size=(6, 6))
    poses, twists, accelerations = system.kinematics(q, v, vdot, t)
    index = {name: k for k, name in enumerate(system.names.bodies)}
    for formulation in all_formulations():
        balance = np.zeros((7, 6))  # [torque; force] at the body frames; world last
        loads = formulation.loads(system, q, v, vdot, t, wrenches=wrenches)
        for i, load in zip(Skeleton(system).rows, loads, strict=True):
            element = system.topology.tree[i].joint
            frames = [pose_of(poses, index, frame) for frame in (element.parent, element.child)]
            torque, force = frames[0][:3, :3] @ load[:3], frames[0][:3, :3] @ load[3:]
            for frame, sign in ((element.child, 1.0), (element.parent, -1.0)):
                body = index.get(frame.body, -1)
                origin = poses[body, :3, 3] if body >= 0 else np.zeros(3)
                arm = frames[1][:3, 3] - origin
                balance[body] += sign * np.concatenate([torque + np.cross(arm, force), force])
        for name, k in index.items():
            inertia, R, w = model.bodies[name].inertia, poses[k, :3, :3], twists[k, :3]
            m, s = inertia.mass, R @ np.array(inertia.com)
            J = R @ np.array(inertia.moments) @ R.T
            alpha, a = accelerations[k, :3], accelerations[k, 3:]
            a_com = a + np.cross(alpha, s) + np.cross(w, np.cross(w, s))
            force = m * (a_com - np.array(model.gravity))
            torque = J @ alpha + np.cross(w, J @ w) + np.cross(s, force)
            needed = np.concatenate([torque, force]) - wrenches[k]
            np.testing.assert_allclose(balance[k], needed, atol=RTOL * np.abs(loads).max())


def pose_of(poses, index, frame):
    body = np.eye(4) if frame.body not in index else poses[index[frame.body]]
    local = np.eye(4)
    local[:3, :3], local[:3, 3] = frame.rotation, frame.position
    return body @ local


@pytest.mark.parametrize("seed", [1, 7])
def test_drive_loads_have_the_power_of_the_drives(seed):
    """AᵀG of a joint is τᵀv and what its drives give, where time does not act otherwise."""
    kinds = [k for k in KINDS if "Turntable" not in repr(k)]
    rng = np.random.default_rng(seed)
    model = random_model(rng, 6, kinds=kinds)
    for name, joint in model.joints.items():  # armatures take power that passes no joint
        model._joints[name] = replace(joint, armature={})
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, rng)
    loads = system.loads(q, v, vdot, t)
    skeleton = Skeleton(system)
    posture = skeleton.move(q, v, t)
    drives = np.array([np.array(x)[:, 0] for x in system.description.drives(t, skeleton.p)])
    assert drives.size
    for s, h, joint in zip(skeleton.segments, posture.hinges, system.topology.tree, strict=True):
        kind, driven = joint.joint.kind, joint.joint.driven_coordinates
        full = np.zeros(len(kind.coordinates))
        names = list(kind.coordinates)
        where = [names.index(name) for name in driven]
        full[where] = drives[0, s.e]
        full[[k for k in range(len(names)) if k not in where]] = q[s.q]
        Y = kind.rates(full)
        Y = np.eye(len(full)) if Y is None else np.array(Y, dtype=float)
        rates = np.linalg.lstsq(Y[where], drives[1, s.e], rcond=None)[0] if where else []
        power = sum(
            rate * loads.drive.get(f"{joint.name}.{name}", 0.0)
            for rate, name in zip(rates, kind.velocities, strict=False)
        )
        interaction = VelocityTransformation().loads(system, q, v, vdot, t)
        A = interaction[list(loads.joints).index(joint.name)]
        np.testing.assert_allclose(A @ h.excited, power, atol=1e-11 * max(1, np.abs(A).max()))


class Swash(jd.Joint):
    """Rheonomic joint with two coordinates, for Sol's V15."""

    coordinates = {"angle": "rad", "position": "m"}

    def pose(self, q, t):
        turn = math.rotation_z(0.3 * t * t) @ math.rotation_x(q[0])
        return turn, turn @ math.vector(q[1], 0.2 * math.sin(2.0 * t), 0.1 * q[0] * t)


@pytest.fixture(scope="module")
def two_trees():
    """Sol's V15: l = [0, 1, 2, 1, 0], prismatic, ball, rheonomic, pin and free hinges."""
    model = jd.Model("v15", gravity=(0.5, -0.4, -9.81))
    free = jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z") * jd.Gimbal()
    kinds = (jd.Prismatic("y"), jd.Gimbal(), Swash(), jd.Revolute((0.6, 0.0, 0.8)), free)
    rng = np.random.default_rng(15)
    bodies = [model.world]
    for k, (i, kind) in enumerate(zip((0, 1, 2, 1, 0), kinds, strict=True), 1):
        com, at, on = rng.uniform(-0.3, 0.3, (3, 3)).tolist()
        body = model.add_body(f"b{k}", jd.Inertia(0.5 + 0.3 * k, com, (0.2, 0.25, 0.3)))
        turn = math.rotation_quaternion(rng.normal(size=4))
        model.add_joint(f"h{k}", bodies[i].at(*at, rotation=turn), body.at(*on), kind)
        bodies.append(body)
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, 15)
    return system, q, v, vdot, t


def along(q, v, vdot, t, h):
    """State a time h later, to second order; coordinates are velocities integrated here."""
    return q + h * v + 0.5 * h * h * vdot, v + h * vdot, t + h


def test_v15_tree_matrices(two_trees):
    """S T = 1 and S₀ T = −1ᵀ."""
    M = two_trees[0].topology.matrices_in([f"b{k}" for k in range(1, 6)])
    np.testing.assert_array_equal(M.beta, [0, 1, 2, 1, 0])
    np.testing.assert_array_equal(M.S @ M.T, np.eye(5))
    np.testing.assert_array_equal(M.S0 @ M.T, -np.ones(5))


def test_v15_kinematics_by_differences(two_trees):
    """ω, dω/dt, dr/dt, d²r/dt² of Sol's matrices against differences (within 5e-7)."""
    system, q, v, vdot, t = two_trees
    skeleton = Skeleton(system)

    def at(h):
        q_h, v_h, t_h = along(q, v, vdot, t, h)
        posture = skeleton.move(q_h, v_h, t_h)
        moved = transformation(skeleton, posture, v_h, np.zeros((5, 6)))
        return posture.bodies[0][1:], centres(posture), moved.R @ v_h + moved.excited, moved

    h = 1e-5
    R, _, velocity, moved = at(0.0)
    (R_2, r_2, velocity_2, _), (R_1, r_1, velocity_1, _) = at(h), at(-h)
    spin = (R_2 - R_1) / (2 * h) @ R.transpose(0, 2, 1)
    omega = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=-1)
    np.testing.assert_allclose(velocity[:, :3], omega, atol=5e-7)
    np.testing.assert_allclose(velocity[:, 3:], (r_2 - r_1) / (2 * h), atol=5e-7)
    acceleration = moved.R @ vdot + moved.bias
    np.testing.assert_allclose(acceleration, (velocity_2 - velocity_1) / (2 * h), atol=5e-7)


@pytest.mark.parametrize("formulation", all_formulations(), ids=repr)
def test_v15_equations_of_lagrange(two_trees, formulation):
    """A q̈ − Q = d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q (within 2e-6)."""
    system, q, v, vdot, t = two_trees
    n, h = len(v), 1e-4

    def momentum(q, v, t):  # T is quadratic in v: the difference is exact
        sides = [system.energy(q, v + s * np.eye(n), t)[0] for s in (0.5, -0.5)]
        return sides[0] - sides[1]

    rate = (momentum(*along(q, v, vdot, t, h)) - momentum(*along(q, v, vdot, t, -h))) / (2 * h)
    energies = [system.energy(q + s * np.eye(n), v, t) for s in (h, -h)]
    kinetic, potential = ((energies[0][k] - energies[1][k]) / (2 * h) for k in (0, 1))
    tau = formulation.inverse_dynamics(system, q, v, vdot, t)
    np.testing.assert_allclose(tau, rate - kinetic + potential, atol=2e-6)


@pytest.mark.parametrize("formulation", all_formulations(), ids=repr)
def test_v15_loads_do_no_work_along_free_motions(two_trees, formulation):
    """v_j·F_h + w_j·M_h = 0 for every free coordinate (F69)."""
    system, q, v, _, t = two_trees
    vdot = formulation.accelerations(system, q, v, None, t)
    loads = formulation.loads(system, q, v, vdot, t)
    skeleton = Skeleton(system)
    hinges = skeleton.move(q, v, t).hinges
    for i, load in zip(skeleton.rows, loads, strict=True):
        assert np.abs(hinges[i].modes.T @ load).max() < 1e-12 * np.abs(loads).max() + 1e-12
    assert np.abs(loads).max() > 1.0


@pytest.fixture(scope="module")
def driven_pendulum():
    """Sol's V10: double pendulum of point masses with q₁ = 0.5 sin 2t, from rest at q₂ = 0.3."""
    model = jd.Model("v10", gravity=(0, -9.81, 0))
    upper = model.add_body("upper", jd.solid.point(1.0, (0, -1.0, 0)))
    lower = model.add_body("lower", jd.solid.point(2.0, (0, -0.8, 0)))
    swing = {"angle": lambda t: 0.5 * jd.sin(2.0 * t)}
    model.add_joint("first", model.world, upper, jd.Revolute("z"), driven=swing)
    model.add_joint("second", upper.at(0, -1.0, 0), lower, jd.Revolute("z"))
    system = jd.compile(model)

    def rates(t, x):
        q, v = x[:1], x[1:2]
        vdot = system.forward_dynamics(q, v, None, t)
        load = float(system.loads(q, v, vdot, t).drive["first.rate"])
        return np.concatenate([v, vdot, [load * np.cos(2.0 * t)]])

    run = solve_ivp(rates, (0, 1), [0.3, 0.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-13)
    return system, run.y[:1, -1], run.y[1:2, -1], run.y[2, -1]


def test_v10_motion(driven_pendulum):
    _, q, v, _ = driven_pendulum
    np.testing.assert_allclose([q[0], v[0]], [-0.5057393980, 0.1454461615], atol=2e-10)


@pytest.mark.parametrize("formulation", all_formulations(), ids=repr)
def test_v10_drive_load(driven_pendulum, formulation):
    system, q, v, _ = driven_pendulum
    vdot = formulation.accelerations(system, q, v, None, 1.0)
    loads = formulation.loads(system, q, v, vdot, 1.0)
    assert abs(loads[0, 2] - 11.3319827698) < 1e-9  # torque about the driven axis


def test_v10_energy(driven_pendulum):
    """ΔE = ∫ Q_s dq₁/dt dt (within 5e-12 of some 40 J)."""
    system, q, v, work = driven_pendulum
    start = sum(system.energy(np.array([0.3]), np.zeros(1), 0.0))
    assert abs(sum(system.energy(q, v, 1.0)) - start - work) < 4e-11


@pytest.mark.parametrize("formulation", OTHERS, ids=repr)
def test_v07_dense_assembly_agrees_with_the_recursion(formulation, rng):
    """Accelerations and reactions of a branched tree of hinges (Pfeiffer F30, F34)."""
    kinds = (jd.Revolute("x"), jd.Revolute("z"), jd.Spherical())
    model = random_model(rng, 12, kinds=kinds, driven=False)
    system = jd.compile(model, execution=jd.Plain())
    q, v, _, t = random_state(system, rng)
    vdot = Recursive().accelerations(system, q, v, None, t)
    dense = formulation.accelerations(system, q, v, None, t)
    np.testing.assert_allclose(dense, vdot, atol=RTOL * np.abs(vdot).max())
    reactions = Recursive().loads(system, q, v, vdot, t)
    found = formulation.loads(system, q, v, dense, t)
    np.testing.assert_allclose(found, reactions, atol=RTOL * np.abs(reactions).max())


@pytest.mark.parametrize("recursion", [FORWARD, INVERSE], ids=lambda r: r.name)
def test_v07_work_grows_linearly(recursion):
    """Operations of chains of 20, 40 and 60 hinges lie on a straight line."""
    counts = []
    for n in (20, 40, 60):
        model = jd.Model("chain")
        place = model.world.at()
        for k in range(n):
            body = model.add_body(f"body_{k}", jd.Inertia(1.0, (0.1, 0.2, 0.3), (1.0, 1.1, 1.2)))
            model.add_joint(f"hinge_{k}", place, body, jd.Revolute("xyz"[k % 3]))
            place = body.at(0.0, 0.0, 0.5)
        inputs, outputs = symbolic(recursion, Description(model, share=False))
        graph = ca.Function("f", list(inputs.values()), list(outputs.values()), {"cse": True})
        counts.append(graph.n_instructions())
    assert counts[2] - counts[1] == pytest.approx(counts[1] - counts[0], rel=0.02)
