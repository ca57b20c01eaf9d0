"""Ideal gears and the differential."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

X, Y, Z = (jd.Coordinate(n) for n in "xyz")


def axle(friction=0.0):
    model = jd.Model("axle", gravity=(0, 0, 0))
    names = ("shaft", "left", "right")
    angles = [model.add(n, pt.Shaft(J)).angle for n, J in zip(names, (0.1, 1.0, 3.0), strict=True)]
    model.add("axle", pt.Differential(*angles, ratio=4.0, friction=friction))
    model.add_connection("push", angles[0], jd.Force(20.0))
    return model


def test_both_sides_get_the_same_torque():
    sol = jd.simulate(axle(), 1.0)
    torque = sol.values("axle.torque")
    assert sol.final["left.angle.rate"] == pytest.approx(torque[0] / 1.0, rel=1e-9)
    assert sol.final["right.angle.rate"] == pytest.approx(torque[0] / 3.0, rel=1e-9)
    mean = 0.5 * (sol.values("left.speed") + sol.values("right.speed"))
    np.testing.assert_allclose(sol.values("shaft.speed"), 4.0 * mean, atol=1e-10)


def test_friction_moves_torque_to_the_slower_side():
    sol = jd.simulate(axle(friction=5.0), 1.0)
    torque = sol.values("axle.torque")[0]
    assert sol.final["left.angle.rate"] == pytest.approx(torque - 5.0, rel=1e-9)
    assert sol.final["right.angle.rate"] == pytest.approx((torque + 5.0) / 3.0, rel=1e-9)


@pytest.mark.parametrize(
    "made", [lambda: pt.Gear(X, Y, 0.0), lambda: pt.Differential(X, Y, Z, 0.0)]
)
def test_ratios_are_not_zero(made):
    with pytest.raises(ModelError, match="is 0: the input would stand still"):
        made()
