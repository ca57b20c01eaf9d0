"""Exact derivatives: identities between them, and central differences."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.model.laws import Spring
from jourdain.model.measures import Distance
from jourdain.system.questions.derivatives import Derivatives, Slopes
from jourdain.testing import random_model, random_state

EXECUTIONS = [jd.Plain(), jd.Unrolled(), jd.Looped()]


@pytest.fixture(params=EXECUTIONS, ids=str)
def case(request):
    model = random_model(5, 2, kinds=(jd.Revolute("y"), jd.Spherical()), parameters=True)
    system = jd.compile(model, execution=request.param)
    return system, random_state(system, 1)


def differences(function, x, step=1e-6):
    columns = [
        (function(x + step * unit) - function(x - step * unit)) / (2 * step)
        for unit in np.eye(len(x))
    ]
    return np.array(columns).T.reshape(-1, len(x))


def test_forward_and_inverse_derivatives_belong_together(case):
    """dv/dt(q, v, tau(q, v, dv/dt)) = dv/dt gives ∂FD = −M⁻¹ ∂ID, exactly."""
    system, (q, v, vdot, t) = case
    tau = system.inverse_dynamics(q, v, vdot, t)
    forward = system.forward_dynamics_derivatives(q, v, tau, t)
    inverse = system.inverse_dynamics_derivatives(q, v, vdot, t)
    M = system.mass_matrix(q, t)
    np.testing.assert_allclose(inverse.force, M, atol=1e-12 * np.abs(M).max())
    np.testing.assert_allclose(M @ forward.force, np.eye(len(v)), atol=1e-9)
    for name in ("q", "v", "parameters"):
        left, right = -M @ getattr(forward, name), getattr(inverse, name)
        np.testing.assert_allclose(left, right, atol=1e-9 * max(1.0, np.abs(right).max()))


def test_derivatives_are_those_of_the_functions(case):
    system, (q, v, vdot, t) = case
    p = system.parameter_array(None)
    exact = system.inverse_dynamics_derivatives(q, v, vdot, t)
    found = {
        "q": differences(lambda x: system.inverse_dynamics(x, v, vdot, t), q),
        "v": differences(lambda x: system.inverse_dynamics(q, x, vdot, t), v),
        "parameters": differences(
            lambda x: system.inverse_dynamics(q, v, vdot, t, parameters=x), p
        ),
    }
    for name, expected in found.items():
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(getattr(exact, name), expected, atol=1e-7 * size)


def central(function, x, step=1e-5):
    """Central differences of fourth order of a function of batches."""
    units = np.eye(len(x))
    near, far = (
        (function(x + h * units) - function(x - h * units)) / (2 * h) for h in (step, 2 * step)
    )
    return ((4 * near - far) / 3).T


@pytest.mark.parametrize("kind", all_joint_kinds(), ids=lambda kind: type(kind).__name__)
def test_derivatives_of_every_kind_are_those_of_the_functions(kind):
    """Trees with branches, drives, reversed joints, armatures and a coordinate, run in all ways."""
    model = random_model(6, 3, kinds=(kind, kind, jd.Revolute("y")), n_coordinates=1)
    system = jd.compile(model, execution=jd.Unrolled())
    q, v, vdot, t = random_state(system, 4)
    tau = system.inverse_dynamics(q, v, vdot, t)
    inverse = system.inverse_dynamics_derivatives(q, v, vdot, t)
    forward = system.forward_dynamics_derivatives(q, v, tau, t)
    M = system.mass_matrix(q, t)
    pairs = [
        (inverse.q, central(lambda x: system.inverse_dynamics(x, v, vdot, t), q), 1e-8),
        (inverse.v, central(lambda x: system.inverse_dynamics(q, x, vdot, t), v), 1e-8),
        (inverse.force, M, 1e-13),
        (M @ forward.q, -inverse.q, 1e-10),
        (M @ forward.v, -inverse.v, 1e-10),
        (M @ forward.force, np.eye(len(v)), 1e-9),
    ]
    for execution in (jd.Plain(), jd.Looped()):
        other = jd.compile(model, execution=execution)
        found = other.inverse_dynamics_derivatives(q, v, vdot, t)
        pairs += [(getattr(found, k), getattr(inverse, k), 1e-12) for k in ("q", "v", "force")]
        found = other.forward_dynamics_derivatives(q, v, tau, t)
        pairs += [(getattr(found, k), getattr(forward, k), 1e-9) for k in ("q", "v", "force")]
    for found, wanted, tolerance in pairs:
        size = max(1.0, np.abs(wanted).max(initial=0.0))
        np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * size)


@pytest.mark.parametrize("execution", EXECUTIONS, ids=str)
def test_batches_of_derivatives_and_mass_matrices(execution):
    model = random_model(3, 4, kinds=(jd.Revolute("y"), jd.Free(), jd.Universal()))
    system = jd.compile(model, execution=execution)
    states = [random_state(system, k) for k in range(5)]
    q, v, vdot, t = (np.array(x) for x in zip(*states, strict=True))
    many = system.inverse_dynamics_derivatives(q, v, vdot, t)
    other = system.forward_dynamics_derivatives(q, v, vdot, t)
    M = system.mass_matrix(q, t)
    for k in range(5):
        one = system.inverse_dynamics_derivatives(q[k], v[k], vdot[k], t[k])
        two = system.forward_dynamics_derivatives(q[k], v[k], vdot[k], t[k])
        for name in ("q", "v", "force", "parameters"):
            np.testing.assert_array_equal(getattr(many, name)[k], getattr(one, name))
            np.testing.assert_array_equal(getattr(other, name)[k], getattr(two, name))
        np.testing.assert_allclose(M[k], system.mass_matrix(q[k], t[k]), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("where", [0.0, 1e6])
def test_large_mass_matrix_is_symmetric_and_exact_everywhere(where):
    """Columns of M are the forces of unit accelerations; far from the world's origin, too."""
    model = jd.Model("train", gravity=(0, 0, 0))
    base = model.add_body("base", jd.solid.box(mass=2.0, size=(1.0, 0.3, 0.2)))
    model.add_joint("flight", model.world, base, jd.Free())
    place, branch = base.at(0.5, 0, 0), base.at(-0.5, 0, 0)
    for k in range(30):
        for name, at in (("a", place), ("b", branch)):
            body = model.add_body(f"{name}{k}", jd.solid.box(mass=1.0, size=(0.3, 0.1, 0.1)))
            model.add_joint(f"{name}_joint{k}", at, body.at(-0.15, 0, 0), jd.Revolute("xyz"[k % 3]))
            place, branch = (body.at(0.15, 0, 0), branch) if name == "a" else (place, body.at(0.15))
    system = jd.compile(model)
    assert isinstance(system.execution, jd.Looped)
    q, v, *_ = random_state(system, 1)
    q[system.index("flight.position")] += where
    M = system.mass_matrix(q)
    np.testing.assert_array_equal(M, M.T)
    columns = system.multiply_mass_matrix(q, np.eye(len(v)))
    np.testing.assert_allclose(M, columns, rtol=0, atol=1e-13 * np.abs(M).max())
    assert np.all(np.linalg.eigvalsh(M) > 0.0)


