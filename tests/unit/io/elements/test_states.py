"""States of their own in files: save, load, equal, and what is wrong is told with its place."""

import math

import pytest

import jourdain as jd
from jourdain import io
from jourdain.errors import FormatError


def machine():
    model = jd.Model("oil")
    model.add_coordinate("x", 1.0)
    group, time = model.group("g"), jd.Parameter("T", 0.1, "s")
    group.add_lag("lag", jd.Signal("coordinate", "x", 2.0, -1.0), time=time, unit="rad", start=0.3)
    model.add_pade_delay("late", jd.Signal("state", "g.lag.value"), time=0.1, order=3)
    sums = [[jd.Signal("state", "p", -3.0), jd.Signal("input", "q")], jd.Signal("velocity", "x")]
    states = {"p": "Pa", "v": "m^3"}
    model.add_states("tank", states, sums, inputs={"q": "1"}, start=(1.0, 2.0))
    model.add_states("one", {"p": "Pa"}, jd.Signal("rate", "tank.p", -1.0))
    return model


def test_save_load_equal():
    model = machine()
    text = io.dumps(model)
    again = io.loads(text)
    assert again == model
    assert io.dumps(again) == text
    given = {"start": {"x.rate": -1.0}, "inputs": {"tank.q": 0.5}, "parameters": {"T": 0.2}}
    assert jd.simulate(model, 0.5, **given).final == jd.simulate(again, 0.5, **given).final


def test_signals_keep_their_sign():
    """ẏ = −3 y + 0.5 from 1, v̇ = ẋ = −1 from 2."""
    sol = jd.simulate(machine(), 1.0, start={"x.rate": -1.0}, inputs={"tank.q": 0.5})
    exact = 0.5 / 3.0 + (1.0 - 0.5 / 3.0) * math.exp(-3.0)
    assert sol.final["tank.p"] == pytest.approx(exact, rel=1e-7)
    assert sol.final["tank.v"] == pytest.approx(1.0, rel=1e-7)
    assert sol.final["one.p"] == pytest.approx(1.0 - exact, rel=1e-7)


def test_a_force_keeps_its_sign_too():
    model = jd.Model("m")
    model.add_coordinate("x", 1.0)
    model.add_connection("k", jd.Coordinate("x"), jd.Force(-2.0))
    model.add_states("sum", {"y": "N m s"}, jd.Signal("force", "k"))
    assert jd.simulate(model, 1.0).final["sum.y"] == pytest.approx(-2.0)


@pytest.mark.parametrize(
    ("rates", "text"),
    [
        ("3.0", "rates of states 'tank' is 3.0: give rates such as"),
        ("{ time = 1.0 }", "the key 'function' is missing"),
        ('{ function = "Lug" }', "'Lug'.*Did you mean 'Lag'"),
        ('[{ kind = "state", name = "p" }]', "give the terms of a rate in brackets"),
        ('[[{ kind = "state", label = "p" }]]', "label"),
        ('[[{ kind = "steam", name = "p" }]]', "kind='steam'"),
        ('[[{ kind = "state", name = "q" }]]', "no state 'q'"),
        ('[[{ kind = "state", name = "p" }], []]', "gives 2 numbers instead of 1$"),
        (
            '{ function = "PadeDelay", signal = { kind = "input", name = "p" }, order = 0 }',
            "give 1 to 10 states",
        ),
        (
            '{ function = "Lag", signal = { kind = "state", name = "tank.p" }, time = 0.0 }',
            r"time of the lag is 0: it must be positive",
        ),
    ],
)
def test_what_is_wrong_is_told(rates, text):
    head = 'format = "jourdain-1"\nname = "m"\n[states.tank]\nstates = { p = "Pa" }\n'
    with pytest.raises(FormatError, match=text):
        io.loads(f"{head}rates = {rates}\n")


def test_python_code_is_told():
    model = jd.Model("m")
    model.add_lag("a", lambda at: at.t, time=0.1)
    model.add_states("b", {"y": "1"}, lambda at: at.t)
    with pytest.raises(FormatError, match=r"(?s)states 'a': the signal.*states 'b': the rates of"):
        io.dumps(model)
