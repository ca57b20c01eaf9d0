"""Static friction above sliding friction, against exact motion (4.F37, 6.T11)."""

import numpy as np
import pytest

import jourdain as jd

G = 9.81


def belt(static, sliding, k=100.0, speed=0.5):
    """Mass of 1 kg on a spring, on a belt that moves."""
    model = jd.Model("belt", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(k))
    slip = jd.Formula(speed=lambda at: at.velocity("x") - speed, unit="m")
    model.add_connection("belt", slip, jd.Interval(sliding, static=static))
    return model


def times(sol, name, kind):
    return np.array([e.time for e in sol.events if (e.name, e.kind) == (name, kind)])


@pytest.mark.parametrize(("static", "sliding"), [(6.0, 4.0), (3.0, 0.0), (5.0, 4.99)])
def test_stick_slip_on_a_belt(static, sliding):
    """It sticks for 2 ΔF/(k v₀) and slips for 2 (π − arctan(ΔF ω/(k v₀)))/ω."""
    k, speed, omega = 100.0, 0.5, 10.0
    step = (static - sliding) / k
    sticks, slips = 2 * step / speed, 2 * (np.pi - np.arctan(step * omega / speed)) / omega
    sol = jd.simulate(belt(static, sliding, k, speed), 4.0, start={"x.rate": speed})
    began, ended = times(sol, "belt", "slip"), times(sol, "belt", "stick")[1:]
    assert len(began) == 1 + int((4.0 - static / k / speed) / (sticks + slips))
    np.testing.assert_allclose(began[0], static / k / speed, rtol=1e-12)
    np.testing.assert_allclose(np.diff(began), sticks + slips, rtol=1e-9)
    np.testing.assert_allclose(ended - began[: len(ended)], slips, rtol=1e-9)
    top = sliding / k + np.hypot(step, speed / omega)
    np.testing.assert_allclose(sol.q[:, 0].max(), top, rtol=1e-3)  # between samples


def test_clutch_holds_static_torque_and_drops_to_the_sliding_one():
    """4.F37: inertias 1 and 3, a torque 10 t: it leaves where ¾ · 10 t is the static torque."""
    model = jd.Model("clutch")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 3.0)
    pressed = jd.Interval(
        lambda x, v, at: 0.1 * at.input("load"), {"load": "N"},
        static=lambda x, v, at: 0.15 * at.input("load"),
    )  # fmt: skip
    model.add_connection("clutch", jd.Coordinate("a") - jd.Coordinate("b"), pressed)
    model.add_connection("torque", jd.Coordinate("a"), jd.Force(lambda t: 10.0 * t))
    sol = jd.simulate(model, 1.5, inputs={"clutch.load": 50.0})  # sliding 5 N m, static 7.5 N m
    np.testing.assert_allclose(times(sol, "clutch", "slip"), [1.0], rtol=1e-10)
    end, start = 1.5, 10.0 / 2 / 4  # [s] and [rad/s] of both at t = 1 s
    a = start + 5.0 * (end**2 - 1.0) - 5.0 * (end - 1.0)
    np.testing.assert_allclose(sol.final["a.rate"], a, rtol=1e-9)
    np.testing.assert_allclose(sol.final["b.rate"], start + 5.0 / 3.0 * (end - 1.0), rtol=1e-9)
    force = sol.values("clutch.friction_force")[:, 0]
    np.testing.assert_allclose(np.abs(force).max(), 7.5, rtol=1e-9)
    after = np.searchsorted(sol.time, 1.0, side="right")
    np.testing.assert_allclose(np.abs(force[after:]), 5.0, rtol=1e-9)


