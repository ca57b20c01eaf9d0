"""Steps that are traced once per kind of link give what they give link by link."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion import articulated_body, kinematics, newton_euler, repeated_steps
from jourdain.system.description import Description
from jourdain.system.execution import symbolic
from jourdain.testing import random_model

RECURSIONS = (articulated_body.STATE_LOADED, kinematics.KINEMATICS, newton_euler.INVERSE)


def values(recursion, model, seed):
    inputs, outputs = symbolic(recursion, Description(model, share=False))
    rng = np.random.default_rng(seed)
    f = ca.Function("f", list(inputs.values()), list(outputs.values()))
    given = [rng.normal(size=x.numel()) for x in inputs.values()]
    return [np.array(x).ravel() for x in f.call(given)]


@pytest.mark.parametrize("recursion", RECURSIONS, ids=lambda r: r.name)
@pytest.mark.parametrize("seed", [0, 1])
def test_traced_once_or_link_by_link(recursion, seed, monkeypatch):
    kinds = (jd.Revolute("z"), jd.Prismatic((0.6, 0.0, 0.8)), jd.Spherical(), jd.Fixed())
    model = random_model(np.random.default_rng(seed), 14, kinds=kinds, driven=True)
    found = values(recursion, model, seed)
    monkeypatch.setattr(repeated_steps, "LEAST", 10**9)
    for a, b in zip(found, values(recursion, model, seed), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12 * np.abs(b).max(initial=1.0))
