from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.pages import packing, tracks
from jourdain.viz.pages.keyframes import keyframes
from jourdain.viz.shapes.framing import Framing


@pytest.fixture
def made(solution):
    return tracks.Tracks(solution, keyframes(solution))


def test_an_element_has_its_quantities_but_accelerations(made):
    rows = made.of("pivot")
    labels = [row["label"] for row in rows]
    assert labels[:4] == ["angle 1", "angle 2", "rate 1", "rate 2"]
    assert "force x" in labels
    assert not any("acceleration" in label for label in labels)
    assert rows[0] == {"label": "angle 1", "name": "pivot.angle_1", "unit": "rad"}


def test_applied_forces_are_shown_where_there_are_some(made, crane):
    assert not any("applied" in row["label"] for row in made.of("pivot"))
    pushed = jd.simulate(crane, 0.1, inputs={"rail.position": 3.0})
    labels = [row["label"] for row in tracks.Tracks(pushed, keyframes(pushed)).of("rail")]
    assert "applied force" in labels


def test_the_page_gets_the_numbers_of_the_solution(made, solution):
    made.require("pivot.angle_2")
    made.require("load.position")
    content = made.content()
    assert content["names"] == ["pivot.angle_2", *(f"load.position.{axis}" for axis in "xyz")]
    found = packing.untable(content["table"])
    for k, name in enumerate(content["names"]):
        exact = solution.values(name)
        np.testing.assert_allclose(found[:, k], exact, atol=1.1e-5 * np.abs(exact).max())
    np.testing.assert_array_equal(packing.unplain(content["times"]), solution.time)


def test_too_many_numbers_are_thinned_in_time(made, solution, monkeypatch):
    monkeypatch.setattr(tracks, "_MOST_NUMBERS", 50)
    made.require("pivot.angle_2")
    times = packing.unplain(made.content()["times"])
    assert len(times) <= 51
    assert (times[0], times[-1]) == (solution.time[0], solution.time[-1])


def test_rounding_errors_are_zeros(made, solution):
    made.require("hook.force")
    made.require("hook.torque")  # of a ball joint: nothing but rounding
    assert 0.0 < np.abs(solution.values("hook.torque")).max() < 1e-10
    content = made.content()
    found = packing.untable(content["table"])
    assert np.all(found[:, 3:] == 0.0)
    assert np.abs(found[:, :3]).max() > 100.0


def test_nothing_asked_gives_nothing(made):
    assert made.content() is None


@pytest.mark.parametrize(("largest", "newtons"), [(70.0, 50.0), (71.0, 100.0), (0.0014, 0.001)])
def test_a_square_of_the_floor_is_a_round_number_of_newtons(made, largest, newtons):
    scene = Framing(np.eye(3), np.array(((0, 0, 0), (2.0, 2.0, 2.0))), 2.0)
    made.note_largest("force", largest)
    scale = made.scale("force", scene)
    assert scene.grid / scale == pytest.approx(newtons)
    assert largest * scale <= 0.35 * scene.machine * 1.001


def test_forces_and_weights_have_one_scale(made):
    scene = Framing(np.eye(3), np.array(((0, 0, 0), (2.0, 2.0, 2.0))), 2.0)
    made.note_largest("force", 1.0)
    made.note_largest("weight", 700.0)
    made.note_largest("torque", 3.0)
    assert made.scale("force", scene) == made.scale("weight", scene) < made.scale("torque", scene)


def test_without_forces_the_scale_is_one(made):
    assert made.scale("force", Framing(np.eye(3), np.array(((0, 0, 0), (1, 1, 1))), 1.0)) == 1.0


def test_what_is_not_finite_becomes_zero_and_spoils_no_other_number(solution):
    own = tracks.Tracks(solution, keyframes(solution))
    n = len(own.frames.times)
    own.add(np.column_stack([np.full(n, np.nan), np.linspace(1.0, 2.0, n), np.full(n, np.inf)]))
    found = packing.untable(own.content()["table"])
    assert not found[:, [0, 2]].any()
    np.testing.assert_allclose(found[[0, -1], 1], (1.0, 2.0), atol=1e-4)
