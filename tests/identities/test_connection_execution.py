"""Connections on trees: loops over the links give what straight-line code gives."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.system.state import state_kernel, tangent_kernel
from jourdain.testing import random_model


def connected(seed):
    """Random tree with springs between bodies, forces along coordinates and a motor."""
    rng = np.random.default_rng(seed)
    kinds = (jd.Revolute("z"), jd.Prismatic((0.6, 0.0, 0.8)), jd.Spherical())
    model = random_model(rng, 6, kinds=kinds, driven=True, n_coordinates=1)
    first, second, third = list(model.bodies.values())[:3]
    ends = first.at(0.1, 0.2, -0.1), third.at(0.0, 0.1, 0.3)
    model.add_connection("strut", jd.Distance(*ends), jd.Spring(40.0, free=0.3) + jd.Damper(2.0))
    up = jd.Formula(lambda at: at.pose(second.at(0.1, 0, 0))[1][2] + 0.1 * at.t)
    model.add_connection("lift", up, jd.Law(lambda x, v: -5.0 * x * x - v))
    wheel = next(iter(model.coordinates))
    model.add_connection("motor", jd.Coordinate(wheel), jd.Motor(0.5, 2.0, 0.1))
    return model


def states(system, seed):
    rng = np.random.default_rng(seed)
    q, v = system.state()
    return q + 0.1 * rng.normal(size=q.shape), rng.normal(size=v.shape)


@pytest.mark.parametrize("seed", [0, 1])
def test_loops_agree_with_straight_line_code(seed):
    model = connected(seed)
    plain, loops = (jd.compile(model, execution=way) for way in (jd.Unrolled(), jd.Looped()))
    q, v = states(plain, seed)
    arguments = q, v, np.zeros(0), 0.3, plain.parameter_array(None)
    expected, found = (state_kernel(s, {}, {}).run(*arguments) for s in (plain, loops))
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-10, atol=1e-10 * np.abs(a).max())
    np.testing.assert_allclose(plain.forward_dynamics(q, v, t=0.3), expected[1], rtol=1e-10)


@pytest.mark.parametrize("seed", [0])
def test_tangents_agree(seed):
    model = connected(seed)
    plain, loops = (jd.compile(model, execution=way) for way in (jd.Unrolled(), jd.Looped()))
    q, v = states(plain, seed)
    rng = np.random.default_rng(seed + 9)
    along = rng.normal(size=q.shape), rng.normal(size=v.shape)
    arguments = q, v, np.zeros(0), 0.3, plain.parameter_array(None), *along
    expected, found = (tangent_kernel(s, {}, {}).run(*arguments) for s in (plain, loops))
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-9 * np.abs(a).max())
