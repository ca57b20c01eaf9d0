"""Closed loops and held measures in loops give what their expression graph gives."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.equations.mechanism import Mechanism
from jourdain.system.state import state_kernel
from jourdain.testing import random_loop_model

EPS = np.finfo(float).eps


def machine(seed):
    """Random machine with a loop and a distance that is held, and a state near its closing."""
    rng = np.random.default_rng(seed)
    model, start, t = random_loop_model(rng, 4, 1)
    first, *_, last = model.bodies.values()
    held = jd.Distance(first.at(0.1, 0, 0.2), last.at(0, 0.3, 0))
    model.add_connection("rod", held, jd.Equal(lambda t: 0.4 + 0.1 * jd.sin(t)))
    spring = jd.Distance(first, model.world.at(0, 0, 2.0))
    model.add_connection("spring", spring, jd.Spring(30.0, free=0.5) + jd.Damper(2.0))
    system = jd.compile(model, execution=jd.Looped())
    q, v = system.state({name: x for name, x in start.items() if name in system.names.q})
    q = q + 1e-3 * rng.normal(size=q.shape)
    return system, q, rng.normal(size=v.shape), t


def tolerance(system, name, given, expected):
    """1e-11, or ten times what a state that differs in its last digit makes of the result."""
    rng = np.random.default_rng(0)
    change, scale = 0.0, max(1.0, np.abs(expected).max(initial=0.0))
    for _ in range(3):
        near = {k: given[k] * (1.0 + EPS * rng.choice((-1, 1), given[k].shape)) for k in "qv"}
        found = system.interpreted(name, **{**given, **near})
        change = max(change, np.abs(found - expected).max(initial=0.0) / scale)
    return max(1e-11, 10.0 * change)


@pytest.mark.slow
@settings(max_examples=3)
@given(seed=st.integers(0, 10_000))
@example(seed=0)
@example(seed=51)
@example(seed=1051)
def test_random_loops(seed, agree):
    system, q, v, t = machine(seed)
    p, none = system.parameter_array(None), np.zeros(0)
    state, projection = state_kernel(system, {}, {}), system.projection_kernel(0)
    assert state.extras_for is not None
    assert projection.extras_for is not None
    given = {"q": q, "v": v, "t": t, "p": p}
    names = "zdot", "vdot", "position_correction", "velocity_correction", "largest_errors"
    found = (*state.run(q, v, none, t, p), *projection.run(q, v, none, t, p))
    for name, x in zip(names, found, strict=True):
        expected = system.interpreted(name, **given)
        limit = tolerance(system, name, given, expected)
        agree(x, expected, limit, f"{name} of seed {seed}")


@pytest.mark.parametrize("axis", ["z", pytest.param((0.0, 0.6, 0.8), marks=pytest.mark.slow)])
def test_redundant_rows_are_dropped(axis, agree):
    """Spatial hinges of parallelograms: aligned with an axis rows vanish, elsewhere they repeat."""
    system, start = parallelograms(2, axis)
    q, v = system.project(*system.state(start))
    given = {"q": q, "v": v, "t": 0.0, "p": np.zeros(0)}
    P = system.interpreted("jacobian", **given)
    assert np.linalg.matrix_rank(P, tol=1e-9) < len(P)
    vdot = state_kernel(system, {}, {}).run(q, v, np.zeros(0), 0.0, np.zeros(0))[1]
    agree(vdot, system.interpreted("vdot", **given), 1e-11)
    agree(P @ vdot, -system.interpreted("row_biases", **given), 1e-11)


def parallelograms(n, axis):
    """Parallelograms in a row about an axis, one corner of each at an angle."""
    turn = jd.Revolute(axis)
    model = jd.Model("parallelograms", gravity=(0.0, -9.81, 0.3))
    n_axis = np.array((0.0, 0.0, 1.0) if axis == "z" else axis)
    side = np.array((1.0, 0.0, 0.0))
    up = np.cross(n_axis, side)
    bar = jd.Inertia(mass=1.0, com=tuple(0.5 * up), moments=(0.1, 0.2, 0.15))
    cranks = [model.add_body(f"crank{k}", bar) for k in range(n + 1)]
    for k, crank in enumerate(cranks):
        rotor = 0.3 * k if k % 2 else None
        model.add_joint(f"ground{k}", model.world.at(*(k * side)), crank, turn, armature=rotor)
    for k in range(n):
        coupler = model.add_body(
            f"coupler{k}", jd.Inertia(mass=2.0, com=tuple(0.5 * side), moments=(0.1, 0.1, 0.1))
        )
        model.add_joint(f"left{k}", cranks[k].at(*up), coupler, turn)
        model.add_joint(f"right{k}", coupler.at(*side), cranks[k + 1].at(*up), turn)
    start = {f"ground{k}.{x}": y for k in range(n + 1) for x, y in (("angle", 0.4), ("rate", 1.5))}
    start |= {f"left{k}.{x}": y for k in range(n) for x, y in (("angle", -0.4), ("rate", -1.5))}
    return jd.compile(model, execution=jd.Looped()), start


QUANTITIES = (
    Mechanism.velocity_errors,
    Mechanism.row_biases,
    Mechanism.row_errors,
    Mechanism.position_errors,
    Mechanism.cut_coordinate_errors,
    Mechanism.cut_velocities,
    Mechanism.jacobian,
    Mechanism.squares_jacobian,
    Mechanism.assembly_errors,
    Mechanism.assembly_jacobian,
    Mechanism.cut_coordinate_jacobian,
    Mechanism.cut_velocity_jacobian,
    Mechanism.body_jacobian,
    Mechanism.cut_jacobian,
)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5])
def test_answers_of_constraints(seed, agree):
    system, q, v, t = machine(seed)
    given = {"q": q, "v": v, "t": t, "p": system.parameter_array(None)}
    graph = system.mechanism._interpreted
    for quantity in QUANTITIES:
        expected = graph(quantity, **given)
        agree(system.interpreted(quantity, **given), expected, 1e-11, quantity.name)
        agree(system.answers(quantity, q, v, t=t), expected, 1e-11, quantity.name)
    places = graph._graph._places
    assert system.constraint_rows == places
    many = system.answers("jacobian", np.stack([q, q + 0.1]), v, t=t)
    agree(many[0], graph(Mechanism.jacobian, **given), 1e-11)
