"""Sentences that say why a run stopped."""

import re
from types import SimpleNamespace

import pytest

import jourdain as jd
from jourdain.analysis.remedy import remedy
from jourdain.solvers import REMEDY, advice, all_integrators
from jourdain.solvers.projection import OPEN

METHODS = [*all_integrators(), jd.Cvode(), jd.Cvode(is_stiff=False), jd.Ida()]


def stopped(error, model, method=None):
    run, method = SimpleNamespace(constraint_error=error), method or jd.Dop853()
    status = next(iter(REMEDY))
    return remedy(run, status, jd.compile(model), method), advice(status, method)


def test_each_cause_has_its_sentence():
    model = jd.Model("drive")
    model.add_coordinate("shaft", 1.0)
    found, general = stopped(OPEN, model)
    assert found == general
    springs = {"a": jd.Spring(1.0), "b": jd.Spring(2.0)}
    model.add_connection("coupling", jd.in_series(jd.Coordinate("shaft"), **springs))
    assert stopped(0.3, model)[0].startswith("nodes of 'coupling' lost their equilibrium")
    model.add_connection("stop", jd.Coordinate("shaft"), jd.Equal())
    assert stopped(0.3, model)[0].startswith("its constraints opened by up to 0.3 m or rad")


@pytest.fixture(scope="module")
def held():
    model = jd.Model("held")
    model.add_coordinate("shaft", 1.0)
    model.add_connection("stop", jd.Coordinate("shaft"), jd.Equal())
    return model


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_advice_never_names_what_is_in_use(held, method):
    """A7: neither the method itself, nor error control or an implicit method where it has one."""
    texts = [stopped(0.3, held, method)[0], *(advice(status, method) for status in REMEDY)]
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
