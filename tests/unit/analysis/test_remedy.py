"""Sentences that say why a run stopped."""

from types import SimpleNamespace

import jourdain as jd
from jourdain.analysis.remedy import OPEN, remedy
from jourdain.solvers import REMEDY


def stopped(error, model):
    run = SimpleNamespace(constraint_error=error)
    status = next(iter(REMEDY))
    return remedy(run, status, jd.compile(model)), REMEDY[status]


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