def test_forces_may_be_named():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=3.0, end=(0, 0, -1)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    system = jd.compile(model)
    d = system.forward_dynamics_derivatives([0.0], [0.0], {"hinge.angle": 1.0})
    np.testing.assert_allclose(d.force, [[1.0]])  # m l² / 3 = 1 kg m²
    np.testing.assert_allclose(d.q, [[-3.0 * 9.81 * 0.5]], rtol=1e-14)
    assert d.parameters.shape == (1, 0)


def test_derivatives_with_a_loop_a_spring_and_parameters():
    """Multipliers change with the state, with forces and with parameters."""
    model = jd.Model("ring", gravity=(0, -9.81, 0))
    place = model.world.at()
    for name, length in (("a", 1.0), ("b", 1.4), ("c", 1.2)):
        body = model.add_body(name, jd.solid.rod(mass=length, end=(length, 0, 0)))
        model.add_joint(f"to_{name}", place, body, jd.Revolute("z"))
        place = body.at(length, 0, 0)
    model.add_joint(
        "last", model.world.at(jd.Parameter("reach", 1.5), 0, 0), place, jd.Revolute("z")
    )
    law = Spring(jd.Parameter("k", 3.0), free=0.2)
    model.add_connection("spring", Distance(model.world, model.body("b").at(0.5, 0, 0)), law)
    system = jd.compile(model)
    found = jd.assemble(system, {"to_a.rate": 1.0}, near={"to_a.angle": 1.0, "to_b.angle": -1.0})
    q, v, tau, p = found.q, found.v, np.array([0.3, -0.2, 0.5]), np.array([1.5, 3.0])
    d = system.forward_dynamics_derivatives(q, v, tau)
    vdot = system.forward_dynamics
    for found, wanted in (
        (d.q, differences(lambda x: vdot(x, v, tau), q)),
        (d.v, differences(lambda x: vdot(q, x, tau), v)),
        (d.force, differences(lambda x: vdot(q, v, x), tau)),
        (d.parameters, differences(lambda x: vdot(q, v, tau, parameters=x), p)),
    ):
        np.testing.assert_allclose(found, wanted, atol=1e-6 * max(1.0, np.abs(wanted).max()))


