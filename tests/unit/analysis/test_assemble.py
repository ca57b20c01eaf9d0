"""Positions and velocities that satisfy all constraints."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal
from jourdain.model.measures import Coordinate


@pytest.fixture(scope="module")
def bars():
    """Two bars of one metre over a base of one metre: an equilateral triangle, up or down."""
    model = jd.Model("bars")
    a, b = (model.add_body(n, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for n in "ab")
    model.add_joint("left", model.world, a, jd.Revolute("z"))
    model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("z"))
    slide = jd.Prismatic("x") * jd.Revolute("z")
    model.add_joint("right", model.world.at(1, 0, 0), b.at(1, 0, 0), slide)
    return jd.compile(model, cut="right")


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_near_chooses_the_branch(bars, side):
    near = {"left.angle": side * 1.0, "top.angle": -side * 2.0}
    found = jd.assemble(bars, {"right.position": 0.0}, near=near)
    wanted = [side * np.pi / 3, -side * 2 * np.pi / 3, 0.0]
    values = [found[name] for name in ("left.angle", "top.angle", "right.position")]
    np.testing.assert_allclose(values, wanted, atol=1e-12)


def test_given_coordinates_are_held_and_the_others_follow(bars):
    found = jd.assemble(bars, {"left.angle": 1.2, "left.rate": 2.0}, near={"top.angle": -2.4})
    assert found["left.angle"] == 1.2
    assert found["left.rate"] == 2.0
    assert found["right.position"] == pytest.approx(2 * np.cos(1.2) - 1.0, abs=1e-12)
    assert found["right.velocity"] == pytest.approx(-4.0 * np.sin(1.2), abs=1e-12)
    assert found["top.rate"] == pytest.approx(-4.0, abs=1e-12)


def test_velocity_of_a_cut_joint_may_be_given(bars):
    start = {"left.angle": 1.0, "right.velocity": 0.5}
    found = jd.assemble(bars, start, near={"top.angle": -2.0})
    assert found["right.velocity"] == pytest.approx(0.5, abs=1e-12)
    assert found["left.rate"] == pytest.approx(-0.25 / np.sin(1.0), abs=1e-12)


def test_weights_share_out_the_way():
    """Two slides in line must add up to one: each goes the way its weight leaves to it."""
    model = jd.Model("slides")
    a, b = (model.add_body(n, jd.solid.ball(1.0, 0.1)) for n in "ab")
    model.add_joint("one", model.world, a, jd.Prismatic("x"))
    model.add_joint("two", a, b, jd.Prismatic("x"))
    both = Coordinate("one.position") + Coordinate("two.position")
    model.add_connection("sum", both, Equal(1.0))
    even = jd.assemble(model)
    assert even["one.position"] == pytest.approx(0.5, abs=1e-12)
    uneven = jd.assemble(model, weights={"one.position": 3.0})
    assert uneven["one.position"] == pytest.approx(0.25, abs=1e-12)


def test_a_whole_state_is_as_given_or_an_error(bars):
    """Nothing is moved in silence: it fits to 1e-9, as states of runs do, or it does not (A2)."""
    whole = {"left.angle": np.pi / 3, "top.angle": -2 * np.pi / 3, "right.position": 0.0}
    near = {name: x + 1e-10 for name, x in whole.items()}
    for start in (whole, near):
        found = jd.assemble(bars, start)
        assert (found["left.angle"], found["top.angle"]) == (
            start["left.angle"],
            start["top.angle"],
        )
        assert found["right.position"] == pytest.approx(start["right.position"], abs=1e-9)  # cut
    with pytest.raises(jd.AssemblyError, match=r"held are 'left\.angle'"):
        jd.assemble(bars, whole | {"left.angle": 1.0471975})


def test_an_assembly_is_a_start_and_a_table(bars):
    found = jd.assemble(bars, {"left.angle": 1.0}, near={"top.angle": -2.0})
    assert dict(found)["left.angle"] == 1.0
    assert len(found) == len(found.q) + len(found.v)
    assert "right.position" in str(found)
    sol = jd.simulate(bars, 0.01, start=found)
    np.testing.assert_allclose(sol.q[0], found.q, atol=1e-12)


def test_without_constraints_it_is_the_reference_position():
    model = jd.Model("ball")
    body = model.add_body("ball", jd.solid.ball(1.0, 0.1))
    model.add_joint("free", model.world, body, jd.Free())
    found = jd.assemble(model, {"free.orientation": (2.0, 0.0, 0.0, 0.0)})
    np.testing.assert_array_equal(found["free.orientation"], [1.0, 0.0, 0.0, 0.0])


def test_vectors_of_cut_joints_are_held():
    model = jd.Model("two bars")
    a = model.add_body("a", jd.solid.rod(1.0, (1, 0, 0)))
    b = model.add_body("b", jd.solid.rod(1.0, (1, 0, 0)))
    model.add_joint("left", model.world, a, jd.Revolute("z"))
    model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("z"))
    model.add_joint("end", model.world.at(1.2, 0, 0), b.at(1, 0, 0), jd.Planar())
    system = jd.compile(model, cut="end")
    held = {"end.position": (0.1, 0.2), "end.velocity": (0.3, -0.4)}
    found = jd.assemble(system, held, near={"left.angle": 0.5, "top.angle": -1.0})
    np.testing.assert_allclose(found["end.position"], [0.1, 0.2], atol=1e-12)
    np.testing.assert_allclose(found["end.velocity"], [0.3, -0.4], atol=1e-12)
    assert np.hypot(1.3, 0.2) == pytest.approx(2.0 * np.cos(0.5 * found["top.angle"]))
    assert repr(found) == "<assembly of 'two bars' at 0 s>"
    with pytest.raises(jd.ModelError, match=r"\(1, 2, 3\) of 'end.position' should be 2 finite"):
        jd.assemble(system, {"end.position": (1, 2, 3)})
