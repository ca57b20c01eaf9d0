"""Numbers of the theory that follow from the integrals of a beam alone, without any model."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import eigh

import jourdain as jd

_SLIM = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)
_ROUND = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0, (1.0, 0.5, 0.5))  # turns about its axis
_FREE = np.array([22.373285448, 61.672822866])  # of the beam without supports


@cache
def _elastic(n, field="y", family="polynomials", section=_SLIM):
    """Beam of length 1 with n shapes of one field, from its root."""
    return jd.flexible.beam(
        1.0, section, modes=n, functions=n, fields=(field,), family=family, frame="end"
    ).elasticity


def _squares(own, speed, radius, is_second_order=True):
    """Squares of frequencies in steady rotation about z, its root at a radius (FB-7)."""
    I, w = own.integrals, np.array([0.0, 0.0, speed])

    def thrown(Q):
        return np.einsum("a,ijab,b->ij", w, Q, w) - speed**2 * np.einsum("ijaa->ij", Q)

    K = np.diag(own.stiffness) + thrown(I.Q11)
    if is_second_order:
        K = K + thrown(I.Q02) - speed**2 * radius * I.h2[0]
    return eigh(0.5 * (K + K.T), I.mass_matrix, eigvals_only=True)


_ROTATING = {  # 7.V3: speed and radius of the hub; flap 1, 2, 3, lag 1
    (1.0, 0.0): (3.681646, 22.181011, 61.841763, 3.543236),
    (3.0, 0.0): (4.797278, 23.320264, 62.984968, 3.743512),
    (6.0, 0.0): (7.360373, 26.809081, 66.683914, 4.263225),
    (12.0, 0.0): (13.170150, 37.603112, 79.614479, 5.427049),
    (1.0, 1.0): (3.888823, 22.375014, 62.043053, 3.758051),
    (3.0, 1.0): (6.081749, 24.927745, 64.733802, 5.290338),
    (6.0, 1.0): (10.443866, 32.027244, 72.986335, 8.548353),
    (12.0, 1.0): (19.721542, 51.070134, 98.526797, 15.650534),
}


@pytest.mark.parametrize(("speed", "radius"), _ROTATING)
def test_a_rotating_beam(speed, radius):
    """3.V22, 7.V3: geometric stiffening, against collocation to all digits."""
    flap, lag = (np.sqrt(_squares(_elastic(12, field), speed, radius)) for field in "zy")
    assert [*flap[:3], lag[0]] == pytest.approx(_ROTATING[speed, radius], abs=1.2e-6)
    assert lag[:5] ** 2 == pytest.approx(flap[:5] ** 2 - speed**2, rel=1e-9)


@pytest.mark.parametrize(
    ("radius", "expected"), [(0.0, (1.1933, 6.4782, 17.860)), (1.0, (2.7642, 15.125, 42.811))]
)
def test_how_frequencies_rise_with_speed(radius, expected):
    """7.V3, Southwell: (ω² − ω₀²)/Ω² for slow rotation."""
    own, slow = _elastic(12, "z"), 1e-2
    rise = (_squares(own, slow, radius) - _squares(own, 0.0, radius)) / slow**2
    assert rise[:3] == pytest.approx(expected, rel=5e-5)


def test_what_is_of_second_order_must_not_be_left_out():
    """7.V3, four shapes at Ω = 6: to first order the beam flies apart in its plane, ω² = −23.64."""
    flap, lag = (_elastic(4, field) for field in "zy")
    assert np.sqrt(_squares(flap, 6.0, 0.0)[:2]) == pytest.approx([7.361384066, 26.860219137])
    assert np.sqrt(_squares(lag, 6.0, 0.0)[0]) == pytest.approx(4.264970734, rel=1e-9)
    assert _squares(flap, 6.0, 0.0, False)[0] == pytest.approx(12.36, abs=5e-3)
    assert _squares(lag, 6.0, 0.0, False)[0] == pytest.approx(-23.64, abs=5e-3)


def _free(own):
    """Frequencies of the beam in its plane, without supports."""
    I, n = own.integrals, own.integrals.n
    M = np.zeros((2 + n, 2 + n))
    M[0, 0], M[1, 1], M[0, 1] = I.mass, I.Q0[0, 0], I.h0[0]
    M[0, 2:], M[1, 2:], M[2:, 2:] = I.h1[1], I.P0[:, 0, 1] - I.P0[:, 1, 0], I.mass_matrix
    squares = eigh(np.diag([0.0, 0.0, *own.stiffness]), M, lower=False, eigvals_only=True)
    return np.sqrt(squares[2:])


@pytest.mark.parametrize(
    ("family", "n", "expected"),
    [
        ("polynomials", 4, (22.5642, 63.5373)),
        ("polynomials", 6, (22.373498, 61.688324, 129.217)),
        ("polynomials", 8, (22.373286, 61.672894, 121.106)),
        ("clamped-free", 4, (22.381715, 61.769386)),
        ("clamped-free", 8, (22.373686, 61.679305)),
        ("clamped-free", 10, (22.373427, 61.675256)),
    ],
)
def test_a_free_beam(family, n, expected):
    """7.V7, with the frame at one end."""
    found = _free(_elastic(n, "y", family))[: len(expected)]
    assert np.abs(found - expected).max() < 0.8 * 10.0 ** -min(
        len(str(x).partition(".")[2]) for x in expected
    )


def test_how_fast_shapes_converge():
    """F17: polynomials exponentially; eigenfunctions of other ends with the fourth power of n."""
    own = [_free(_elastic(n, "y"))[0] / _FREE[0] - 1.0 for n in (4, 6, 8)]
    assert own[0] > 500.0 * own[1] > 500.0 * 500.0 * own[2] > 0.0
    own = [_free(_elastic(n, "y", "clamped-free"))[:2] / _FREE - 1.0 for n in (4, 8, 16)]
    for coarse, fine in pairwise(own):
        assert np.log2(coarse / fine) == pytest.approx([4.0, 4.0], abs=0.75)


@pytest.mark.parametrize(
    ("hub", "expected"),
    [
        (None, (1.543092, 12.225449, 37.056662, 75.772205)),
        (0.1, (3.208806, 12.635225, 37.192252, 75.838681)),
    ],
)
def test_an_arm_with_a_mass_at_its_tip(hub, expected):
    """6.T6, 7.V2: clamped, and with a free hub, all four frequencies [Hz]."""
    section = jd.flexible.Section(10.0, 10.0, 1.0, 1.0, 0.5)
    for n, digits in ((12, 1e-6), (8, 2e-3)):
        own = _elastic(n, "y", "polynomials", section)
        I, tip = own.integrals, own.place((1.0, 0.0, 0.0)).A[1]
        M, K = I.mass_matrix + 0.2 * np.outer(tip, tip), np.diag(own.stiffness)
        if hub is not None:
            turn = I.P0[:, 0, 1] - I.P0[:, 1, 0] + 0.2 * tip
            M = np.block([[np.array([[hub + I.Q0[0, 0] + 0.2]]), turn[None]], [turn[:, None], M]])
            K = np.diag([0.0, *own.stiffness])
        squares = eigh(K, M, eigvals_only=True)[int(hub is not None) :]
        assert np.sqrt(squares[:4]) / (2.0 * np.pi) == pytest.approx(expected, rel=digits)


_HUB = {  # 5.V17: exact x, and Ritz's with 1, 2 and 4 sines
    0.5: ((2.2889297, 5.0869851), (2.3169692,), (2.2924721, 5.1080610), (2.2893817, 5.0888915)),
    1.0: ((2.0287578, 4.9131804), (2.0368795,), (2.0298680, 4.9185469), (2.0289017, 4.9136988)),
}


@pytest.mark.parametrize("hub", _HUB)
def test_a_shaft_with_a_hub(hub):
    """5.V17: tan x = −μ x."""
    exact, *ritz = _HUB[hub]
    cases = [("clamped-free", n, x, 1e-7) for n, x in zip((1, 2, 4), ritz, strict=True)]
    for family, n, expected, digits in [*cases, ("polynomials", 9, exact, 1e-7)]:
        own = _elastic(n, "twist", family, _ROUND)
        I = own.integrals
        turn = I.P0[:, 1, 2] - I.P0[:, 2, 1]
        M = np.block(
            [[np.array([[hub + I.moments[0, 0]]]), turn[None]], [turn[:, None], I.mass_matrix]]
        )
        squares = eigh(np.diag([0.0, *own.stiffness]), M, eigvals_only=True)[1:]
        assert np.sqrt(squares[: len(expected)]) == pytest.approx(expected, abs=digits)
