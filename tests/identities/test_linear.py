"""Linear equations of random machines against differences of the equations that runs integrate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import jourdain as jd
from jourdain.testing.random_loops import random_loop_model
from jourdain.testing.states import random_state

STEP = 1e-5
KINDS = (
    jd.Revolute("y"),
    jd.Prismatic("x"),
    jd.Spherical(),
    jd.Universal(),
    jd.Planar("z"),
    jd.Skate(),
    jd.Cylindrical("z"),
)


def rates(system, q, v, t):
    """State equation by compiled kernels, which the linear equations do not use."""
    return system.coordinate_rates(q, v, t), system.forward_dynamics(q, v, t=t)


def differences(lin, system, t):
    """Rates of the independent steps by differences of fourth order along them."""
    at, tangent = lin.point.at, lin.tangent
    steps = tangent.steps
    qdot0, _ = rates(system, at.q, at.v, t)
    back, turning = steps.inverse(at.q), steps.rate(qdot0)
    columns = []
    for k in range(len(lin.states)):
        column = np.zeros(len(lin.states))
        for place, weight in ((-2, 1), (-1, -8), (1, 8), (2, -1)):
            eta = place * STEP * tangent.T_positions_whole[:, k]
            q, v = steps.moved(at.q, eta), at.v + place * STEP * tangent.T_velocities[:, k]
            q, v = system.project(q, v, t)
            qdot, vdot = rates(system, q, v, t)
            both = back @ (qdot - qdot0 - turning @ eta), vdot
            column += weight * np.r_[both[0][tangent.positions], both[1][tangent.velocities]]
        columns.append(column / (12 * STEP))
    return np.array(columns).T


def add_forces(model, rng):
    """Springs, dampers, and a law with a state, between the world and some bodies."""
    for k, body in enumerate(list(model.bodies.values())[:2]):
        away = model.world.at(*(2.0 + rng.uniform(size=3)))
        frame = body.at(*rng.uniform(-0.2, 0.2, 3))
        model.add_connection(f"spring_{k}", jd.Distance(away, frame), jd.Spring(20.0, free=1.0))
        model.add_connection(f"damper_{k}", jd.Distance(away, frame), jd.Damper(2.0))
    model.add_connection("maxwell", jd.Distance(away, frame), jd.Maxwell(15.0, 3.0))


@pytest.mark.parametrize("seed", range(4))
def test_of_trees(seed):
    rng = np.random.default_rng(seed)
    model = jd.testing.random_model(rng, 4, kinds=KINDS, driven=False)
    add_forces(model, rng)
    system = jd.compile(model)
    q, v = random_state(system, rng)[:2]
    lin = jd.linearize(system, (q, v), moving=True)
    expected = differences(lin, system, 0.0)
    np.testing.assert_allclose(lin.A, expected, atol=1e-6 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("seed", range(4))
def test_of_loops(seed):
    rng = np.random.default_rng(seed)
    model, start, t = random_loop_model(rng, 4, 1, driven=False)
    add_forces(model, rng)
    system = jd.compile(model)
    free = jd.assemble(system, start, t=t)
    v = free.v + rng.normal(size=len(free.v))
    q, v = system.project(free.q, v, t)
    lin = jd.linearize(system, (q, v), t=t, moving=True)
    expected = differences(lin, system, t)
    np.testing.assert_allclose(lin.A, expected, atol=1e-6 * (1 + np.abs(expected).max()))


def test_eigenvalues_do_not_depend_on_the_cut():
    model = four_bar()
    found = []
    for cut in ("A", "B", "C"):
        system = jd.compile(model, cut=cut)
        near = {"A.angle": 1.84, "B.angle": -1.5, "C.angle": 1.6, "D.angle": 1.94}
        known = {k: x for k, x in near.items() if k in system.names.q}
        state = jd.assemble(system, near=known)
        rest = jd.equilibrium(system, near=state)
        found.append(np.sort_complex(jd.linearize(system, rest).eigenvalues))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-8)


def four_bar():
    """Four-bar with a spring, V7 of the theory."""
    model = jd.Model("four-bar", gravity=(0, -9.81, 0))
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.4, 0, 0)))
    coupler = model.add_body("coupler", jd.solid.rod(mass=2.0, end=(0.8, 0, 0)))
    rocker = model.add_body("rocker", jd.solid.rod(mass=1.5, end=(0.7, 0, 0)))
    model.add_joint("A", model.world, crank, jd.Revolute("z"))
    model.add_joint("B", crank.at(0.4, 0, 0), coupler, jd.Revolute("z"))
    model.add_joint("D", model.world.at(0.9, 0, 0), rocker, jd.Revolute("z"))
    model.add_joint("C", coupler.at(0.8, 0, 0), rocker.at(0.7, 0, 0), jd.Revolute("z"))
    ends = model.world.at(0.3, 1, 0), coupler.at(0.4, 0, 0)
    stiffness = jd.Parameter("stiffness", 150.0)
    model.add_connection("spring", jd.Distance(*ends), jd.Spring(stiffness, free=0.3))
    model.add_connection("damper", jd.Distance(*ends), jd.Damper(4.0))
    return model


@pytest.mark.parametrize("seed", range(4))
def test_conservative_machines_have_pairs_on_the_imaginary_axis(seed):
    rng = np.random.default_rng(seed)
    kinds = (jd.Revolute("y"), jd.Prismatic("x"), jd.Spherical(), jd.Universal())
    model = jd.testing.random_model(rng, 4, kinds=kinds, driven=False, floating=False)
    for k, body in enumerate(model.bodies.values()):
        for i in range(3):
            away = model.world.at(*rng.normal(size=3))
            ends = jd.Distance(away, body.at(*rng.uniform(-0.3, 0.3, 3)))
            model.add_connection(f"spring_{k}_{i}", ends, jd.Spring(200.0, free=0.2))
    rest = jd.equilibrium(model)
    assert rest.is_stable
    values = rest.eigenvalues
    assert np.abs(values.real).max() < 1e-7 * np.abs(values).max()
    lin = jd.linearize(model, rest)
    assert np.abs(lin.G.toarray()).max() < 1e-9 * np.abs(lin.M.toarray()).max()
    others = np.sort(jd.eigenmodes(lin).frequencies)
    np.testing.assert_allclose(np.sort(np.abs(values))[::2], 2 * np.pi * others, rtol=1e-7)


def test_a_ball_that_rolls_in_a_bowl_of_springs():
    """A contact that carries and sticks: A against differences of a run's own state equation."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.2))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(ball, 0.2), jd.Coulomb(0.8))
    for k, away in enumerate(((2.0, 0.3, 1.0), (-2.0, 0.1, 1.2), (0.2, 2.0, 0.9))):
        ends = jd.Distance(model.world.at(*away), ball.at(0.0, 0.05, 0.15))
        model.add_connection(f"spring_{k}", ends, jd.Spring(4.0, free=1.5))
    rest = jd.equilibrium(model, {"ball.position.z": 0.3})
    assert [x.word for x in rest.contacts] == ["stick"]
    lin = jd.linearize(model, rest)
    modes = jd.eigenmodes(lin)
    slow = next(m for m in modes if m.is_oscillating)
    nudge = 1e-4 * lin.tangent.T_whole @ slow.vector.real
    n = len(lin.tangent.steps.places)
    start = lin.tangent.steps.moved(rest.q, nudge[:n]), np.zeros(6)
    period = 2 * np.pi / abs(slow.eigenvalue)
    sol = jd.simulate(model, period, start=start, sample=[0.0, period])
    moved = np.abs(sol.q[-1] - rest.q).max()
    assert np.abs(sol.q[-1] - sol.q[0]).max() < 0.02 * moved


