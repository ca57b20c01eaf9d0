"""Composite connections against closed forms, equal connections, and independent solutions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize, root

import jourdain as jd
from jourdain.analysis.proof.loop_checks import LoopCase, accelerations, power
from jourdain.solvers.ode.integrators import all_integrators

TIGHT = jd.Dop853(rtol=1e-11, atol=1e-12)
SAME = 1e-10  # ten tolerances between two runs whose steps differ
FEET = ((0.0, 0.0), (1.0, 0.0), (0.2, 0.9))
PLANE = jd.Prismatic("x") * jd.Prismatic("y")


def masses(mass=1.0, feet=FEET):
    """Masses in a plane, and the points where they are."""
    model = jd.Model("masses", gravity=(0, 0, 0))
    bodies = []
    for k, (x, y) in enumerate(feet):
        bodies.append(model.add_body(f"m{k}", jd.solid.ball(mass=mass, radius=0.1)))
        model.add_joint(f"plane{k}", model.world.at(x, y, 0), bodies[k], PLANE)
    return model, bodies


def star(bodies, laws, node):
    """Legs from all bodies to one node."""
    legs = {f"leg_{k}": (jd.Distance(b, node), laws[k]) for k, b in enumerate(bodies)}
    return jd.Composite(legs, nodes=[node])


def slider(connect, method=TIGHT, **start):
    """Mass on a vertical rail below a point, with a connection between them, over 1 s."""
    model = jd.Model("slider")
    mass = model.add_body("mass", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint("rail", model.world, mass, jd.Prismatic("z"))
    line = jd.Distance(model.world.at(0, 0, 1.0), mass)
    model.add_connection("strut", *connect(line))
    first = {"rail.position": -0.1, "rail.velocity": 0.3}
    return jd.simulate(model, 1.0, start=first | start, method=method, sample=0.05)


def test_star_of_three_springs():
    """V8: equilibrium, tensions and forces on the bodies, with the printed digits."""
    model, bodies = masses()
    laws = [jd.Spring(k, free=l0) for k, l0 in ((100.0, 0.3), (200.0, 0.4), (300.0, 0.25))]
    model.add_connection("star", star(bodies, laws, jd.Node("knot", start=(0.4, 0.5, 0.0))))
    found = jd.assemble(model)
    assert found["star.knot.position"] == pytest.approx((0.41711444, 0.45694113, 0.0), abs=1e-8)
    measured = found.system.answers("measured", found.q, found.v).reshape(3, 5)
    assert -measured[:, 2] == pytest.approx((31.8691888, 68.12842735, 73.01886934), abs=1e-8)
    forces = found.system.forward_dynamics(found.q, found.v).reshape(3, 2)
    printed = ((21.48581, 23.53731), (-53.61709, 42.03201), (32.13128, -65.56932))
    assert forces == pytest.approx(np.array(printed), abs=1e-5)
    assert forces.sum(axis=0) == pytest.approx((0.0, 0.0), abs=1e-12)


def test_four_elements_with_three_internal_points():
    """Figure 7.1 of V8: a triangle of three springs, and a bar from each corner to a body."""
    model, bodies = masses()
    corners = [
        jd.Node(f"i{k}", x, kind=PLANE) for k, x in enumerate(((0.3, 0.3), (0.6, 0.3), (0.4, 0.6)))
    ]
    sides = {"side_0": (0, 1), "side_1": (1, 2), "side_2": (2, 0)}
    parts = {
        n: (jd.Distance(corners[a], corners[b]), jd.Spring(400.0, 0.25))
        for n, (a, b) in sides.items()
    }
    parts |= {
        f"bar_{k}": (jd.Distance(bodies[k], corners[k]), jd.Bar(0.2, 50.0 + 10 * k))
        for k in range(3)
    }
    model.add_connection("plate", jd.Composite(parts, nodes=corners))

    def energy(c):
        c = c.reshape(3, 2)
        springs = (np.linalg.norm(c[a] - c[b]) - 0.25 for a, b in sides.values())
        bars = (
            (50.0 + 10 * k) / 0.2 * (np.linalg.norm(c[k] - FEET[k]) - 0.2) ** 2 for k in range(3)
        )
        return 200.0 * sum(e**2 for e in springs) + 0.5 * sum(bars)

    best = minimize(energy, (0.3, 0.3, 0.6, 0.3, 0.4, 0.6), tol=1e-14, method="BFGS").x
    found = jd.assemble(model)
    inner = found.q[-6:]
    assert inner == pytest.approx(best, abs=1e-6)
    stored = found.system.answers("powers", found.q, found.v)[0]
    assert stored == pytest.approx(energy(inner), rel=1e-13)
    assert stored <= energy(best) + 1e-12


def test_springs_in_series_are_one_spring():
    """K = k₁k₂/(k₁ + k₂), motion and stored energy."""
    k1, k2 = 300.0, 600.0
    two = {"coil": jd.Spring(k1, free=0.5), "rubber": jd.Spring(k2, free=0.4)}
    series = slider(lambda line: (jd.in_series(line, **two),))
    one = slider(lambda line: (line, jd.Spring(k1 * k2 / (k1 + k2), free=0.9)))
    assert series.values("rail.position") == pytest.approx(one.values("rail.position"), abs=SAME)
    assert series.values("strut.energy") == pytest.approx(
        one.values("strut.energy"), abs=100 * SAME
    )
    force = one.values("strut.force")
    for part in two:
        assert series.values(f"strut.{part}.force") == pytest.approx(force, abs=1000 * SAME)
    assert series.values("strut.rubber_elongation") == pytest.approx(0.4 - force / k2, abs=SAME)


def test_spring_and_damper_in_series_are_maxwells_law():
    parts = {"spring": jd.Spring(300.0, free=1.0), "oil": jd.Damper(60.0)}
    series = slider(lambda line: (jd.in_series(line, **parts),))
    one = slider(lambda line: (line, jd.Maxwell(300.0, time=0.2, free=1.0)))
    for ours, theirs in (("strut.oil_elongation", "strut.creep_1"), ("strut.energy",) * 2):
        assert series.values(ours) == pytest.approx(one.values(theirs), abs=1e-12)
    assert series.values("strut.oil.rate") == pytest.approx(
        series.values("strut.oil_elongation_rate")
    )
    assert series.values("rail.position") == pytest.approx(one.values("rail.position"), abs=1e-12)


@pytest.mark.parametrize("integrator", all_integrators(), ids=lambda i: type(i).__name__)
def test_every_integrator_carries_nodes(integrator):
    """Spring, oil and rubber in series, one creeping and one following, are one Maxwell element."""
    k = 300.0 * 5e3 / (300.0 + 5e3)
    laws = {"coil": jd.Spring(300.0, 1.0), "oil": jd.Damper(60.0), "rubber": jd.Spring(5e3)}
    ways = (
        lambda line: (jd.in_series(line, **laws),),
        lambda line: (line, jd.Maxwell(k, time=60.0 / k, free=1.0)),
    )
    series, one = (slider(way, method=integrator) for way in ways)
    assert series.values("rail.position") == pytest.approx(one.values("rail.position"), abs=1e-6)
    force = one.values("strut.force")
    for part in laws:
        assert series.values(f"strut.{part}.force") == pytest.approx(force, abs=1e-3)


def test_rod_and_spring_in_series_are_a_longer_spring():
    """A massless rod and a spring that pulls align: the free length grows by the rod."""
    start = {"rail.position": 0.05, "rail.velocity": 0.1}  # the spring stays stretched
    node = jd.Node("eye", start=(0.1, 0.35), kind=jd.Prismatic("x") * jd.Prismatic("z"))

    def composite(line):
        rod = (jd.Distance(line.start, node), jd.Equal(0.7))
        coil = (jd.Distance(node, line.end), jd.Spring(200.0, free=0.2))
        return (jd.Composite({"rod": rod, "coil": coil}, nodes=[node]),)

    ours = slider(composite, **start)
    one = slider(lambda line: (line, jd.Spring(200.0, free=0.9)), **start)
    assert ours.values("rail.position") == pytest.approx(one.values("rail.position"), abs=SAME)
    force = one.values("strut.force")
    for part in ("rod", "coil"):
        assert ours.values(f"strut.{part}.force") == pytest.approx(force, abs=1000 * SAME)
    assert ours.values("strut.eye.position_2") == pytest.approx(0.3, abs=1e-12)


def test_motor_with_an_elastic_shaft_has_a_larger_inductance():
    """Torque c i through a spring k: φ̇ = θ̇ + (c/k) di/dt, so L becomes L + c²/k."""

    def current(add):
        model = jd.Model("drive")
        model.add_coordinate("shaft", 1e-3)
        add(model)
        name = "drive.motor.current" if model.composites else "drive.current"
        return jd.simulate(model, 0.2, method=TIGHT, sample=0.02).values(name)

    c, k, inductance = 0.5, 20.0, 0.01
    motor = {"constant": c, "resistance": 1.0, "voltage": jd.Sine(5.0, 30.0)}
    parts = {"coupling": jd.Spring(k), "motor": jd.Motor(**motor, inductance=inductance)}
    elastic = current(
        lambda m: m.add_connection("drive", jd.in_series(jd.Coordinate("shaft"), **parts))
    )
    stiff = jd.Motor(**motor, inductance=inductance + c**2 / k)
    one = current(lambda m: m.add_connection("drive", jd.Coordinate("shaft"), stiff))
    assert elastic == pytest.approx(one, abs=1e-9)


def test_two_beams_in_series_are_a_longer_beam():
    """Tip forces of a cantilever for small deflections, over a massless frame in the middle."""
    EA, EI, tip = 1e4, 20.0, np.array((1e-7, 2e-7, 4e-7))
    model = jd.Model("cantilever", gravity=(0, 0, 0))
    end = model.add_body("end", jd.Inertia(1.0, moments=(1.0, 1.0, 1.0)))
    model.add_joint("plane", model.world.at(1.0, 0, 0), end, jd.Planar("z"))
    middle = jd.Node("middle", start=(0.5, 0.0, 0.0), kind=jd.Planar("z"))
    parts = {
        "left": (jd.Relative(model.world, middle, "x y rz"), jd.Beam(0.5, EA, EI)),
        "right": (jd.Relative(middle, end, "x y rz"), jd.Beam(0.5, EA, EI)),
    }
    model.add_connection("beam", jd.Composite(parts, nodes=[middle]))
    names = ("plane.position.x", "plane.position.y", "plane.angle")
    found = jd.assemble(model, dict(zip(names, tip, strict=True)))
    force = found.system.forward_dynamics(found.q, found.v)
    whole = -jd.Beam(1.0, EA, EI).stiffness() @ tip
    assert force == pytest.approx(whole, abs=1e-5 * np.abs(whole).max())


def test_two_rods_over_a_massless_ball():
    """A load on the ball moves the sliders at the ends of the rods: energy of one coordinate."""
    rods, anchor, k, mass = (0.8, 0.7), np.array((0.3, 1.0)), 40.0, 1.5
    model = jd.Model("rods", gravity=(0, 0, 0))
    body = model.add_body("mass", jd.solid.ball(mass=mass, radius=0.1))
    model.add_joint("rail", model.world, body, jd.Prismatic("x"))
    ball = jd.Node("ball", start=(0.5, 0.6), kind=PLANE)
    parts = {
        "left": (jd.Distance(model.world, ball), jd.Equal(rods[0])),
        "right": (jd.Distance(ball, body), jd.Equal(rods[1])),
        "load": (jd.Distance(ball, model.world.at(*anchor, 0)), jd.Spring(k, free=0.1)),
    }
    model.add_connection("rods", jd.Composite(parts, nodes=[ball]))

    def place(s):
        x = (rods[0] ** 2 - rods[1] ** 2 + s * s) / (2 * s)
        y = np.sqrt(rods[0] ** 2 - x * x)
        dx = 1.0 - x / s
        return np.array((x, y)), np.array((dx, -x * dx / y))

    def rates(t, y):
        c, along = place(y[0])
        r = c - anchor
        length = np.linalg.norm(r)
        return y[1], -k * (length - 0.1) * (r @ along) / length / mass

    sol = jd.simulate(model, 0.5, start={"rail.position": 1.0}, method=TIGHT, sample=0.1)
    times = sol.time
    other = solve_ivp(rates, (0, 0.5), (1.0, 0.0), "DOP853", times, rtol=1e-11, atol=1e-12).y
    assert sol.values("rail.position") == pytest.approx(other[0], abs=1e-9)
    places = np.array([place(s)[0] for s in sol.values("rail.position")])
    for axis, column in (("position_1", 0), ("position_2", 1)):
        assert sol.values(f"rods.ball.{axis}") == pytest.approx(places[:, column], abs=1e-10)
    assert sol.values("energy.total") == pytest.approx(sol.values("energy.total")[0], abs=1e-10)


@pytest.mark.parametrize("damping", [0.0, 4.0])
def test_point_between_three_bodies(damping):
    """Springs, then springs with dampers, against scipy with its own equilibrium."""
    stiffness, free = np.array((100.0, 200.0, 300.0)), np.array((0.1, 0.15, 0.2))
    model, bodies = masses(2.0)
    laws = [jd.Spring(k, l0) for k, l0 in zip(stiffness, free, strict=True)]
    laws = [law + jd.Damper(damping) for law in laws] if damping else laws
    model.add_connection("star", star(bodies, laws, jd.Node("knot", (0.4, 0.4), kind=PLANE)))

    def pulls(c, r):
        e = r - c
        length = np.linalg.norm(e, axis=1)
        return e / length[:, None], stiffness * (length - free), length

    def slope(c, r):
        n, _, length = pulls(c, r)
        along = np.einsum("k,ki,kj->ij", stiffness, n, n)
        across = stiffness * (1.0 - free / length)
        return -along - np.einsum("k,kij->ij", across, np.eye(2) - n[:, :, None] * n[:, None, :])

    def balanced(c, r):
        return root(
            lambda c: pulls(c, r)[0].T @ pulls(c, r)[1], c, jac=lambda c: slope(c, r), tol=1e-15
        ).x

    def rates(t, y):
        r, u = y[:6].reshape(3, 2), y[6:12].reshape(3, 2)
        c = y[12:] if damping else balanced(y[12:], r)
        n, F, _ = pulls(c, r)
        c_dot = np.zeros(2)
        if damping:
            speed = np.sum(n * u, axis=1)
            c_dot = np.linalg.solve(damping * n.T @ n, n.T @ (F + damping * speed))
            F = F + damping * (speed - n @ c_dot)
        return np.concatenate([u.ravel(), (-F[:, None] * n).ravel() / 2.0, c_dot])

    found = jd.assemble(model)
    start = np.concatenate([np.ravel(FEET), np.zeros(6), (0.4, 0.4) if damping else found.q[-2:]])
    first = {"plane1.velocity_2": 0.5}
    start[6 + 3] = 0.5
    sol = jd.simulate(model, 0.1, start=first, method=TIGHT, sample=0.05)
    other = solve_ivp(rates, (0, 0.1), start, "DOP853", sol.time, rtol=1e-11, atol=1e-12).y
    for k, (x, y) in enumerate(FEET):
        assert sol.values(f"plane{k}.position_1") + x == pytest.approx(other[2 * k], abs=1e-9)
        assert sol.values(f"plane{k}.position_2") + y == pytest.approx(other[2 * k + 1], abs=1e-9)
    if damping:
        assert sol.values("star.knot.position_1") == pytest.approx(other[12], abs=1e-9)


def shafts(joined):
    """Two bodies with a universal joint between them, built in or composed of two hinges."""
    model = jd.Model("shafts")
    a = model.add_body("a", jd.solid.cylinder(mass=2.0, radius=0.1, length=0.3, axis="z"))
    b = model.add_body("b", jd.solid.box(mass=1.5, size=(0.1, 0.2, 0.5)))
    model.add_joint("base", model.world, a, jd.Revolute("z"))
    flange, foot = a.at(0.1, 0, 0.15), b.at(0, 0, -0.3)
    if joined:
        model.add_joint("cardan", flange, foot, jd.Universal("x", "y"))
    else:
        model.add_joint("free", model.world, b, jd.Free())
        cross = jd.Node("cross", on=flange, kind=jd.Revolute("x"))
        fork = jd.Node("fork", on=cross, kind=jd.Revolute("y"))
        weld = (jd.Relative(fork, foot, "pose"), jd.Equal())
        model.add_connection("cardan", jd.Composite({"weld": weld}, nodes=[cross, fork]))
    return model


@pytest.mark.slow
def test_universal_joint_of_two_hinges():
    """F57: a massless cross between two hinges moves as the built-in joint does."""
    first = {"base.rate": 3.0, "cardan.angle_1": 0.3, "cardan.angle_2": -0.4, "cardan.rate_1": 1.0}
    options = {"method": jd.Dop853(rtol=1e-12, atol=1e-13), "sample": 0.05}
    one = jd.simulate(shafts(True), 0.5, start=first, **options)
    model = shafts(False)
    near = {f"free.{n}": one.values(f"b.{n}")[0] for n in ("position", "orientation")}
    rates = {"base.rate": 3.0, "free.angular_velocity": one.values("b.angular_velocity")[0]}
    two = jd.simulate(model, 0.5, start=jd.assemble(model, rates, near=near), **options)
    for name in ("b.position", "b.orientation", "a.orientation"):
        assert two.values(name) == pytest.approx(one.values(name), abs=1e-10)
    for ours, theirs in (("cross.angle", "angle_1"), ("fork.angle", "angle_2")):
        angle = one.values(f"cardan.{theirs}")
        assert two.values(f"cardan.{ours}") == pytest.approx(angle, abs=1e-10)
    turns = two.values("cardan.cross.angle_rate")
    assert turns == pytest.approx(one.values("cardan.rate_1"), abs=1e-9)
    doctor = jd.structure(model)
    assert "degrees of freedom: 3" in str(doctor)
    assert "redundant" not in str(doctor)


def test_an_input_inside_a_nonlinear_series():
    """An actuator beside a hardening spring behind a spring, pressure given to the run."""
    model = jd.Model("cylinder")
    body = model.add_body("mass", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("rail", model.world, body, jd.Prismatic("z"))
    rubber = jd.Spring(jd.Polynomial((0.0, 50.0, 0.0, 1000.0)))
    laws = {"coil": jd.Spring(100.0), "cylinder": jd.Actuator(1e-3) + rubber}
    model.add_connection("strut", jd.in_series(jd.Coordinate("rail.position"), **laws))

    def rates(t, y):
        push = 1e-3 * (2e4 * np.sin(5.0 * t) + 1e4)
        inner = brentq(
            lambda g: push - 50.0 * g - 1e3 * g**3 + 100.0 * (y[0] - g), -5, 5, xtol=1e-15
        )
        return y[1], -9.81 - 100.0 * (y[0] - inner)

    given = {"strut.cylinder.pressure": lambda t: 2e4 * jd.sin(5.0 * t) + 1e4}
    sol = jd.simulate(model, 1.0, inputs=given, method=TIGHT, sample=0.1)
    other = solve_ivp(rates, (0, 1), (0, 0), "DOP853", sol.time, rtol=1e-11, atol=1e-12).y
    assert sol.values("rail.position") == pytest.approx(other[0], abs=1e-9)
    assert sol.values("strut.coil.force") == pytest.approx(
        sol.values("strut.cylinder.force"), abs=1e-10
    )


@pytest.mark.parametrize("case", ["elastic", "creeping", "rod", "kinematic"])
def test_equations_hold_together(case):
    """Recursive = Augmented, and the power balance, in each case of the elimination."""
    model, bodies = masses(1.0, (*FEET, (0.9, 0.8)))
    knot = jd.Node("knot", (0.5, 0.4), kind=PLANE)
    spring = jd.Spring(100.0, free=0.1)
    held, damper = {"rod": 1, "kinematic": 3}.get(case, 0), jd.Damper(2.0)
    law = spring + damper if case == "creeping" else spring
    laws = [jd.Equal(0.6)] * held + [law] * (4 - held)
    model.add_connection("star", star(bodies, laws, knot))
    here = LoopCase.near(jd.compile(model), {}, {}, 0.0, np.random.default_rng(1))
    assert max(accelerations(here).values()) < 1e-9
    assert max(power(here).values()) < 1e-7


@pytest.mark.slow
def test_loops_over_the_bodies_see_nodes():
    """The looped execution carries internal coordinates as the unrolled one does."""
    model, bodies = masses(2.0)
    knot = jd.Node("knot", (0.4, 0.4), kind=PLANE)
    model.add_connection("star", star(bodies, [jd.Spring(100.0, 0.1)] * 3, knot))
    ways = (jd.Looped(), jd.Unrolled())
    one, two = (jd.simulate(jd.compile(model, execution=way), 0.1, sample=0.05) for way in ways)
    assert one.q == pytest.approx(two.q, abs=1e-12)


def test_hookes_joint_through_two_turns():
    """A massless cross between two shafts at an angle β: tan φ₂ = cos β tan φ₁."""
    beta = 0.5
    model = jd.Model("hooke", gravity=(0, 0, 0))
    a, b = (model.add_body(n, jd.solid.ball(mass=1.0, radius=0.1)) for n in "ab")
    turning = {"angle": lambda t: 6.0 * t}
    model.add_joint("input", model.world, a, jd.Revolute("x"), driven=turning)
    bent = model.world.at(0, 0, 0, rotation=jd.rotation_z(beta))
    model.add_joint("output", bent, b, jd.Revolute("x"))
    cross = jd.Node("cross", on=a, kind=jd.Revolute("z"))
    fork = jd.Node("fork", on=cross, kind=jd.Revolute("y"))
    weld = (jd.Relative(fork, b, "pose"), jd.Equal())
    model.add_connection("cardan", jd.Composite({"weld": weld}, nodes=[cross, fork]))
    sol = jd.kinematics(model, 2.1, sample=0.1)
    phi = 6.0 * sol.time
    other = np.unwrap(np.arctan2(np.cos(beta) * np.sin(phi), np.cos(phi)))
    assert sol.values("output.angle") == pytest.approx(other, abs=1e-11)
    rate = 6.0 * np.cos(beta) / (1.0 - np.sin(beta) ** 2 * np.sin(phi) ** 2)
    assert sol.values("output.rate") == pytest.approx(rate, abs=1e-10)


@pytest.mark.parametrize(
    "law",
    [
        jd.Interval(2.0),
        jd.Interval(lambda x, v, at: 1.0 + abs(x)),
        jd.Interval(jd.Table((0.0, 1.0), (1.0, 2.0))),
        jd.Unilateral(-0.05),
    ],
    ids=["dry", "function", "table", "stop"],
)
@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-3)], ids=["events", "steps"])
def test_dry_friction_and_stops_beside_members(law, method):
    """A seal or a stop in a strut is the same as one beside it, bit by bit."""
    runs, line = [], jd.Coordinate("x") - jd.Coordinate("y")
    for is_member in (True, False):
        model = jd.Model("strut", gravity=(0, 0, 0))
        model.add_coordinate("x", 1.0, unit="m")
        model.add_coordinate("y", 2.0, unit="m")
        strut = jd.in_series(line, coil=jd.Spring(100.0), oil=jd.Damper(5.0))
        if is_member:
            members = {**strut.members, "seal": (line, law)}
            strut = jd.Composite(members, coordinates=strut.coordinates)
        model.add_connection("strut", strut)
        if not is_member:
            model.add_connection("seal", line, law)
        start = {"x.rate": -1.0, "y.rate": 1.0}
        runs.append(jd.simulate(model, 1.0, start=start, sample=0.05, method=method))
    one, other = runs
    np.testing.assert_array_equal(one.q, other.q)
    np.testing.assert_array_equal(one.v, other.v)
    np.testing.assert_array_equal(one["strut.seal.force"], other["seal.force"])
    assert len(other.ledger) > 0


def test_elongations_have_the_unit_of_their_coordinates():
    model = jd.Model("strut")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_coordinate("y", 1.0, unit="m")
    line = 2.0 * jd.Coordinate("x") - jd.Coordinate("y")
    model.add_connection("strut", jd.in_series(line, coil=jd.Spring(9.0), oil=jd.Damper(1.0)))
    sol = jd.simulate(model, 0.1, start={"x": 0.1})
    assert sol["strut.oil_elongation"].attrs["units"] == "m"
    assert sol["strut.oil.force"].attrs["units"] == "N"
