"""The rigid shaft."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt


def test_a_rigid_shaft_is_no_elastic_one():
    """What is joined to one angle could belong to either end: it is refused, not guessed."""
    model = jd.Model("m", gravity=(0, 0, 0))
    one, two = (model.add(n, pt.Shaft(1.0)) for n in ("one", "two"))
    model.add("gear", pt.Gear(one.angle, two.angle, 2.0))
    with pytest.raises(ModelError, match="has the ports angle"):
        model.replace("one", pt.ElasticShaft(1.0, 1e4, discs=3))
    model.replace("one", pt.Shaft(3.0))
    assert model.coordinates["one.angle"].inertia == 3.0


@pytest.mark.parametrize("inertia", [0.0, -1.0, "heavy"])
def test_inertia_is_positive(inertia):
    with pytest.raises(ModelError, match="inertia of Shaft"):
        pt.Shaft(inertia)
