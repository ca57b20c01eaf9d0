"""Equilibria over parameters, speeds and inputs."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def flyball():
    """A pendulum of 0.5 m on a shaft that turns: cos φ = g/(ω² l) where that is below one."""
    model = jd.Model("flyball")
    shaft = model.add_body("shaft", jd.Inertia(1.0, (0, 0, 0), np.eye(3)))
    arm = model.add_body("arm", jd.Inertia(1.0, (0, 0, -0.5), np.zeros((3, 3))))
    model.add_joint("axis", model.world, shaft, jd.Revolute("z"))
    model.add_joint("hinge", shaft, arm, jd.Revolute("y"))
    model.add_connection("friction", jd.Coordinate("hinge.angle"), jd.Damper(0.1))
    return model


def test_over_a_speed():
    speeds = np.linspace(6.0, 12.0, 7)
    near = {"hinge.angle": 1.0}
    found = jd.equilibria(flyball(), "axis.rate", speeds, near=near)
    np.testing.assert_allclose(np.cos(found["hinge.angle"]), 9.81 / (speeds**2 * 0.5), rtol=1e-9)
    assert found.unit == "rad/s"
    assert found.are_stable.all()
    assert len(found) == len(list(found)) == 7
    assert found[2]["hinge.angle"] == found["hinge.angle"][2]
    hanging = jd.equilibria(flyball(), "axis.rate", [3.0, 5.0])
    assert hanging.are_stable.tolist() == [True, False]  # limit √(g/l) = 4.43 rad/s
    growth = hanging.largest_real_parts
    assert abs(growth[0]) < 1e-9  # the shaft may turn on
    assert growth[1] > 0.1
    assert "unstable" in str(hanging)


def truss():
    """Shallow truss of two bars of 1 m that lean on each other, 0.3 m high: it snaps through."""
    model = jd.Model("truss", gravity=(0, 0, 0))
    top = model.add_body("top", jd.solid.ball(mass=1.0, radius=0.05))
    model.add_joint("lift", model.world, top, jd.Prismatic("z"))
    length = float(np.hypot(1.0, 0.3))
    for k, x in enumerate((-1.0, 1.0)):
        bar = jd.Distance(model.world.at(x, 0, 0), top)
        model.add_connection(f"bar_{k}", bar, jd.Spring(1000.0, free=length))
    return model


def test_over_a_load_up_to_where_it_snaps():
    loads = [0.0, -1.0, -2.0, -4.0]
    found = jd.equilibria(truss(), "lift.position", loads, near={"lift.position": 0.3})
    assert found.unit == "N"
    z = found["lift.position"]
    length = np.hypot(1.0, 0.3)
    force = 2000.0 * z * (1.0 - length / np.hypot(1.0, z))
    np.testing.assert_allclose(force, loads, atol=1e-7)
    assert np.all(z[:3] > 0)
    beyond = jd.equilibria(truss(), "lift.position", [-8.0, -40.0], near={"lift.position": 0.3})
    assert beyond["lift.position"][1] < -0.3  # on the other side


def test_a_branch_that_ends_is_told():
    """A pull that softens: beyond its largest force there is no rest."""
    model = jd.Model("rubber")
    model.add_coordinate("x", 1.0, unit="m")
    law = jd.Spring(jd.math.tanh)
    model.add_connection("rubber", jd.Coordinate("x"), law)
    with pytest.raises(jd.SingularSystemError, match=r"at x = 1\.\S*, followed up to 0\.9"):
        jd.equilibria(model, "x", [0.5, 0.9, 1.5])


def test_bad_requests():
    with pytest.raises(jd.UnknownNameError, match="no parameter, velocity or input 'speed'"):
        jd.equilibria(truss(), "speed", [1.0])
    with pytest.raises(jd.ModelError, match="at least one"):
        jd.equilibria(truss(), "lift.position", [])
    with pytest.raises(jd.ModelError, match="must be numbers"):
        jd.equilibria(truss(), "lift.position", ["a"])
