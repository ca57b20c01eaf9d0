"""Elastic shafts."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt


@pytest.mark.parametrize("part", [pt.ElasticShaft(0.6, 5e3, discs=4), pt.ConsistentShaft(0.6, 5e3)])
def test_whole_inertia_and_static_twist(part):
    """Under T at one end it turns as a whole; with the other end held it is twisted by T/c."""
    model = jd.Model("shaft", gravity=(0, 0, 0))
    shaft = model.add("shaft", part)
    model.add_connection("push", shaft.a, jd.Force(9.0))
    sol = jd.simulate(model, 0.5)
    turning = sum(x.inertia * sol.final[f"{n}.rate"] for n, x in model.coordinates.items())
    assert turning == pytest.approx(4.5, rel=1e-9)
    model.add_connection("hold", shaft.b, jd.Equal())
    assert jd.equilibrium(model)[shaft.a.name] == pytest.approx(9.0 / 5e3, rel=1e-9)


@pytest.mark.parametrize("n", [8, 16])
def test_chain_converges_to_the_continuous_shaft(n):
    """First free frequency √(c/J)/2 less a part of 1/(2n)."""
    model = jd.Model("shaft", gravity=(0, 0, 0))
    model.add("shaft", pt.ElasticShaft(0.6, 5e3, discs=n))
    first = min(m.frequency for m in jd.eigenmodes(model) if m.frequency > 1.0)
    exact = 0.5 * np.sqrt(5e3 / 0.6)
    assert 1.0 - first / exact == pytest.approx(0.5 / n, rel=0.15)


def test_too_few_discs():
    with pytest.raises(ModelError, match=r"give 2 or more; a rigid shaft is pt.Shaft"):
        pt.ElasticShaft(0.1, 100.0, discs=1)
