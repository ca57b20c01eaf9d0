"""Scalar coordinates as wheels and slides: they turn in proportion, numbers are the run's."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.pages.content import Wishes
from jourdain.viz.pages.stand_ins import stand_in_content
from jourdain.viz.pages.wheels import has_wheels, wheels


@pytest.fixture(scope="module")
def run():
    model = jd.Model("train", gravity=(0, 0, 0))
    engine = jd.Coordinate(model.add_coordinate("engine", 0.2))
    gear = jd.Coordinate(model.group("box").add_coordinate("gear", 0.05))
    car = jd.Coordinate(model.add_coordinate("car", 1000.0, unit="m"))
    model.add_connection("shaft", engine - 3.0 * gear, jd.Spring(500.0))
    model.add_connection("tyre", 0.3 * gear - car, jd.Equal())
    return jd.simulate(model, 2.0, start={"engine.rate": 90.0, "box.gear.rate": 30.0,
                                          "car.rate": 9.0})  # fmt: skip


def test_wheels_turn_as_the_coordinates_do_drawn_smaller(run):
    shown = wheels(run)
    assert list(shown.solution.model.bodies) == ["engine", "box.gear", "car"]
    turned = shown.solution.values("engine.angle")[1:] / run.values("engine")[1:]
    np.testing.assert_allclose(turned, turned[-1])
    ratio = shown.solution.values("engine.angle")[-1] / shown.solution.values("box.gear.angle")[-1]
    assert ratio == pytest.approx(run.values("engine")[-1] / run.values("box.gear")[-1])
    assert 1.0 / turned[-1] == pytest.approx(round(1.0 / turned[-1]))
    assert f"turning drawn {1.0 / turned[-1]:.0f} times smaller" in shown.note
    speed = np.gradient(run.values("engine"), run.time) * turned[-1]
    assert 1.0 < speed.max() < 4.1
    assert "ways in m drawn 50 times smaller" in shown.note
    assert {link.name for link in shown.links} == {"shaft", "tyre"}


def test_small_motions_are_drawn_larger():
    model = jd.Model("swing", gravity=(0, 0, 0))
    wheel = jd.Coordinate(model.add_coordinate("wheel", 1.0))
    model.add_connection("spring", wheel, jd.Spring(400.0))
    shown = wheels(jd.simulate(model, 1.0, start={"wheel": 1e-3}))
    swing = np.ptp(shown.solution.values("wheel.angle"))
    assert 0.3 < swing <= 0.801
    assert "times larger" in shown.note


def test_the_page_has_numbers_and_curves_of_the_run(run):
    data = stand_in_content({"": run}, Wishes())
    names = [own["name"] for own in data["charts"][0]["curves"]]
    assert names == ["engine.rate", "box.gear.rate"]
    assert [own["name"] for own in data["charts"][1]["curves"]] == ["car.rate"]
    main = data["solutions"][0]
    gear = main["bodies"][1]
    assert {row["name"] for row in gear["values"]} >= {"box.gear.rate"}
    assert gear["note"] == "inertia 0.05 kg m²"
    assert data["standsIn"]
    assert main["joints"] == []


def test_a_model_of_coordinates_is_shown_and_one_of_nothing_is_not(run):
    assert has_wheels(run.model)
    assert not has_wheels(jd.Model("none"))
    assert "engine" in jd.show(run.model).text
    with pytest.raises(jd.ModelError, match="no body and no coordinate"):
        jd.show(jd.Model("none"))
