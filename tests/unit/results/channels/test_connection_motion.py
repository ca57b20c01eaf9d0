"""What solutions tell of connections and cut joints."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance, Formula


def ring():
    """Two bars over a slide, which is cut, with a spring to the middle."""
    model = jd.Model("ring", gravity=(0, -9.81, 0))
    a, b = (model.add_body(n, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for n in "ab")
    model.add_joint("left", model.world, a, jd.Revolute("z"))
    model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("z"))
    slide = jd.Prismatic("x") * jd.Revolute("z")
    model.add_joint("right", model.world.at(1, 0, 0), b.at(1, 0, 0), slide)
    return model


@pytest.fixture(scope="module")
def sol():
    model = ring()
    a, b = model.body("a"), model.body("b")
    model.add_connection("spring", Distance(a.at(0.5, 0, 0), b.at(0.5, 0, 0)), Spring(20.0, 0.3))
    tip = Formula(lambda at: at.pose(b.at(1, 0, 0))[1], size=3)
    model.add_connection("probe", tip, Law(lambda x, v: 0.0 * x))
    filtered = Law(
        lambda x, v, at: at.state("lag"),
        states={"lag": "N m"},
        inputs={"wish": "N m"},
        state_rates=lambda x, v, at: (10.0 * (at.input("wish") - at.state("lag")),),
        state_start=(0.5,),
    )
    model.add_connection("drive", Coordinate("left.angle"), filtered)
    system = jd.compile(model, cut="right")
    start = {"left.angle": 1.0, "top.angle": -2.0}
    inputs = {"drive.wish": 2.0, "right.position": 3.0}
    tight = jd.Dop853(rtol=1e-10, atol=1e-11)
    return jd.simulate(system, 0.4, start=start, inputs=inputs, sample=0.01, method=tight)


def test_values_rates_and_forces_of_measures(sol):
    length = sol.values("spring.value")
    np.testing.assert_allclose(sol.values("spring.force"), -20.0 * (length - 0.3), rtol=1e-12)
    slope = np.gradient(length, sol.time, edge_order=2)
    np.testing.assert_allclose(sol.values("spring.rate")[1:-1], slope[1:-1], atol=1e-2)
    np.testing.assert_allclose(sol.values("spring.energy"), 10.0 * (length - 0.3) ** 2, rtol=1e-12)
    assert sol["spring.force"].attrs["units"] == "N"


def test_measures_with_several_components(sol):
    place = sol.values("probe.value")
    assert place.shape == (len(sol.time), 3)
    assert sol["probe.value"].dims[1] == "axis"
    np.testing.assert_allclose(place[:, 0] - 1.0, sol.values("right.position"), atol=1e-11)


def test_states_and_inputs_of_laws(sol):
    wanted = 2.0 - 1.5 * np.exp(-10.0 * sol.time)
    np.testing.assert_allclose(sol.values("drive.lag"), wanted, atol=1e-8)
    np.testing.assert_allclose(sol.values("drive.force"), wanted, atol=1e-8)
    np.testing.assert_array_equal(sol.values("drive.wish"), 2.0)


def test_motion_and_loads_of_a_cut_joint(sol):
    """Position, velocity and acceleration belong together; the slide carries no load along x."""
    position, velocity = sol.values("right.position"), sol.values("right.velocity")
    np.testing.assert_allclose(position, 2 * np.cos(sol.values("left.angle")) - 1.0, atol=1e-10)
    np.testing.assert_allclose(
        np.gradient(velocity, sol.time, edge_order=2)[2:-2],
        sol.values("right.acceleration")[2:-2],
        atol=0.5,
    )
    np.testing.assert_array_equal(sol.values("right.applied_force"), 3.0)
    np.testing.assert_allclose(sol.values("right.force")[:, 0], 3.0, atol=1e-9)
    np.testing.assert_allclose(sol.values("right.torque")[:, 2], 0.0, atol=1e-9)


def test_loads_do_not_depend_on_the_cut():
    start = {"left.angle": 1.0, "top.angle": -2.0}
    runs = [
        jd.simulate(jd.compile(ring(), cut=cut), 0.1, start=start, sample=0.05,
                    method=jd.Dop853(rtol=1e-11, atol=1e-12))
        for cut in ("right", "top", "left")
    ]  # fmt: skip
    for name in ("left.force", "top.force", "right.force", "right.velocity", "top.angle"):
        for other in runs[1:]:
            np.testing.assert_allclose(other.values(name), runs[0].values(name), atol=1e-7)


def test_a_file_keeps_the_cut(tmp_path):
    system = jd.compile(ring(), cut="top")
    sol = jd.simulate(system, 0.1, start={"left.angle": 1.0, "top.angle": -2.0}, sample=0.05)
    sol.save(tmp_path / "run.nc")
    back = jd.load(tmp_path / "run.nc")
    assert [cut.name for cut in back.system.topology.cuts] == ["top"]
    for name in sol.names():
        np.testing.assert_allclose(back.values(name), sol.values(name), rtol=1e-13, atol=1e-13)


def test_a_run_with_loops_goes_on_as_if_it_had_not_stopped():
    start = {"left.angle": 1.0, "top.angle": -2.0}
    system = jd.compile(ring(), cut="right")
    whole = jd.simulate(system, 0.2, start=start, sample=0.05)
    half = jd.simulate(system, 0.1, start=start, sample=0.05)
    both = jd.simulate(system, 0.2, resume=half, sample=0.05)
    np.testing.assert_array_equal(both.q, whole.q)


def test_force_of_a_held_measure(sol):
    """A rod in the place of the spring: its force is the multiplier, and stores nothing."""
    model = jd.Model("hanging")
    ball = model.add_body("ball", jd.solid.ball(2.0, 0.1))
    model.add_joint("slide", model.world, ball, jd.Prismatic("z"))
    model.add_connection("rod", Distance(model.world, ball), Equal(1.0))
    found = jd.simulate(model, 0.1, start={"slide.position": -1.0}, sample=0.05)
    np.testing.assert_allclose(found.values("rod.force"), -19.62, rtol=1e-12)
    np.testing.assert_array_equal(found.values("rod.energy"), 0.0)
