"""Planets that can be assembled, and the torques of a set."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

X, Y, Z = (jd.Coordinate(n) for n in "xyz")


def test_torques_balance():
    """Sun, ring and carrier get torques as z_S : z_R : −(z_S + z_R), of no power together."""
    model = jd.Model("set", gravity=(0, 0, 0))
    names = ("sun", "ring", "carrier")
    angles = [model.add(n, pt.Shaft(0.1)).angle for n in names]
    model.add("set", pt.PlanetarySet(*angles, teeth=(30, 60)))
    model.add_connection("push", angles[0], jd.Force(5.0))
    sol = jd.simulate(model, 0.2)
    sun, ring, carrier = (sol.values(f"set.torque_{n}") for n in names)
    np.testing.assert_allclose(ring, 2.0 * sun, rtol=1e-12)
    np.testing.assert_allclose(sun + ring + carrier, 0.0, atol=1e-12)
    np.testing.assert_allclose(0.1 * sol.final["sun.angle.rate"], 0.2 * (5.0 + sun[-1]), rtol=1e-8)
    power = sum(sol.values(f"set.torque_{n}") * sol.values(f"{n}.speed") for n in names)
    np.testing.assert_allclose(power, 0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("teeth", "planets", "text"),
    [
        ((34, 78), 3, "112 teeth are no multiple of 3. Of up to eight planets 2, 4, 7, 8 can be"),
        ((34, 79), 3, "would have 22.5 teeth"),
        ((60, 30), 3, "60.0 teeth on its sun and 30.0 on its ring"),
        ((30, 60), 0, "planets of PlanetarySet is 0"),
        ((30,), 3, "give those of sun and ring"),
        ((0, 30), 3, "teeth of PlanetarySet"),
    ],
)
def test_planets_that_cannot_be_assembled(teeth, planets, text):
    with pytest.raises(ModelError, match=text):
        pt.PlanetarySet(X, Y, Z, teeth=teeth, planets=planets)
