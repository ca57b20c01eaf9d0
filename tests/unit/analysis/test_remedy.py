"""Why a run stopped: words that fit the machine and do not advise what is in use."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.remedy import remedy
from jourdain.solvers import REMEDY, Dop853, Radau5, RungeKutta4, Status, advice, all_integrators

METHODS = [*all_integrators(), jd.Cvode(), jd.Cvode(is_stiff=False), jd.Ida()]


def stopped(system, error):
    q = np.zeros(len(system.names.q))
    y = np.concatenate([q, np.zeros(len(system.names.v))])
    problem = SimpleNamespace(n_q=len(q))
    return SimpleNamespace(constraint_error=error, y=y, t=0.0, problem=problem)


def sentence(system, error, status, method):
    return remedy(stopped(system, error), status, system, method, np.zeros(0))


def test_each_cause_has_its_sentence():
    free = jd.Model("free")
    free.add_coordinate("a", 1.0)
    free = jd.compile(free)
    small = Status.STEP_TOO_SMALL
    assert sentence(free, 0.0, small, Dop853()) == advice(small, Dop853())
    assert "Radau5" in sentence(free, 0.0, small, Dop853())
    assert "Radau5" not in sentence(free, 0.0, small, Radau5())
    assert "lost their equilibrium and jumped" in sentence(free, 0.1, small, Dop853())


def test_open_constraints_name_the_element():
    tied = jd.Model("tied")
    tied.add_coordinate("a", 1.0)
    tied.add_coordinate("b", 1.0)
    tied.add_connection("tie", jd.Coordinate("a") - jd.Coordinate("b"), jd.Equal(0.5))
    tied = jd.compile(tied)
    adaptive = sentence(tied, 0.1, Status.NOT_CONVERGED, Dop853())
    assert "its constraints opened by up to 0.1 m or rad at connection 'tie'" in adaptive
    assert "Dop853" not in adaptive
    assert "jd.Dop853()" in sentence(tied, 0.1, Status.NOT_CONVERGED, RungeKutta4(0.1))


@pytest.fixture(scope="module")
def held():
    model = jd.Model("held")
    model.add_coordinate("shaft", 1.0)
    model.add_connection("stop", jd.Coordinate("shaft"), jd.Equal())
    return jd.compile(model)


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_advice_never_names_what_is_in_use(held, method):
    """A7: neither the method itself, nor error control or an implicit method where it has one."""
    texts = [
        sentence(held, 0.3, Status.NOT_CONVERGED, method),
        *(advice(status, method) for status in REMEDY),
    ]
    is_adaptive = hasattr(method, "rtol")
    is_implicit = type(method).__name__ in ("Radau5", "Ida", "Gauss4", "GeneralizedAlpha")
    is_implicit |= getattr(method, "is_stiff", False)
    for text in texts:
        named = re.findall(r"jd\.(\w+)\(", text)
        assert type(method).__name__ not in named
        assert "Next: " in text
        if is_adaptive:
            assert "Dop853" not in named
            assert "dt" not in text
        else:
            assert "rtol" not in text
        if is_adaptive and is_implicit:
            assert not named
