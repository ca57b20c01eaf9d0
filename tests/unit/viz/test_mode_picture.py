"""Pictures of modes: arrows point where the bodies move, all at one moment."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.mode_picture import arrow_lines, skeleton

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def double_pendulum():
    model, carrier = jd.Model("double"), None
    for k in range(2):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
        model.add_joint(f"pin_{k}", carrier or model.world, rod, jd.Revolute("y"))
        carrier = rod.at(0, 0, -0.5)
    return model


def test_arrows_have_the_signs_of_the_mode():
    """Both rods swing to one side in the first mode, to both sides in the second."""
    for k, sign in ((0, 1.0), (1, -1.0)):
        mode = jd.eigenmodes(double_pendulum())[k]
        arrows = skeleton(mode).arrows()
        upper, lower = (next(a.vector[0] for a in arrows if a.body == f"rod_{i}") for i in (0, 1))
        one, two = (x.real for x in mode.shape.values())
        expected = (0.5 * one + 0.25 * (one + two)) / (0.25 * one)  # of the middles of the rods
        assert lower / upper == pytest.approx(expected, abs=0.1)
        assert np.sign(lower / upper) == sign
        assert len(arrow_lines(skeleton(mode))) >= 2


def test_picture_of_bodies_and_of_coordinates():
    mode = jd.eigenmodes(double_pendulum())[0]
    (own,) = jd.plot(mode)
    assert (own.get_xlabel(), own.get_ylabel()) == ("x [m]", "z [m]")
    assert own.get_title().startswith("mode 0: ")
    (own,) = jd.plot(mode, "y", "z")
    assert own.get_xlabel() == "y [m]"
    with pytest.raises(jd.ModelError, match="seen along two axes"):
        jd.plot(mode, "x")
    model = jd.Model("shafts")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 2.0)
    model.add_connection("c", jd.Coordinate("b") - jd.Coordinate("a"), jd.Spring(3.0))
    (own,) = jd.plot(jd.eigenmodes(model)[1])
    assert sorted(bar.get_height() for bar in own.patches) == pytest.approx([-0.5, 1.0])


def test_pages_and_renderings(tmp_path):
    mode = jd.eigenmodes(double_pendulum())[1]
    page = jd.animate(mode)
    assert page.title.startswith("double, mode 1: ")
    assert "rod_1 motion" in page.text
    assert jd.render(mode, tmp_path / "mode.png", size=(160, 90)).stat().st_size > 500
