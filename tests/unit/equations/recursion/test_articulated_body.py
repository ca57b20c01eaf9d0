"""Forward dynamics undoes inverse dynamics; solving undoes multiplying. On plain numbers."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.articulated_body import FORWARD, FORWARD_LOADED, SOLVE, STATE
from jourdain.equations.recursion.composite_body import MULTIPLY
from jourdain.equations.recursion.newton_euler import INVERSE, INVERSE_LOADED
from jourdain.equations.recursion.sweeps import run
from jourdain.system.description import Description
from jourdain.testing import random_model, random_state

GRAVITY = np.array((1.0, -2.0, -9.81))


@pytest.fixture(params=[1, 2, 3])
def machine(request):
    """Links, layout and inputs of a random tree with drives, scalar coordinates and forces."""
    model = random_model(request.param, 5, n_coordinates=1)
    description = Description(model, share=False)
    system = jd.compile(model, execution=jd.Plain())
    rng = np.random.default_rng(request.param)
    q, v, vdot, t = random_state(system, rng)
    n_e = description.layout.n_e
    drives = description.drives(t, []) if n_e else (np.zeros(0),) * 3
    inputs = {"q": q, "v": v, "vdot": vdot, "t": t}
    inputs |= {name: np.array(x).ravel() for name, x in zip(("e", "e1", "e2"), drives, strict=True)}
    inputs["wrench"] = rng.normal(size=6 * description.layout.n_bodies)
    return description.links, description.layout, inputs


def evaluated(recursion, machine, name, **more):
    links, layout, inputs = machine
    parts = run(recursion, links, layout, inputs | more, GRAVITY)[name]
    listed = layout.start("q" if name == "qdot" else "v")
    order = np.argsort(listed, kind="stable")
    return np.concatenate([np.asarray(parts[i], dtype=float).ravel() for i in order])


@pytest.mark.parametrize(
    ("forward", "inverse"), [(FORWARD, INVERSE), (FORWARD_LOADED, INVERSE_LOADED)]
)
def test_forward_undoes_inverse(machine, forward, inverse):
    vdot = machine[2]["vdot"]
    tau = evaluated(inverse, machine, "tau")
    found = evaluated(forward, machine, "vdot", tau=tau)
    np.testing.assert_allclose(found, vdot, rtol=0, atol=1e-9)


def test_state_gives_both_rates(machine):
    tau = np.zeros_like(machine[2]["v"])
    for name in ("qdot", "vdot"):
        assert np.isfinite(evaluated(STATE, machine, name, tau=tau)).all()
    same = evaluated(FORWARD, machine, "vdot", tau=tau)
    np.testing.assert_array_equal(evaluated(STATE, machine, "vdot", tau=tau), same)


def test_solving_undoes_multiplying(machine):
    x = np.linspace(-1.0, 1.0, len(machine[2]["v"]))
    product = evaluated(MULTIPLY, machine, "tau", vdot=x)
    np.testing.assert_allclose(evaluated(SOLVE, machine, "vdot", tau=product), x, atol=1e-9)
