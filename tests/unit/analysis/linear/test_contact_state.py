from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.linear.contact_state import touched


def test_use_of_friction_of_a_block():
    model = jd.Model("slope", gravity=(2.0, 0, -10.0))
    block = model.add_body("block", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("plane", model.world, block, jd.Prismatic("x"))
    model.add_connection("friction", jd.Coordinate("plane.position"), jd.Interval(4.0))
    system = jd.compile(model)
    q, v = system.state()
    found = touched(system, {}, q, v, 0.0, np.zeros(0))
    assert [x.word for x in found.states] == ["stick"]
    assert found.states[0].use == pytest.approx(0.5)
    assert found.on_edge == ()
    found = touched(system, {}, q, v + 1.0, 0.0, np.zeros(0))
    assert [x.word for x in found.states] == ["slip"]


def test_groups_of_contacts_are_refused():
    model = jd.Model("pile")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    shapes = [jd.Sphere(ball, 0.1), jd.HalfSpace(model.world)]
    model.add_contacts("pile", shapes, jd.Coulomb(0.3))
    with pytest.raises(jd.ModelError, match="groups of contacts"):
        jd.linearize(model)
