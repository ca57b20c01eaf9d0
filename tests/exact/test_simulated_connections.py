"""Machines with connections, simulated, against closed forms and against equal joints."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import jourdain as jd

TIGHT = jd.Dop853(rtol=1e-11, atol=1e-12)
WINDING = {"constant": 0.05, "resistance": 1.0, "inductance": 0.5e-3}


def slider(mass=2.0):
    """Mass on a rail without gravity."""
    model = jd.Model("slider", gravity=(0, 0, 0))
    body = model.add_body("mass", jd.solid.ball(mass=mass, radius=0.1))
    model.add_joint("rail", model.world, body, jd.Prismatic("x"))
    return model, body


def run(model, t, **options):
    return jd.simulate(model, t, method=TIGHT, sample=np.array((0.0, t)), **options)


def last(sol, name):
    return float(sol.values(name)[-1])


def test_cylinder():
    """V11: x = a p t²/2m."""
    model, _ = slider()
    model.add_connection("cylinder", jd.Coordinate("rail.position"), jd.Actuator(1e-3, 4e3))
    assert last(run(model, 3.0), "rail.position") == pytest.approx(9.0, rel=1e-10)


def test_motor():
    """V12: current and speed after 0.05 s at 12 V."""
    model = jd.Model("motor")
    model.add_coordinate("shaft", 1e-4)
    motor = jd.Motor(**WINDING, voltage=12.0)
    model.add_connection("motor", jd.Coordinate("shaft"), motor)
    sol = run(model, 0.05)
    assert last(sol, "motor.current") == pytest.approx(3.47128562, abs=1e-8)
    assert last(sol, "shaft.rate") == pytest.approx(171.45323675, abs=1e-7)


def test_servo():
    """V12: the response to a step of the target."""
    model = jd.Model("servo")
    model.add_coordinate("shaft", 1e-4)
    model.add_connection("servo", jd.Coordinate("shaft"), jd.Servo(20.0, **WINDING, target=0.5))
    A = np.array(((0, 1, 0, 0), (0, 0, 500, 0), (-4e4, -100, -2000, 2e4), (0, 0, 0, 0)))
    angle, rate, current, _ = expm(0.1 * A)[:, 3]
    sol = run(model, 0.1)
    assert last(sol, "shaft.value") == pytest.approx(angle, abs=1e-9)
    assert last(sol, "shaft.rate") == pytest.approx(rate, abs=1e-7)
    assert last(sol, "servo.current") == pytest.approx(current, abs=1e-7)


def test_relaxation():
    """A mass between a spring and a Maxwell branch: three linear equations."""
    model, body = slider()
    law = jd.Spring(50.0) + jd.Damper(0.3) + jd.Maxwell(100.0, 0.2)
    model.add_connection("rubber", jd.Relative(model.world, body, "x"), law)
    A = np.array(((0, 1, 0), (-75, -0.15, 50), (5, 0, -5)))
    x, v, creep = expm(1.5 * A)[:, 0] * 0.1
    sol = run(model, 1.5, start={"rail.position": 0.1})
    assert last(sol, "rail.position") == pytest.approx(x, abs=1e-10)
    assert last(sol, "rail.velocity") == pytest.approx(v, abs=1e-9)
    assert last(sol, "rubber.creep_1") == pytest.approx(creep, abs=1e-10)


def test_beam_bends_as_the_formula_says():
    """V13: a mass at the tip of a beam, constrained to move up: ω² = 3EI/ml³ if it may turn."""
    length, bending, mass = 0.5, 2.0, 1.5
    model = jd.Model("reed", gravity=(0, 0, 0))
    tip = model.add_body("tip", jd.Inertia(mass, moments=(1e-9, 1e-9, 1e-9)))
    model.add_joint("tip_motion", model.world, tip, jd.Planar("z"))
    measure = jd.Relative(model.world, tip, "x y rz")
    model.add_connection("beam", measure, jd.Beam(length, 1e4, bending))
    K = jd.Beam(length, 1e4, bending).stiffness()
    y = 1e-3
    turn = -K[2, 1] / K[2, 2] * y  # no moment on the tip, which has almost no inertia
    start = {"tip_motion.position.x": length, "tip_motion.position.y": y, "tip_motion.angle": turn}
    system = jd.compile(model)
    q, v = system.state(start)
    vdot = system.forward_dynamics(q, v)
    assert vdot[1] == pytest.approx(-3 * bending / (mass * length**3) * y, rel=1e-6)


def test_gear():
    """A torque on one wheel turns both: inertia J₁ + J₂/i² at the first."""
    model = jd.Model("gear")
    for name, inertia in (("pinion", 0.1), ("wheel", 3.6)):
        model.add_coordinate(name, inertia)
    pinion, wheel = jd.Coordinate("pinion"), jd.Coordinate("wheel")
    model.add_connection("mesh", 20 * pinion + 60 * wheel, jd.Equal())
    model.add_connection("drive", pinion, jd.Force(2.0))
    sol = run(model, 1.0)
    assert last(sol, "pinion.value") == pytest.approx(0.5 * 2.0 / (0.1 + 3.6 / 9.0), rel=1e-10)
    assert last(sol, "wheel.value") == pytest.approx(-last(sol, "pinion.value") / 3.0, rel=1e-12)


def test_two_weights_on_a_rope_over_a_drum():
    """Atwood's machine: a = g (m₂ − m₁)/(m₁ + m₂), the rope pulls with 2 m₁m₂g/(m₁ + m₂)."""
    model = jd.Model("weights")
    weights = []
    for name, mass, x in (("light", 1.0, 0.2), ("heavy", 3.0, -0.2)):
        body = model.add_body(name, jd.solid.ball(mass=mass, radius=0.05))
        model.add_joint(f"{name}_rail", model.world.at(x, 0, 0), body, jd.Prismatic("z"))
        weights.append(body)
    drum = model.world.at(0, 0, 1.0)
    rope = jd.PathLength(tuple(weights), over=drum, radius=0.2, axis="-y")
    model.add_connection("rope", rope, jd.Equal(2.0 + 0.2 * np.pi))
    sol = run(model, 0.5)
    assert last(sol, "light_rail.position") == pytest.approx(0.5 * 9.81 * 0.5 * 0.25, rel=1e-9)
    assert last(sol, "heavy_rail.position") == pytest.approx(-0.5 * 9.81 * 0.5 * 0.25, rel=1e-9)
    assert abs(last(sol, "rope.force")) == pytest.approx(1.5 * 9.81, rel=1e-9)


