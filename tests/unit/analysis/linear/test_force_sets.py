"""Contact forces that are not unique, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def ladder(degrees=60.0):
    """V10: 10 kg, 4 m, between a rough floor and a rough wall."""
    angle = np.radians(degrees)
    model = jd.Model("ladder")
    rod = model.add_body("rod", jd.solid.rod(mass=10.0, end=(4.0, 0, 0)))
    model.add_joint("plane", model.world, rod, jd.Planar("y"))
    wall = model.world.at(4.0 * np.cos(angle), 0, 0, rotation=jd.rotation_y(-np.pi / 2))
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Point(rod), jd.Coulomb(0.4))
    model.add_contact("wall", jd.HalfSpace(wall), jd.Point(rod.at(4.0, 0, 0)), jd.Coulomb(0.3))
    return model, {"plane.angle": -angle}


def test_ladder():
    model, place = ladder()
    rest = jd.equilibrium(model, place)
    assert rest["plane.angle"] == pytest.approx(place["plane.angle"], abs=1e-9)
    assert {x.word for x in rest.contacts} == {"stick"}
    forces = rest.contact_forces
    floor, wall = forces.intervals["floor.normal_force"], forces.intervals["wall.normal_force"]
    assert floor == pytest.approx((90.858547205025, 108.375473413531), abs=1e-6)
    assert wall == pytest.approx((24.138175983249, 34.251578045104), abs=1e-6)
    widths = [n for n in forces.intervals if n.startswith("wall.friction")]
    (friction,) = (forces.intervals[n] for n in widths)
    low, high = sorted(np.abs(friction))
    assert (high, low) == pytest.approx((10.275473413531, 7.241452794975), abs=1e-6)
    assert "wall.normal_force" in forces.not_unique
    assert forces.least_use == pytest.approx(0.6814695518, abs=1e-7)


def test_a_ladder_at_its_smallest_angle():
    """At 47.726 degrees all friction is used up: it stands a little above, and not below."""
    uses = [jd.equilibrium(*ladder(47.726310993906 + d)).contact_forces.least_use
            for d in (0.05, 0.5)]  # fmt: skip
    assert 0.98 < uses[1] < uses[0] < 1.0
    slope = (uses[1] - uses[0]) / 0.45
    assert uses[0] - 0.05 * slope == pytest.approx(1.0, abs=1e-4)


def test_forces_of_a_block_are_unique():
    model = jd.Model("block", gravity=(1.0, 0, -9.81))
    box = model.add_body("box", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint("plane", model.world, box, jd.Prismatic("x") * jd.Prismatic("z"))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(box, 0.1), jd.Coulomb(0.3))
    rest = jd.equilibrium(model, {"plane.position_2": 0.1})
    forces = rest.contact_forces
    assert forces.not_unique == ()
    assert forces.intervals["floor.normal_force"] == pytest.approx((19.62, 19.62))
    assert forces.least_use == pytest.approx(1.0 / 9.81 / 0.3, rel=1e-6)