def test_clutch_synchronises_into_static_friction():
    """Slip ends while the torque is between both limits: it sticks, without a second slip."""
    model = jd.Model("clutch")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 1.0)
    law = jd.Interval(4.0, static=8.0)
    model.add_connection("clutch", jd.Coordinate("a") - jd.Coordinate("b"), law)
    model.add_connection("torque", jd.Coordinate("a"), jd.Force(12.0))  # 6 N m to hold
    sol = jd.simulate(model, 2.0, start={"b.rate": 10.0})
    ends = 10.0 / (12.0 + 4.0 + 4.0)
    np.testing.assert_allclose(times(sol, "clutch", "stick"), [ends], rtol=1e-10)
    assert not len(times(sol, "clutch", "slip"))
    np.testing.assert_allclose(sol.values("clutch.friction_force")[-1, 0], -6.0, rtol=1e-9)


def block(push, end=0.3, **start):
    """6.T11 with a rigid floor: 10 kg, μ₀ = 0.8, μ = 0.6, pushed by a part of its weight."""
    model = jd.Model("block")
    model.add_coordinate("x", 10.0, unit="m")
    model.add_coordinate("z", 10.0, unit="m")
    touch = jd.Touch(jd.Coordinate("z"), jd.Coordinate("x"))
    model.add_connection("floor", touch, jd.Coulomb(0.6, static=0.8))
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-10.0 * G))
    model.add_connection("push", jd.Coordinate("x"), jd.Force(push * 10.0 * G))
    return jd.simulate(model, end, start=start)


def test_block_sticks_below_static_friction():
    sol = block(0.7)
    assert np.abs(sol.q[:, 0]).max() == 0.0
    np.testing.assert_allclose(sol.values("floor.friction_force")[:, 0], -0.7 * 10.0 * G)


def test_block_slides_beyond_static_friction_with_the_sliding_one():
    np.testing.assert_allclose(block(0.9).final["x.rate"], 0.3 * G * 0.3, rtol=1e-12)


def test_block_stops_and_holds_more_than_it_was_slowed_by():
    """It slides v²/(2 μ' g), where the push helps: μ' = 0.6 − 0.4, and then stays."""
    sol = block(0.4, 1.5, **{"x.rate": 1.0})
    np.testing.assert_allclose(times(sol, "floor", "stick"), [1.0 / (0.2 * G)], rtol=1e-10)
    np.testing.assert_allclose(sol.final["x.value"], 0.5 / (0.2 * G), rtol=1e-10)


def box(law, pull):
    """Box of 2 kg on four corners, pulled sideways at the height of the floor."""
    model = jd.Model("box")
    body = model.add_body("box", jd.solid.box(mass=2.0, size=(0.2, 0.2, 0.1)))
    for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        corner = jd.Point(body.at(0.1 * x, 0.1 * y, -0.05))
        model.add_contact(f"corner_{k}", jd.HalfSpace(model.world), corner, law)
    measure = jd.Relative(model.world, body.at(0, 0, -0.05))
    model.add_connection("pull", measure, jd.Force(pull))
    return model


AXES = np.eye(3)
REST = {"box.position": (0.0, 0.0, 0.05)}


@pytest.mark.parametrize("way", [0.0, 0.4, 2.5])
def test_box_on_four_corners_breaks_away_in_any_direction(way):
    """Pulled by m g t: it leaves at t = μ₀ and has the acceleration (t − μ) g then."""
    along = np.array([np.cos(way), np.sin(way), 0.0])
    law = jd.Coulomb(0.3, static=0.5)
    sol = jd.simulate(
        box(law, lambda t: 2.0 * G * t * jd.math.vector(along)), 0.8, start=REST
    )  # fmt: skip
    slips = [e.time for e in sol.events if e.kind == "slip"]
    np.testing.assert_allclose(slips, 0.5, rtol=1e-9)
    speed = G * ((0.8**2 - 0.5**2) / 2 - 0.3 * 0.3)
    np.testing.assert_allclose(sol.final["box.velocity"], speed * along, rtol=1e-8, atol=1e-9)