DISC = {"mass": 0.5, "radius": 0.3, "length": 0.01, "axis": "y"}
LEAN = {"heading_rate": 0.3, "lean": 0.2, "spin_rate": 5.0, "lean_rate": -0.1}


def test_rolling_by_connections_is_the_rolling_joint():
    """A coin that leans and rolls: free body with two constraints, against the joint kind."""
    joint = jd.Model("coin")
    coin = joint.add_body("coin", jd.solid.cylinder(**DISC))
    joint.add_joint("roll", joint.world, coin, jd.RollingDisc(0.3))
    expected = run(joint, 0.5, start={f"roll.{k}": x for k, x in LEAN.items()})
    system = expected.system
    q, v = system.state({f"roll.{k}": x for k, x in LEAN.items()})

    model = jd.Model("coin")
    coin = model.add_body("coin", jd.solid.cylinder(**DISC))
    turning = jd.Revolute("z") * jd.Revolute("x") * jd.Revolute("y")
    place = jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z")
    model.add_joint("free", model.world, coin, place * turning)
    model.add_connection("on", jd.DiscHeight(coin, model.world, 0.3), jd.Equal())
    model.add_connection("roll", jd.Rolling(coin, model.world, 0.3), jd.Equal())
    r, twist = system.poses(q)[0, :3, 3], system.twists(q, v)[0]
    start = dict(zip((f"free.position_{k}" for k in (1, 2, 3)), r, strict=True))
    start |= dict(zip((f"free.velocity_{k}" for k in (1, 2, 3)), twist[3:], strict=True))
    start |= {"free.angle_2": 0.2, "free.rate_1": 0.3, "free.rate_2": -0.1, "free.rate_3": 5.0}
    sol = run(model, 0.5, start=start)
    for ours, theirs in (("angle_1", "heading"), ("angle_2", "lean"), ("angle_3", "spin")):
        found = last(sol, f"free.{ours}")
        assert found == pytest.approx(last(expected, f"roll.{theirs}"), abs=1e-8)


