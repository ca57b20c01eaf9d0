"""One run of a crane that swings, for all tests of pictures."""

from __future__ import annotations

import pytest

import jourdain as jd


@pytest.fixture(scope="package")
def crane():
    model = jd.Model("crane")
    length = jd.Parameter("length", 2.0, "m")
    cart = model.add_body("cart", jd.solid.box(mass=50.0, size=(0.6, 0.4, 0.2)))
    rope = model.add_body("rope", jd.solid.rod(mass=1.0, end=(0, 0, -length)))
    load = model.add_body("load", jd.solid.ball(mass=20.0, radius=0.2))
    model.add_joint("rail", model.world.at(0, 0, 3), cart, jd.Prismatic("x"))
    model.add_joint("pivot", cart, rope, jd.Universal("x", "y"))
    model.add_joint("hook", rope.at(0, 0, -length), load, jd.Spherical())
    model.add_frame("ring", load.at(0, 0, -0.2))
    return model


@pytest.fixture(scope="package")
def solution(crane):
    events = {"turn": lambda t, s: s["pivot.rate_2"]}
    start = {"pivot.angle_2": 0.4, "pivot.angle_1": 0.2, "rail.velocity": 0.5}
    return jd.simulate(crane, 4.0, start=start, events=events, sample=0.02)


@pytest.fixture(scope="package")
def other(crane):
    return jd.simulate(crane, 4.0, start={"pivot.angle_2": 0.3}, sample=0.02)
