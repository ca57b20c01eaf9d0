from __future__ import annotations

import json

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.pages import packing
from jourdain.viz.pages.animate import still
from jourdain.viz.pages.content import Wishes, content


@pytest.fixture(scope="module")
def data(solution):
    return content({"": solution}, Wishes(plots=["pivot.force", "rail.position"]))


def test_json_can_hold_it(data):
    json.dumps(data, allow_nan=False)


def test_the_motion_is_kept_far_below_what_is_seen(data, solution):
    packed = data["solutions"][0]
    found = packing.untable(packed["motion"]).reshape(len(solution.time), 3, 7)
    for k, name in enumerate(("cart", "rope", "load")):
        error = np.abs(found[:, k, :3] - solution.values(f"{name}.position")).max()
        assert error < 1.5e-5 * data["machine"]
        exact = solution.values(f"{name}.orientation")
        sign = np.sign(np.sum(exact * found[:, k, 3:], axis=1, keepdims=True))
        assert np.abs(found[:, k, 3:] * sign - exact).max() < 1.5e-5


def test_charts_have_panels_curves_and_all_points(data, solution):
    force, rail = data["charts"]
    assert [curve["label"] for curve in force["curves"]] == ["x", "y", "z"]
    assert (rail["label"], rail["unit"]) == ("rail.position [m]", "m")
    np.testing.assert_array_equal(packing.unplain(rail["curves"][0]["times"]), solution.time)
    values = packing.unplain(rail["curves"][0]["values"])
    np.testing.assert_allclose(values, solution.values("rail.position"), rtol=1e-6)


def test_events_are_listed(data, solution):
    assert data["events"] == [{"name": "turn", "time": e.time} for e in solution.events]
    assert len(data["events"]) >= 2


def test_of_many_events_the_first_are_listed(solution, monkeypatch):
    monkeypatch.setattr("jourdain.viz.pages.content._MOST_EVENTS", 1)
    data = content({"": solution}, Wishes())
    assert len(data["events"]) == 1
    assert data["more_events"] == len(solution.events) - 1


def test_a_ghost_is_a_second_solution_with_dashed_curves(solution, other):
    wishes = Wishes(plots=["rail.position"])
    data = content({"one": solution, "two": other}, wishes)
    assert len(data["solutions"]) == 2
    assert "joints" not in data["solutions"][1]
    labels = [(c["label"], c["dashed"]) for c in data["charts"][0]["curves"]]
    assert labels == [("rail.position, one", False), ("rail.position, two", True)]
    assert data["subtitle"].endswith("one, with two as ghost")


def test_a_still_has_no_charts_no_arrows_and_does_not_play(crane):
    data = content({"": still(crane, {"pivot.angle_2": 0.3})}, Wishes())
    assert (data["autoplay"], data["charts"], data["scales"]) == (False, [], [])
    assert data["solutions"][0]["arrows"] == []
    assert data["subtitle"] == "3 bodies, 3 joints"


def test_wishes_are_granted(solution):
    wishes = Wishes([], title="A title", speed=0.5, view=(1.0, 2.0), show=("forces",), theme="dark")
    data = content({"": solution}, wishes)
    assert (data["title"], data["speed"], data["view"]) == ("A title", 0.5, [1.0, 2.0])
    assert (data["layers"], data["theme"], data["charts"]) == ({"forces": True}, "dark", [])
    assert data["step"] == pytest.approx(0.5 / 60.0)


def test_scales_tell_what_a_square_stands_for(data):
    force = next(scale for scale in data["scales"] if scale["layer"] == "forces")
    assert force["text"].startswith("force: 0.5 m (a square) = ")


def test_parameters_of_the_run_shape_the_bodies(crane):
    sol = jd.simulate(crane, 0.1, parameters={"length": 1.0})
    data = content({"": sol}, Wishes())
    assert data["solutions"][0]["bodies"][1]["shapes"][0]["size"] == [0.0, 0.0, -1.0]


@pytest.mark.slow
def test_a_minute_of_a_hundred_bodies_fits_into_five_megabytes():
    model = jd.Model("swarm")
    for k in range(100):
        bob = model.add_body(f"bob_{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.2 - 0.01 * k)))
        pivot = model.world.at(0.1 * (k % 10), 0.1 * (k // 10), 3)
        model.add_joint(f"pivot_{k}", pivot, bob, jd.Universal("x", "y"))
    start = {f"pivot_{k}.angle_{i}": 0.3 + 0.01 * k for k in range(100) for i in (1, 2)}
    sol = jd.simulate(model, 60.0, start=start, sample=0.05)
    page = jd.animate(sol)
    data = json.loads(page.text.split('type="application/json">')[1].split("</script>")[0])
    assert data["solutions"][0]["motion"]["rows"] >= 3000
    assert len(page.text.encode()) < 5_000_000


def test_pieces_of_a_flexible_body_look_as_it_does():
    model = jd.Model("arm")
    steel = jd.flexible.circle(jd.flexible.STEEL, 0.01)
    arm = jd.flexible.beam(0.5, steel, modes=2)
    arm = model.add_body("arm", arm, colour="#123456", opacity=0.5)
    model.add_joint("hinge", model.world, arm.at(0, 0, 0), jd.Revolute("y"))
    bodies = content({"": still(model)}, Wishes())["solutions"][0]["bodies"]
    assert {(body["colour"], body["opacity"]) for body in bodies} == {("#123456", 0.5)}
