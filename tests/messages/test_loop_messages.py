"""Texts of errors of connections, loops and their assembly."""

from math import sin

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import AssemblyError, IntegrationError, ModelError, SingularSystemError
from jourdain.model.laws import Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance, Formula


def floating(law):
    """A ball on a rope whose ends meet at the start."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(1.0, 0.1))
    model.add_connection("rope", Distance(model.world, ball), law)
    return model


def on_rail(law, measure=None):
    model = jd.Model("rail")
    ball = model.add_body("ball", jd.solid.ball(1.0, 0.1))
    model.add_joint("rail", model.world, ball, jd.Prismatic("x"))
    model.add_connection("law", measure or Coordinate("rail.position"), law)
    return model


def bars(reach, **turned):
    """Two bars of one metre between two hinges."""
    model = jd.Model("bars")
    a, b = (model.add_body(n, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for n in "ab")
    model.add_joint("left", model.world, a, jd.Revolute("z"))
    model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("z"))
    end = model.world.at(reach, 0, 0, **turned)
    model.add_joint("right", end, b.at(1, 0, 0), jd.Revolute("z"))
    return model


def test_a_distance_of_zero_length():
    text = (
        r"connection 'rope': its measure Distance has the value 0 m at t = 0 s, where it has no d"
    )
    with pytest.raises(SingularSystemError, match=text):
        jd.simulate(floating(Spring(10.0)), 1.0)
    system = jd.compile(floating(Spring(10.0)))
    with pytest.raises(SingularSystemError, match="start elsewhere, or measure the components"):
        system.forward_dynamics(*system.state())


def test_a_distance_that_is_held_at_zero():
    """Held there, it has no direction to be held in."""
    text = "connection 'rope': its measure Distance has the value 0 m at t = 0 s, where it has no"
    for ask in (jd.assemble, lambda model: jd.simulate(model, 1.0)):
        with pytest.raises(SingularSystemError, match=text):
            ask(floating(Equal(0.0)))
    report = " ".join(str(jd.structure(floating(Equal(0.0)))).split())
    assert "at least 5 (Grübler: 6 of the tree - 1 constraint row = 5)" in report
    assert text in report


def test_a_law_that_gives_no_number_in_a_given_motion():
    model = on_rail(lambda x, v: 5.0 + jd.sqrt(0.3 - x))
    text = "connection 'law': its law Law gives the force -?nan at t = 0 s, for the value 0.5 m"
    with pytest.raises(ModelError, match=text):
        jd.inverse_dynamics(model, {"rail.position": 0.5}, actuated="rail.position")
    text = (
        r"model 'rail' moves as driven, but has no loads: connection 'law': its law Law gives the "
        r"force -?nan at t = 0\.3 s, for the value 0\.3 m"
    )
    driven = {"rail.position": lambda t: t}
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.kinematics(model, 1.0, driven=driven, sample=0.1)
    assert caught.value.solution.values("rail.position")[-1] == 1.0


def test_a_joint_without_finite_equations():
    """The rate of the parameter has no bound where the wire begins: no connection is at fault."""
    model = jd.Model("point")
    body = model.add_body("body", jd.solid.ball(1.0, 0.1))
    curve = jd.PointOnCurve(lambda s: (jd.sqrt(s), s, 0.0), jd.Fixed(), "m")
    model.add_joint("wire", model.world, body, curve)
    model.add_joint("rail", model.world, body, jd.Prismatic("y") * jd.Revolute("z"))
    text = "model 'point' has no finite equations of motion at t = 0 s. Likely causes: a joint in"
    with pytest.raises(SingularSystemError, match=text):
        jd.assemble(jd.compile(model, cut="wire"))


def test_a_measure_without_a_value():
    measure = Formula(lambda at: jd.log(at.coordinate("rail.position") - 1.0))
    text = r"connection 'law': the value of its measure Formula is -?nan at t = 0 s"
    with pytest.raises(SingularSystemError, match=text):
        jd.simulate(on_rail(Spring(1.0), measure), 1.0)


def test_a_law_that_gives_no_number_at_the_start():
    text = r"connection 'law': Law.force\(x, v, at\) at x = \(0\) is not finite: \[nan\]"
    with pytest.raises(ModelError, match=text):
        jd.simulate(on_rail(lambda x, v: jd.sqrt(x - 0.5)), 1.0)


def test_a_law_that_gives_no_number_on_the_way():
    text = r"stopped at t = 0\.33.* s of 1 s: connection 'law': its law Law gives the force -?nan"
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(on_rail(lambda x, v: 5.0 + jd.sqrt(0.3 - x)), 1.0)
    assert caught.value.solution.values("rail.position")[-1] < 0.3


def test_constraints_that_contradict_each_other_in_position():
    model = on_rail(Equal(0.5))
    model.add_connection("other", Coordinate("rail.position"), Equal(0.7))
    text = (
        r"cannot be assembled at t = 0 s:\n  connection 'law' is off by 0\.1\n  connection 'other'"
    )
    with pytest.raises(AssemblyError, match=text):
        jd.assemble(model)


def test_constraints_that_contradict_each_other_in_velocity():
    model = on_rail(Equal(lambda t: 0.5 + t))
    model.add_connection("other", Coordinate("rail.position"), Equal(0.5))
    text = r"at t = 0 s its constraints contradict each other: whatever the velocities, connection"
    with pytest.raises(AssemblyError, match=text):
        jd.simulate(model, 1.0)


def test_bars_that_do_not_reach():
    text = r"the loop left - top - right stays open at joint 'right' by 0\.5 m and 0 rad"
    with pytest.raises(AssemblyError, match=text):
        jd.assemble(bars(2.5))


def test_axes_that_do_not_fit():
    text = r"stays open at joint 'right' by .* m and 0\.2 rad"
    with pytest.raises(AssemblyError, match=text):
        jd.assemble(bars(1.0, rotation=jd.rotation_x(0.2)), near={"left.angle": 1.0})


def test_a_position_that_is_held_out_of_reach():
    text = r"held are 'left.angle': let some of them free, or give other values"
    with pytest.raises(AssemblyError, match=text):
        jd.assemble(bars(1.0), {"left.angle": 2.8})


def test_velocities_that_do_not_fit():
    text = r"the velocities 'left.rate' cannot be as given: joint 'right' would open at 0\.866 m/s"
    near = {"left.angle": 1.0, "top.angle": -2.0}
    with pytest.raises(AssemblyError, match=text):
        jd.assemble(bars(1.0), {"left.rate": 1.0}, near=near)


def test_a_weight_that_is_not_positive():
    with pytest.raises(
        ModelError, match=r"the weight of 'left.angle' is 0; give a positive number"
    ):
        jd.assemble(bars(1.0), weights={"left.angle": 0})


def test_arrays_far_from_the_constraints():
    with pytest.raises(AssemblyError, match="stays open at joint 'right'"):
        jd.simulate(bars(2.5), 1.0, start=(np.zeros(3), np.zeros(2)))


def test_steps_too_long_for_a_loop():
    with pytest.raises(IntegrationError, match="its constraints opened by up to "):
        jd.simulate(
            four_bar(), 6.0, start={"crank.angle": 0.3, "crank.rate": 3.0},
            method=jd.SemiImplicitEuler(1.5),
        )  # fmt: skip


def test_a_drive_that_a_loop_cannot_follow():
    """The slider of a crank of 0.1 m is driven beyond its dead point."""
    model = jd.Model("slider")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0.0, 0.0)))
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0.3, 0.0, 0.0)))
    slider = model.add_body("slider", jd.solid.rod(mass=1.0, end=(0.3, 0.0, 0.0)))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("pin", crank.at(0.1, 0.0, 0.0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(0.3, 0.0, 0.0), slider, jd.Revolute("y"))
    way = {"position": lambda t: 0.3 + 2.0 * t}
    model.add_joint("guide", model.world, slider, jd.Prismatic("x"), driven=way)
    text = (
        r"opened by up to .* at joint 'wrist'\. The machine has come into a singular position, .*: "
        r"the drive of 'guide.position' asks for more than the loops can follow\. Next: look at"
    )
    with pytest.raises(IntegrationError, match=text):
        jd.simulate(model, 1.0)


def four_bar():
    model = jd.Model("four-bar", gravity=(0, -9.81, 0))
    place = model.world.at()
    for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5)):
        body = model.add_body(f"{name}_bar", jd.solid.rod(mass=length, end=(0, length, 0)))
        model.add_joint(name, place, body, jd.Revolute("-z"))
        place = body.at(0, length, 0)
    model.add_joint("last", model.world.at(3, 0, 0), place, jd.Revolute("-z"))
    return model


def test_a_law_that_asks_for_what_is_not_there():
    for ask, word in (("state", "state"), ("input", "input"), ("multiplier", "constraint")):
        law = Law(lambda x, v, at, ask=ask: getattr(at, ask)("none"))
        text = rf"connection 'law': Law.force\(x, v, at\) at x = \(0\) fails: no {word} 'none'"
        with pytest.raises(ModelError, match=text):
            jd.compile(on_rail(law)).forward_dynamics([0.0], [0.0])


def test_functions_that_decide_by_python():
    text = r"connection 'law': its law Law fails on symbols: .*decide with jd.where"
    with pytest.raises(ModelError, match=text):
        jd.compile(on_rail(lambda x, v: 1.0 if x > 0 else 0.0)).forward_dynamics([0.0], [0.0])
    measure = Formula(lambda at: max(at.coordinate("rail.position"), 0.0))
    with pytest.raises(ModelError, match="connection 'law': its measure Formula fails on symbols"):
        jd.compile(on_rail(Spring(1.0), measure)).forward_dynamics([0.0], [0.0])
    held = Equal(lambda t: t if t > 0 else 0.0)
    with pytest.raises(ModelError, match="connection 'law': the value of Equal fails on symbols"):
        jd.compile(on_rail(held)).forward_dynamics([0.0], [0.0])


def test_functions_of_the_math_module():
    """A measure that is not a number has no derivative: its force would not be there."""
    text = "fails on symbols: it turns a symbol into a number"
    measure = Formula(lambda at: sin(at.coordinate("rail.position")))
    with pytest.raises(ModelError, match=f"connection 'law': its measure Formula {text}"):
        jd.compile(on_rail(Spring(1.0), measure)).forward_dynamics([0.0], [0.0])
    with pytest.raises(ModelError, match=f"connection 'law': its law Law {text}"):
        jd.compile(on_rail(lambda x, v: sin(x))).forward_dynamics([0.0], [0.0])


def test_wrong_counts_of_numbers():
    two = Formula(lambda at: jd.math.vector(at.t, at.t))
    with pytest.raises(ModelError, match="Formula gives 2 numbers, but its size is 1"):
        jd.compile(on_rail(Spring(1.0), two)).forward_dynamics([0.0], [0.0])
    law = Law(lambda x: jd.math.vector(x, x))
    with pytest.raises(ModelError, match=r"Law.force\(x, v, at\) .* gives 2 numbers instead of 1"):
        jd.compile(on_rail(law)).forward_dynamics([0.0], [0.0])
    with pytest.raises(
        ModelError, match=r"Equal has 2 numbers, but its measure .* has 1 component"
    ):
        jd.compile(on_rail(Equal((0.0, 1.0)))).forward_dynamics([0.0], [0.0])


def test_an_unknown_coordinate_in_a_formula():
    measure = Formula(lambda at: at.coordinate("rail.angle"))
    text = r"connection 'law': its measure Formula fails .*: no coordinate 'rail.angle'"
    with pytest.raises(ModelError, match=text):
        jd.compile(on_rail(Spring(1.0), measure)).forward_dynamics([0.0], [0.0])


def test_constraints_that_time_steps_cannot_hold_are_named():
    model = jd.Model("net", gravity=(0, 0, 0))
    for name, inertia in (("light", 1e-15), ("y", 1.0), ("z", 2.0)):
        model.add_coordinate(name, inertia, unit="m^3")
    light, y, z = (jd.Coordinate(name) for name in ("light", "y", "z"))
    model.add_connection("junction", light + y + z, jd.Equal(0.0))
    model.add_connection("closed", light, jd.Equal(0.0))
    with pytest.raises(jd.SingularSystemError, match=r"'(closed|junction)' cannot be held") as told:
        jd.simulate(model, 1.0, method=jd.MoreauJean(1e-3))
    assert "differ by more than 1e12" in str(told.value)
    assert "jd.EventDriven()" in str(told.value)
    assert jd.simulate(model, 1.0).final["light.rate"] == 0.0
