from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal, Law, Spring
from jourdain.model.measures import Coordinate, Formula

Y = jd.Revolute("y")


def slider_crank(**more):
    model = jd.Model("slider_crank", **more)
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(0.3, 0, 0)))
    piston = model.add_body("piston", jd.solid.ball(mass=0.4, radius=0.04))
    model.add_joint("main", model.world, crank, Y)
    model.add_joint("big_end", crank.at(0.1, 0, 0), rod, Y)
    model.add_joint("wrist", rod.at(0.3, 0, 0), piston, Y)
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    return model


@pytest.fixture(scope="module")
def sol():
    drive = {"main.angle": lambda t: 0.3 + 20.0 * t + 5.0 * t * t}
    return jd.kinematics(slider_crank(), 1.0, driven=drive, sample=0.002)


def test_slider_crank_in_closed_form(sol):
    a, w = sol["main.angle"].values, sol["main.rate"].values
    s, c = np.sin(a), np.cos(a)
    root = np.sqrt(0.09 - 0.01 * s**2)
    assert a == pytest.approx(0.3 + 20 * sol.time + 5 * sol.time**2, rel=1e-14)
    assert sol["guide.position"].values == pytest.approx(0.1 * c + root, abs=1e-12)
    slope = -0.1 * s - 0.01 * s * c / root
    assert sol["guide.velocity"].values == pytest.approx(slope * w, abs=1e-10)
    bend = -0.1 * c - 0.01 * (c * c - s * s) / root - 1e-4 * (s * c) ** 2 / root**3
    expected = bend * w**2 + slope * 10.0
    assert sol["guide.acceleration"].values == pytest.approx(expected, abs=1e-8)


def test_power_of_the_drive_is_the_change_of_energy(sol):
    power = sol["main.applied_torque"].values * sol["main.rate"].values
    assert sol["power.drives"].values == pytest.approx(power, abs=1e-9 * np.abs(power).max())
    energy, t = sol["energy.total"].values, sol.time
    near, far = energy[3:-1] - energy[1:-3], energy[4:] - energy[:-4]
    slope = (8 * near - far) / (12 * (t[1] - t[0]))
    assert slope == pytest.approx(power[2:-2], abs=1e-4 * np.abs(power).max())


def test_a_spring_beside_a_drive_takes_its_part():
    model = jd.Model("arm", gravity=(0, 0, 0))
    arm = model.add_body("arm", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("main", model.world, arm, Y, driven={"angle": jd.sin})
    model.add_connection("spring", Coordinate("main.angle"), Spring(3.0))
    sol = jd.kinematics(model, 2.0, sample=0.25)
    torque = 3.0 * np.sin(sol.time) - np.sin(sol.time) / 3.0
    assert sol["main.applied_torque"].values == pytest.approx(torque)
    assert sol["power.drives"].values == pytest.approx(torque * np.cos(sol.time))


def test_the_drives_of_the_model_itself_are_enough():
    model = jd.Model("arm")
    arm = model.add_body("arm", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("main", model.world, arm, Y, driven={"angle": jd.sin})
    sol = jd.kinematics(jd.compile(model), (1.0, 2.0), sample=0.25)
    assert sol["main.rate"].values == pytest.approx(np.cos(sol.time))
    # m g l/2 cos(a) about the pivot and the inertia; the angle turns x towards -z
    torque = np.cos(np.sin(sol.time)) * -0.5 * 9.81 - np.sin(sol.time) / 3.0
    assert sol["main.applied_torque"].values == pytest.approx(torque)


def test_a_driven_coordinate_of_the_joint_that_would_be_cut():
    """Driving the piston: the crank turns as the piston wants."""
    model = slider_crank()
    assert jd.compile(model).topology.cuts[0].name == "guide"
    a = lambda t: 1.0 + 0.5 * t  # noqa: E731
    drive = {
        "guide.position": lambda t: 0.1 * jd.cos(a(t)) + jd.sqrt(0.09 - (0.1 * jd.sin(a(t))) ** 2)
    }
    near = {"main.angle": 1.0, "big_end.angle": -1.2, "wrist.angle": 0.2}
    sol = jd.kinematics(model, 1.0, driven=drive, near=near, sample=0.1)
    assert sol["main.angle"].values == pytest.approx(a(sol.time), abs=1e-10)
    power = sol["guide.applied_force"].values * sol["guide.velocity"].values
    assert sol["power.drives"].values == pytest.approx(power, abs=1e-10)


def test_nonholonomic_motion_is_integrated():
    """A blade of given speed and heading runs on a circle."""
    model = jd.Model("ice")
    sled = model.add_body("sled", jd.solid.box(mass=1.0, size=(1, 1, 0.1)))
    model.add_joint("blade", model.world, sled, jd.Skate())

    def speed(at):
        return at.twist(sled.at())[1]

    ahead = Formula(speed=lambda at: jd.dot(at.pose(sled.at())[0][:, 0], speed(at)))
    model.add_connection("motor", ahead, Equal(2.0))
    drive = {"blade.angle": lambda t: 0.5 * t}
    start = {"blade.position.x": 1.0, "blade.position.y": 0.0}
    sol = jd.kinematics(model, 10.0, driven=drive, start=start, sample=1.0)
    place = sol["blade.position"].values
    expected = np.array([1 + 4 * np.sin(0.5 * sol.time), 4 - 4 * np.cos(0.5 * sol.time)]).T
    assert place == pytest.approx(expected, abs=1e-8)
    found = jd.structure(sol.model).findings
    assert (found.n_dof, found.n_positions) == (0, 2)


def test_states_of_laws_are_integrated_and_inputs_reach_them():
    """Current of a motor at given speed: L di/dt = u - R i - k w."""
    model = jd.Model("motor")
    model.add_coordinate("shaft", 0.1)
    law = Law(
        lambda x, v, at: 0.05 * at.state("current"),
        states={"current": "A"},
        inputs={"voltage": "V"},
        state_rates=lambda x, v, at: (
            (at.input("voltage") - at.state("current") - 0.05 * v) / 0.5,
        ),
    )  # fmt: skip
    model.add_connection("motor", Coordinate("shaft"), law)
    sol = jd.kinematics(
        model,
        1.0,
        driven={"shaft": lambda t: 100.0 * t},
        inputs={"motor.voltage": 12.0},
        sample=0.1,
    )
    assert sol["motor.current"].values == pytest.approx(7.0 * (1 - np.exp(-2 * sol.time)), abs=1e-8)
    assert sol["shaft.applied_torque"].values == pytest.approx(-0.05 * sol["motor.current"].values)


def test_parameters_and_values_of_driven_coordinates_in_near():
    length = jd.Parameter("length", 0.3, "m")
    model = jd.Model("slider")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    rod = model.add_body("rod", jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)))
    model.add_joint("main", model.world, crank, Y)
    model.add_joint("pin", crank.at(0.1, 0, 0), rod, Y)
    model.add_joint("guide", model.world, rod.at(length, 0, 0), jd.Prismatic("x") * Y)
    near = jd.assemble(model, {"main.angle": 0.2})
    drive = {"main.angle": lambda t: 0.2 + t}
    sol = jd.kinematics(model, 1.0, driven=drive, near=near, sample=0.5, parameters={"length": 0.2})
    a = 0.2 + sol.time
    expected = 0.1 * np.cos(a) + np.sqrt(0.04 - 0.01 * np.sin(a) ** 2)
    assert sol["guide.position"].values == pytest.approx(expected, abs=1e-12)
    assert sol.parameters == {"length": 0.2}
