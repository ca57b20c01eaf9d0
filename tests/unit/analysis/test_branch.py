from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.branch import Branch
from jourdain.analysis.doctor.mobility import Mobility

Y = jd.Revolute("y")


@pytest.fixture(scope="module")
def start():
    """Parallelogram that is flat at t = 1 s."""
    model = jd.Model("flat")
    a, b, c = (
        model.add_body(name, jd.solid.rod(mass=1.0, end=(l, 0, 0)))
        for name, l in (("a", 1.0), ("b", 3.0), ("c", 1.0))
    )
    model.add_joint("main", model.world, a, Y, driven={"angle": lambda t: 1.0 - t})
    model.add_joint("first", a.at(1, 0, 0), b, Y)
    model.add_joint("second", b.at(3, 0, 0), c, Y)
    model.add_joint("pivot", c.at(1, 0, 0), model.world.at(3, 0, 0), Y)
    system = jd.compile(model)
    found = jd.assemble(system, near={"first.angle": -1.0, "second.angle": 1.0 + np.pi})
    return Mobility(system, found.q, 0.0, system.parameter_array(None))


def branch(start):
    none = np.zeros(len(start.system.extra_names))
    return Branch(start.system, start.p, lambda q, v, t: none, start)


def test_long_ways_are_divided(start):
    b = branch(start)
    q, v, a = b.go_to(0.9)
    assert b.steps > 2
    assert q[:2] == pytest.approx([-0.1, 0.1 + np.pi], abs=1e-12)
    assert v == pytest.approx([1.0, -1.0], abs=1e-12)
    assert a == pytest.approx([0.0, 0.0], abs=1e-10)


def test_a_singular_position_is_passed_and_known(start):
    b = branch(start)
    q, v, _ = b.go_to(1.0)
    assert b.before.t < 1.0 < b.now.t
    assert q[:2] == pytest.approx([0.0, np.pi], abs=1e-9)
    assert v == pytest.approx([1.0, -1.0], abs=1e-9)
    q, *_ = b.go_to(1.5)
    assert q[:2] == pytest.approx([0.5, -0.5 + np.pi], abs=1e-10)
