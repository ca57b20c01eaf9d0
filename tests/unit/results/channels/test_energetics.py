"""Loads, energies, powers and momenta."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution


def test_energy_of_a_pendulum_is_constant(swing):
    total = swing.values("energy.total")
    np.testing.assert_allclose(total, total[0], rtol=1e-11)
    np.testing.assert_allclose(
        total, swing.values("energy.kinetic") + swing.values("energy.potential"), rtol=1e-15
    )
    assert np.ptp(swing.values("energy.kinetic")) > 0.5


def test_loads_of_a_pendulum(swing, pendulum):
    names = ("hinge.angle", "hinge.rate", "hinge.angular_acceleration")
    expected = pendulum.force(*(swing.values(name) for name in names))
    np.testing.assert_allclose(swing.values("hinge.force"), expected, atol=1e-12)
    np.testing.assert_allclose(swing.values("hinge.torque"), 0.0, atol=1e-12)
    along_x = swing["hinge.force"].sel(axis="x")
    np.testing.assert_allclose(along_x, expected[:, 0], atol=1e-12)
    assert along_x.attrs["units"] == "N"


def test_load_and_power_of_a_drive(pendulum):
    """The drive gives J d²φ/dt² + m g a sin φ, and that times the rate is its power."""
    system = jd.compile(pendulum.model({"angle": lambda t: 0.8 * jd.sin(3 * t)}))
    t = np.linspace(0.0, 2.0, 30)
    empty = np.zeros((len(t), 0))
    sol = Solution(system, t, empty, empty)
    angle, rate, bend = 0.8 * np.sin(3 * t), 2.4 * np.cos(3 * t), -7.2 * np.sin(3 * t)
    weight = pendulum.mass * pendulum.g * pendulum.arm
    torque = pendulum.about_hinge * bend + weight * np.sin(angle)
    np.testing.assert_allclose(sol.values("hinge.applied_torque"), torque, atol=1e-13)
    np.testing.assert_allclose(sol.values("hinge.torque.y"), torque, atol=1e-13)
    np.testing.assert_allclose(sol.values("power.drives"), torque * rate, atol=1e-12)
    np.testing.assert_allclose(sol.values("power.applied"), 0.0)
    assert "hinge.applied_torque" in sol.data


def test_power_of_inputs(mixture):
    hinge = mixture.values("hinge.applied_torque") * mixture.values("hinge.rate")
    shaft = mixture.values("shaft.applied_torque") * mixture.values("shaft.rate")
    np.testing.assert_allclose(mixture.values("power.applied"), hinge + shaft, rtol=1e-13)
    drum = mixture.values("spin.applied_torque") * mixture.values("spin.rate")
    np.testing.assert_allclose(mixture.values("power.drives"), drum, atol=1e-12)


def test_a_driven_shaft_gives_power():
    model = jd.Model("shaft")
    model.add_coordinate("shaft", 0.2, driven=lambda t: 0.5 * t**3)
    t = np.array((0.0, 1.0, 2.0))
    empty = np.zeros((3, 0))
    sol = Solution(jd.compile(model, execution=jd.Plain()), t, empty, empty)
    np.testing.assert_allclose(sol.values("shaft.applied_torque"), 0.2 * 3 * t)
    np.testing.assert_allclose(sol.values("power.drives"), 0.6 * t * 1.5 * t**2)


def rate_of_energy(system, q, v, vdot, t):
    """Central difference of the energy along the motion."""
    step = 6e-6  # cube root of the rounding unit
    qdot = system.coordinate_rates(q, v, t)
    there, back = (sum(system.energy(q + s * qdot, v + s * vdot, t + s)) for s in (step, -step))
    return (there - back) / (2 * step)


@pytest.mark.parametrize("seed", range(6))
def test_power_is_the_rate_of_energy(seed):
    """Random trees with every joint kind, drives, moving joints and joints written backwards."""
    rng = np.random.default_rng(seed)
    model = jd.testing.random_model(rng, 6, n_coordinates=1)
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = jd.testing.random_state(system, rng)
    tau = system.inverse_dynamics(q, v, vdot, t)
    sol = Solution(system, [t], [q], [v], [vdot], [tau])
    power = sol.values("power.applied") + sol.values("power.drives")
    expected = rate_of_energy(system, q, v, vdot, t)
    scale = max(1.0, abs(expected), np.abs(sol.values("energy.kinetic"))[0])
    assert power[0] == pytest.approx(expected, abs=1e-7 * scale)


def test_momentum_is_kept_without_forces(integrate):
    model = jd.Model("tumbling", gravity=(0, 0, 0))
    box = model.add_body("box", jd.solid.box(2.0, (0.1, 0.2, 0.4)))
    wheel = model.add_body("wheel", jd.solid.cylinder(0.5, 0.2, 0.05))
    model.add_joint("axle", box.at(0.1, 0, 0), wheel, jd.Revolute("z"))
    start = {"box.angular_velocity": (0.3, 2.0, 0.1), "box.velocity": (1, 0, 0), "axle.rate": 8.0}
    sol = integrate(jd.compile(model), start, np.linspace(0.0, 0.5, 11))
    for name in ("momentum.linear", "momentum.angular"):
        found = sol.values(name)
        np.testing.assert_allclose(found, np.tile(found[0], (11, 1)), atol=1e-10)
    moved = sol.values("centre_of_mass.position")
    drift = np.outer(sol.time, sol.values("momentum.linear")[0] / 2.5)
    np.testing.assert_allclose(moved - moved[0], drift, atol=1e-10)


def test_models_without_bodies_have_no_centre_of_mass():
    model = jd.Model("shaft")
    model.add_coordinate("shaft", 0.2)
    sol = Solution(jd.compile(model, execution=jd.Plain()), [0.0], [[0.0]], [[3.0]])
    assert "centre_of_mass.position" not in sol
    assert sol.values("energy.kinetic") == pytest.approx([0.9])