def test_derivatives_with_many_springs_run_in_loops():
    """Forces of springs, dampers and states of laws; columns by all positions, states too."""
    model, rng = jd.Model("mesh"), np.random.default_rng(3)
    place = model.world.at()
    for k in range(4):
        inertia = jd.Inertia(1.0 + k, (0.1, 0.2, 0.0), (0.3, 0.4, 0.5))
        body = model.add_body(f"b{k}", inertia)
        model.add_joint(
            f"j{k}", place, body, jd.Spherical() if k == 1 else jd.Revolute("xyz"[k % 3])
        )
        place = body.at(0.3, 0.0, 0.1)
    stiffness = jd.Parameter("k", 30.0)
    for k in range(17):
        ends = model.body(f"b{k % 4}").at(*rng.normal(size=3)), model.world.at(*rng.normal(size=3))
        law = [Spring(stiffness, free=0.2), jd.Damper(2.0), jd.Maxwell(40.0, 3.0)][k % 3]
        model.add_connection(f"c{k}", Distance(*ends), law)
    system = jd.compile(model)
    q, v, _, t = random_state(system, 2)
    q = np.concatenate([q, np.zeros(len(system.names.q) - len(q))])
    tau, p = rng.normal(size=len(v)), np.array([33.0])
    found = system.forward_dynamics_derivatives(q, v, tau, t, parameters=p)
    assert "slopes" in system.questions[Slopes]._functions

    def vdot(q=q, v=v, tau=tau, p=p):
        return system.forward_dynamics(q, v, tau, t, parameters=p)

    for have, wanted in (
        (found.q, differences(lambda x: vdot(q=x), q)),
        (found.v, differences(lambda x: vdot(v=x), v)),
        (found.force, differences(lambda x: vdot(tau=x), tau)),
        (found.parameters, differences(lambda x: vdot(p=x), p)),
    ):
        np.testing.assert_allclose(have, wanted, atol=1e-6 * max(1.0, np.abs(wanted).max()))


