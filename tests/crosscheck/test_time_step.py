"""Steps in machine code against steps written down literally, on machines of all kinds."""

import numpy as np
import pytest
from oracles.literal_alpha import LiteralAlpha
from oracles.literal_step import LiteralStep

import jourdain as jd
from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun


def thrown_box():
    model = jd.Model("box")
    box = model.add_body("box", jd.solid.box(mass=1.0, size=(0.2, 0.3, 0.4)))
    law = jd.Coulomb(friction=0.3, restitution=0.2)
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Box(box, size=(0.2, 0.3, 0.4)), law)
    spin = {"box.velocity": (1.0, 0.0, -1.0), "box.angular_velocity": (1.0, 2.0, 0.5)}
    # Not flat before the end: four corners that slide can share friction, and turn, otherwise.
    return model, {"box.position": (0.0, 0.0, 0.32), **spin}


def bowl():
    model = jd.Model("bowl")
    wood = model.add_body("wood", jd.solid.ball(mass=1.5, radius=0.06))
    grass = jd.Coulomb(friction=0.4, rolling=0.003, drilling=0.002)
    model.add_contact("lawn", jd.HalfSpace(model.world), jd.Sphere(wood, 0.06), grass)
    return model, {"wood.position": (0, 0, 0.06), "wood.velocity": (0.3, 0, 0),
                   "wood.angular_velocity": (0.0, 0.0, 5.0)}  # fmt: skip


def clutch():
    model = jd.Model("clutch")
    model.add_coordinate("motor", 2.0)
    model.add_coordinate("load", 3.0)
    slip = jd.Coordinate("motor") - jd.Coordinate("load")
    model.add_connection("clutch", slip, jd.Interval(lambda x, v: 4.0 + 2.0 * jd.exp(-(v**2))))
    model.add_connection("torque", jd.Coordinate("motor"), jd.Force(3.0))
    back = jd.Formula(speed=lambda at: at.velocity("load"), unit="rad")
    model.add_connection("one_way", back, jd.Unilateral())
    return model, {"motor.rate": 0.4}