PLAIN = (jd.Revolute("y"), jd.Prismatic("x"), jd.Universal(), jd.Cylindrical("z"), jd.Spherical())


def hung_loop(seed, *, damped):
    """A random loop on springs, and its positions."""
    rng = np.random.default_rng(seed)
    model, start, t = random_loop_model(rng, 4, 1, driven=False, kinds=PLAIN, closing=PLAIN)
    for k, body in enumerate(model.bodies.values()):
        for i in range(3):
            away = model.world.at(*(2.0 * rng.normal(size=3)))
            ends = jd.Distance(away, body.at(*rng.uniform(-0.3, 0.3, 3)))
            law = jd.Spring(150.0, free=0.4) + jd.Damper(2.0 if damped else 0.0)
            model.add_connection(f"rope_{k}_{i}", ends, law)
    return model, start, t


def rebuilt(model, rng):
    """The same machine with bodies and joints added in another order."""
    twin = jd.Model(model.name, model.gravity)
    for name in rng.permutation(list(model.bodies)).tolist():
        twin.add_body(name, model.bodies[name].inertia)
    for name in rng.permutation(list(model.joints)).tolist():
        j = model.joints[name]
        twin.add_joint(name, j.parent, j.child, j.kind, armature=dict(j.armature))
    for c in model.connections.values():
        twin.add_connection(c.name, c.measure, c.law)
    return twin


def sorted_eigenvalues(lin):
    found = lin.eigenvalues
    return found[np.lexsort((found.real.round(5), found.imag.round(5)))]


