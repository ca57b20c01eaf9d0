"""Islands of contacts: which share coordinates."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.steps.many_steps import ManySteps
from jourdain.simulation.contact.steps.one_step import OneStep
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.solvers.timestep.results import BEGIN, DONE
from jourdain.system.contact.modal import contact_kernels
from jourdain.system.contact.step_kernels import step_kernels


def one_step(model, method):
    system = jd.compile(model)
    p = system.one_parameter_set(None)
    contacts = Contacts(system, contact_kernels(system, {}, {}, {}), p)
    return OneStep(contacts, step_kernels(system, {}, {}), [], method)


def chain(n, joined):
    """Inertias in a row with brakes; clutches join some neighbours."""
    model = jd.Model("row", gravity=(0, 0, 0))
    for k in range(n):
        model.add_coordinate(f"x{k}", 1.0)
        model.add_connection(f"brake{k}", jd.Coordinate(f"x{k}"), jd.Interval(1.0))
    for k in joined:
        slip = jd.Coordinate(f"x{k}") - jd.Coordinate(f"x{k + 1}")
        model.add_connection(f"clutch{k}", slip, jd.Interval(1.0))
    return model


@pytest.mark.parametrize(
    ("joined", "sizes"), [((), [1] * 5), ((0,), [3, 1, 1, 1]), ((0, 1, 3), [5, 3])]
)
def test_islands_are_what_shares_coordinates(joined, sizes):
    one = one_step(chain(5, joined), jd.MoreauJean(1e-2))
    s = one.step
    s.h = 1e-2
    s.y[5:10] = 1.0 + np.arange(5)
    assert ManySteps(one, Watch(one.system, {}, {})).step(BEGIN) == DONE
    found = np.diff(s.island_first[: s.n_islands + 1])
    assert sorted(found, reverse=True) == sizes
    points = s.island_points[: sum(sizes)]
    assert sorted(points) == list(range(sum(sizes)))
