"""Why a run stopped: words that fit the machine and do not advise what is in use."""

from types import SimpleNamespace

import numpy as np

import jourdain as jd
from jourdain.analysis.remedy import remedy
from jourdain.solvers import REMEDY, Dop853, Radau5, RungeKutta4, Status


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
    assert sentence(free, 0.0, small, Dop853()) == REMEDY[small]
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
    assert "its constraints opened by 0.1 m or rad at connection 'tie'" in adaptive
    assert "Dop853" not in adaptive
    assert "jd.Dop853()" in sentence(tied, 0.1, Status.NOT_CONVERGED, RungeKutta4(0.1))
