"""Places of internal coordinates, and which of them are loose."""

import numpy as np

import jourdain as jd
from jourdain.system.checks.insides import insides, loose_names


def test_places_of_two_composites():
    model = jd.Model("two")
    model.add_coordinate("shaft", 1.0)
    law = jd.Spring(1.0) + jd.Maxwell(1.0, time=0.1)
    for name in ("a", "b"):
        model.add_connection(name, jd.in_series(jd.Coordinate("shaft"), p=law, q=jd.Spring(2.0)))
    system = jd.compile(model)
    assert system.names.q == (
        "shaft.value", "a.p.creep_1", "b.p.creep_1", "a.q_elongation", "b.q_elongation",
    )  # fmt: skip
    first, second = insides(system)
    assert (first.name, first.names, first.q, first.rows) == (
        "a", ("a.q_elongation",), slice(3, 4), slice(0, 1),
    )  # fmt: skip
    assert (second.q, second.steps, second.is_elastic) == (slice(4, 5), slice(1, 2), True)
    assert second.lack == "no stiffness"


def test_loose_names():
    names = ("x", "y")
    assert loose_names(np.diag((1e6, 1.0)), names) == []
    assert loose_names(np.diag((1.0, 1e-13)), names, 1e-3) == []  # units alone
    assert loose_names(np.ones((2, 2)), names) == ["x", "y"]
    assert loose_names(np.diag((1.0, 0.0)), names) == ["y"]
