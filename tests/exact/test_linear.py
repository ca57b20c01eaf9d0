"""Equilibria and linear equations with closed forms (cases V of the theory of linear analyses)."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

G = 9.81


def positive(eigenvalues):
    """Frequencies [rad/s] of oscillating pairs, rising."""
    return np.sort(eigenvalues.imag[eigenvalues.imag > 1e-4])


def chain(n, *, is_fixed):
    """Shafts with springs between them, all numbers one."""
    model = jd.Model("chain")
    for k in range(n):
        model.add_coordinate(f"s{k}", 1.0)
    places = [jd.Coordinate(f"s{k}") for k in range(n)]
    for k in range(n - 1):
        model.add_connection(f"c{k}", places[k + 1] - places[k], jd.Spring(1.0))
    if is_fixed:
        model.add_connection("wall", places[0], jd.Spring(1.0))
    return model


def test_torsional_chains():
    k = np.arange(1, 5)
    free = jd.linearize(chain(5, is_fixed=False)).eigenvalues
    np.testing.assert_allclose(positive(free), 2 * np.sin(k * np.pi / 10), rtol=1e-12)
    k = np.arange(1, 6)
    fixed = jd.linearize(chain(5, is_fixed=True)).eigenvalues
    np.testing.assert_allclose(positive(fixed), 2 * np.sin((2 * k - 1) * np.pi / 22), rtol=1e-12)


def elastic_joint():
    """Motor behind a gear of ratio 100, elastic to the load."""
    model = jd.Model("elastic joint")
    model.add_coordinate("motor", 2e-4)
    model.add_coordinate("load", 3.0)
    wind_up = jd.Coordinate("load") - 0.01 * jd.Coordinate("motor")
    model.add_connection("gear", wind_up, jd.Spring(1e4))
    return model


def test_elastic_joint():
    model = elastic_joint()
    (omega,) = positive(jd.linearize(model).eigenvalues)
    assert omega / (2 * np.pi) == pytest.approx(14.528792078314, rel=1e-12)
    locked = jd.Model("locked")
    locked.add_coordinate("load", 3.0)
    locked.add_connection("gear", jd.Coordinate("load"), jd.Spring(1e4))
    (omega,) = positive(jd.linearize(locked).eigenvalues)
    assert omega / (2 * np.pi) == pytest.approx(9.188814923697, rel=1e-12)


def rolling_disc():
    model = jd.Model("disc")
    inertia = jd.Inertia(1.0, (0, 0, 0), np.diag([0.0225, 0.045, 0.0225]))
    disc = model.add_body("disc", inertia)
    model.add_joint("roll", model.world, disc, jd.RollingDisc(0.3))
    return model


@pytest.mark.parametrize(
    ("factor", "value"),
    [(0.9, 2.229439391417), (1.1, 2.343842998155j), (10 / 3.301514803844, 14.623269128345j)],
)
def test_rolling_disc_about_its_critical_speed(factor, value):
    critical = np.sqrt(G / 0.9)
    system = jd.compile(rolling_disc())
    rest = jd.equilibrium(system, speeds={"roll.spin_rate": factor * critical})
    found = rest.eigenvalues
    counted = found[np.abs(found) > 1e-3]
    np.testing.assert_allclose(
        np.sort_complex(counted), np.sort_complex([-value, value]), rtol=1e-8
    )
    assert len(found) - len(counted) == 6
    assert rest.is_stable == (factor > 1)


@pytest.mark.parametrize(
    ("speed", "low", "high"),
    [(0.0, 189.736659610103, 189.736659610103), (100.0, 125.912602819740, 285.912602819740),
     (300.0, 65.941170815567, 545.941170815567)],
)  # fmt: skip
def test_tilting_rotor(speed, low, high):
    model = jd.Model("rotor", gravity=(0, 0, 0))
    frame = model.add_body("frame", jd.Inertia(0.0))
    rotor = model.add_body("rotor", jd.Inertia(1.0, (0, 0, 0), np.diag([0.025, 0.025, 0.04])))
    model.add_joint("tilt", model.world, frame, jd.Universal("x", "y"))
    model.add_joint("spin", frame, rotor, jd.Revolute("z"))
    for k in (1, 2):
        angle = jd.Coordinate(f"tilt.angle_{k}")
        model.add_connection(f"spring_{k}", angle, jd.Spring(900.0))
    rest = jd.equilibrium(model, speeds={"spin.rate": speed})
    np.testing.assert_allclose(positive(rest.eigenvalues), [low, high], rtol=1e-9)


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_sleeping_top(factor):
    mass, arm, axial, across = 0.5, 0.08, 4e-4, 3.6e-3
    model = jd.Model("top")
    own = across - mass * arm**2
    top = model.add_body("top", jd.Inertia(mass, (0, 0, arm), np.diag([own, own, axial])))
    model.add_joint("tip", model.world, top, jd.Spherical())
    limit = 2 * np.sqrt(across * mass * G * arm) / axial
    assert limit == pytest.approx(187.925517160390, rel=1e-12)
    rest = jd.equilibrium(model, speeds={"tip.angular_velocity.z": factor * limit})
    found = rest.eigenvalues
    assert rest.is_stable == (factor > 1)
    if factor < 1:
        expected = 4.550824101193 + 159.736689586331j
        assert np.abs(found - expected).min() < 1e-8
    else:  # inertial frequencies, seen from the body
        for omega in (16.268686645364, 6.699987674239):
            assert np.abs(np.abs(found.imag) - (factor * limit - omega)).min() < 1e-6


def test_gimballed_gyroscope():
    for inner, expected in ((0.0, 285.714285714286), (0.5, 252.821849879591)):
        model = jd.Model("gyroscope", gravity=(0, 0, 0))
        body = {
            "outer": np.diag([0.01, 0.01, 0.02]),
            "inner": np.diag([0.004, 0.006, 0.005]),
            "rotor": np.diag([0.003, 0.005, 0.003]),
        }
        outer, middle, rotor = (
            model.add_body(n, jd.Inertia(1.0, (0, 0, 0), x)) for n, x in body.items()
        )
        model.add_joint("z", model.world, outer, jd.Revolute("z"))
        model.add_joint("x", outer, middle, jd.Revolute("x"))
        model.add_joint("y", middle, rotor, jd.Revolute("y"))
        rest = jd.equilibrium(model, {"x.angle": inner}, hold=["x.angle"], speeds={"y.rate": 800.0})
        assert positive(rest.eigenvalues)[-1] == pytest.approx(expected, rel=1e-9)


def test_four_bar_in_four_positions(four_bar):
    """V7: rest and eigenvalue to the digits known."""
    rest = jd.equilibrium(four_bar, {"A.angle": 1.8, "B.angle": -1.5, "D.angle": 1.94})
    assert rest["A.angle"] == pytest.approx(1.840290211906533, abs=1e-13)
    assert rest["D.angle"] == pytest.approx(1.939800836457350, abs=1e-13)
    lin = jd.linearize(four_bar, rest, coordinates=["A.angle"])
    assert lin.states == ("A.angle", "A.rate")
    assert lin.M.toarray() == pytest.approx(0.4517830508293908, rel=1e-12)
    assert lin.K.toarray() == pytest.approx(9.699528254162905, rel=1e-12)
    assert lin.D.toarray() == pytest.approx(0.08784736279754961, rel=1e-12)
    expected = -0.0972229509675916 + 4.632492398201108j
    assert np.abs(lin.eigenvalues - expected).min() < 1e-12
    again = jd.equilibrium(four_bar, rest)
    assert again.steps == 0
    upper = jd.equilibrium(four_bar, {"A.angle": 5.5, "B.angle": -5.16, "D.angle": 1.94})
    assert upper["A.angle"] == pytest.approx(6.204486059391239, abs=1e-13)


@pytest.fixture
def four_bar():
    return spring_of(150.0)


def spring_of(stiffness):
    """V7: four-bar with a spring and a damper on its coupler."""
    model = jd.Model("four-bar", gravity=(0, -G, 0))
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.4, 0, 0)))
    coupler = model.add_body("coupler", jd.solid.rod(mass=2.0, end=(0.8, 0, 0)))
    rocker = model.add_body("rocker", jd.solid.rod(mass=1.5, end=(0.7, 0, 0)))
    model.add_joint("A", model.world, crank, jd.Revolute("z"))
    model.add_joint("B", crank.at(0.4, 0, 0), coupler, jd.Revolute("z"))
    model.add_joint("D", model.world.at(0.9, 0, 0), rocker, jd.Revolute("z"))
    model.add_joint("C", coupler.at(0.8, 0, 0), rocker.at(0.7, 0, 0), jd.Revolute("z"))
    ends = model.world.at(0.3, 1, 0), coupler.at(0.4, 0, 0)
    model.add_connection("spring", jd.Distance(*ends), jd.Spring(stiffness, free=0.3))
    model.add_connection("damper", jd.Distance(*ends), jd.Damper(4.0))
    return model


def test_block_on_an_incline_comes_to_the_border_of_rest():
    slope = np.radians(30)
    model = jd.Model("incline", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    block = model.add_body("block", jd.solid.box(mass=2.0, size=(0.1, 0.1, 0.1)))
    model.add_joint("slide", model.world, block, jd.Prismatic("x"))
    place = jd.Coordinate("slide.position")
    model.add_connection("spring", place, jd.Spring(200.0))
    model.add_connection("friction", place, jd.Interval(0.3 * 2 * G * np.cos(slope)))
    for near, expected in ((0.2, 0.074537127633376), (-0.1, 0.023562872366624), (0.05, 0.05)):
        rest = jd.equilibrium(model, {"slide.position": near})
        assert rest["slide.position"] == pytest.approx(expected, abs=1e-12)
        assert [x.word for x in rest.contacts] == ["stick"]


def half_disc(friction):
    """Half disc of radius 0.1 m that rocks on the floor, centre of mass below the middle."""
    radius = 0.1
    c = 4 * radius / (3 * np.pi)
    model = jd.Model("half disc")
    moment = 0.5 * radius**2 - c**2
    body = model.add_body("half", jd.Inertia(1.0, (0, 0, -c), np.eye(3) * moment))
    model.add_joint("plane", model.world, body, jd.Planar("y"))
    law = jd.Coulomb(0.5) if friction else jd.Unilateral()
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Sphere(body, radius), law)
    return model


@pytest.mark.parametrize(
    ("friction", "expected"), [(True, 7.996142605829), (False, 11.408796602332)]
)
def test_rocking_half_disc(friction, expected):
    model = half_disc(friction)
    rest = jd.equilibrium(model, {"plane.position.z": 0.15})
    assert rest["plane.position.z"] == pytest.approx(0.1, abs=1e-12)
    assert rest.contacts[0].normal_force == pytest.approx(G, rel=1e-10)
    lin = jd.linearize(model, rest)
    assert positive(lin.eigenvalues)[-1] == pytest.approx(expected, rel=1e-8)


def governor(damping):
    """Watt governor: balls on massless arms hinged on the axis of a driven spindle."""
    model = jd.Model("governor")
    spindle = model.add_body("spindle", jd.Inertia(1.0, (0, 0, 0), np.diag([1.0, 1.0, 0.5])))
    model.add_joint("axis", model.world, spindle, jd.Revolute("z"))
    for name, side in (("a", 1.0), ("b", -1.0)):
        ball = jd.Inertia(0.4, (0, 0, -0.3), np.zeros((3, 3)))
        arm = model.add_body(name, ball)
        model.add_joint(f"arm_{name}", spindle, arm, jd.Revolute((0, -side, 0)))
        angle = jd.Coordinate(f"arm_{name}.angle")
        model.add_connection(f"damper_{name}", angle, jd.Damper(damping / 2))
    both = jd.Coordinate("arm_a.angle") - jd.Coordinate("arm_b.angle")
    model.add_connection("sleeve", both, jd.Equal(0.0))
    return model


def test_watt_governor():
    drive = {"axis.angle": lambda t, s: 60.0 * jd.math.cos(s["arm_a.angle"]) - 45.0}
    near = {"arm_a.angle": 0.7, "arm_b.angle": 0.7}
    limit = 1.415094020419
    for damping in (limit, 0.02):
        rest = jd.equilibrium(governor(damping), near, speeds={"axis.rate": None}, inputs=drive)
        assert rest["arm_a.angle"] == pytest.approx(0.722734247813416, abs=1e-10)
        assert abs(rest["axis.rate"]) == pytest.approx(6.603029607687672, abs=1e-9)
        found = rest.eigenvalues
        expected = 4.988889348663j if damping == limit else 3.31766778 + 7.73000157j
        assert np.abs(found - expected).min() < 2e-8


def test_cart_and_pole_with_a_lag():
    def closed(lag):
        model = jd.Model("cart")
        cart = model.add_body("cart", jd.solid.ball(mass=1.0, radius=0.1))
        pole = model.add_body("pole", jd.Inertia(0.2, (0, 0, 0.5), np.zeros((3, 3))))
        model.add_joint("rail", model.world, cart, jd.Prismatic("x"))
        model.add_joint("pin", cart, pole, jd.Revolute("y"))

        def push(t, s):
            x, a = 2.0 * s["rail.position"], 40.0 * s["pin.angle"]
            return x + 4.0 * s["rail.velocity"] + a + 8.0 * s["pin.rate"]

        return jd.linearize(model, inputs={"rail.position": push})

    expected = [-4.99634842 + 2.87276558j, -1.00365158 + 0.41717135j]
    found = closed(0.0).eigenvalues
    for value in expected:
        assert np.abs(found - value).min() < 1e-8


def test_impulse_integrals():
    model = jd.Model("oscillator")
    model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(500.0))
    model.add_connection("damper", jd.Coordinate("x"), jd.Damper(3.0))
    lin = jd.linearize(model, inputs=["x"], outputs=["x"])
    assert lin.impulse_integrals()[0, 0] == pytest.approx(1 / (2 * 3.0 * 500.0), rel=1e-12)


def test_cart_and_pole_at_its_limit():
    """V26: the lag of the force at which the closed loop begins to swing."""
    model = jd.Model("cart")
    cart = model.add_body("cart", jd.solid.ball(mass=1.0, radius=0.1))
    pole = model.add_body("pole", jd.Inertia(0.2, (0, 0, 0.5), np.zeros((3, 3))))
    model.add_joint("rail", model.world, cart, jd.Prismatic("x"))
    model.add_joint("pin", cart, pole, jd.Revolute("y"))
    model.add_coordinate("lag", 1.0)

    def wanted(s):
        x, a = 2.0 * s["rail.position"], 40.0 * s["pin.angle"]
        return x + 4.0 * s["rail.velocity"] + a + 8.0 * s["pin.rate"]

    # The lag τ dF/dt = wanted − F as a stiff velocity: F is the rate of the coordinate.
    inputs = {
        "rail.position": lambda t, s: s["lag.rate"],
        "lag": lambda t, s: (wanted(s) - s["lag.rate"]) / 0.136395703270,
    }
    found = jd.linearize(model, inputs=inputs).eigenvalues
    assert np.abs(found - 7.329776410843j).min() < 1e-7


def test_flutter_by_friction():
    """V13: springs of 40 at 150 and 90 at 30 degrees, contact of 80 along y with friction."""

    def closed(friction):
        model = jd.Model("flutter")
        model.add_coordinate("x", 1.0, unit="m")
        model.add_coordinate("y", 1.0, unit="m")
        x, y = jd.Coordinate("x"), jd.Coordinate("y")
        for k, (stiffness, angle) in enumerate(((40.0, 150.0), (90.0, 30.0), (80.0, 90.0))):
            turn = np.radians(angle)
            model.add_connection(f"s{k}", np.cos(turn) * x + np.sin(turn) * y, jd.Spring(stiffness))
        push = {"x": lambda t, s: -friction * 80.0 * s["y.value"]}
        return jd.linearize(model, inputs=push).eigenvalues

    stiff = 40 * 0.75 + 90 * 0.75, 40 * 0.25 + 90 * 0.25 + 80, (90 - 40) * np.sqrt(3) / 4
    critical = (stiff[2] + (stiff[0] - stiff[1]) ** 2 / (4 * stiff[2])) / 80
    assert critical == pytest.approx(0.303108891325, rel=1e-10)
    sign = 1.0 if np.abs(closed(critical + 0.05).real).max() > 0.1 else -1.0
    found = closed(sign * (critical + 0.05))
    assert np.abs(found - (0.45364434 + 10.25698753j)).min() < 1e-7
    np.testing.assert_allclose(closed(sign * 0.9 * critical).real, 0.0, atol=1e-7)


def test_shaft_with_consistent_masses():
    """4.V22: both ends of a shaft as coordinates, ω = √12 √(G/ρ)/l."""
    model = jd.Model("shaft")
    inertia, stiffness = 3.0, 100.0  # ρ I l and G I/l
    model.add_coordinate("a", inertia / 6)  # consistent masses: l/6 (2 1; 1 2)
    model.add_coordinate("b", inertia / 6)
    model.add_coordinate("sum", inertia / 6)
    a, b = jd.Coordinate("a"), jd.Coordinate("b")
    model.add_connection("both", jd.Coordinate("sum") - a - b, jd.Equal(0.0))
    model.add_connection("twist", b - a, jd.Spring(stiffness))
    (omega,) = positive(jd.linearize(model).eigenvalues)
    assert omega == pytest.approx(np.sqrt(12.0 * stiffness / inertia), rel=1e-12)


def test_along_a_run():
    """The equations of an instant: those of the state that the run has there."""
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    sol = jd.simulate(model, 1.0, start={"hinge.angle": 0.8})
    moment = sol.at(0.3)
    lin = jd.linearize(model, moment, moving=True)
    expected = -3 * G / (2 * 0.5) * np.cos(float(moment["hinge.angle"]))
    assert lin.A[1, 0] == pytest.approx(expected, rel=1e-9)
    assert lin.point.at.t == 0.3


def test_four_bar_over_its_stiffness():
    """V7: derivatives of the rest and of its eigenvalue contain the motion of rest and forces."""
    rests, values = [], []
    for stiffness in (149.9, 150.1):
        other = spring_of(stiffness)
        rest = jd.equilibrium(other, {"A.angle": 1.84, "B.angle": -1.5, "D.angle": 1.94})
        rests.append(rest["A.angle"])
        found = rest.eigenvalues
        values.append(found[found.imag > 0][0])
    assert np.diff(rests)[0] / 0.2 == pytest.approx(-2.7758474625e-3, rel=1e-6)
    slope = np.diff(values)[0] / 0.2
    assert slope == pytest.approx(2.10277100933e-3 + 1.43923013984e-2j, rel=1e-5)


def test_a_lock_is_held_while_it_is_closed():
    """Two shafts, one on a spring: together 2 rad/s, apart √12."""
    for when, expected in ((1.0, 2.0), (-1.0, np.sqrt(12.0))):
        model = jd.Model("dog")
        model.add_coordinate("a", 1.0)
        model.add_coordinate("b", 2.0)
        model.add_connection("spring", jd.Coordinate("a"), jd.Spring(12.0))
        apart = jd.Coordinate("b") - jd.Coordinate("a")
        model.add_connection("dog", apart, jd.Locked(lambda x, v, at, when=when: when + 0.0 * at.t))
        lin = jd.linearize(model)
        assert positive(lin.eigenvalues) == pytest.approx([expected])
        assert [x.name for x in lin.contacts] == (["dog"] if when > 0 else [])
