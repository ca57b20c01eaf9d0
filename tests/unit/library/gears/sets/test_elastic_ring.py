"""Waves of an elastic ring, and what a mesh does to them (4.F53, 4.V29)."""

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import gears

RING = gears.ElasticRing(0.08, thickness=6e-3, width=0.03, waves=4)


def test_frequencies():
    """4.V29: with rotary inertia of the sections, each twice."""
    found = [math.sqrt(k / m) / (2.0 * math.pi) for m, k in map(RING.wave, (2, 3, 4))]
    np.testing.assert_allclose(found, [597.53, 1688.25, 3231.91], rtol=5e-6)
    A, I, R = 0.03 * 6e-3, 0.03 * 6e-3**3 / 12.0, 0.08
    for i, frequency in zip((2, 3, 4), found, strict=True):
        square = 2.1e11 * I / (7850.0 * A * R**4) * i**2 * (i**2 - 1) ** 2
        square /= i**2 + 1 + I / (A * R**2) * (i**2 - 1) ** 2
        assert 2.0 * math.pi * frequency == pytest.approx(math.sqrt(square), rel=1e-12)


def test_the_rim_is_inextensible():
    """U' = −v everywhere."""

    class At:
        def coordinate(self, name):
            return {"a": 0.3, "b": -0.2, "c": 0.1, "d": 0.5}[name]

    rim = gears.Rim(("a", "c"), ("b", "d"))
    phi = np.linspace(0.0, 6.0, 13)
    ahead = [rim.displacement(p + h, At())[1] for h in (1e-5, -1e-5) for p in phi]
    slope = (np.array(ahead[:13]) - np.array(ahead[13:])) / 2e-5
    out = [rim.displacement(p, At())[0] for p in phi]
    np.testing.assert_allclose(slope, -np.array(out), atol=1e-8)


def test_a_tooth_force_bends_the_rim():
    """Static: K q_i = N sin α and K r_i = N cos α/i at the angle of the mesh, here zero."""
    teeth = gears.Teeth((25, -85), 2e-3)
    model = jd.Model("ring", gravity=(0, 0, 0))
    disc = jd.solid.cylinder(mass=1.0, radius=0.03, length=0.02, axis="z")
    ring, wheel = model.add_body("ring", disc), model.add_body("wheel", disc)
    model.add_joint("ring_hinge", model.world, ring, jd.Revolute("z"))
    model.add_joint("hinge", model.world.at(teeth.axis_distance, 0, 0), wheel, jd.Revolute("z"))
    rim = model.add("rim", RING).rim
    model.add("mesh", gears.Mesh(wheel, ring, teeth, gears.Elastic(3e8), rim=rim))
    model.add_connection("hold", jd.Coordinate("ring_hinge.angle"), jd.Equal())
    model.add_connection("push", jd.Coordinate("hinge.angle"), jd.Force(50.0))
    rest = jd.equilibrium(model)
    force, alpha = 50.0 / teeth.base_radii[0], teeth.working_angle
    for i in (2, 3, 4):
        stiffness = RING.wave(i)[1]
        assert rest[f"rim.cos_{i}.value"] == pytest.approx(
            force * math.sin(alpha) / stiffness, rel=2e-3
        )
        assert rest[f"rim.sin_{i}.value"] == pytest.approx(
            force * math.cos(alpha) / i / stiffness, rel=2e-3
        )


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"waves": 1}, "waves of ElasticRing is 1: give 2, 3, 4"),
        ({"thickness": 0.05}, "the ring has to be thin"),
        ({"radius": 0.0}, "radius of ElasticRing"),
    ],
)
def test_wrong_input(change, text):
    with pytest.raises(ModelError, match=text):
        gears.ElasticRing(**{"radius": 0.08, "thickness": 6e-3, "width": 0.03} | change)


def test_shafts_have_no_rim():
    x = jd.Coordinate("x")
    with pytest.raises(ModelError, match="its waves need bodies"):
        gears.Mesh(
            x, jd.Coordinate("y"), gears.Teeth((20, -60), 2e-3), rim=gears.Rim(("a",), ("b",))
        )
