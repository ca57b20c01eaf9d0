"""Dead times against the method of steps.

The solution of y' = -y(t - 1), y = 1 before, is a polynomial in each unit of time,
y(t) = Σ (-1)ᵏ (t - k + 1)ᵏ / k!.
"""

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError


def late_decay():
    model = jd.Model("late")
    states = {"y": "1"}
    model.add_states("x", states, lambda at: at.input("u"), start=1.0, inputs={"u": "1"})
    return model, {"x.u": jd.Delayed(lambda t, s: -s["x.y"], time=1.0, before=-1.0)}


def exact(t):
    terms = range(int(np.floor(t + 1e-9)) + 2)
    return sum((-1.0) ** k * (t - k + 1.0) ** k / math.factorial(k) for k in terms)


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (None, 1e-12),
        (jd.Dop853(rtol=1e-12, atol=1e-14), 1e-12),
        (jd.RungeKutta4(1e-2), 1e-8),
        (jd.Radau5(), 1e-8),
        (jd.MoreauJean(1e-4), 1e-3),
    ],
)
def test_the_method_of_steps(method, error):
    model, inputs = late_decay()
    sol = jd.simulate(model, 5.5, inputs=inputs, method=method, sample=0.1)
    for t, y, u in zip(sol.time, sol["x.y"], sol["x.u"], strict=True):
        assert float(y) == pytest.approx(exact(float(t)), abs=error)
        past = exact(float(t) - 1.0) if t > 1.0 + 1e-9 else 1.0
        assert float(u) == pytest.approx(-past, abs=error)


def test_steps_of_order_four_stay_so():
    """The error of RK4 falls by 2⁴ with half the step: the input is as smooth as the motion."""
    errors = []
    for points in (8, 16):
        model = jd.Model("driven")
        model.add_states("x", {"y": "1"}, lambda at: at.input("u"), inputs={"u": "1"})
        late = jd.Delayed(lambda t, s: math.cos(3.0 * t), 0.4, lambda t: math.cos(3.0 * t), points)
        given = {"inputs": {"x.u": late}, "method": jd.RungeKutta4(0.4 / points)}
        y = jd.simulate(model, 2.0, **given).final["x.y"]
        errors.append(abs(y - (math.sin(3.0 * 1.6) + math.sin(3.0 * 0.4)) / 3.0))
    assert errors[1] < 1e-6
    assert errors[0] / errors[1] > 14.0


def test_a_delayed_controller_of_a_mass():
    """A dead time of one period: x'' = -w² x(t - 2 pi/w) has the solution cos w t."""
    w = 3.0
    model = jd.Model("mass")
    model.add_coordinate("x", 1.0, unit="m")
    late = jd.Delayed(
        lambda t, s: -(w**2) * s["x"], 2.0 * math.pi / w, lambda t: -(w**2) * math.cos(w * t), 64
    )
    sol = jd.simulate(model, 6.0, start={"x": 1.0}, inputs={"x": late}, sample=0.1)
    np.testing.assert_allclose(sol["x"], np.cos(w * np.asarray(sol.time)), atol=1e-6)


@pytest.mark.parametrize("method", [None, jd.RungeKutta4(7e-3), jd.MoreauJean(1e-3)])
@pytest.mark.parametrize("middle", [0.37, 1.0, 3.21])
def test_runs_resume_to_the_bit(method, middle, tmp_path):
    model, inputs = late_decay()
    given = {"inputs": inputs, "method": method, "sample": 0.1}
    whole = jd.simulate(model, 5.5, **given)
    jd.simulate(model, middle, **given).save(tmp_path / "half.nc")
    rest = jd.simulate(model, 5.5, resume=jd.load(tmp_path / "half.nc"), **given)
    assert rest.final == whole.final


def test_beside_contacts():
    """A ball that is pushed by the force of a sine 0.2 s ago, above a stop that it never meets."""
    model = jd.Model("ball")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral())
    late = jd.Delayed(lambda t, s: math.sin(t), 0.2, math.sin)
    for method in (jd.EventDriven(), jd.MoreauJean(1e-4), jd.NonsmoothAlpha(1e-3)):
        sol = jd.simulate(model, 1.0, start={"x": 2.0}, inputs={"x": late}, method=method)
        wanted = 2.0 + math.sin(0.2) * -1.0 + math.cos(0.2) - math.sin(0.8)
        assert sol.final["x"] == pytest.approx(wanted, abs=1e-4)


def test_what_is_wrong_is_told():
    for wrong, text in (
        ({"function": 1.0, "time": 1.0}, "give a function"),
        ({"function": abs, "time": 0.0}, "time of Delayed"),
        ({"function": abs, "time": 1.0, "before": "a"}, "before of Delayed"),
        ({"function": abs, "time": 1.0, "points": 7}, "points=7: give a whole number"),
    ):
        with pytest.raises(ModelError, match=text):
            jd.Delayed(**wrong)
    model, inputs = late_decay()
    with pytest.raises(ModelError, match=r"'x.u' has a dead time.*add_pade_delay"):
        jd.linearize(model, inputs=inputs)
    with pytest.raises(ModelError, match=r"sampled input 'x.u' gave nan"):
        jd.simulate(model, 1.0, inputs={"x.u": jd.Delayed(lambda t, s: math.nan, 1.0)})
