"""First-order states of their own: pressures, flows without inertia, filters."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import FormatError, ModelError

E_OVER_V, CONDUCTANCE = 1e12, 1e-12


def two_volumes(flow=None):
    """Two volumes with an orifice between them: a flow coordinate without inertia."""
    model = jd.Model("oil")
    for side, sign, p in (("left", -1.0, 2e5), ("right", 1.0, 1e5)):
        model.add_states(
            side, {"pressure": "Pa"},
            lambda at, sign=sign: sign * E_OVER_V * at.rate("orifice.volume"), start=p,
        )  # fmt: skip

    def linear(at):
        return CONDUCTANCE * (at.state("left.pressure") - at.state("right.pressure"))

    model.add_states("orifice", {"volume": "m^3"}, flow or linear)
    return model


@pytest.mark.parametrize(
    "method", [jd.Dop853(1e-11), jd.Radau5(1e-10), jd.Tsit5(1e-10), jd.Gauss4(1e-3)], ids=str
)
def test_pressures_meet_exponentially(method):
    sol = jd.simulate(two_volumes(), 1.0, method=method)
    left = 1.5e5 + 5e4 * np.exp(-2.0)
    assert sol.final["left.pressure"] == pytest.approx(left, rel=1e-8)
    assert sol.final["right.pressure"] == pytest.approx(3e5 - left, rel=1e-8)
    flow = float(sol["orifice.volume_rate"].values[-1])
    assert flow == pytest.approx(1e-7 * np.exp(-2.0), rel=1e-7)
    assert sol["orifice.volume_rate"].attrs["units"] == "m^3/s"


def test_turbulent_orifice_empties_in_finite_time():
    """4.F6: Q = c √Δp gives Δp = (√Δp₀ − E/V c t)², equal after √Δp₀ V/(E c)."""
    c = 1e-9

    def turbulent(at):
        dp = at.state("left.pressure") - at.state("right.pressure")
        return c * jd.math.sign(dp) * jd.sqrt(jd.math.absolute(dp))

    t = 0.1
    sol = jd.simulate(two_volumes(turbulent), t, method=jd.Dop853(1e-10))
    dp = (np.sqrt(1e5) - E_OVER_V * c * t) ** 2
    got = sol.final["left.pressure"] - sol.final["right.pressure"]
    assert got == pytest.approx(dp, rel=1e-8)


def test_piston_on_a_volume():
    """4.F1: p' = E/V (Q − A v), m v' = p A: a spring of stiffness E A²/V, started by Q = 0."""
    area, stiff = 1e-3, 1e12
    model = jd.Model("press")
    model.add_coordinate("piston", 2.0, unit="m")
    model.add_states("A", {"pressure": "Pa"}, lambda at: -stiff * area * at.velocity("piston"))
    push = jd.Law(lambda x, v, at: area * at.state("A.pressure"))
    model.add_connection("push", jd.Coordinate("piston"), push)
    sol = jd.simulate(model, 0.01, start={"piston.rate": 0.5}, method=jd.Dop853(1e-11))
    w = np.sqrt(stiff * area**2 / 2.0)
    assert sol.final["piston.value"] == pytest.approx(0.5 / w * np.sin(w * 0.01), rel=1e-7)
    assert jd.verify(model).passed


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(1e-4)], ids=["events", "steps"])
def test_a_pressure_closes_a_clutch(method):
    """The valve fills a volume, p = 100 (1 − e^(−t)); the clutch brakes 3 to rest."""
    model = jd.Model("clutch")
    model.add_coordinate("a", 1.0)
    model.add_states("oil", {"p": "Pa"}, lambda at: at.input("supply") - at.state("p"),
                     inputs={"supply": "Pa"})  # fmt: skip
    model.add_connection("c", jd.Coordinate("a"), jd.Interval(lambda x, v, at: at.state("oil.p")))
    sol = jd.simulate(
        model, 1.0, start={"a.rate": 3.0}, inputs={"oil.supply": 100.0}, method=method
    )
    assert sol.final["a.rate"] == 0.0
    t = 0.25
    for _ in range(50):  # Newton: 100 (t − 1 + e^(−t)) = 3
        t -= (100.0 * (t - 1.0 + np.exp(-t)) - 3.0) / (100.0 * (1.0 - np.exp(-t)))
    if isinstance(method, jd.EventDriven):
        assert sol.events[-1].time == pytest.approx(t, rel=1e-9)
    place = 3.0 * t - 100.0 * (t**2 / 2 - t + 1.0 - np.exp(-t))
    assert sol.final["a.value"] == pytest.approx(place, abs=2e-4)


def test_start_values_of_a_run():
    sol = jd.simulate(two_volumes(), 0.1, start={"left.pressure": 1e5})
    assert sol.final["left.pressure"] == pytest.approx(1e5)


def test_several_states_and_groups():
    """Lorenz' equations in a group: three states of one element."""
    model = jd.Model("chaos")
    group = model.group("weather")

    def rates(at):
        x, y, z = (at.state(name) for name in "xyz")
        return 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z

    group.add_states("lorenz", dict.fromkeys("xyz", "1"), rates, start=(1.0, 1.0, 1.0))
    fine, coarse = (jd.simulate(model, 2.0, method=jd.Dop853(r)).final for r in (1e-12, 1e-9))
    assert fine["weather.lorenz.x"] == pytest.approx(coarse["weather.lorenz.x"], rel=1e-5)
    x, y, z = (fine[f"weather.lorenz.{n}"] for n in "xyz")
    assert max(abs(x), abs(y)) < 30.0
    assert 0.0 < z < 55.0


