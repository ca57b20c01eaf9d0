"""Rates of states that files can hold."""

import cmath

import pytest

import jourdain as jd
from jourdain.model.state_rates import Lag, SignalRates, pade, rates_of


@pytest.mark.parametrize("n", [1, 2, 4, 7])
def test_the_quotient_of_pade_is_that_of_the_exponential(n):
    a, b = pade(n)
    s = 0.1 + 0.2j
    above = sum(x * s ** (n - 1 - k) for k, x in enumerate(b))
    below = s**n + sum(x * s ** (n - 1 - k) for k, x in enumerate(a))
    assert abs(above / below - cmath.exp(-s)) < 2.0 * abs(s) ** (2 * n)


def test_signals_become_sums():
    p, q = jd.Signal("state", "p"), jd.Signal("state", "q")
    assert rates_of(p) == SignalRates(((p,),))
    assert rates_of([p, [p, q]]) == SignalRates(((p,), (p, q)))
    function = Lag(p, 0.1)
    assert rates_of(function) is function
    assert rates_of([p, 1.0]) == [p, 1.0]  # told by States
    with pytest.raises(jd.ModelError, match=r"rates are .*jd.Signal or several"):
        jd.Model("m").add_states("x", {"y": "1"}, [p, 1.0])
