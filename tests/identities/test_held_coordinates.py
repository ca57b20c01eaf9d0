"""Coordinates that are given stay as they are, to the bit, however small a step they make (A2)."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import jourdain as jd
from jourdain.analysis.driving import velocity_name
from jourdain.solvers import all_integrators
from jourdain.testing import random_loop_model

SIZES = 10.0 ** np.arange(-12.0, -2.0)
STEPS = st.floats(-12.0, -1.0).map(lambda e: 10.0**e)


def four_bar(base=3.0, crank=1.0, coupler=3.0, rocker=2.5):
    model = jd.Model("four_bar")
    lengths = {"crank": crank, "coupler": coupler, "rocker": rocker}
    a, b, c = (model.add_body(n, jd.solid.box(1.0, (0.1, 0.1, 0.1))) for n in lengths)
    model.add_joint("main", model.world, a, jd.Revolute("y"))
    model.add_joint("first", a.at(crank, 0, 0), b, jd.Revolute("y"))
    model.add_joint("second", b.at(coupler, 0, 0), c.at(rocker, 0, 0), jd.Revolute("y"))
    model.add_joint("pivot", model.world.at(base, 0, 0), c, jd.Revolute("y"))
    return model


NOMINAL = {"base": 3.0, "crank": 1.0, "coupler": 3.0, "rocker": 2.5}


@pytest.fixture(scope="module")
def bars():
    return jd.compile(four_bar(**{n: jd.Parameter(n, x, "m") for n, x in NOMINAL.items()}))


@pytest.fixture(scope="module")
def loop():
    model, start, t = random_loop_model(3, 4)
    return jd.compile(model), start, t


def differences(system, name, at, h, **given):
    """Slope of all tree coordinates by one, from positions at ± h and from velocities."""
    ends = [jd.assemble(system, {name: at[name] + x}, near=at, **given) for x in (h, -h)]
    for end, x in zip(ends, (h, -h), strict=True):
        assert end[name] == at[name] + x
    rate = velocity_name(system, name)
    fast, slow = (jd.assemble(system, dict(zip(system.names.q, at.q, strict=True)) | {rate: w},
                              **given) for w in (1.0, 0.0))  # fmt: skip
    n = system.description.n_q
    t, p = given.get("t", 0.0), given.get("parameters")
    rates = [system.tree_rates(at.q, x.v, t, parameters=p) for x in (fast, slow)]
    width = ends[0][name] - ends[1][name]
    return (ends[0].q[:n] - ends[1].q[:n]) / width, rates[0] - rates[1]


def test_the_four_bar_of_the_guide(bars):
    a = jd.assemble(bars, {"main.angle": -1.0})
    assert jd.assemble(bars, {"main.angle": -1.0 + 1e-4}, near=a)["main.angle"] == -1.0 + 1e-4
    assert jd.simulate(bars, 1e-3, start={"main.angle": -1.0 + 1e-4}).q[0, 0] == -1.0 + 1e-4


@given(
    h=STEPS,
    angle=st.floats(-3.0, 3.0),
    lengths=st.tuples(*(st.floats(0.8, 1.25) for _ in range(4))),
    name=st.sampled_from(["main.angle", "first.angle"]),
)
def test_steps_of_random_four_bars(bars, h, angle, lengths, name):
    parameters = {n: x * f for (n, x), f in zip(NOMINAL.items(), lengths, strict=True)}
    try:
        at = jd.assemble(bars, {"main.angle": angle}, parameters=parameters)
    except jd.AssemblyError:
        assume(False)
    moved = jd.assemble(bars, {name: at[name] + h}, near=at, parameters=parameters)
    assert moved[name] == at[name] + h
    if 1e-7 < h < 1e-4:
        found, exact = differences(bars, name, at, h, parameters=parameters)
        assume(np.abs(exact).max() < 30.0)  # not at a dead point
        np.testing.assert_allclose(found, exact, atol=1e3 * h + 1e-11 / h, rtol=1e3 * h)


@given(h=STEPS)
def test_a_cut_coordinate_is_held_to_rounding(bars, h):
    at = jd.assemble(bars, {"main.angle": -1.0})
    (name,) = bars.description.parts.cut_coordinates
    wanted = at[name] - h
    assert jd.assemble(bars, {name: wanted}, near=at)[name] == pytest.approx(wanted, abs=1e-12)


def scalar_coordinates(system):
    """Coordinates of the tree that one velocity moves."""
    kinds = {n: j.kind for n, j in system.model.joints.items() if not j.driven}
    scalar = (n for n, k in kinds.items() if isinstance(k, jd.Revolute | jd.Prismatic))
    names = (f"{n}.{c}" for n in scalar for c in kinds[n].coordinates)
    return [name for name in names if name in system.names.q]


@pytest.mark.parametrize("seed", [3, 5, 8, 13, 20])
def test_steps_of_random_loops(seed):
    """Given values stay, and slopes agree with velocities, whatever the joints of the loops."""
    model, start, t = random_loop_model(seed, 5, 1 + seed % 2)
    system = jd.compile(model)
    at = jd.assemble(system, {k: x for k, x in start.items() if k in system.names.q}, t=t)
    tried, kinds = 0, [joint.kind for joint in model.joints.values()]
    for name in scalar_coordinates(system):
        try:
            found = [jd.assemble(system, {name: at[name] + h}, near=at, t=t) for h in SIZES]
            slopes = differences(system, name, at, 1e-5, t=t)
        except jd.AssemblyError:  # a freedom that the loop takes
            continue
        assert [x[name] for x in found] == [at[name] + h for h in SIZES]
        if all(len(k.velocities) == len(k.coordinates) for k in kinds):  # holonomic
            np.testing.assert_allclose(*slopes, rtol=1e-3, atol=1e-4)
        tried += 1
    assert tried


METHODS = [None, *all_integrators(), jd.MoreauJean(1e-2)]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_the_end_of_a_run_is_held_to_the_bit(bars, loop, method):
    """States of runs satisfy the constraints to 1e-9, so that others go on from there."""
    for system, start, t in ((bars, {"main.angle": -1.0, "main.rate": 3.0}, 0.0), loop):
        sol = jd.simulate(system, (t, t + 0.1), start=start, method=method, sample=0.1)
        found = jd.assemble(system, sol.final, t=t + 0.1)
        n = system.description.n_q
        np.testing.assert_array_equal(found.q[:n], sol.q[-1, :n])
        onward = jd.simulate(system, (t + 0.1, t + 0.11), start=sol.final, sample=0.01)
        np.testing.assert_array_equal(onward.q[0, :n], sol.q[-1, :n])


def test_a_whole_state_that_does_not_fit_is_an_error(bars):
    at = jd.assemble(bars, {"main.angle": -1.0})
    whole = {name: at[name] for name in bars.names.q}
    for h in (1e-4, 1e-7):
        with pytest.raises(jd.AssemblyError, match=r"held are 'main\.angle'"):
            jd.assemble(bars, whole | {"main.angle": -1.0 + h})