def test_box_with_an_ellipse_of_static_friction():
    """Static friction (0.6, 0.4), sliding (0.3, 0.3): along y it leaves at t = 0.4."""
    law = jd.Coulomb(0.3, static=(0.6, 0.4))
    for axis, leaves in ((0, 0.6), (1, 0.4)):
        sol = jd.simulate(
            box(law, lambda t, k=axis: 2.0 * G * t * jd.math.vector(AXES[k])), 0.65, start=REST
        )
        found = [e.time for e in sol.events if e.kind == "slip"]
        np.testing.assert_allclose(found, leaves, rtol=1e-9)


def test_parallel_clutches_break_away_together():
    """Static 35 and 20, sliding 10 and 15: ¾ · 100 t reaches 55 together, 25 are left."""
    model = jd.Model("pair")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 3.0)
    slip = jd.Coordinate("a") - jd.Coordinate("b")
    model.add_connection("c0", slip, jd.Interval(10.0, static=35.0))
    model.add_connection("c1", slip, jd.Interval(15.0, static=20.0))
    model.add_connection("torque", jd.Coordinate("a"), jd.Force(lambda t: 100.0 * t))
    sol = jd.simulate(model, 1.0)
    leaves = 55.0 / 75.0
    for name in ("c0", "c1"):
        np.testing.assert_allclose(times(sol, name, "slip"), leaves, rtol=1e-9)
    start = 50.0 * leaves**2 / 4.0
    np.testing.assert_allclose(sol.final["b.rate"], start + 25.0 / 3.0 * (1.0 - leaves), rtol=1e-9)


def test_what_breaks_away_lets_others_go():
    """The first clutch alone is overloaded; what it drops to makes the brake leave, too."""
    model = jd.Model("chain")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 1.0)
    model.add_connection("ground", jd.Coordinate("a"), jd.Interval(1.0, static=6.0))
    model.add_connection("brake", jd.Coordinate("b"), jd.Interval(1.0, static=5.0))
    model.add_connection("link", jd.Coordinate("a") - jd.Coordinate("b"), jd.Interval(9.0))
    model.add_connection("torque", jd.Coordinate("a"), jd.Force(lambda t: 10.0 * t))
    sol = jd.simulate(model, 1.2)
    np.testing.assert_allclose(times(sol, "ground", "slip"), 1.1, rtol=1e-9)
    np.testing.assert_allclose(times(sol, "brake", "slip"), 1.1, rtol=1e-9)
    rate = (5.0 * (1.2**2 - 1.1**2) - 2.0 * 0.1) / 2.0
    np.testing.assert_allclose([sol.final["a.rate"], sol.final["b.rate"]], rate, rtol=1e-8)


def test_many_rows_are_solved_in_loops_alike():
    """Fourteen blocks, each with a static friction of its own, pulled by 10 t."""
    model = jd.Model("many")
    limits = np.linspace(2.0, 9.0, 14)
    for k, limit in enumerate(limits):
        model.add_coordinate(f"x{k}", 1.0, unit="m")
        law = jd.Interval(1.0, static=float(limit))
        model.add_connection(f"dry{k}", jd.Coordinate(f"x{k}"), law)
        model.add_connection(f"pull{k}", jd.Coordinate(f"x{k}"), jd.Force(lambda t: 10.0 * t))
    sol = jd.simulate(model, 1.0)
    leaves = limits / 10.0
    for k, t in enumerate(leaves):
        np.testing.assert_allclose(times(sol, f"dry{k}", "slip"), t, rtol=1e-9)
    np.testing.assert_allclose(sol.v[-1], 5.0 * (1.0 - leaves**2) - (1.0 - leaves), rtol=1e-8)


def test_static_friction_goes_through_files(tmp_path):
    model = jd.Model("filed", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0, unit="m")
    static = jd.Parameter("static", 6.0)
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(4.0, static=static))
    model.add_connection("pull", jd.Coordinate("x"), jd.Force(jd.Polynomial((0.0, 10.0))))
    jd.write_model(model, tmp_path / "filed.toml")
    twin = jd.read_model(tmp_path / "filed.toml")
    assert twin.connections["dry"].law == model.connections["dry"].law
    for value in (6.0, 7.0):
        sol = jd.simulate(twin, 1.0, parameters={"static": value})
        np.testing.assert_allclose(times(sol, "dry", "slip"), value / 10.0, rtol=1e-9)


