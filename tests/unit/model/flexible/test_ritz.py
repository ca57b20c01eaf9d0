"""Shape functions: their derivatives, and what they are at the clamped end."""

import numpy as np
import pytest

from jourdain.model.flexible.ritz import FAMILIES, gauss


@pytest.mark.parametrize("zeros", [1, 2])
@pytest.mark.parametrize("family", FAMILIES)
def test_derivatives_are_those_of_the_functions(family, zeros):
    made = FAMILIES[family](4, zeros)
    x, step = np.array([0.13, 0.41, 0.77]), 1e-5
    for order in range(2):
        slopes = (made.orders[order](x + step) - made.orders[order](x - step)) / (2.0 * step)
        assert np.allclose(slopes, made.orders[order + 1](x), atol=1e-5)
    for order in range(zeros):
        assert np.abs(made.orders[order](np.zeros(1))).max() < 1e-12
    if not family.startswith(("pinned", "free")):
        assert np.abs(made.orders[zeros](np.zeros(1))).max() > 0.1


def test_a_clamped_beam_is_free_at_its_tip():
    made = FAMILIES["clamped-free"](5, 2)
    assert np.abs(made.orders[2](np.ones(1))).max() < 1e-9


_BETA = {  # β of the first and third eigenfunction, closed forms and tables of Blevins
    "clamped-free": (1.875104068711961, 7.854757438237613),
    "clamped-clamped": (4.730040744862704, 10.995607838001671),
    "free-free": (4.730040744862704, 10.995607838001671),
    "pinned-pinned": (np.pi, 3.0 * np.pi),
    "clamped-pinned": (3.926602312047919, 10.210176122813031),
    "free-pinned": (3.926602312047919, 10.210176122813031),
}


@pytest.mark.parametrize("ends", _BETA)
def test_eigenfunctions_are_those_of_their_ends(ends):
    from jourdain.model.flexible.ritz import _roots

    first, _, third = _roots(3, tuple(ends.split("-")))
    assert (first, third) == pytest.approx(_BETA[ends], rel=1e-14)
    made = FAMILIES[ends](12, 2)  # the highest ones are as exact as the lowest
    bent = made.orders[2](np.array([0.0, 1.0]))
    for k, end in enumerate(ends.split("-")):
        if end != "clamped":
            assert np.abs(bent[k]).max() < 1e-9 * np.abs(made.orders[2](np.array([0.3]))).max()


def test_gauss_integrates_polynomials_piece_by_piece():
    x, weights = gauss([0.0, 0.3, 2.0], 4)
    assert weights @ x**7 == pytest.approx(2.0**8 / 8.0, rel=1e-14)
