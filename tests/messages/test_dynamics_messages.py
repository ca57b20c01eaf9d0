"""What users read when forces give a machine no definite accelerations."""

from math import sin

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError, SingularSystemError, UnknownNameError

EXECUTIONS = [jd.Unrolled(), jd.Looped(), jd.Plain()]
TURN = jd.rotation_z(0.3) @ jd.rotation_y(0.7) @ jd.rotation_x(1.1)


def machine(solid, kind, *, rotation=None):
    """Heavy arm that carries one more body."""
    model = jd.Model("machine")
    arm = model.add_body("arm", jd.solid.box(2.0, (0.5, 0.1, 0.2)))
    tool = model.add_body("tool", solid)
    model.add_joint("base", model.world, arm, jd.Revolute("z"))
    place = {} if rotation is None else {"rotation": rotation}
    along = np.zeros(3) if rotation is None else 0.3 * rotation[:, 0]
    model.add_joint("wrist", arm.at(0.4, 0.1, 0.0), tool.at(*along, **place), kind)
    return model


SINGULAR = {
    "massless": (jd.Inertia(0.0), jd.Revolute("x"), None),
    "point on the axis": (jd.solid.point(1.0, (0.2, 0, 0)), jd.Revolute("x"), None),
    "rod about its line": (jd.solid.rod(1.0, (1, 0, 0)), jd.Revolute("x"), None),
    "turned rod": (jd.solid.rod(1.0, tuple(TURN[:, 0])), jd.Revolute("x"), TURN),
    "rotor that slides": (jd.Inertia(0.0, moments=(0.1, 0.1, 0.1)), jd.Prismatic("y"), None),
}


@pytest.mark.parametrize("execution", EXECUTIONS, ids=str)
@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("torque", [0.0, 2.0])
def test_coordinate_that_moves_no_inertia(name, execution, torque):
    solid, kind, rotation = SINGULAR[name]
    system = jd.compile(machine(solid, kind, rotation=rotation), execution=execution)
    rate = system.names.v[1]
    text = (
        rf"^no inertia is moved by '{rate}' of joint 'wrist' at t = 0\.5 s"
        r"[\s\S]*Give body 'tool' mass or a moment[\s\S]*drive the coordinate, or make 'wrist' a "
        "Fixed"
    )
    with pytest.raises(SingularSystemError, match=text):
        system.forward_dynamics(np.array((0.2, 0.4)), np.array((1.0, -2.0)), (0, torque), 0.5)
    with pytest.raises(SingularSystemError, match="no inertia"):  # and at every later call
        system.forward_dynamics(np.array((0.2, 0.4)), np.array((1.0, -2.0)))


@pytest.mark.parametrize(
    ("kind", "advice"),
    [(None, r"jd\.Planar\(\.\.\.\) to the world"), (jd.Spherical(), r"'pin'.*jd\.Universal")],
)
def test_a_thin_rod_is_told_which_joints_have_fewer_freedoms(kind, advice):
    model = jd.Model("stick")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0.5, 0, 0)))
    if kind is not None:
        model.add_joint("pin", model.world, rod, kind)
    with pytest.raises(SingularSystemError, match=advice) as caught:
        jd.compile(model).forward_dynamics(*jd.compile(model).state())
    assert "Fixed" not in str(caught.value)
    other = jd.Model("stick")
    rod = other.add_body("rod", jd.solid.rod(1.0, (0.5, 0, 0)))
    other.add_joint(
        "pin", other.world, rod, jd.Planar("y") if kind is None else jd.Universal("y", "z")
    )
    system = jd.compile(other)
    assert np.all(np.isfinite(system.forward_dynamics(*system.state())))  # the advice helps


def test_outermost_of_several_is_named():
    model = machine(jd.Inertia(0.0), jd.Revolute("x"))
    tip = model.add_body("tip", jd.Inertia(0.0))
    model.add_joint("pin", "tool", tip, jd.Revolute("y"))
    system = jd.compile(model)
    with pytest.raises(SingularSystemError, match=r"'pin\.rate' of joint 'pin'.*\n.*body 'tip'"):
        system.forward_dynamics(*system.state())


def test_two_hinges_on_one_line_with_nothing_between():
    model = machine(jd.Inertia(0.0), jd.Revolute("x"))
    tip = model.add_body("tip", jd.solid.ball(1.0, 0.1))
    model.add_joint("pin", "tool", tip, jd.Revolute("x"))
    system = jd.compile(model)
    with pytest.raises(SingularSystemError, match=r"'wrist\.rate' of joint 'wrist'.*\n.*'tool'"):
        system.forward_dynamics(*system.state())


def test_massless_bodies_are_legal_where_others_give_inertia():
    model = machine(jd.Inertia(0.0), jd.Revolute("x"))
    tip = model.add_body("tip", jd.solid.ball(1.0, 0.1))
    model.add_joint("pin", "tool", tip, jd.Revolute("y"))
    system = jd.compile(model)
    assert np.all(np.isfinite(system.forward_dynamics(*system.state())))