def test_a_point_on_a_curve_is_the_joint_on_a_curve():
    """A bead on a parabola: by a constraint, and by a joint."""
    joint = jd.Model("wire", gravity=(0, -9.81, 0))
    bead = joint.add_body("bead", jd.solid.ball(mass=0.1, radius=0.01))
    wire = jd.PointOnCurve(lambda s: (s, 0.5 * s**2, 0.0), jd.Fixed(), "m")
    joint.add_joint("wire", joint.world, bead, wire)
    expected = last(run(joint, 1.0, start={"wire.parameter": 0.7}), "wire.parameter")

    model = jd.Model("wire", gravity=(0, -9.81, 0))
    bead = model.add_body("bead", jd.solid.ball(mass=0.1, radius=0.01))
    model.add_joint("plane", model.world, bead, jd.Prismatic("x") * jd.Prismatic("y"))
    curve = jd.OnCurve(bead, model.world, jd.Polynomial((0.0, 0.0, 0.5)))
    model.add_connection("wire", curve, jd.Equal())
    start = {"plane.position_1": 0.7, "plane.position_2": 0.245}
    sol = run(model, 1.0, start=start)
    assert last(sol, "plane.position_1") == pytest.approx(expected, abs=1e-9)


def test_prescribed_attitude():
    """A body whose attitude is given turns so, whatever its inertia."""
    model = jd.Model("platform", gravity=(0, 0, 0))
    body = model.add_body("plate", jd.solid.box(mass=2.0, size=(0.3, 0.2, 0.1)))
    model.add_joint("ball", model.world, body, jd.Spherical())
    attitude = jd.Relative(model.world, body, "rotation")
    given = jd.Equal(lambda t: (0.3 * jd.sin(t), 0.2 * t, 0.1 * t**2))
    model.add_connection("held", attitude, given)
    sol = run(model, 1.0, start={"ball.angular_velocity": (0.3, 0.2, 0.0)})
    turn = jd.rotation_x(0.3 * np.sin(1.0)) @ jd.rotation_y(0.2) @ jd.rotation_z(0.1)
    q = [last(sol, f"ball.orientation.{k}") for k in "wxyz"]
    np.testing.assert_allclose(jd.rotation_quaternion(q), turn, atol=1e-9)


@pytest.mark.parametrize("angles", ["bryant", "vector"])
def test_body_on_a_bushing(angles):
    """Turning about one axis and moving along another: two uncoupled oscillators."""
    model = jd.Model("mount", gravity=(0, 0, 0))
    body = model.add_body("engine", jd.Inertia(4.0, moments=(0.1, 0.2, 0.25)))
    model.add_joint("free", model.world, body, jd.Free())
    K = np.diag((100.0, 200.0, 400.0, 5.0, 7.0, 9.0))
    measure = jd.Relative(model.world, body, "pose", angles=angles)
    model.add_connection("bushing", measure, jd.Spring(K))
    half = 0.4
    start = {"free.orientation": (np.cos(half), 0, 0, np.sin(half)), "free.position": (0, 0, 0.1)}
    sol = run(model, 1.0, start=start)
    assert last(sol, "free.position.z") == pytest.approx(0.1 * np.cos(10.0), abs=1e-9)
    turned = 0.8 * np.cos(6.0)
    assert last(sol, "free.orientation.z") == pytest.approx(np.sin(turned / 2), abs=1e-9)


@pytest.mark.parametrize("share", [0.5, 1.0, 1.5])
def test_forced_oscillator(share):
    """Pfeiffer 2.209: amplitude and phase; resonance at √(ω₀² − 2δ²), free at √(ω₀² − δ²)."""
    w0, damping = 10.0, 2.0
    peak = np.sqrt(w0**2 - 2.0 * damping**2)
    drive = share * peak

    def response(w):
        return 1.0 / (w0**2 - w**2 + 2j * damping * w)

    assert abs(response(peak)) == pytest.approx(0.5 / (damping * np.sqrt(w0**2 - damping**2)))
    model = jd.Model("oscillator", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    law = jd.Spring(w0**2) + jd.Damper(2.0 * damping)
    model.add_connection("support", jd.Coordinate("x"), law)
    model.add_connection("push", jd.Coordinate("x"), jd.Force(lambda t: jd.cos(drive * t)))
    method = jd.Dop853(rtol=1e-11, atol=1e-14)
    sol = jd.simulate(model, 5.0, method=method, sample=0.01)
    free = np.sqrt(w0**2 - damping**2)
    steady = (response(drive) * np.exp(1j * drive * sol.time)).real
    x, v = -response(drive).real, drive * response(drive).imag  # what dies out
    swing = x * np.cos(free * sol.time) + (v + damping * x) / free * np.sin(free * sol.time)
    known = steady + np.exp(-damping * sol.time) * swing
    np.testing.assert_allclose(sol.values("x.value"), known, atol=1e-11)
