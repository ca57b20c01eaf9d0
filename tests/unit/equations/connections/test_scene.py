"""What measures see, and how rates follow."""

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.equations.connections.scene import Actual, Scene, trace_measure
from jourdain.errors import ModelError, UnknownNameError
from jourdain.model.measures import Coordinate, Distance, Formula


def actual(t=0.0, **coordinates):
    """Two bodies in motion, and coordinates."""
    R = np.array(jd.rotation_z(0.4), dtype=float)
    one = R, np.array([1.0, 2.0, 0.5]), np.array([0.1, -0.2, 0.3, 1.0, 0.5, -0.4]), np.zeros(6)
    two = (
        np.eye(3),
        np.array([0.0, 1.0, 0.0]),
        np.array([0.0, 0.5, 0.0, 0.2, 0.0, 0.1]),
        np.zeros(6),
    )
    return Actual({"one": one, "two": two}, coordinates, t)


@pytest.fixture
def bodies():
    model = jd.Model("two")
    return model, *(model.add_body(n, jd.Inertia(1.0)) for n in ("one", "two"))


def moved(state, h):
    """The same scene a small time later, at constant twists."""
    later = {}
    for name, (R, p, twist, _) in state.bodies.items():
        turn = Rotation.from_rotvec(h * twist[:3]).as_matrix()
        later[name] = turn @ R, p + h * twist[3:], twist, np.zeros(6)
    return Actual(later, state.coordinates, state.t + h)


def test_rate_and_bias_are_slopes_along_the_motion(bodies):
    model, one, two = bodies
    ends = one.at(0.1, 0.2, 0.3), two.at(-0.3, 0.1, 0.0)
    formula = Formula(lambda at: jd.sin(at.t) * jd.math.norm(at.relative(*ends)[1]))
    for measure in (Distance(*ends), formula):
        traced = trace_measure(measure, (), "here")
        state, h = actual(0.3), 1e-4
        now = traced.at(state)
        back, there = (traced.at(moved(state, k * h)) for k in (-1, 1))
        slope = (there.value - back.value) / (2 * h)
        assert float(now.rate) == pytest.approx(float(slope), abs=1e-7)
        slope = (there.rate - back.rate) / (2 * h)
        assert float(now.bias) == pytest.approx(float(slope), abs=1e-7)


def test_jacobians_give_the_rate_of_measures_without_time(bodies):
    model, one, two = bodies
    found = trace_measure(Distance(one, two.at(0.2, 0, 0)), (), "here").at(actual())
    twists = {name: body[2] for name, body in actual().bodies.items()}
    rate = sum(np.array(J) @ twists[name] for name, J in found.bodies.items())
    assert float(found.rate) == pytest.approx(float(rate[0]))


def test_coordinates():
    measure = 2.0 * Coordinate("a.angle") - Coordinate("b.angle")
    traced = trace_measure(measure, ("a.angle", "b.angle"), "here")
    state = Actual({}, {"a.angle": (0.5, 2.0, 3.0), "b.angle": (0.1, 1.0, -1.0)}, 0.0)
    found = traced.at(state)
    assert [float(x) for x in (found.value, found.rate, found.bias)] == [0.9, 3.0, 7.0]
    assert {k: float(J) for k, J in found.coordinates.items()} == {"a.angle": 2.0, "b.angle": -1.0}
    with pytest.raises(UnknownNameError, match="no coordinate 'c' in here"):
        trace_measure(Coordinate("c"), ("a.angle",), "here")


def test_the_world_rests(bodies):
    model, one, _ = bodies
    found = trace_measure(Distance(model.world, one), (), "here").at(actual())
    assert set(found.bodies) == {"one"}


def test_a_speed_has_no_value(bodies):
    _, one, _ = bodies
    speed = Formula(speed=lambda at: at.twist(one.at(0, 1, 0))[1][0])
    found = trace_measure(speed, (), "here").at(actual())
    assert found.value is None
    arm = np.array(jd.rotation_z(0.4), dtype=float) @ [0, 1, 0]
    wanted = 1.0 + np.cross([0.1, -0.2, 0.3], arm)[0]
    assert float(found.rate) == pytest.approx(wanted)


def test_a_measure_of_the_wrong_size():
    with pytest.raises(ModelError, match="gives 2 numbers, but its size is 3"):
        trace_measure(Formula(lambda at: jd.math.vector(at.t, 1.0), size=3), (), "here")


def test_symbols_are_made_once():
    scene = Scene(("x",), "here")
    assert ca.is_equal(scene.coordinate("x"), scene.coordinate("x"))
