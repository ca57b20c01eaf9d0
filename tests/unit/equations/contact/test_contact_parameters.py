"""Contact of smooth outlines on prescribed motions."""

import casadi as ca
import numpy as np
import pytest

from jourdain import math
from jourdain.analysis.assembly.contact_search import ContactSearch
from jourdain.equations.contact.contact_parameters import ContactParameters
from jourdain.model.contours import Circle, Curve, HalfSpace, Point, Sphere, Surface
from jourdain.model.elements import Frame

ONE, TWO = Frame("one"), Frame("two")
TURN = (0.0, 2.0 * np.pi)


def ellipse(a, b):
    return lambda p: math.vector(a * math.cos(p), b * math.sin(p), 0.0)


def ellipsoid(a, b, c):
    def point(u, v):
        return math.vector(
            a * math.cos(u) * math.cos(v), b * math.sin(u) * math.cos(v), c * math.sin(v)
        )

    return point


def planar(t):
    """Motion of the validation case V05."""
    one = 0.1 * ca.sin(2 * t), 0.2 * t + 0.1 * t**2, 0.3 + 0.7 * t + 0.2 * t**2
    two = 2.3 - 0.3 * t, 0.4 + 0.25 * ca.sin(t), -0.5 - 0.9 * t + 0.1 * t**3
    return [(math.rotation_z(angle), ca.vertcat(x, y, 0)) for x, y, angle in (one, two)]


def exponential(a):
    angle = math.norm(a)
    S = math.skew(a / angle)
    return ca.SX.eye(3) + ca.sin(angle) * S + (1 - ca.cos(angle)) * (S @ S)


def spatial(t):
    """Motion of the validation case V06."""
    R_1 = exponential(ca.SX([0.3, -0.5, 0.8]) * t) @ exponential(ca.SX([0.2, 0.4, -0.3]))
    R_2 = exponential(ca.SX([-0.4, 0.7, 0.2]) * t) @ exponential(ca.SX([-0.5, 0.1, 0.6]))
    r_1 = ca.vertcat(0.1 * t, 0.2 * t**2, 0.05 * t)
    return [(R_1, r_1), (R_2, ca.vertcat(2.2 - 0.3 * t, 0.3 + 0.2 * t, 0.2 * t**2))]


class Moving:
    """Poses, twists and rates of twists of the bodies on a motion."""

    def __init__(self, motion):
        t = ca.SX.sym("t")
        results = []
        for R, r in motion(t):
            w = math.axial(ca.reshape(ca.jacobian(ca.vec(R), t), 3, 3) @ R.T)
            twist = ca.vertcat(w, ca.jacobian(r, t))
            results += [R, r, twist, ca.jacobian(twist, t)]
        self._function = ca.Function("motion", [t], results)

    def __call__(self, t):
        return [np.array(x) for x in self._function(t)]

    def poses(self, t):
        one_R, one_p, _, _, two_R, two_p, _, _ = self(t)
        return {"one": (one_R, one_p[:, 0]), "two": (two_R, two_p[:, 0])}


def numbers(a, b, motion, t, near=None):
    moving, search = Moving(motion), ContactSearch(a, b)
    contact = search.contact
    c = search(moving.poses(t), near)
    f = contact.function(
        contact.gap, contact.speeds, contact.accelerations, contact.parameter_rates
    )
    return c, [np.array(x)[:, 0] for x in f(c, *moving(t))]


def test_two_ellipses():
    """V05. Pfeiffer slides along t_1 of the first against the second: the other sign."""
    a, b = Curve(ONE, ellipse(1.0, 0.6), TURN), Curve(TWO, ellipse(0.8, 1.3), TURN)
    p, (gap, speeds, accelerations, rates) = numbers(a, b, planar, 0.2)
    np.testing.assert_allclose(p % (2 * np.pi), (5.864368635, 3.854408157), atol=1e-8)
    assert gap[0] == pytest.approx(0.2719074312, abs=1e-9)
    np.testing.assert_allclose(speeds, (-0.6187818641, 0.0566766130), atol=1e-9)
    np.testing.assert_allclose(accelerations, (0.5327195008, -0.3059365615), atol=1e-9)
    lengths = (
        np.hypot(1.0 * np.sin(p[0]), 0.6 * np.cos(p[0])),
        np.hypot(0.8 * np.sin(p[1]), 1.3 * np.cos(p[1])),
    )
    np.testing.assert_allclose(rates * lengths, (-0.5899785785, 0.7372876239), atol=1e-9)