def test_static_equal_to_sliding_changes_nothing():
    one = jd.simulate(belt(None, 5.0), 3.0, start={"x.rate": 0.5})
    two = jd.simulate(belt(5.0, 5.0), 3.0, start={"x.rate": 0.5})
    np.testing.assert_allclose(one.final["x.value"], two.final["x.value"], atol=1e-9)


@pytest.mark.parametrize("kind", [jd.MoreauJean, jd.NonsmoothAlpha])
def test_time_steps_tend_to_the_motion_from_event_to_event(kind):
    """A mass that a spring drags: it breaks away, slides and sticks again; first order in h."""
    model = jd.Model("drag", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection(
        "pull", jd.Coordinate("x"), jd.Law(lambda x, v, at: 100 * (0.1 * at.t - x))
    )
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(4.0, static=6.0))
    exact = jd.simulate(model, 3.0).final["x.value"]
    for h in (4e-3, 1e-3, 2.5e-4):
        sol = jd.simulate(model, 3.0, method=kind(h))
        assert sol.final["x.value"] == pytest.approx(exact, abs=0.15 * h)
        force = np.abs(sol.values("dry.friction_force")[:, 0])
        assert 5.9 < force.max() <= 6.0 * (1 + 1e-9)
        slides = np.abs(sol.values("x.rate")) > 1e-3
        np.testing.assert_allclose(force[slides][1:-1], 4.0, rtol=1e-9)


@pytest.mark.parametrize(("slope", "moves"), [(0.49, False), (0.51, True)])
def test_static_friction_of_a_group(slope, moves):
    """A box on an incline holds up to its static coefficient, free as it is."""
    model = jd.Model("incline", gravity=(9.81 * slope, 0.0, -9.81))
    box = model.add_body("box", jd.solid.box(mass=2.0, size=(0.2, 0.2, 0.1)))
    law = jd.Coulomb(friction=0.3, static=0.5)
    model.add_contacts("floor", [jd.HalfSpace(model.world), jd.Box(box, (0.2, 0.2, 0.1))], law)
    method = jd.MoreauJean(1e-3)
    sol = jd.simulate(model, 0.2, start={"box.position": (0, 0, 0.05)}, method=method)
    acceleration = 9.81 * (slope - 0.3) if moves else 0.0
    assert sol.final["box.velocity.x"] == pytest.approx(0.2 * acceleration, abs=1e-9)


@pytest.mark.parametrize("slope", [0.45, 0.499, 0.501])
@pytest.mark.parametrize("way", ["events", "steps", "alpha", "group"])
def test_a_box_on_four_corners_holds_up_to_its_static_friction(way, slope):
    """One corner may hold all it can while the others keep it at rest: forces are not unique."""
    angle = np.arctan(slope)
    gravity = (9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle))
    model = jd.Model("box", gravity=gravity)
    box = model.add_body("box", jd.solid.box(mass=1.0, size=(0.4, 0.4, 0.1)))
    pair = jd.HalfSpace(model.world), jd.Box(box, (0.4, 0.4, 0.1))
    law = jd.Coulomb(0.3, static=0.5)
    if way == "group":
        model.add_contacts("floor", pair, law)
    else:
        model.add_contact("floor", *pair, law)
    methods = {"events": jd.EventDriven(), "alpha": jd.NonsmoothAlpha(1e-3)}
    method = methods.get(way, jd.MoreauJean(1e-3))
    sol = jd.simulate(model, 0.3, start={"box.position": (0, 0, 0.05)}, method=method)
    slid = (slope > 0.5) * 9.81 * (np.sin(angle) - 0.3 * np.cos(angle)) * 0.3
    assert sol.values("box.velocity")[-1, 0] == pytest.approx(slid, abs=1e-9)