@pytest.mark.parametrize("seed", range(4))
def test_eigenvalues_depend_on_no_choice(seed):
    """Other cuts, other coordinates, another order of bodies: the same eigenvalues."""
    model, start, t = hung_loop(seed, damped=True)
    system = jd.compile(model)
    rest = jd.equilibrium(system, jd.assemble(system, start, t=t), t=t)
    poses = np.asarray(system.poses(rest.q, t))
    lin = jd.linearize(system, rest)
    expected, size = sorted_eigenvalues(lin), np.abs(lin.eigenvalues).max()
    known = {name: float(rest[name]) for name in system.names.q}
    rng = np.random.default_rng(seed)
    loop = [j.name for j in system.topology.cuts]
    others = [jd.compile(model, cut=name) for name in model.joints if _can_be_cut(model, name)]
    others.append(jd.compile(rebuilt(model, rng), cut=loop))
    compared = 0
    for other in others:
        state = jd.assemble(other, near={k: x for k, x in known.items() if k in other.names.q}, t=t)
        found = jd.equilibrium(other, state, t=t)
        order = [other.names.bodies.index(name) for name in system.names.bodies]
        moved = np.abs(np.asarray(other.poses(found.q, t))[order] - poses).max()
        if moved > 1e-6:
            continue  # another rest
        values = sorted_eigenvalues(jd.linearize(other, found))
        np.testing.assert_allclose(values, expected, atol=1e-7 * size)
        compared += 1
    assert compared >= 3
    steps = [n for n in lin.tangent.steps.names if n in system.names.q]
    for name in rng.permutation(steps)[:3]:
        values = sorted_eigenvalues(jd.linearize(system, rest, coordinates=[str(name)]))
        np.testing.assert_allclose(values, expected, atol=1e-7 * size)


def _can_be_cut(model, name):
    try:
        return [j.name for j in jd.compile(model, cut=name).topology.cuts] == [name]
    except jd.JourdainError:
        return False


@pytest.mark.parametrize("seed", range(4))
def test_conservative_loops_have_pairs_on_the_imaginary_axis(seed):
    model, start, t = hung_loop(seed, damped=False)
    system = jd.compile(model)
    rest = jd.equilibrium(system, jd.assemble(system, start, t=t), t=t)
    values = rest.eigenvalues
    assert rest.is_stable
    assert np.abs(values.real).max() < 1e-7 * np.abs(values).max()


@pytest.mark.parametrize("seed", range(3))
def test_undamped_runs_keep_areas(seed):
    """V27 g: in positions and momenta the flow of an undamped tree is symplectic."""
    rng = np.random.default_rng(seed)
    kinds = (jd.Revolute("y"), jd.Prismatic("x"), jd.Universal())
    model = jd.testing.random_model(rng, 3, kinds=kinds, driven=False, floating=False)
    for k, name in enumerate(jd.compile(model).names.q):
        model.add_connection(f"s{k}", jd.Coordinate(name), jd.Spring(40.0))
    lin = jd.linearize(model, jd.equilibrium(model))
    n = len(lin.coordinates)
    M = np.block([[np.eye(n), np.zeros((n, n))], [np.zeros((n, n)), lin.M.toarray()]])
    Phi = M @ expm(0.1 * lin.A) @ np.linalg.inv(M)
    J = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    np.testing.assert_allclose(Phi.T @ J @ Phi, J, atol=1e-8 * np.abs(Phi).max() ** 2)


@pytest.mark.parametrize("seed", range(3))
def test_derivatives_of_eigenvalues(seed):
    """V27 j: dλ/dp = yᴴ (dA/dp) x / yᴴx with A along the equilibrium."""
    rng = np.random.default_rng(seed)
    kinds = (jd.Revolute("y"), jd.Prismatic("x"), jd.Universal())
    model = jd.testing.random_model(rng, 3, kinds=kinds, driven=False, floating=False)
    stiffness = jd.Parameter("k", 40.0)
    for k, name in enumerate(jd.compile(model).names.q):
        law = jd.Spring((1.0 + 0.1 * k) * stiffness) + jd.Damper(0.4)
        model.add_connection(f"s{k}", jd.Coordinate(name), law)
    system = jd.compile(model)

    def linear(k):
        return jd.linearize(system, jd.equilibrium(system, parameters={"k": k}))

    h = 0.01
    slope = (linear(40.0 + h).A - linear(40.0 - h).A) / (2 * h)
    ahead, behind = (jd.eigenmodes(linear(40.0 + s * h)).eigenvalues for s in (1, -1))
    for k, mode in enumerate(jd.eigenmodes(linear(40.0))):
        if not mode.is_oscillating:
            continue
        expected = np.vdot(mode.left, slope @ mode.vector)
        near = [x[np.argmin(np.abs(x - mode.eigenvalue))] for x in (ahead, behind)]
        assert (near[0] - near[1]) / (2 * h) == pytest.approx(expected, rel=1e-5, abs=1e-7), k
