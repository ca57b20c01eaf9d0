"""The sparse pencil against dense linear equations on random trees."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.vibration.large_modes import large_modes
from jourdain.system.linear.pencil import can_be_sparse

KINDS = (jd.Revolute("y"), jd.Prismatic("x"), jd.Universal(), jd.Cylindrical("z"), jd.Planar("z"))


def machine(seed, *, damped):
    rng = np.random.default_rng(seed)
    model = jd.testing.random_model(
        rng, 5, kinds=KINDS[:4], driven=False, floating=False, n_coordinates=1
    )
    names = jd.compile(model).names.q
    places = [jd.Coordinate(name.removesuffix(".value")) for name in names]
    for k, place in enumerate(places):
        model.add_connection(f"spring_{k}", place, jd.Spring(60.0 + 20.0 * rng.random()))
        if damped:
            model.add_connection(f"damper_{k}", place, jd.Damper(rng.random()))
    model.add_connection("across", 0.5 * places[0] - places[-1], jd.Spring(7.0))
    return jd.compile(model)


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_of_random_trees(seed, damped):
    system = machine(seed, damped=damped)
    assert not can_be_sparse(system)
    rest = jd.equilibrium(system)
    dense = jd.eigenmodes(system, rest)
    swinging = np.array([m.eigenvalue for m in dense if m.is_oscillating])[:4]
    found = large_modes(system, rest.q, 0.0, np.zeros(0), 6)
    for value in swinging:
        assert np.abs(found.eigenvalues - value).min() < 1e-6 * abs(value)


def test_what_is_not_sparse_is_told():
    model = jd.Model("free")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    assert can_be_sparse(jd.compile(model)) == "body 'ball' without a joint"


def test_no_rest():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    with pytest.raises(jd.ModelError, match=r"no equilibrium: .* act on 'rod'"):
        large_modes(jd.compile(model), np.array([0.5]), 0.0, np.zeros(0), 1)