def test_small_inertia_is_no_missing_inertia():
    wire = jd.solid.cylinder(0.01, radius=1e-5, length=1.0, axis="x", rotation=TURN)
    system = jd.compile(machine(wire, jd.Revolute("x"), rotation=TURN))
    vdot = system.forward_dynamics(*system.state(), {"wrist.angle": 1e-9})
    assert vdot[1] == pytest.approx(1e-9 / (0.5 * 0.01 * 1e-10), rel=1e-3)


def test_singular_position_of_a_joint():
    system = jd.compile(machine(jd.solid.ball(1.0, 0.1), jd.Euler()))
    q, v = system.state()
    with pytest.raises(
        SingularSystemError,
        match=r"^joint 'wrist' is in a singular position at t = 0 s: 'wrist\.rate_[13]' moves the "
        r"body in a direction[\s\S]*jd\.Spherical\(\)",
    ):
        system.forward_dynamics(q, v + 1.0)


def test_scalar_coordinate_without_inertia():
    model = machine(jd.solid.ball(1.0, 0.1), jd.Revolute("x"))
    model.add_coordinate("shaft", 0.0)
    system = jd.compile(model)
    with pytest.raises(
        SingularSystemError, match=r"^coordinate 'shaft' has no inertia[\s\S]*drive"
    ):
        system.forward_dynamics(*system.state())


def test_inertia_that_vanishes_with_a_parameter():
    model = machine(jd.Inertia(jd.Parameter("load", 1.0), (0, 0, -0.3)), jd.Revolute("x"))
    system = jd.compile(model)
    q, v = system.state()
    assert np.all(np.isfinite(system.forward_dynamics(q, v)))
    with pytest.raises(SingularSystemError, match=r"no inertia is moved by 'wrist\.rate'"):
        system.forward_dynamics(q, v, parameters={"load": 0.0})


def test_one_singular_row_of_a_batch():
    system = jd.compile(machine(jd.solid.rod(1.0, (0, 0, 1)), jd.Universal("x", "z")))
    q = np.zeros((5, 3))
    with pytest.raises(SingularSystemError, match=r"'wrist\.rate_2' of joint 'wrist'"):
        system.forward_dynamics(q, np.zeros(3))


def test_batch_without_rows():
    system = jd.compile(machine(jd.solid.rod(1.0, (1, 0, 0)), jd.Revolute("y")))
    assert system.forward_dynamics(np.zeros((0, 2)), np.zeros((0, 2))).shape == (0, 2)


def test_state_that_is_not_finite_stays_so():
    system = jd.compile(machine(jd.solid.ball(1.0, 0.1), jd.Revolute("x")))
    q, v = system.state()
    assert np.all(np.isnan(system.forward_dynamics(q, v * np.nan)))
    assert np.all(np.isnan(system.forward_dynamics(q * np.nan, v)))


def test_unknown_force():
    system = jd.compile(machine(jd.solid.ball(1.0, 0.1), jd.Revolute("x")))
    with pytest.raises(UnknownNameError, match=r"no force 'wrist\.angel' in model 'machine'.*mean"):
        system.forward_dynamics(*system.state(), {"wrist.angel": 1.0})


def test_wrenches_of_the_wrong_shape():
    system = jd.compile(machine(jd.solid.ball(1.0, 0.1), jd.Revolute("x")))
    with pytest.raises(ModelError, match=r"wrenches has the shape \(3, 6\); give \(\.\.\., 2, 6\)"):
        system.forward_dynamics(*system.state(), wrenches=np.zeros((3, 6)))


def test_centre_of_mass_without_mass():
    model = jd.Model("ghost")
    model.add_body("ghost", jd.Inertia(0.0))
    system = jd.compile(model, execution=jd.Plain())
    with pytest.raises(SingularSystemError, match="model 'ghost' has no mass"):
        system.centre_of_mass(system.state()[0])


def test_positions_and_forces_that_are_no_numbers():
    system = jd.compile(machine(jd.solid.rod(1.0, (1, 0, 0)), jd.Revolute("y")))
    with pytest.raises(ModelError, match="q is None, which is no array of real numbers"):
        system.forward_dynamics(None, [0.0, 0.0])
    with pytest.raises(ModelError, match="'much' is no number and no array of numbers"):
        system.forward_dynamics([0.0, 0.0], [0.0, 0.0], {"base.angle": "much"})


@pytest.mark.parametrize(
    ("drive", "text"),
    [
        (sin, "it turns a symbol into a number"),
        (lambda t: t if t > 1.0 else 1.0, "it decides by Python's if"),
    ],
)
def test_drives_that_are_no_expressions(drive, text):
    model = machine(jd.solid.ball(1.0, 0.1), jd.Revolute("y"))
    arm = model.add_body("driven", jd.solid.ball(1.0, 0.1))
    model.add_joint("slew", model.world, arm, jd.Revolute("z"), driven={"angle": drive})
    with pytest.raises(
        ModelError, match=f"joint 'slew': the driven value of 'angle' fails.*{text}"
    ):
        jd.compile(model).forward_dynamics(np.zeros(2), np.zeros(2))
