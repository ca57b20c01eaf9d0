"""Loads of joints: their parts, drives, and what they are at other places."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.testing import random_model, random_state

G = 9.81


@pytest.fixture(params=[jd.Plain(), jd.Unrolled(), jd.Looped()], ids=str)
def execution(request):
    return request.param


def tower():
    """Three boxes on top of each other, the middle one on a driven slide."""
    model = jd.Model("tower", gravity=(0, 0, -G))
    box = jd.solid.box(mass=2.0, size=(1, 1, 1))
    low, mid, top = (model.add_body(name, box) for name in ("low", "mid", "top"))
    model.add_joint("foot", model.world, low, jd.Fixed())
    lift = {"position": lambda t: 0.5 * t**2}
    model.add_joint("slide", low.at(0, 0, 1), mid, jd.Prismatic("z"), driven=lift)
    model.add_joint("hinge", mid.at(0.5, 0, 1), top, jd.Revolute("y"))
    model.add_frame("edge", top.at(0.5, 0.2, 0))
    return model


def test_a_driven_slide_carries_weight_and_acceleration(execution):
    system = jd.compile(tower(), execution=execution)
    q, v = system.state()
    vdot = system.forward_dynamics(q, v, t=1.0)
    loads = system.loads(q, v, vdot, 1.0)
    # the hinge leaves the top box free to turn, so all of it is lifted at its centre
    lifted = 2 * 2.0 * (G + 1.0)
    assert loads.drive["slide.velocity"] == pytest.approx(lifted, rel=1e-14)
    np.testing.assert_allclose(loads["slide"][3:], [0, 0, lifted], atol=1e-13)
    np.testing.assert_allclose(loads["foot"][3:], [0, 0, lifted + 2.0 * G], rtol=1e-14, atol=1e-13)
    assert "slide" in str(loads)


def test_reaction_at_another_frame(execution):
    """The hinge force, reduced to the world's origin, has the moment of its arm."""
    system = jd.compile(tower(), execution=execution)
    q, v = system.state()
    vdot = system.forward_dynamics(q, v)
    weight = 2.0 * (G + 1.0)  # of the top box, which the slide lifts with 1 m/s²
    found = system.reaction("hinge", "world", q, v, vdot)
    np.testing.assert_allclose(found, [0, -0.5 * weight, 0, 0, 0, weight], atol=1e-12)
    np.testing.assert_allclose(
        system.reaction("hinge", "top", q, v, vdot)[:3], np.zeros(3), atol=1e-12
    )
    at_edge = system.reaction("hinge", "edge", q, v, vdot)[:3]
    np.testing.assert_allclose(at_edge, [-0.2 * weight, 0.5 * weight, 0], atol=1e-12)


def test_parts_of_a_load(execution):
    """A = A_e + A_z; the constraint part does no work on free modes; λ is the applied force."""
    model = random_model(3, 3, floating=False)
    system = jd.compile(model, execution=execution)
    q, v, vdot, t = random_state(system, 2)
    loads = system.loads(q, v, vdot, t)
    tau = system.inverse_dynamics(q, v, vdot, t)
    np.testing.assert_allclose(loads.tau, tau, atol=1e-12 * max(1.0, np.abs(tau).max()))
    found = []
    for joint in loads.joints:
        load = system.joint_load(joint, q, v, vdot, t)
        size = max(1.0, np.abs(load.interaction).max())
        np.testing.assert_allclose(
            load.applied + load.constraint, load.interaction, atol=1e-12 * size
        )
        assert len(load.free) + len(load.constrained) == 6
        found.extend(load.free)
    np.testing.assert_allclose(found, tau, atol=1e-11 * max(1.0, np.abs(tau).max()))


def test_unknown_joint_and_batch():
    system = jd.compile(tower())
    q, v = system.state()
    vdot = np.zeros(1)
    with pytest.raises(jd.UnknownNameError, match=r"no joint 'hing' in these loads.*'hinge'"):
        system.loads(q, v, vdot)["hing"]
    many = system.loads(np.tile(q, (4, 1)), v, vdot)
    assert many["hinge"].shape == (4, 6)
    assert "4" in str(many)
    with pytest.raises(jd.ModelError, match="one state"):
        system.joint_load("hinge", np.tile(q, (4, 1)), v, vdot)