def slider_crank_with_stop():
    model = jd.Model("press")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(0.3, 0, 0)))
    ram = model.add_body("ram", jd.solid.cylinder(0.4, 0.04, 0.05, axis="x"))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("big_end", crank.at(0.1, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(0.3, 0, 0), ram, jd.Revolute("y"))
    model.add_joint("guide", model.world, ram, jd.Prismatic("x"))
    law = jd.Unilateral(0.37, "below", 0.3)
    model.add_connection("stop", jd.Coordinate("guide.position"), law)
    model.add_connection("rub", jd.Coordinate("guide.position"), jd.Interval(2.0))
    return model, {"main.angle": 1.2, "main.rate": -4.0}


def sprung_mass():
    model = jd.Model("sprung", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("z"), jd.Spring(4e3) + jd.Damper(3.0))
    model.add_connection("stop", jd.Coordinate("z"), jd.Unilateral(-0.01, "above", 0.5))
    return model, {"z.value": 0.02}


SERVO = jd.Law(
    lambda x, v, at: 5.0 * at.state("a"),
    states={"a": "1", "b": "1/s"},
    state_rates=lambda x, v, at: (at.state("b"), 1e7 * (-x - at.state("a")) - 4e3 * at.state("b")),
)


def lagging_mass():
    """Branches with relaxation times far below a step and above it, a second-order lag, a stop."""
    model = jd.Model("lagging", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    branches = jd.Maxwell((300.0, 200.0), (1e-4, 0.1))
    model.add_connection("spring", jd.Coordinate("z"), jd.Spring(4e3) + branches)
    model.add_connection("servo", jd.Coordinate("z"), SERVO)
    model.add_connection("stop", jd.Coordinate("z"), jd.Unilateral(-0.01, "above", 0.5))
    return model, {"z.value": 0.02}


def driven_gripper():
    """Two pads press on a ball and lift it with 0.2 m/s²."""
    model = jd.Model("gripper")
    ball = model.add_body("ball", jd.solid.ball(mass=0.5, radius=0.05))
    hand = model.add_body("hand", jd.solid.box(mass=1.0, size=(0.3, 0.1, 0.05)))
    rise = {"position": lambda t: 0.1 * t * t}
    model.add_joint("lift", model.world, hand, jd.Prismatic("z"), driven=rise)
    for name, side in (("left", -1), ("right", 1)):
        pad = model.add_body(name, jd.solid.box(mass=0.1, size=(0.02, 0.1, 0.1)))
        model.add_joint(f"{name}_guide", hand.at(0.06 * side, 0, 0), pad, jd.Prismatic("x"))
        model.add_connection(
            f"{name}_push", jd.Coordinate(f"{name}_guide.position"), jd.Force(-20.0 * side)
        )
        face = jd.HalfSpace(pad.at(-0.01 * side, 0, 0), "x" if side < 0 else "-x")
        law = jd.Coulomb(0.6, rolling=0.01, drilling=0.01)
        model.add_contact(f"{name}_pad", face, jd.Sphere(ball, 0.05), law)
    return model, {}


MACHINES = [
    thrown_box, bowl, clutch, slider_crank_with_stop, sprung_mass, lagging_mass, driven_gripper,
]  # fmt: skip


@pytest.mark.parametrize("theta", [0.5, 0.8])
@pytest.mark.parametrize("machine", MACHINES)
def test_steps_are_the_literal_ones(machine, theta, monkeypatch):
    model, start = machine()
    method = jd.MoreauJean(2e-3, theta=theta, corrects_positions=False)
    compared, native = [], TimeSteppingRun._whole_step

    def both(run, h):
        is_looked_at = run.counts["steps"] % 7 == 0
        literal = LiteralStep(run).step(h) if is_looked_at else None
        impulses = native(run, h)
        if literal is not None:
            q, v, expected = literal
            n, size = run.n_q, 1.0 + np.abs(v).max()
            # Positions that are moved onto constraints, by h³, take the velocities along.
            is_moved = run.system.has_constraints
            off = 1e-6 if is_moved else 1e-9
            np.testing.assert_allclose(run.y[n:], v, rtol=0, atol=off * size)
            if not is_moved:
                np.testing.assert_allclose(run.y[:n], q, rtol=0, atol=1e-9)
            scale = h + np.abs(expected).max(initial=0.0)
            if machine is not driven_gripper:  # whose jaws can share otherwise
                np.testing.assert_allclose(impulses, expected, rtol=0, atol=100 * off * scale)
            compared.append(h)
        return impulses

    monkeypatch.setattr(TimeSteppingRun, "_run_ahead", lambda *given: False)
    monkeypatch.setattr(TimeSteppingRun, "_whole_step", both)
    jd.simulate(model, 0.3, start=start, method=method)
    assert len(compared) > 20


@pytest.mark.without_contact_check("positions are not corrected")
@pytest.mark.parametrize("rho", [0.3, 0.8, 1.0])
@pytest.mark.parametrize("machine", MACHINES)
def test_steps_of_alpha_are_the_literal_ones(machine, rho, monkeypatch):
    model, start = machine()
    compared, native = [], TimeSteppingRun._whole_step

    def both(run, h):
        run._native.corrects = 0
        literal = LiteralAlpha(run) if run.counts["steps"] % 7 == 0 else None
        impulses = native(run, h)
        if literal is not None:
            q, v, expected = literal.step(h, run._native)
            n, size = run.n_q, 1.0 + np.abs(v).max()
            is_moved = run.system.has_constraints  # onto constraints, by h³
            off = 1e-6 if is_moved else 1e-9
            np.testing.assert_allclose(run.y[n:], v, rtol=0, atol=off * size)
            if not is_moved:
                np.testing.assert_allclose(run.y[:n], q, rtol=0, atol=1e-9)
            scale = h + np.abs(expected).max(initial=0.0)
            if machine is not driven_gripper:  # whose jaws can share otherwise
                np.testing.assert_allclose(impulses, expected, rtol=0, atol=100 * off * scale)
            compared.append(h)
        return impulses

    monkeypatch.setattr(TimeSteppingRun, "_run_ahead", lambda *given: False)
    monkeypatch.setattr(TimeSteppingRun, "_whole_step", both)
    jd.simulate(model, 0.3, start=start, method=jd.NonsmoothAlpha(2e-3, rho))
    assert len(compared) > 20


@pytest.mark.parametrize(
    "method", [jd.MoreauJean(2e-3), jd.NonsmoothAlpha(2e-3)], ids=["mj", "alpha"]
)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_loop_of_steps_is_single_steps(machine, method, monkeypatch):
    model, start = machine()
    many = jd.simulate(model, 0.3, start=start, method=method)
    monkeypatch.setattr(TimeSteppingRun, "_run_ahead", lambda *given: False)
    single = jd.simulate(model, 0.3, start=start, method=method)
    np.testing.assert_array_equal(many.q, single.q)
    np.testing.assert_array_equal(many.v, single.v)
    np.testing.assert_allclose(many.contacts, single.contacts, rtol=1e-13, atol=1e-15)
    assert [(e.kind, e.name, e.time) for e in many.events] == [
        (e.kind, e.name, e.time) for e in single.events
    ]


def test_what_a_driven_gripper_holds_moves_with_it():
    """Velocities are those of the drive at the ends of steps: the rule of trapezia is exact."""
    model, start = driven_gripper()
    sol = jd.simulate(model, 2.0, start=start, method=jd.MoreauJean(0.01), sample=0.1)
    height = sol.values("ball.position")[:, 2]
    np.testing.assert_allclose(height, 0.1 * sol.time**2, rtol=0, atol=1e-12)


def test_restitution_by_a_function():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=0.3, radius=0.1))
    law = jd.Coulomb(friction=0.2, restitution=lambda speed: 0.5 / (1.0 + speed))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), law)
    start = {"ball.position": (0, 0, 0.15)}
    sol = jd.simulate(model, 0.3, start=start, method=jd.MoreauJean(1e-3))
    speed = next(e for e in sol.events if e.kind == "impact").details["before"][0][0]
    after = next(e for e in sol.events if e.kind == "impact").details["after"][0][0]
    assert after == pytest.approx(-speed * 0.5 / (1.0 - speed), rel=1e-6)
