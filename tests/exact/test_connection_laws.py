"""Laws with states, inputs and multipliers, and measures held at functions of time."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.formulations import Augmented
from jourdain.model.laws import Damper, Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance, Formula
from jourdain.results.audit import energy_balance

TIGHT = jd.Dop853(rtol=1e-11, atol=1e-12)


def sliding_block(friction):
    """A block on a floor that carries it; friction is proportional to the force of the floor."""
    model = jd.Model("block", gravity=(0, 0, -9.81))
    block = model.add_body("block", jd.solid.box(2.0, (0.2, 0.2, 0.2)))
    kind = jd.Prismatic("x") * jd.Prismatic("z")
    model.add_joint("slide", model.world, block, kind)
    model.add_connection("floor", Coordinate("slide.position_2"), Equal())
    model.add_connection("friction", Coordinate("slide.position_1"), friction)
    return model


def test_friction_from_the_force_of_a_constraint():
    """Travel is v t − μ g t² / 2, and the work of friction is −μ m g x."""
    law = Law(lambda x, v, at: -0.3 * at.multiplier("floor"))
    sol = jd.simulate(sliding_block(law), 0.5, start={"slide.velocity_1": 4.0}, sample=0.1)
    x = 4.0 * sol.time - 0.5 * 0.3 * 9.81 * sol.time**2
    np.testing.assert_allclose(sol.values("slide.position_1"), x, atol=1e-12)
    np.testing.assert_allclose(sol.values("floor.force"), 2.0 * 9.81, rtol=1e-13)
    np.testing.assert_allclose(sol.values("friction.force"), -0.6 * 9.81, rtol=1e-13)
    assert energy_balance(sol).residual == pytest.approx(0.0, abs=1e-9)


def test_force_of_a_constraint_that_depends_on_the_friction_itself():
    """A wedge: friction along the slope changes the force of the slope; λ by hand.

    Normal n, tangent t, mass m, F = −μ λ along t of the horizontal coordinate: m a = m g + λ n +
    (−μ λ) e_x with a·n = 0 gives λ = −m g·n / (1 − μ n·e_x).
    """
    model = jd.Model("wedge", gravity=(0, 0, -9.81))
    body = model.add_body("body", jd.solid.box(2.0, (0.2, 0.2, 0.2)))
    model.add_joint("slide", model.world, body, jd.Prismatic("x") * jd.Prismatic("z"))
    n = np.array([np.sin(0.3), np.cos(0.3)])
    slope = n[0] * Coordinate("slide.position_1") + n[1] * Coordinate("slide.position_2")
    model.add_connection("slope", slope, Equal())
    law = Law(lambda x, v, at: -0.4 * at.multiplier("slope"))
    model.add_connection("friction", Coordinate("slide.position_1"), law)
    system = jd.compile(model)
    q, v = system.state({"slide.velocity_1": n[1], "slide.velocity_2": -n[0]})
    lam = 2.0 * 9.81 * n[1] / (1.0 - 0.4 * n[0])
    assert system.answers("multipliers", q, v)[0] == pytest.approx(lam, rel=1e-13)
    a = np.array([lam * n[0] - 0.4 * lam, lam * n[1] - 2.0 * 9.81]) / 2.0
    np.testing.assert_allclose(system.forward_dynamics(q, v), a, rtol=1e-12)
    np.testing.assert_allclose(Augmented().accelerations(system, q, v), a, rtol=1e-11)


def test_nonlinear_friction_on_a_rod(rng):
    """Friction that grows with the square root of a force; both formulations solve for it."""
    model = jd.Model("rod", gravity=(0, 0, -9.81))
    body = model.add_body("body", jd.solid.ball(1.0, 0.1))
    model.add_joint("move", model.world, body, jd.Prismatic("x") * jd.Prismatic("z"))
    model.add_connection("rod", Distance(model.world, body), Equal(1.0))

    def friction(x, v, at):
        return -0.2 * jd.sqrt(1.0 + at.multiplier("rod") ** 2) * v

    model.add_connection("drag", Coordinate("move.position_1"), Law(friction))
    system = jd.compile(model)
    start = {"move.position_1": 0.6, "move.position_2": -0.8}
    found = jd.assemble(system, start | {"move.velocity_1": 0.8})
    one = system.forward_dynamics(found.q, found.v)
    two = Augmented().accelerations(system, found.q, found.v)
    np.testing.assert_allclose(one, two, rtol=1e-11)
    lam = system.answers("multipliers", found.q, found.v)[0]
    r, v = found.q, found.v
    drag = -0.2 * np.sqrt(1.0 + lam**2) * v[0]
    np.testing.assert_allclose(one, lam * r + np.array([drag, -9.81]), rtol=1e-11)
    assert r @ one + v @ v == pytest.approx(0.0, abs=1e-12)


def test_motor_with_a_current():
    """V12: eigenvalues −1974.679434 and −25.320566; at 0.05 s 3.47128562 A, 171.45323675 rad/s."""
    c, r, l = 0.05, 1.0, 0.5e-3
    law = Law(
        lambda x, v, at: c * at.state("current"),
        states={"current": "A"},
        inputs={"voltage": "V"},
        state_rates=lambda x, v, at: ((at.input("voltage") - r * at.state("current") - c * v) / l,),
    )
    model = jd.Model("motor")
    model.add_coordinate("rotor", 1e-4)
    model.add_connection("motor", Coordinate("rotor"), law)
    sol = jd.simulate(model, 0.05, inputs={"motor.voltage": 12.0}, method=TIGHT, sample=[0.0, 0.05])
    assert sol.values("motor.current")[-1] == pytest.approx(3.47128562, abs=6e-9)
    assert sol.values("rotor.rate")[-1] == pytest.approx(171.45323675, abs=6e-9)
    np.testing.assert_array_equal(sol.values("motor.voltage"), [12.0, 12.0])
    np.testing.assert_allclose(sol.values("motor.force"), c * sol.values("motor.current"))


def test_servo_returns_to_its_set_point():
    """V12: eigenvalues −1979.847838 and −10.076081 ± 100.001295 i, by the slope of the state."""
    c, r, l, b, J = 0.05, 1.0, 0.5e-3, 20.0, 1e-4
    law = Law(
        lambda x, v, at: c * at.state("current"),
        states={"current": "A"},
        inputs={"set_point": "rad"},
        state_rates=lambda x, v, at: (
            (b * (at.input("set_point") - x) - r * at.state("current") - c * v) / l,
        ),
    )
    model = jd.Model("servo")
    model.add_coordinate("arm", J)
    model.add_connection("servo", Coordinate("arm"), law)
    system = jd.compile(model)

    def slope(y):
        q, v = y[[0, 1]], y[[2]]
        return np.concatenate([system.coordinate_rates(q, v), system.forward_dynamics(q, v)])

    A = np.array([slope(unit) - slope(np.zeros(3)) for unit in np.eye(3)]).T
    found = sorted(np.linalg.eigvals(A), key=lambda z: (z.real, z.imag))
    wanted = [-1979.847838, -10.076081 - 100.001295j, -10.076081 + 100.001295j]
    np.testing.assert_allclose(found, wanted, atol=6e-7)
    sol = jd.simulate(system, 1.0, inputs={"servo.set_point": 0.5}, method=TIGHT)
    assert sol.values("arm.value")[-1] == pytest.approx(0.5, abs=1e-3)


def test_a_length_that_changes_with_time():
    """Point mass on a string whose length is a function of time: r φ'' + 2 r' φ' = −g sin φ.

    The string's pull is by hand, and its power enters the balance of energy.
    """
    model = jd.Model("winch", gravity=(0, 0, -9.81))
    bob = model.add_body("bob", jd.solid.ball(1.5, 0.05))
    model.add_joint("move", model.world, bob, jd.Prismatic("x") * jd.Prismatic("z"))
    length = Equal(lambda t: 1.0 + 0.2 * jd.sin(3.0 * t))
    model.add_connection("string", Distance(model.world, bob), length)
    start = {"move.position_1": 0.6, "move.position_2": -0.8}
    sol = jd.simulate(model, 2.0, start=start, method=TIGHT, sample=0.01)
    from scipy.integrate import solve_ivp

    def polar(t, y):
        r, rate = 1.0 + 0.2 * np.sin(3 * t), 0.6 * np.cos(3 * t)
        return [y[1], -(2 * rate * y[1] + 9.81 * np.sin(y[0])) / r]

    wanted = solve_ivp(polar, (0, 2), [np.arctan2(0.6, 0.8), 0.0], "DOP853", rtol=1e-12, atol=1e-13,
                       t_eval=sol.time)  # fmt: skip
    angle = np.arctan2(sol.values("move.position_1"), -sol.values("move.position_2"))
    np.testing.assert_allclose(angle, wanted.y[0], atol=1e-9)
    t, w = sol.time, wanted.y[1]
    r, second = 1.0 + 0.2 * np.sin(3 * t), -1.8 * np.sin(3 * t)
    pull = 1.5 * (second - r * w**2 - 9.81 * np.cos(wanted.y[0]))
    np.testing.assert_allclose(sol.values("string.force"), pull, rtol=1e-7, atol=1e-6)
    power = pull * 0.6 * np.cos(3 * t)
    np.testing.assert_allclose(sol.values("power.drives"), power, rtol=1e-7, atol=1e-6)
    assert abs(energy_balance(sol).residual) < 1e-6


def test_prescribed_sliding_is_nonholonomic():
    """A skate whose blade has no speed across: on an incline, turned evenly, it does not descend.

    V9: x = g sin α sin² ωt / (2 ω²), y = g sin α (ωt − sin 2ωt / 2) / (2 ω²), x down the slope.
    """
    alpha, w = 0.2, 1.7
    model = jd.Model("skate", gravity=(9.81 * np.sin(alpha), 0, -9.81 * np.cos(alpha)))
    skate = model.add_body("skate", jd.Inertia(1.3, moments=(0.2, 0.2, 0.2)))
    plane = jd.Prismatic("x") * jd.Prismatic("y") * jd.Revolute("z")
    turned = {"angle": lambda t: w * t}
    model.add_joint("plane", model.world, skate, plane, driven=turned)

    def across(at):
        R, _ = at.pose(skate.at())
        return jd.math.dot(at.twist(skate.at())[1], R[:, 1])

    model.add_connection("blade", Formula(speed=across), Equal())
    sol = jd.simulate(model, 3.0, method=TIGHT, sample=0.1)
    k, t = 9.81 * np.sin(alpha) / (2 * w * w), sol.time
    np.testing.assert_allclose(sol.values("plane.position_1"), k * np.sin(w * t) ** 2, atol=1e-10)
    drift = k * (w * t - 0.5 * np.sin(2 * w * t))
    np.testing.assert_allclose(sol.values("plane.position_2"), drift, atol=1e-10)


def test_spring_and_damper_store_and_take_energy():
    """A damped oscillation, with the energy of the spring and the power of the damper."""
    model = jd.Model("oscillator", gravity=(0, 0, 0))
    mass = model.add_body("mass", jd.solid.box(2.0, (0.1, 0.1, 0.1)))
    model.add_joint("rail", model.world, mass, jd.Prismatic("x"))
    model.add_connection("spring", Coordinate("rail.position"), Spring(50.0) + Damper(1.0))
    start = {"rail.position": 0.2}
    sol = jd.simulate(model, 3.0, start=start, method=TIGHT, sample=0.01)
    d, t = 0.25, sol.time
    w = np.sqrt(25.0 - d * d)
    x = 0.2 * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))
    np.testing.assert_allclose(sol.values("rail.position"), x, atol=1e-10)
    np.testing.assert_allclose(sol.values("spring.energy"), 25.0 * x**2, atol=1e-9)
    rate = sol.values("rail.velocity")
    np.testing.assert_allclose(sol.values("power.connections"), -(rate**2), atol=1e-12)
    assert abs(energy_balance(sol).residual) < 1e-6  # of an integral over samples
