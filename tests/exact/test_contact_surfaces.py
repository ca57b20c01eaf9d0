"""Contact of curves and surfaces by functions in whole motions, against independent solutions."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

import jourdain as jd

G = 9.81
ROUND = (0.0, 2.0 * np.pi)
ALPHA = jd.NonsmoothAlpha(4e-3)  # which looks at accelerations too


def ellipsoid(a, b, c):
    def point(u, v):
        return (a * jd.cos(u) * jd.cos(v), b * jd.sin(u) * jd.cos(v), c * jd.sin(v))

    return point


def circle(radius, x=0.0):
    return lambda s: (x + radius * jd.cos(s), radius * jd.sin(s), 0.0)


# -- Two surfaces: a ball slides down from a ball --------------------------------------------------

BIG, SMALL = 0.5, 0.2
ANGLE = 0.3  # from the top, at the start
SPAN = (ROUND, (-1.4, 1.4))


@pytest.fixture(scope="module")
def sliding():
    """Both balls are surfaces with their poles along y; gravity along -z."""
    model = jd.Model("sliding")
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=SMALL))
    turn = jd.rotation_x(np.pi / 2)
    below = jd.Surface(model.world.at(rotation=turn), ellipsoid(BIG, BIG, BIG), SPAN)
    above = jd.Surface(ball.at(rotation=turn), ellipsoid(SMALL, SMALL, SMALL), SPAN)
    model.add_contact("top", below, above, jd.Unilateral())
    return jd.compile(model)


DISTANCE = BIG + SMALL
AT_ANGLE = {"ball.position": (DISTANCE * np.sin(ANGLE), 0.0, DISTANCE * np.cos(ANGLE))}


@pytest.mark.slow
def test_ball_leaves_a_ball_at_two_thirds_of_its_height(sliding):
    """The balance m g cos θ = m v²/d and v² = 2 g d (cos θ₀ − cos θ) give cos θ = 2/3 cos θ₀."""
    sol = jd.simulate(sliding, 1.0, start=AT_ANGLE, sample=0.1)
    leaves = [event for event in sol.events if event.kind == "detachment"]
    x, _, z = leaves[0].q[:3]
    assert z / np.hypot(x, z) == pytest.approx(2.0 / 3.0 * np.cos(ANGLE), rel=1e-7)
    along = sol.time < leaves[0].time
    place = sol.values("ball.position")[along]
    np.testing.assert_allclose(np.linalg.norm(place, axis=1), DISTANCE, rtol=1e-9)
    assert np.abs(sol.values("top.gap")[along]).max() <= 1e-10
    cos = place[:, 2] / DISTANCE
    force = 2.0 * G * (3.0 * cos - 2.0 * np.cos(ANGLE))
    np.testing.assert_allclose(sol.values("top.normal_force")[along], force, atol=1e-6)


@pytest.mark.slow
def test_ball_leaves_a_ball_in_time_steps(sliding):
    exact = jd.simulate(sliding, 0.8, start=AT_ANGLE, sample=0.1)
    for h, tol in ((4e-3, 4e-3), (2e-3, 2e-3)):
        sol = jd.simulate(
            sliding,
            0.8,
            start=AT_ANGLE,
            method=jd.MoreauJean(h, corrects_positions=False),
            sample=[0.0, 0.4, 0.8],
        )
        places = [s.values("ball.position")[-1] for s in (sol, exact)]
        assert np.abs(places[0] - places[1]).max() <= tol


def test_contact_parameters_are_results(sliding):
    """On both balls the point lies between the middles."""
    sol = jd.simulate(sliding, 0.5, start=AT_ANGLE, sample=0.1)
    x, _, z = sol.values("ball.position").T
    u, v = sol.values("top.contact_1"), sol.values("top.contact_2")
    np.testing.assert_allclose(v, 0.0, atol=1e-9)
    np.testing.assert_allclose(np.cos(u), x / np.hypot(x, z), atol=1e-7)


# -- Two surfaces: an ellipsoid on a ball ----------------------------------------------------------

AXES = (0.3, 0.2, 0.25)


def on_a_ball(below):
    model = jd.Model("egg")
    egg = model.add_body("egg", jd.Inertia(mass=1.0, moments=(0.02, 0.03, 0.025)))
    model.add_contact("ball", below(model.world), jd.Surface(egg, ellipsoid(*AXES), SPAN),
                      jd.Coulomb(0.3))  # fmt: skip
    return model


def distance(position, quaternion):
    """Distance of an ellipsoid from the ball at the origin, by minimisation."""
    R = Rotation.from_quat(np.roll(quaternion, -1)).as_matrix()

    def length(d):
        n = d / np.linalg.norm(d)
        local = R.T @ n
        return n @ position - np.linalg.norm(np.array(AXES) * local)

    best = minimize(lambda d: -length(d), position, tol=1e-14)
    return length(best.x) - BIG


@pytest.mark.slow
def test_ellipsoid_on_a_ball_moves_as_with_a_sphere():
    """A ball as a surface and as a `Sphere`: two searches, one motion; its gap by minimisation."""
    start = {
        "egg.position": (0.0, 0.72, 0.05), "egg.orientation": (0.98, 0.0, 0.0, 0.199),
        "egg.angular_velocity": (0.4, 0.2, 1.0),
    }  # fmt: skip
    norm = np.linalg.norm(start["egg.orientation"])
    start["egg.orientation"] = tuple(x / norm for x in start["egg.orientation"])
    kinds = (
        lambda world: jd.Surface(world, ellipsoid(BIG, BIG, BIG), SPAN),
        lambda world: jd.Sphere(world, BIG),
    )
    runs = [jd.simulate(on_a_ball(kind), 0.12, start=start, sample=0.01) for kind in kinds]
    assert [e.kind for e in runs[0].events] == [e.kind for e in runs[1].events]
    assert "impact" in {e.kind for e in runs[0].events}
    np.testing.assert_allclose(runs[0].q[-1, :7], runs[1].q[-1, :7], atol=1e-8)
    for k in range(0, len(runs[0].time), 3):
        expected = distance(runs[0].q[k, :3], runs[0].q[k, 3:7])
        assert runs[0].values("ball.gap")[k] == pytest.approx(expected, abs=1e-8)


# -- An ellipsoid rolls on a plane -----------------------------------------------------------------


class RollingEllipsoid:
    """Ellipsoid that rolls without slip, in its own axes.

    With n the normal of the plane and ρ the contact point from the middle, both in body axes,
    v = −ω × ρ and m (dv/dt + ω × v + g n) = F, J dω/dt + ω × J ω = ρ × F.
    """

    mass, moments, axes = 1.0, np.array([0.02, 0.03, 0.025]), np.array(AXES)

    def contact(self, n):
        return -(self.axes**2) * n / np.linalg.norm(self.axes * n)

    def contact_rate(self, n, rate):
        size = np.linalg.norm(self.axes * n)
        shrink = (self.axes**2 * n) @ rate / size**3
        return -(self.axes**2) * (rate / size - n * shrink)

    def rates(self, _t, y):
        R, w = Rotation.from_quat(y[3:7]).as_matrix(), y[7:]
        n = R[2]
        rho, rho_rate = self.contact(n), self.contact_rate(n, np.cross(n, w))
        v = -np.cross(w, rho)
        rest = -np.cross(w, rho_rate) + np.cross(w, v) + G * n
        X = np.array([[0, -rho[2], rho[1]], [rho[2], 0, -rho[0]], [-rho[1], rho[0], 0]])
        J = np.diag(self.moments)
        wdot = np.linalg.solve(
            J - self.mass * X @ X, self.mass * np.cross(rho, rest) - np.cross(w, J @ w)
        )
        q = Rotation.from_quat(y[3:7])
        x, y_, z, s = q.as_quat()
        spin = 0.5 * np.array(
            [s * w[0] + y_ * w[2] - z * w[1], s * w[1] + z * w[0] - x * w[2],
             s * w[2] + x * w[1] - y_ * w[0], -x * w[0] - y_ * w[1] - z * w[2]]
        )  # fmt: skip
        return np.concatenate([R @ v, spin, wdot])


@pytest.fixture(scope="module")
def rolling():
    solid = RollingEllipsoid()
    model = jd.Model("rolling")
    egg = model.add_body("egg", jd.Inertia(mass=solid.mass, moments=tuple(solid.moments)))
    outline = jd.Surface(egg, ellipsoid(*AXES), SPAN)
    model.add_contact("floor", jd.HalfSpace(model.world), outline, jd.Coulomb(5.0))
    return jd.compile(model)


@pytest.mark.slow
@pytest.mark.parametrize("method", [None, jd.MoreauJean(2e-3)], ids=["events", "steps"])
def test_ellipsoid_rolls_on_a_plane(rolling, method):
    """It stands on its x–y section; the rolling constraint is integrated in the test."""
    solid = RollingEllipsoid()
    turned = Rotation.from_euler("xy", [np.pi / 2 + 0.1, 0.3])
    R, w = turned.as_matrix(), np.array([0.5, -0.3, 4.0])
    rho = solid.contact(R[2])
    place = np.array([0.0, 0.0, -(R @ rho)[2]])
    quaternion = turned.as_quat()
    end = 0.5
    wanted = solve_ivp(
        solid.rates, (0, end), np.concatenate([place, quaternion, w]), rtol=1e-11, atol=1e-12
    ).y[:, -1]
    start = {
        "egg.position": tuple(place), "egg.orientation": tuple(np.roll(quaternion, 1)),
        "egg.velocity": tuple(R @ -np.cross(w, rho)), "egg.angular_velocity": tuple(w),
    }  # fmt: skip
    sol = jd.simulate(rolling, end, start=start, method=method, sample=0.1)
    tol = 1e-7 if method is None else 5e-3
    np.testing.assert_allclose(sol.q[-1, :3], wanted[:3], atol=tol)
    for q, gap in zip(sol.q, sol.values("floor.gap"), strict=True):
        R = Rotation.from_quat(np.roll(q[3:7], -1)).as_matrix()
        assert gap == pytest.approx(q[2] - np.linalg.norm(np.array(AXES) * R[2]), abs=1e-12)


# -- Cams and followers ----------------------------------------------------------------------------

ECCENTRIC, CAM, ROLLER = 0.02, 0.05, 0.03
LENGTH = CAM + ROLLER
CRITICAL = np.sqrt(G / (ECCENTRIC * (1.0 + ECCENTRIC / LENGTH)))


@pytest.fixture(scope="module")
def cam():
    """An eccentric circle turns about z and lifts a roller on a guide along y: two curves."""
    model = jd.Model("cam", gravity=(0.0, -G, 0.0))
    shaft = model.add_body("shaft", jd.solid.cylinder(mass=1.0, radius=CAM, length=0.02))
    speed = jd.Parameter("speed", 1.0)
    model.add_joint("drive", model.world, shaft, jd.Revolute("z"),
                    driven={"angle": lambda t: speed * t})  # fmt: skip
    follower = model.add_body("follower", jd.solid.ball(mass=0.4, radius=ROLLER))
    model.add_joint("guide", model.world, follower, jd.Prismatic("y"))
    outlines = (
        jd.Curve(shaft, circle(CAM, ECCENTRIC), ROUND), jd.Curve(follower, circle(ROLLER), ROUND)
    )  # fmt: skip
    model.add_contact("lift", *outlines, jd.Unilateral())
    return jd.compile(model)


def lift(angle):
    """Height of the roller over the axis, and its second derivative by the angle."""
    e, c, s = ECCENTRIC, np.cos(angle), np.sin(angle)
    root = np.sqrt(LENGTH**2 - (e * c) ** 2)
    second = -e * s + e**2 * (c**2 - s**2) / root - (e**2 * c * s) ** 2 / root**3
    slope = e * c + e**2 * c * s / root
    return e * s + root, slope, second


def turned_cam(cam, speed, end, **options):
    height, slope, _ = lift(0.0)
    start = {"guide.position": height, "guide.velocity": slope * speed}
    return jd.simulate(cam, end, start=start, parameters={"speed": speed}, **options)


def test_follower_stays_below_the_critical_speed(cam):
    speed = 0.99 * CRITICAL
    sol = turned_cam(cam, speed, 2.0 * np.pi / speed, sample=0.01)
    assert "detachment" not in [event.kind for event in sol.events]
    angle = speed * sol.time
    height, _, second = lift(angle)
    np.testing.assert_allclose(sol.values("guide.position"), height, atol=1e-10)
    across = ECCENTRIC * np.cos(angle) / LENGTH
    force = 0.4 * (G + speed**2 * second) / np.sqrt(1.0 - across**2)
    np.testing.assert_allclose(sol.values("lift.normal_force"), force, atol=1e-7)


def test_follower_lifts_off_where_it_falls_faster_than_free(cam):
    speed = 1.05 * CRITICAL
    sol = turned_cam(cam, speed, 0.7 * np.pi / speed, sample=0.01)
    leaves = brentq(lambda angle: G + speed**2 * lift(angle)[2], 0.5, np.pi / 2, xtol=1e-14)
    assert [(event.kind, event.name) for event in sol.events][-1] == ("detachment", "lift")
    assert sol.events[-1].time == pytest.approx(leaves / speed, rel=1e-7)


def test_follower_in_time_steps(cam):
    for part, is_lifted in ((0.97, False), (1.1, True)):
        speed = part * CRITICAL
        sol = turned_cam(cam, speed, np.pi / speed, method=jd.MoreauJean(5e-4), sample=0.002)
        gaps = sol.values("lift.gap")
        assert (gaps.max() > 1e-4) == is_lifted


def test_flat_follower_on_an_elliptic_cam():
    """The height √(a² sin² + b² cos²) has the curvature (b² − a²)/a at the nose."""
    a, b = 0.06, 0.04
    critical = np.sqrt(G * a / (a**2 - b**2))
    model = jd.Model("flat", gravity=(0.0, -G, 0.0))
    shaft = model.add_body("shaft", jd.solid.cylinder(mass=1.0, radius=a, length=0.02))
    speed = jd.Parameter("speed", 1.0)
    model.add_joint("drive", model.world, shaft, jd.Revolute("z"),
                    driven={"angle": lambda t: speed * t})  # fmt: skip
    follower = model.add_body("follower", jd.solid.box(mass=0.4, size=(0.1, 0.01, 0.02)))
    model.add_joint("guide", model.world, follower, jd.Prismatic("y"))
    nose = jd.Curve(shaft, lambda s: (a * jd.cos(s), b * jd.sin(s), 0.0), ROUND)
    model.add_contact("lift", nose, jd.HalfSpace(follower, "-y"), jd.Unilateral())
    system = jd.compile(model)
    for part in (0.99, 1.01):
        given = {"speed": part * critical}
        sol = jd.simulate(
            system, np.pi / given["speed"], start={"guide.position": b}, parameters=given,
            sample=0.01,
        )  # fmt: skip
        assert ("detachment" in [e.kind for e in sol.events]) == (part > 1.0)


# -- Over a pole -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_ball_rolls_over_the_pole_of_its_surface():
    """It starts on one pole and comes to the other: as a sphere, which has none."""
    radius, found = 0.3, []
    half = ROUND, (-0.5 * np.pi, 0.5 * np.pi)
    for make in (
        lambda body: jd.Sphere(body, radius),
        lambda body: jd.Surface(body, ellipsoid(radius, radius, radius), half),
    ):
        model = jd.Model("ball")
        ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=radius))
        law = jd.Coulomb(friction=0.5)
        model.add_contact("floor", jd.HalfSpace(model.world), make(ball), law)
        start = {
            "ball.position": (0, 0, radius), "ball.velocity": (1.0, 0, 0),
            "ball.angular_velocity": (0.0, 1.0 / radius, 0.0),
        }  # fmt: skip
        found.append(jd.simulate(model, 1.2, start=start, method=ALPHA, sample=0.02))
    sphere, surface = found
    np.testing.assert_allclose(surface.q, sphere.q, rtol=0, atol=1e-12)
    for name in ("floor.gap", "floor.normal_force"):
        np.testing.assert_allclose(surface[name], sphere[name], rtol=0, atol=1e-6)


# -- Hollow outlines -------------------------------------------------------------------------------


def bowl(model):
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.05))
    sphere = jd.Surface(
        model.world,
        lambda u, v: (0.5 * jd.sin(u), 0.5 * jd.sin(v) * jd.cos(u), -0.5 * jd.cos(u) * jd.cos(v)),
        ((-1.0, 1.0), (-1.0, 1.0)),
    )
    return sphere, jd.Sphere(ball, 0.05)


def track(model):
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.05))
    arc = jd.Curve(model.world, lambda s: (0.5 * jd.sin(s), 0.0, -0.5 * jd.cos(s)), (-1, 1), "y")
    model.add_joint("plane", model.world, ball, jd.Planar("y"))
    return arc, jd.Circle(ball, 0.05, axis="y")


@pytest.mark.parametrize("hollow", [pytest.param(bowl, marks=pytest.mark.slow), track])
def test_ball_rolls_in_a_bowl(hollow):
    """As a pendulum of length R − r whose gravity is 5/7: 7/10 φ̇² (R − r) = g (cos φ − cos φ₀)."""
    model, far = jd.Model("hollow"), 0.3
    model.add_contact("bowl", *hollow(model), jd.Coulomb(0.5))
    system = jd.compile(model)
    place = 0.45 * np.array([np.sin(far), 0.0, -np.cos(far)])
    names = {"plane.position.x": place[0], "plane.position.z": place[2]}
    start = names if hollow is track else {"ball.position": place}
    sol = jd.simulate(system, 1.0, start=start, sample=0.1)
    assert [event.kind for event in sol.events] == ["stick"]
    x, v = (sol.values(f"ball.{word}") for word in ("position", "velocity"))
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 0.45, rtol=1e-10)
    square = 10.0 / 7.0 * 9.81 * (-x[:, 2] - 0.45 * np.cos(far))
    np.testing.assert_allclose((v**2).sum(axis=1), square, atol=1e-8)
    quarter = np.sqrt(0.45 * 7 / 5 / 9.81) * ellipk(np.sin(0.5 * far) ** 2)
    low = jd.simulate(system, quarter, start=start, sample=quarter)
    assert low.values("ball.position")[-1, 0] == pytest.approx(0.0, abs=1e-9)
