"""Parameters equal numbers; leading axes equal loops; drives equal given motion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.model.elements import with_values
from jourdain.testing import random_model, random_state
from jourdain.testing.strategies import models, seeds

executions = st.sampled_from([jd.Plain(), jd.Unrolled(), jd.Looped()])


def folded(model, values):
    """The same model with numbers in the place of its parameters."""
    twin = jd.Model(model.name, with_values(model.gravity, values))
    for body in model.bodies.values():
        twin.add_body(body.name, with_values(body.inertia, values))
    for name, joint in model.joints.items():
        ends = (with_values(frame, values) for frame in (joint.parent, joint.child))
        drives = {key: with_values(drive, values) for key, drive in joint.driven.items()}
        rotors = {key: with_values(x, values) for key, x in joint.armature.items()}
        kind = with_values(joint.kind, values)
        twin.add_joint(name, *ends, kind, driven=drives, armature=rotors)
    return twin


def other_values(model, rng):
    return {p.name: p.value * rng.uniform(0.8, 1.2) for p in model.parameters.values()}


@settings(max_examples=8)
@given(model=models(1, 6, parameters=True), seed=seeds(), execution=executions)
def test_parameters_equal_numbers(model, seed, execution, agree, rounding_of):
    rng = np.random.default_rng(seed)
    values = other_values(model, rng)
    system = jd.compile(model, execution=execution)
    other = jd.compile(folded(model, values), execution=jd.Plain())
    assert not other.names.parameters
    state = random_state(system, rng)
    found = system.kinematics(*state, parameters=values)
    for a, b in zip(found, other.kinematics(*state), strict=True):
        agree(a, b, rounding_of(model))
    dq = system.coordinate_rates(*state[:2], state[3], parameters=values)
    agree(dq, other.coordinate_rates(*state[:2], state[3]), rounding_of(model))
    name = list(model.bodies)[-1]
    J = system.jacobian(name, state[0], state[3], parameters=values)
    agree(J, other.jacobian(name, state[0], state[3]), rounding_of(model))


@settings(max_examples=6)
@given(model=models(1, 5, parameters=True), seed=seeds(), execution=executions)
def test_nominal_values_need_not_be_given(model, seed, execution):
    system = jd.compile(model, execution=execution)
    state = random_state(system, seed)
    nominal = {p.name: p.value for p in model.parameters.values()}
    as_array = np.array(list(nominal.values()))
    for given_values in (nominal, as_array, {}):
        found = system.kinematics(*state, parameters=given_values)
        for a, b in zip(found, system.kinematics(*state), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def varied():
    """A model with parameters, four states and four sets of values."""
    model = random_model(12, 6, parameters=True)
    system = jd.compile(model, execution=jd.Plain())
    rng = np.random.default_rng(1)
    states = [random_state(system, rng) for _ in range(4)]
    return model, states, [other_values(model, rng) for _ in range(4)]


def test_parameters_may_differ_within_a_batch(varied, agree, rounding_of):
    model, states, values = varied
    system = jd.compile(model, execution=jd.Unrolled(lanes=2))
    q, v, _, t = (np.array(x) for x in zip(*states, strict=True))
    columns = {name: np.array([row[name] for row in values]) for name in values[0]}
    found = system.twists(q, v, t, parameters=columns)
    for k, row in enumerate(values):
        agree(found[k], system.twists(q[k], v[k], t[k], parameters=row), rounding_of(model))


def test_loops_take_one_set_of_parameters(varied):
    model, states, values = varied
    system = jd.compile(model, execution=jd.Looped())
    columns = {name: np.array([row[name] for row in values]) for name in values[0]}
    with pytest.raises(ModelError, match=r"differ within a batch.*execution=jd.Unrolled\(\)"):
        system.poses(states[0][0], parameters=columns)


def test_loops_may_change_parameters_often(varied, agree, rounding_of):
    model, states, _ = varied
    system = jd.compile(model, execution=jd.Looped())
    plain = jd.compile(model, execution=jd.Plain())
    rng = np.random.default_rng(2)
    q, v, _, t = states[0]
    for _ in range(40):  # more sets than are kept
        row = other_values(model, rng)
        expected = plain.twists(q, v, t, parameters=row)
        agree(system.twists(q, v, t, parameters=row), expected, rounding_of(model))


@pytest.mark.parametrize("execution", [jd.Plain(), jd.Unrolled(), jd.Looped()], ids=repr)
@pytest.mark.parametrize("lead", [(1,), (5,), (2, 3), (2, 1, 4), (0,)])
def test_leading_axes_equal_loops(execution, lead, agree, rounding_of):
    model = random_model(21, 4)
    system = jd.compile(model, execution=execution)
    rng = np.random.default_rng(3)
    count = int(np.prod(lead))
    rows = [random_state(system, rng) for _ in range(max(count, 1))][:count]
    n_q, n_v = len(system.names.q), len(system.names.v)
    shapes = ((*lead, n_q), (*lead, n_v), (*lead, n_v), lead)
    batch = [np.array([row[k] for row in rows]).reshape(shape) for k, shape in enumerate(shapes)]
    found = system.kinematics(*batch)
    n_bodies = len(model.bodies)
    widths = ((n_bodies, 4, 4), (n_bodies, 6), (n_bodies, 6))
    assert [x.shape for x in found] == [(*lead, *width) for width in widths]
    for k, i in enumerate(np.ndindex(*lead)):
        for a, b in zip(found, system.kinematics(*rows[k]), strict=True):
            agree(a[i], b, rounding_of(model))


@pytest.mark.parametrize("execution", [jd.Plain(), jd.Unrolled(), jd.Looped()], ids=repr)
def test_axes_broadcast(execution, agree, rounding_of):
    model = random_model(22, 4)
    system = jd.compile(model, execution=execution)
    q, v, _, _ = random_state(system, 3)
    times = np.linspace(0.0, 1.0, 6).reshape(3, 2)
    speeds = v * np.array([[1.0], [2.0]])
    found = system.twists(q, speeds, times)
    assert found.shape == (3, 2, len(model.bodies), 6)
    for i in np.ndindex(3, 2):
        agree(found[i], system.twists(q, speeds[i[1]], times[i]), rounding_of(model))


def without_drives(model):
    """The same model with its driven coordinates free."""
    twin = jd.Model(model.name, model.gravity)
    for body in model.bodies.values():
        twin.add_body(body.name, body.inertia)
    for joint in model.joints.values():
        twin.add_joint(joint.name, joint.parent, joint.child, joint.kind)
    return twin


@settings(max_examples=8)
@given(
    model=models(
        1,
        5,
        kinds=[jd.Universal(), jd.Planar("y"), jd.Gimbal(), jd.Cylindrical("x")],
        floating=False,
    ),
    seed=seeds(),
    execution=executions,
)
def test_drives_equal_given_coordinates(model, seed, execution, agree, rounding_of):
    """For kinds with v = dq/dt: drives are free coordinates with known values and rates."""
    system = jd.compile(model, execution=execution)
    free = jd.compile(without_drives(model), execution=jd.Plain())
    q, v, vdot, t = random_state(system, seed)
    known = dict(zip(system.names.q, zip(q, v, vdot, strict=True), strict=True))
    columns = []
    for name in free.names.q:
        joint, _, key = name.partition(".")
        driven = name not in known
        columns.append(
            _with_rates(_drive_of(model.joints[joint], key), t) if driven else known[name]
        )
    expected = free.kinematics(*np.array(columns).T, t)
    for a, b in zip(system.kinematics(q, v, vdot, t), expected, strict=True):
        agree(a, b, rounding_of(model))


def _drive_of(joint, coordinate):
    """Wave that drives a coordinate, alone or in a group."""
    if coordinate in joint.driven:
        return joint.driven[coordinate]
    stem = coordinate.partition(".")[0]
    names = [name for name in joint.kind.coordinates if name.startswith(f"{stem}.")]
    return joint.driven[stem].waves[names.index(coordinate)]


def _with_rates(wave, t):
    """Value and rates of ``offset (1 + 0.2 sin(w t + phase))``."""
    phase = wave.frequency * t + wave.phase
    depth = 0.2 * wave.offset
    return (
        wave.offset + depth * np.sin(phase),
        depth * wave.frequency * np.cos(phase),
        -depth * wave.frequency**2 * np.sin(phase),
    )
