"""Energies, momenta and the centre of mass of single bodies."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.balance import BALANCE, MOMENT_COLUMNS
from jourdain.equations.recursion.links import build_links
from jourdain.equations.recursion.sweeps import lay_out, run
from jourdain.topology import build

MASS, COM, MOMENTS = 2.0, np.array((0.1, -0.2, 0.3)), np.diag((0.4, 0.5, 0.6))
GRAVITY = np.array((0.5, 0.0, -9.81))


@pytest.fixture
def free_body():
    model = jd.Model("free")
    model.add_body("body", jd.Inertia(MASS, tuple(COM), tuple(MOMENTS.diagonal())))
    links = build_links(model, build(model), {}, share=False)
    return links, lay_out(links, range(1), ["body"])


def inputs(q, v):
    none = dict.fromkeys(("e", "e1", "e2"), np.zeros(0))
    return {"q": np.array(q), "v": np.array(v), "t": 0.0} | none


def test_free_body(free_body, rng):
    e = rng.normal(size=4)
    R, p = jd.rotation_quaternion(e), rng.normal(size=3)
    velocity, w = rng.normal(size=3), rng.normal(size=3)  # w in body axes
    found = run(BALANCE, *free_body, inputs((*p, *e), (*velocity, *w)), GRAVITY)
    centre = p + R @ COM
    of_centre = velocity + R @ np.cross(w, COM)
    kinetic = 0.5 * MASS * of_centre @ of_centre + 0.5 * w @ MOMENTS @ w
    np.testing.assert_allclose(found["energy"][0], (kinetic, -MASS * GRAVITY @ centre))
    linear = MASS * of_centre
    angular = R @ MOMENTS @ w + np.cross(centre, linear)
    np.testing.assert_allclose(found["momentum"][0], (*angular, *linear), atol=1e-14)
    np.testing.assert_allclose(found["moment"][0], (MASS, *(MASS * centre)), atol=1e-14)


def test_moment_columns_are_the_momentum_of_unit_velocities(free_body, rng):
    q = rng.normal(size=7)
    columns = run(MOMENT_COLUMNS, *free_body, inputs(q, np.zeros(6)), GRAVITY)["columns"][0]
    for k, unit in enumerate(np.eye(6)):
        momentum = run(BALANCE, *free_body, inputs(q, unit), GRAVITY)["momentum"][0]
        np.testing.assert_allclose(columns[3 * k : 3 * k + 3], momentum[3:], atol=1e-14)