def test_circles_of_rates_are_named():
    model = jd.Model("ring")
    for a, b in (("one", "two"), ("two", "one")):
        model.add_states(a, {"s": "1"}, lambda at, b=b: at.rate(f"{b}.s"))
    text = "depends on itself: it needs the rate of"
    with pytest.raises(ModelError, match=text):
        jd.simulate(model, 1.0)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (({}, lambda at: 0.0), "states of 'a': the states are {}: give names with units"),
        (({"p": 1}, lambda at: 0.0), "states of 'a': the states are"),
        (({"p": "Pa"}, 3.0), "states of 'a': the rates are 3.0: give a function of `at`"),
    ],
)
def test_what_are_no_states(given, text):
    with pytest.raises(ModelError) as error:
        jd.Model("m").add_states("a", *given)
    assert text in str(error.value)
    with pytest.raises(ModelError, match="states of 'a': there are 1 states and 2 start values"):
        jd.Model("m").add_states("a", {"p": "Pa"}, lambda at: 0.0, start=(1.0, 2.0))


def test_rates_that_cannot_be_evaluated_are_told():
    model = jd.Model("m")
    model.add_states("a", {"p": "Pa"}, lambda at: at.state("b.p"))
    with pytest.raises(ModelError, match=r"states of 'a': .* no state 'b.p'"):
        model.validate()
    model = jd.Model("m")
    model.add_states("a", {"p": "Pa"}, lambda at: (1.0, 2.0))
    with pytest.raises(ModelError, match=r"states of 'a': .* gives 2 numbers instead of 1"):
        model.validate()


def test_rates_in_python_have_no_form_in_a_file(tmp_path):
    with pytest.raises(FormatError, match="rates of its states are Python code"):
        jd.write_model(two_volumes(), tmp_path / "oil.toml")


def test_a_copy_and_the_report_have_them():
    model = two_volumes()
    assert list(model.copy().states) == ["left", "right", "orifice"]
    assert "3 state elements" in str(model)
    with pytest.raises(ModelError, match="already has a state element 'left'"):
        model.add_coordinate("left", 1.0)


@pytest.mark.parametrize("lag", [0.02, 1e-3, 1e-5])
def test_lags_far_below_a_step_do_not_run_away(lag):
    """A torque 100 − v through a lag T: two exponentials, for any T; of order two in the step."""
    fast, slow = np.roots([0.3 * lag, 0.3, 1.0])
    model = jd.Model("lagging", gravity=(0, 0, 0))
    model.add_coordinate("a", 0.3)
    law = jd.Law(
        lambda x, v, at: at.state("torque"),
        states={"torque": "N m"},
        state_rates=lambda x, v, at: ((100.0 - v - at.state("torque")) / lag,),
    )
    model.add_connection("motor", jd.Coordinate("a"), law)
    rates = np.array([fast, slow])
    # v = 100 + A exp(fast t) + B exp(slow t), v(0) = 0 and v'(0) = 0
    A, B = np.linalg.solve([[1.0, 1.0], rates], [-100.0, 0.0])
    exact = 100.0 + A * np.exp(rates[0] * 0.5) + B * np.exp(rates[1] * 0.5)
    error = {
        (kind, h): abs(
            jd.simulate(model, 0.5, method=kind(h)).values("a.rate")[-1] - exact
        )
        for kind in (jd.MoreauJean, jd.NonsmoothAlpha)
        for h in (2e-3, 1e-3)
    }  # fmt: skip
    assert error[jd.MoreauJean, 1e-3] < 2e-3
    assert error[jd.NonsmoothAlpha, 1e-3] < 0.1
    for kind, order in ((jd.MoreauJean, 2.0), (jd.NonsmoothAlpha, 1.0)):
        assert np.log2(error[kind, 2e-3] / error[kind, 1e-3]) > order - 0.3


@pytest.mark.parametrize("method", [jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)], ids=["mj", "a"])
def test_filters_of_second_order_far_below_a_step(method):
    """A filter of 50 kHz hands a torque through; a state that grows does so."""
    model = jd.Model("filtered", gravity=(0, 0, 0))
    model.add_coordinate("a", 0.5)
    w = 3e5
    law = jd.Law(
        lambda x, v, at: at.state("y") - 0.2 * v,
        states={"y": "N m", "u": "N m/s"},
        state_rates=lambda x, v, at: (
            at.state("u"), w * w * (3.0 - at.state("y")) - 1.4 * w * at.state("u"),
        ),
    )  # fmt: skip
    model.add_connection("motor", jd.Coordinate("a"), law)
    model.add_states("grows", {"x": "1"}, lambda at: 2.0 * at.state("x"))
    run = jd.simulate(model, 1.0, start={"grows.x": 1.0}, method=method)
    # NonsmoothAlpha hands the torque on a step late
    assert run.values("a.rate")[-1] == pytest.approx(15.0 * (1.0 - np.exp(-0.4)), rel=2e-3)
    assert run.values("motor.y")[-1] == pytest.approx(3.0, rel=1e-6)
    assert run.values("grows.x")[-1] == pytest.approx(np.exp(2.0), rel=1e-5)
