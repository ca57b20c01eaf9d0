"""What constraint rows ask of a tree, against the other recursions."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.constraint_sweep import CONSTRAINT_SWEEP, LOADED_CONSTRAINT_SWEEP
from jourdain.equations.recursion.sweeps import run
from jourdain.testing import random_model, random_state


@pytest.fixture(params=[0, 1])
def moving(request):
    """Random driven tree with its plain system and a state."""
    rng = np.random.default_rng(request.param)
    system = jd.compile(random_model(rng, 4, driven=True, n_coordinates=1), execution=jd.Plain())
    return system, random_state(system, rng), rng


def results(recursion, system, q, v, t, **more):
    """Outputs of the recursion link by link, and the layout."""
    d = system.description
    drives = d.drives(t, []) if d.drives else (np.zeros(0),) * 3
    given = {f"e{k or ''}": np.array(x).reshape(-1) for k, x in enumerate(drives)}
    given |= {"q": q, "v": v, "t": t, **more}
    return run(recursion, d.links_for({}), d.layout, given, d.gravity({})), d.layout


def test_mass_matrix_and_bias(moving):
    """M from mode vectors and momenta (CD-5), forces h, motion at zero accelerations."""
    system, (q, v, _, t), rng = moving
    n, n_bodies = len(system.names.v), len(system.model.bodies)
    wrenches = rng.normal(size=(system.description.layout.n_bodies, 6))
    wrenches[n_bodies:] = 0.0
    found, layout = results(LOADED_CONSTRAINT_SWEEP, system, q, v, t, wrench=wrenches.ravel())
    columns, momenta, bias = np.zeros((n, 9)), np.zeros((n, 7)), np.zeros(n)
    for k, start in enumerate(layout.v_start):
        rows = slice(start, start + len(found["bias"][k]))
        columns[rows] = np.reshape(found["columns"][k], (-1, 9))
        momenta[rows] = np.reshape(found["momenta"][k], (-1, 7))
        bias[rows] = found["bias"][k]
    M = system.mass_matrix(q, t)
    for k, i in zip(*np.nonzero(np.tril(M)), strict=True):
        inner, outer = (i, k) if abs(M[k, i]) > 0 and _carries(system, i, k) else (k, i)
        w, u, p = np.split(columns[inner], 3)
        n_k, f_k, rotor = np.split(momenta[outer], (3, 6))
        entry = w @ n_k + (u + np.cross(w, columns[outer, 6:] - p)) @ f_k + (rotor[0] * (k == i))
        assert entry == pytest.approx(M[k, i], rel=1e-11, abs=1e-11)
    wanted = system.inverse_dynamics(q, v, np.zeros(n), t, wrenches=wrenches[:n_bodies])
    np.testing.assert_allclose(bias, wanted, rtol=1e-10, atol=1e-10)


def _carries(system, i, k):
    """Whether the link of velocity i carries that of velocity k."""
    d = system.description
    number = {}
    for j, (link, start) in enumerate(zip(d.links, d.layout.v_start, strict=True), 1):
        number |= dict.fromkeys(range(start, start + link.n_v), j)
    j = number[k]
    while j and j != number[i]:
        j = d.links[j - 1].inboard
    return j == number[i]


def test_motion_of_the_bodies(moving):
    system, (q, v, _, t), _ = moving
    found, layout = results(CONSTRAINT_SWEEP, system, q, v, t)
    poses, twists, accelerations = system.kinematics(q, v, np.zeros(len(v)), t)
    for k, body in enumerate(layout.body):
        if body < len(poses):
            np.testing.assert_allclose(
                np.reshape(found["pose"][k], (4, 4)), poses[body], atol=1e-13
            )
            np.testing.assert_allclose(found["twist"][k], twists[body], atol=1e-12)
            np.testing.assert_allclose(found["acceleration"][k], accelerations[body], atol=1e-11)
