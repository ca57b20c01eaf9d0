"""Moments inside of beams: from curvatures, and from the loads beyond a cut (7.V12)."""

import numpy as np
import pytest

import jourdain as jd

_ROOT, _WEIGHT = 4.4145, 9.81
_SECTION = jd.flexible.Section(10.0, 10.0, 1.0, 1.0, 0.5)
_CASES = {  # number of clamped eigenfunctions: root moment EI κ [N m], sag [m]
    1: (4.4167, 0.125616), 2: (4.2537, 0.126356), 3: (4.4214, 0.126628),
    4: (4.3712, 0.126669), 6: (4.3949, 0.126700), 8: (4.4034, 0.126707),
}  # fmt: skip


def _arm(n, **more):
    given = {"modes": n, "fields": ("y",), "functions": n, "family": "clamped-free"} | more
    return jd.flexible.beam(1.0, _SECTION, **given)


def _at_rest(beam):
    """Root moment from the curvature, and sag, of an arm that carries 0.2 kg."""
    own = beam.elasticity
    tip, near = (own.place((x, 0.0, 0.0)) for x in (1.0, 1e-6))
    d = _WEIGHT * (own.integrals.h1[1] + 0.2 * tip.A[1]) / own.stiffness
    return 10.0 * near.T[2] @ d / 1e-6, tip.A[1] @ d


@pytest.mark.parametrize("n", _CASES)
def test_moments_from_curvatures_converge_slowly(n):
    moment, sag = _at_rest(_arm(n))
    assert moment == pytest.approx(_CASES[n][0], abs=1e-4)
    assert sag == pytest.approx(_CASES[n][1], abs=1e-6)


def test_default_modes_have_the_sag_and_the_moment():
    moment, sag = _at_rest(_arm(None, functions=8, family="polynomials"))
    assert sag == pytest.approx(0.1267125, rel=1e-9)
    assert moment == pytest.approx(_ROOT, rel=2e-2)


@pytest.mark.parametrize("n", [1, 2])
def test_moments_from_loads_are_right_with_any_number(n):
    model = jd.Model("arm", gravity=(0.0, -1e-3 * _WEIGHT, 0.0))
    arm = model.add_body("arm", _arm(n))
    load = model.add_body("load", jd.Inertia(0.2))
    model.add_joint("wall", model.world, arm, jd.Fixed())
    model.add_joint("grip", arm.at(1.0, 0, 0), load, jd.Fixed())
    sol = jd.simulate(model, 1e-4, start=jd.equilibrium(model), sample=[0.0, 1e-4])
    found = jd.flexible.section_loads(sol, "arm", 0.0).torque.sel(axis="z").values
    assert np.abs(found) == pytest.approx(1e-3 * _ROOT, rel=1e-6)
