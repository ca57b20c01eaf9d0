import casadi as ca
import numpy as np
import pytest

from jourdain import math
from jourdain.equations.contact.differential_geometry import curve_geometry, surface_geometry


def at(function, *values):
    """Geometry of a surface or a curve in numbers."""
    symbols = [ca.SX.sym("c") for _ in values]
    make = surface_geometry if len(values) == 2 else curve_geometry
    geometry = vars(make(function, *symbols))
    parts = geometry | dict(zip(("G1", "G2"), geometry.pop("christoffel", ()), strict=False))
    f = ca.Function("f", symbols, list(parts.values()))
    return {k: np.array(x).squeeze() for k, x in zip(parts, f(*values), strict=True)}


def test_a_helix_has_the_known_curvature_and_torsion():
    a, b = 0.4, 0.3
    g = at(lambda s: (a * math.cos(s), a * math.sin(s), b * s), 0.7)
    assert g["curvature"] == pytest.approx(a / (a**2 + b**2))
    assert g["torsion"] == pytest.approx(b / (a**2 + b**2))
    np.testing.assert_allclose(g["normal"], (-np.cos(0.7), -np.sin(0.7), 0), atol=1e-15)
    np.testing.assert_allclose(np.cross(g["tangent"], g["normal"]), g["binormal"], atol=1e-15)


def test_frenet_equations_hold_for_any_parameter():
    def wire(s):
        return math.vector(s + 0.2 * s**2, math.sin(s), 0.3 * s**3)

    s = ca.SX.sym("s")
    g = curve_geometry(wire, s)
    rates = [ca.jacobian(x, s) / g.speed for x in (g.tangent, g.normal, g.binormal)]
    told = (
        g.curvature * g.normal,
        -g.curvature * g.tangent + g.torsion * g.binormal,
        -g.torsion * g.normal,
    )
    f = ca.Function("f", [s], [ca.vertcat(*rates) - ca.vertcat(*told)])
    np.testing.assert_allclose(np.array(f(0.6)), 0.0, atol=1e-13)


def test_a_skew_surface():
    """Validation case V03 of the theory notes; the Weingarten and Gauss equations of Pfeiffer."""

    def skew(u, v):
        z = 0.5 * u**2 + 0.25 * u * v - v**2 / 3 + 0.1 * u**3
        return math.vector(u + 0.2 * v**2, v + 0.3 * u * v, z)

    g = at(skew, 0.3, -0.4)
    one = [[0.322247760718, 0.0841791963475], [0.0841791963475, 0.195687444653]]
    two = [[0.354683184184, 0.323478275432], [0.323478275432, -0.187945184925]]
    np.testing.assert_allclose(g["G1"], one, atol=1e-10)
    np.testing.assert_allclose(g["G2"], two, atol=1e-10)
    second = [[1.07846477816, 0.131702124444], [0.131702124444, -0.70777487344]]
    np.testing.assert_allclose(g["second"], second, atol=1e-10)
    rates = [[-1.06573603782, -0.0176983685251], [-0.269807358938, 0.529150432673]]
    np.testing.assert_allclose(g["normal_rates"], rates, atol=1e-10)


def turned(f, g):
    return lambda u, v: math.vector(f(v) * math.cos(u), f(v) * math.sin(u), g(v))


@pytest.mark.parametrize(
    ("f", "g", "L", "N"),
    [
        (lambda v: 0.7 + 0 * v, lambda v: v, lambda v: -0.7, lambda v: 0.0),
        (
            lambda v: 0.7 * math.cos(v),
            lambda v: 0.7 * math.sin(v),
            lambda v: -0.7 * np.cos(v) ** 2,
            lambda v: -0.7,
        ),
        (
            lambda v: 2 + 0.5 * math.cos(v),
            lambda v: 0.5 * math.sin(v),
            lambda v: -(2 + 0.5 * np.cos(v)) * np.cos(v),
            lambda v: -0.5,
        ),
        (lambda v: 0.6 * v, lambda v: 0.8 * v, lambda v: -0.48 * v, lambda v: 0.0),
    ],
    ids=["cylinder", "sphere", "torus", "cone"],
)
def test_surfaces_of_revolution(f, g, L, N):
    """V04: normal outwards, M = 0 and three vanishing Christoffel symbols."""
    u, v = 0.4, 0.3
    found = at(turned(f, g), u, v)
    np.testing.assert_allclose(found["second"], [[L(v), 0], [0, N(v)]], atol=1e-14)
    zero = found["G1"][0, 0], found["G2"][0, 1], found["G1"][1, 1]
    np.testing.assert_allclose(zero, 0.0, atol=1e-14)
    assert found["normal"] @ (np.cos(u), np.sin(u), 0) > 0.0