def four_bars(n):
    """Row of parallelograms with springs; stiffness and mass are parameters."""
    model = jd.Model("four_bars", gravity=(0, -9.81, 0))
    stiffness, mass = jd.Parameter("stiffness", 30.0), jd.Parameter("mass", 1.0)
    bar = jd.Inertia(mass=mass, com=(0.5, 0, 0), moments=(1e-6, 1 / 12, 1 / 12))
    cranks = [model.add_body(f"crank_{k}", bar) for k in range(n + 1)]
    for k, crank in enumerate(cranks):
        model.add_joint(f"ground_{k}", model.world.at(k, 0, 0), crank, jd.Revolute("z"))
    for k in range(n):
        coupler = model.add_body(f"coupler_{k}", bar)
        model.add_joint(f"left_{k}", cranks[k].at(1, 0, 0), coupler, jd.Revolute("z"))
        ends = coupler.at(1, 0, 0), cranks[k + 1].at(1, 0, 0)
        model.add_joint(f"right_{k}", *ends, jd.Revolute("z"))
        law = Spring(stiffness, free=0.3) + jd.Damper(0.5)
        model.add_connection(f"spring_{k}", jd.Coordinate(f"left_{k}.angle"), law)
    return model


@pytest.mark.parametrize("n", [2, 12])
def test_derivatives_of_rows_of_loops_are_those_of_all_ways_and_differences(n):
    """Small systems take the graph of the Jacobian, large ones its tangent; both are compared."""
    system, rng = jd.compile(four_bars(n)), np.random.default_rng(n)
    angle, rate = 1.1, -0.7
    start = {f"ground_{k}.angle": angle for k in range(n + 1)}
    start |= {f"left_{k}.angle": -angle for k in range(n)}
    start |= {f"ground_{k}.rate": rate for k in range(n + 1)}
    start |= {f"left_{k}.rate": -rate for k in range(n)}
    q, v = system.project(*system.state(start))
    tau, p = rng.normal(size=len(v)), system.parameter_array(None)
    found = system.forward_dynamics_derivatives(q, v, tau)
    at = q, v, tau, 0.0, p
    slopes = system.questions[Slopes]
    own = Derivatives(*(slopes._of_graph(name, *at) for name in ("q", "v", "tau", "p")))
    other = Derivatives(*slopes._along_graph(("q", "v", "tau", "p"), *at))
    for name in Derivatives._fields:
        size = max(1.0, np.abs(getattr(found, name)).max())
        for way in (own, other):
            np.testing.assert_allclose(getattr(way, name), getattr(found, name), atol=1e-12 * size)
    by_v = differences(lambda x: system.forward_dynamics(q, x, tau), v)
    np.testing.assert_allclose(found.v, by_v, atol=1e-6 * max(1.0, np.abs(by_v).max()))
    by_p = differences(lambda x: system.forward_dynamics(q, v, tau, parameters=x), p)
    np.testing.assert_allclose(found.parameters, by_p, atol=1e-6 * max(1.0, np.abs(by_p).max()))
    by_tau = differences(lambda x: system.forward_dynamics(q, v, x), tau)
    np.testing.assert_allclose(found.force, by_tau, atol=1e-6 * max(1.0, np.abs(by_tau).max()))


def test_inverse_dynamics_derivatives_are_those_of_the_tree():
    model = jd.Model("two")
    one, two = (model.add_body(n, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for n in "ab")
    model.add_joint("left", model.world, one, jd.Revolute("z"))
    model.add_joint("top", one.at(1, 0, 0), two, jd.Revolute("z"))
    tree = jd.compile(model)
    model.add_joint("right", model.world.at(1, 0, 0), two.at(1, 0, 0), jd.Revolute("z"))
    loop = jd.compile(model, cut="right")
    q, v, vdot = np.array([1.0, -2.0]), np.array([0.3, 0.2]), np.array([1.0, -1.0])
    wanted = tree.inverse_dynamics_derivatives(q, v, vdot)
    found = loop.inverse_dynamics_derivatives(np.append(q, 0.7), v, vdot)
    np.testing.assert_array_equal(found.q, wanted.q)