def test_two_ellipsoids():
    """V06."""
    span = (TURN, (-1.3, 1.3))
    a = Surface(ONE, ellipsoid(1.0, 0.7, 0.5), span)
    b = Surface(TWO, ellipsoid(0.6, 0.9, 1.2), span)
    c, (gap, speeds, accelerations, rates) = numbers(a, b, spatial, 0.2)
    turned = c % (2 * np.pi) - [0, 0, 0, 2 * np.pi]
    told = (0.298317400, 0.084798540, 2.529924179, -0.250006384)
    np.testing.assert_allclose(turned, told, atol=1e-8)
    assert gap[0] == pytest.approx(0.4987312218, abs=1e-9)
    assert speeds[0] == pytest.approx(-0.8276237157, abs=1e-9)
    told = (-0.8849368209, -0.3312240766, -0.5515526199, -0.3340381982)
    np.testing.assert_allclose(rates, told, atol=1e-9)
    assert accelerations[0] == pytest.approx(0.1678590701, abs=1e-9)


OVAL = ellipse(1.0, 0.6)
EGG = ellipsoid(1.0, 0.7, 0.5)
SPAN = (TURN, (-1.3, 1.3))
PAIRS = {
    "curve and curve": (Curve(ONE, OVAL, TURN), Curve(TWO, ellipse(0.8, 1.3), TURN), planar),
    "curve and circle": (Curve(ONE, OVAL, TURN), Circle(TWO, 0.3), planar),
    "point and curve": (Point(ONE), Curve(TWO, OVAL, TURN), planar),
    "curve and line": (Curve(ONE, OVAL, TURN), HalfSpace(TWO, "-x"), planar),
    "surface and surface": (Surface(ONE, EGG, SPAN), Surface(TWO, EGG, SPAN), spatial),
    "plane and surface": (HalfSpace(ONE, "x"), Surface(TWO, EGG, SPAN), spatial),
    "surface and plane": (Surface(ONE, EGG, SPAN), HalfSpace(TWO, "-x"), spatial),
    "sphere and surface": (Sphere(ONE, 0.4), Surface(TWO, EGG, SPAN), spatial),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_rates_are_those_of_the_followed_contact(pair):
    """Differences of gaps, parameters and speeds along the motion, of fourth order."""
    a, b, motion = PAIRS[pair]
    h, t = 1e-3, 0.2
    c, (_, speeds, accelerations, rates) = numbers(a, b, motion, t)
    seen = {k: numbers(a, b, motion, t + k * h, c) for k in (-2, -1, 1, 2)}

    def slope(of):
        return (of(seen[-2]) - 8 * of(seen[-1]) + 8 * of(seen[1]) - of(seen[2])) / (12 * h)

    np.testing.assert_allclose(slope(lambda x: x[1][0]), speeds[:1], atol=1e-9)
    np.testing.assert_allclose(slope(lambda x: x[0]), rates, atol=1e-9)
    np.testing.assert_allclose(slope(lambda x: x[1][1]), accelerations, atol=1e-9)


@pytest.mark.parametrize("pair", PAIRS)
def test_accelerations_are_linear_in_those_of_the_bodies(pair):
    a, b, motion = PAIRS[pair]
    moving, search = Moving(motion), ContactSearch(a, b)
    contact, c = search.contact, search(moving.poses(0.2))
    f = contact.function(contact.accelerations, *contact.directions.values(), contact.gap)
    g = contact.function(contact.normal, *contact.points, contact.tangents)
    state = moving(0.2)
    rest = [x * (k % 4 != 3) for k, x in enumerate(state)]
    bias, W_one, W_two, gap = (np.array(x) for x in f(c, *rest))
    full = np.array(f(c, *state)[0])
    np.testing.assert_allclose(full, bias + W_one @ state[3] + W_two @ state[7], atol=1e-12)
    n, x_a, x_b, T = (np.array(x) for x in g(c, *state))
    np.testing.assert_allclose(x_b - x_a, gap * n, atol=1e-11)
    frame = np.column_stack([n, T])
    np.testing.assert_allclose(frame.T @ frame, np.eye(frame.shape[1]), atol=1e-12)


def test_two_circles():
    a, b = Curve(ONE, ellipse(0.5, 0.5), TURN), Curve(TWO, ellipse(0.2, 0.2), TURN)
    _, (gap, *_) = numbers(a, b, planar, 0.2)
    (_, x_a), (_, x_b) = Moving(planar).poses(0.2).values()
    assert gap[0] == pytest.approx(np.linalg.norm(x_b - x_a) - 0.7, abs=1e-13)


def test_overlapping_outlines_are_found_from_samples():
    a, b = Curve(ONE, OVAL, TURN), Curve(TWO, OVAL, TURN)
    search = ContactSearch(a, b)
    poses = {"one": (np.eye(3), np.zeros(3)), "two": (np.eye(3), np.array([0.0, 1.1, 0.0]))}
    c = search(poses)
    np.testing.assert_allclose(c, (np.pi / 2, 3 * np.pi / 2), atol=1e-9)
    gap = search.contact.position_function(search.contact.gap)
    given = [x for pose in poses.values() for x in pose]
    assert float(gap(c, *given)) == pytest.approx(-0.1, abs=1e-12)


def test_without_curves_there_are_no_parameters():
    assert ContactParameters(Curve(ONE, OVAL, TURN), Point(TWO)).parameters.numel() == 1
