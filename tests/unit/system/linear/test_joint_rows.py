from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.system.linear.joint_rows import joint_rows, joints_of, step_names
from jourdain.system.linear.pencil import PencilMaker


def test_names_of_steps():
    assert step_names(jd.Revolute("y")) == ("angle",)
    assert step_names(jd.Spherical()) == ("rotation.x", "rotation.y", "rotation.z")
    assert step_names(jd.Free())[:4] == ("position.x", "position.y", "position.z", "rotation.x")


@pytest.mark.parametrize("kind", [jd.Revolute("y"), jd.Universal(), jd.Spherical(), jd.Free()])
def test_rows_vanish_along_the_motion_of_the_joint(kind):
    """Steps of a body with those of its joint keep the rows, to first order."""
    model = jd.Model("one")
    body = model.add_body("body", jd.solid.box(mass=1.0, size=(0.1, 0.2, 0.3)))
    model.add_joint("j", model.world.at(0.1, 0.2, 0.3), body.at(0.3, 0.1, 0), kind)
    system = jd.compile(model)
    rng = np.random.default_rng(0)
    q, _ = _state(system, rng)
    maker = PencilMaker(system, q, 0.0, np.zeros(0))
    (rows,) = joint_rows(system, q, maker.poses, maker.places, {})
    values, i, j = rows.slopes(0)
    G = np.zeros((6, maker.n))
    np.add.at(G, (i, j), values)
    v = rng.normal(size=len(system.names.v))
    twist = np.asarray(system.twists(q, v))[0]
    step = np.concatenate([twist, v])
    np.testing.assert_allclose(G @ step, 0.0, atol=1e-12)
    assert [x.name for x in joints_of(system)] == ["j"]


def _state(system, rng):
    q, v = system.state()
    q = q + 0.3 * rng.normal(size=len(q))
    for k, name in enumerate(system.names.q):
        if name.endswith(".w"):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, v
