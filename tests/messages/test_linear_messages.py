"""Texts of errors of linear analyses."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def pendulum(**options):
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"), **options)
    return model


def test_a_state_that_is_no_equilibrium():
    with pytest.raises(
        jd.ModelError, match=r"no equilibrium: 'hinge.rate' accelerates by -14.11"
    ) as e:
        jd.linearize(pendulum(), {"hinge.angle": 0.5})
    assert "jd.equilibrium" in str(e.value)
    assert jd.linearize(pendulum(), {"hinge.angle": 0.5}, moving=True).A[1, 0] < 0


def test_equations_that_change_in_time():
    model = pendulum()
    force = {"hinge.angle": lambda t, s: jd.math.sin(t)}
    with pytest.raises(jd.ModelError, match="its equations change in time"):
        jd.linearize(model, inputs=force)


def test_a_body_that_nothing_holds():
    model = jd.Model("fall")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    with pytest.raises(jd.SingularSystemError, match=r"-9.81 N along 'ball.velocity.z'") as e:
        jd.equilibrium(model)
    assert "nothing holds 'ball'" in str(e.value)


def test_a_speed_that_no_force_keeps():
    model = pendulum()
    with pytest.raises(jd.SingularSystemError, match=r"no steady motion with speeds hinge.rate"):
        jd.equilibrium(model, {"hinge.angle": 0.5}, speeds={"hinge.rate": 3.0})


def test_a_contact_on_the_edge_of_sticking():
    model = jd.Model("slope", gravity=(0.3 * 9.81, 0, -9.81))
    block = model.add_body("block", jd.solid.box(mass=1.0, size=(0.1, 0.1, 0.1)))
    model.add_joint("slide", model.world, block, jd.Prismatic("x"))
    capacity = 0.3 * 9.81 * 1.0001
    model.add_connection("friction", jd.Coordinate("slide.position"), jd.Interval(capacity))
    with pytest.raises(
        jd.ModelError, match="on the edge of another mode: friction: stick, uses 100"
    ):
        jd.linearize(model)


def test_a_singular_position():
    model = jd.Model("flat", gravity=(0, 0, 0))
    a, b, c = (model.add_body(n, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for n in "abc")
    model.add_joint("A", model.world, a, jd.Revolute("z"))
    model.add_joint("B", a.at(1, 0, 0), b, jd.Revolute("z"))
    model.add_joint("D", model.world.at(1, 0, 0), c, jd.Revolute("z"))
    model.add_joint("C", b.at(1, 0, 0), c.at(1, 0, 0), jd.Revolute("z"))
    with pytest.raises(
        jd.SingularSystemError, match="singular position: 2 freedoms here, 1 beside"
    ):
        jd.linearize(model)


def test_inputs_that_are_none():
    with pytest.raises(jd.UnknownNameError, match=r"hinge.angel"):
        jd.linearize(pendulum(), inputs=["hinge.angel"])
    with pytest.raises(jd.ModelError, match="sampled plain Python"):
        jd.linearize(pendulum(), inputs={"hinge.angle": jd.Sampled(lambda t, s: 0.0, 0.1)})
    with pytest.raises(jd.UnknownNameError, match=r"rod.positon"):
        jd.linearize(pendulum(), outputs=["rod.positon"])
    with pytest.raises(jd.UnknownNameError, match=r"arm.angle"):
        jd.linearize(pendulum(), coordinates=["arm.angle"])
    with pytest.raises(jd.ModelError, match=r"is no jd.Model"):
        jd.linearize(3)


def test_speeds_and_held_coordinates_that_are_none():
    with pytest.raises(jd.UnknownNameError, match=r"hinge.speed"):
        jd.equilibrium(pendulum(), speeds={"hinge.speed": 1.0})
    with pytest.raises(jd.UnknownNameError, match=r"arm.angle"):
        jd.equilibrium(pendulum(), hold=["arm.angle"])


def test_integrals_that_are_endless():
    lin = jd.linearize(pendulum(), inputs=["hinge.angle"])
    with pytest.raises(jd.ModelError, match="does not decay"):
        lin.impulse_integrals()
    with pytest.raises(jd.UnknownNameError, match="no input 'x'"):
        lin.impulse_integrals("x")
    assert np.all(np.isfinite(lin.A))


def test_drives_that_hold_each_other():
    """Both cranks of a parallelogram are driven: neither can vary alone."""
    model = jd.Model("two drives")
    bodies = [model.add_body(n, jd.solid.rod(1.0, end=(1, 0, 0))) for n in ("a", "b", "c")]
    a, b, c = bodies
    model.add_joint("A", model.world, a, jd.Revolute("y"), driven={"angle": 0.0})
    model.add_joint("B", model.world.at(0, 0, 1), b, jd.Revolute("y"), driven={"angle": 0.0})
    model.add_joint("C", a.at(1, 0, 0), c, jd.Revolute("y"))
    model.add_joint("D", b.at(1, 0, 0), c.at(0, 0, 1), jd.Revolute("y"))
    model.add_coordinate("x", 1.0)
    with pytest.raises(jd.ModelError, match=r"driven input A.angle cannot vary"):
        jd.linearize(model, inputs=["A.angle"])


def test_a_drive_of_a_group():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(1.0, 0.1))
    rod = model.add_body("rod", jd.solid.rod(1.0, end=(0, 0, -1)))
    turned = {"orientation": (1.0, 0.0, 0.0, 0.0)}
    model.add_joint("s", model.world, ball, jd.Spherical(), driven=turned)
    model.add_joint("hinge", ball, rod, jd.Revolute("y"))
    with pytest.raises(jd.ModelError, match="is one of a group that is driven together"):
        jd.linearize(model, inputs=["s.orientation.x"], outputs=["hinge.force"])


def massless():
    model = jd.Model("massless")
    body = model.add_body("body", jd.Inertia(0.0))
    model.add_joint("hinge", model.world, body, jd.Revolute("y"))
    return model


@pytest.mark.parametrize("ask", [jd.linearize, jd.eigenmodes, jd.equilibrium])
def test_a_coordinate_that_moves_no_inertia(ask):
    with pytest.raises(jd.SingularSystemError, match=r"no inertia is moved by 'hinge\.rate'"):
        ask(massless())


def test_a_motion_that_is_steady_for_an_instant_only():
    """A pendulum that swings through its lowest point does not accelerate there."""
    model = pendulum()
    rest = jd.equilibrium(model, speeds={"hinge.rate": 3.0})
    with pytest.raises(jd.ModelError, match="the motion is not steady: 'hinge"):
        jd.linearize(model, rest)
