"""What a dead time keeps, and the polynomials through it."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.simulation.delayed import NODES, Delayed, History
from jourdain.solvers.record import Record

BEGIN = 0.3


def signal(t):
    return 1.0 - 2.0 * t + 0.5 * t**4 - 0.01 * t**7


def fed(n, before=signal):
    """History after n calls with the polynomial, and the coefficients that the last one gave."""
    delayed = Delayed(lambda t: t, 2.0, before, points=10)
    history, found = History(delayed, BEGIN), None
    for k in range(n):
        found = history.add(signal(BEGIN + k * delayed.period))
    return history, found


@pytest.mark.parametrize("n", [1, 2, 9, 10, 11, 12, 25, 60])
def test_polynomials_pass_exactly(n):
    _, found = fed(n)
    for tau in (0.0, 0.4, 1.0):
        t = BEGIN + (n - 1 + tau) * 0.2 - 2.0
        value = np.polynomial.Polynomial(found)(tau)
        assert value == pytest.approx(signal(t), rel=1e-10, abs=1e-10)


def test_no_polynomial_reaches_over_the_start():
    _, last_before = fed(10, before=7.0)
    assert np.polynomial.Polynomial(last_before)(1.0) == pytest.approx(7.0, abs=1e-12)
    _, first_behind = fed(11, before=7.0)
    assert first_behind[0] == pytest.approx(signal(BEGIN), abs=1e-10)


@pytest.mark.parametrize("n", [1, 10, 47])
def test_what_is_kept_is_enough_to_go_on(n):
    history, _ = fed(n)
    twin, _ = fed(0)
    twin.resume(Record(history.memory()), n)
    assert history.add(0.25) == twin.add(0.25)
    with pytest.raises(ModelError, match="numbers of a dead time"):
        twin.resume(Record(history.memory()), n)
    assert len(history.memory()["values"]) <= 21
    assert NODES == 8
