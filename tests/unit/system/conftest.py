"""Machines for the tests of compiled systems."""

from __future__ import annotations

import pytest

import jourdain as jd

EXECUTIONS = [jd.Plain(), jd.Unrolled(), jd.Looped()]


@pytest.fixture(params=EXECUTIONS, ids=lambda execution: type(execution).__name__)
def execution(request):
    """Each way of running."""
    return request.param


@pytest.fixture
def crane():
    """Model with a floating body, a hinge, a product joint, a scalar coordinate and a parameter."""
    model = jd.Model("crane")
    model.add_body("ship", jd.Inertia(mass=5.0, moments=(1, 2, 3)))
    model.add_body("boom", jd.Inertia(mass=jd.Parameter("mass", 2.0, "kg"), moments=(1, 1, 1)))
    model.add_body("hook", jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    reach = jd.Parameter("reach", 3.0, "m")
    model.add_joint("slew", "ship", "boom", jd.Revolute("z"))
    model.add_frame("tip", model.body("boom").at(reach, 0, 0))
    model.add_joint("rope", "tip", "hook", jd.Prismatic("z") * jd.Revolute("x"))
    model.add_coordinate("winch", 0.5)
    return model
