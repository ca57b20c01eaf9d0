"""Measures that see states: a spring whose other end is a state."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError

K, D, T = 40.0, 3.0, 0.2


def driven(law):
    """A mass of 1 kg, drawn through a spring by the lag of a ramp."""
    model = jd.Model("drawn")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_lag("end", lambda at: at.t, time=T, unit="m")
    span = jd.Formula(lambda at: at.coordinate("x") - at.state("end.value"))
    model.add_connection("spring", span, law)
    return model


def given(law):
    """The same with the motion of the end written down: y = t - T (1 - exp(-t/T))."""
    model = jd.Model("given")
    model.add_coordinate("x", 1.0, unit="m")
    end = jd.Formula(lambda at: at.coordinate("x") - (at.t - T * (1.0 - jd.exp(-at.t / T))))
    model.add_connection("spring", end, law)
    return model


@pytest.mark.parametrize("law", [jd.Spring(K), jd.Damper(D), jd.Spring(K) + jd.Damper(D)])
def test_a_state_moves_a_measure_as_time_does(law):
    fine = {"sample": 0.01, "method": jd.Dop853(rtol=1e-12, atol=1e-13)}
    one, other = (jd.simulate(m(law), 2.0, **fine) for m in (driven, given))
    for name in ("x", "spring.value", "spring.rate", "spring.force", "spring.energy"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-9)


def test_energy_balances():
    sol = jd.simulate(driven(jd.Spring(K) + jd.Damper(D)), 2.0)
    powers = sum(sol[f"power.{n}"] for n in ("drives", "connections", "applied"))
    gained = float(sol["energy.total"][-1] - sol["energy.total"][0])
    assert gained > 0.1
    assert float(np.trapezoid(powers, sol.time)) == pytest.approx(gained, abs=1e-5)


@pytest.mark.parametrize("method", [jd.Radau5(), jd.RungeKutta4(1e-3), jd.GeneralizedAlpha(1e-3)])
def test_other_integrators(method):
    law = jd.Spring(K) + jd.Damper(D)
    one, other = (jd.simulate(m(law), 1.0, method=method) for m in (driven, given))
    assert one.final["x"] == pytest.approx(other.final["x"], abs=3e-6)


def test_formulations_agree():
    model = driven(jd.Spring(K) + jd.Damper(D))
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.2, 0, 0)))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    lift = jd.Formula(lambda at: at.pose(crank.at(0.2, 0, 0))[1][2] - 0.1 * at.state("end.value"))
    model.add_connection("lift", lift, jd.Spring(30.0) + jd.Damper(1.0))
    jd.verify(model).require()


def test_derivatives_see_the_state():
    line = jd.linearize(driven(jd.Spring(K) + jd.Damper(D)), moving=True)
    found = np.asarray(line.A)
    values = np.linalg.eigvals(found)
    wanted = [-1.0 / T, *np.roots([1.0, D, K])]
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(wanted), rtol=1e-9)


def test_a_law_may_ask_for_the_rate_of_such_a_measure():
    model = driven(jd.Spring(K))
    span = jd.Formula(lambda at: at.coordinate("x") - at.state("end.value"))
    model.add_connection("dash", jd.Coordinate("x"), jd.Law(lambda x, v, at: -D * at.rate_of(span)))
    other = given(jd.Spring(K) + jd.Damper(D))
    one, two = (jd.simulate(m, 1.0) for m in (model, other))
    assert one.final["x"] == pytest.approx(two.final["x"], abs=1e-7)


def test_circles_through_measures_are_named():
    model = jd.Model("circle")
    model.add_coordinate("x", 1.0)
    model.add_states("s", {"y": "rad"}, lambda at: at.force("damper"))
    model.add_connection(
        "damper", jd.Formula(lambda at: at.coordinate("x") - at.state("s.y")), jd.Damper(1.0)
    )
    with pytest.raises(ModelError, match=r"force of 'damper'.*rate of 's.y'|rate of 's.y'.*damper"):
        jd.simulate(model, 0.1)


def winch(law, length):
    """A mass on a rope whose length an input gives, or a function of time."""
    model = jd.Model("winch")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_coordinate("drum", 1.0)
    signal = jd.Law(lambda x, v: -x, inputs={"length": "m"})
    model.add_connection("winch", jd.Coordinate("drum"), signal)
    model.add_connection("rope", jd.Formula(lambda at: at.coordinate("x") - length(at)), law)
    return model


def reeled(t):
    return 0.1 * jd.sin(3.0 * t)


METHODS = [jd.Dop853(), jd.Radau5(), jd.GeneralizedAlpha(1e-3), jd.MoreauJean(1e-3)]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_an_input_moves_a_measure_as_time_does(method):
    law = jd.Spring(K) + jd.Damper(D)
    given = {"winch.length": reeled}
    one = jd.simulate(
        winch(law, lambda at: at.input("winch.length")), 1.0, inputs=given, method=method
    )
    other = jd.simulate(winch(law, lambda at: reeled(at.t)), 1.0, method=method)
    for name in ("x", "rope.value", "rope.rate", "rope.force", "rope.energy"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-13)


def test_numbers_and_dead_times_are_known_too():
    law = jd.Spring(K) + jd.Damper(D)
    model = winch(law, lambda at: at.input("winch.length"))
    rest = jd.equilibrium(model, inputs={"winch.length": 0.2})
    assert rest["x"] == pytest.approx(0.2)
    values = np.linalg.eigvals(np.asarray(jd.linearize(model, about=rest).A))
    assert np.min(np.abs(values - np.roots([1.0, D, K])[0])) < 1e-9
    late = {"winch.length": jd.Delayed(lambda t, s: reeled(t), 0.1, 0.0)}
    one = jd.simulate(model, 1.0, inputs=late)
    later = winch(law, lambda at: jd.where(at.t < 0.1, 0.0, reeled(at.t - 0.1)))
    assert one.final["x"] == pytest.approx(jd.simulate(later, 1.0).final["x"], abs=1e-7)


def test_formulations_agree_where_measures_see_inputs():
    jd.verify(winch(jd.Spring(K), lambda at: at.input("winch.length"))).require()
