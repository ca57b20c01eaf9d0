from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.viz.pages.animate import still


def data_of(page):
    return json.loads(page.text.split('type="application/json">')[1].split("</script>")[0])


def test_the_page_is_written(solution, tmp_path):
    page = jd.animate(solution, tmp_path / "crane.html", plots=["rail.position"], traces=["load"])
    assert page.path == tmp_path / "crane.html"
    assert page.path.read_text(encoding="utf-8") == page.text
    assert data_of(page)["title"] == page.title == "crane"


def test_without_a_path_nothing_is_written(solution, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert jd.animate(solution).path is None
    assert list(tmp_path.iterdir()) == []


def test_several_solutions_by_name(solution, other):
    data = data_of(jd.animate({"soft": solution, "stiff": other}))
    assert [own["label"] for own in data["solutions"]] == ["soft", "stiff"]


def test_a_ghost_gets_a_name(solution, other):
    data = data_of(jd.animate(solution, ghost=other))
    assert [own["label"] for own in data["solutions"]] == ["this run", "other run"]
    data = data_of(jd.animate({"other run": solution}, ghost=other))
    assert [own["label"] for own in data["solutions"]] == ["other run", "ghost"]


def test_a_model_is_shown_in_a_position(crane):
    data = data_of(jd.show(crane, start={"rail.position": 0.7}))
    assert data["span"] == [0.0, 0.0]
    assert data["box"][0][0] == pytest.approx(0.4)  # the cart is 0.6 m long


def test_a_still_rests_even_where_forces_have_no_answer():
    model = jd.Model("massless")
    model.add_body("frame", jd.Inertia(0.0))
    position = still(model, {"frame.position": (1.0, 2.0, 3.0)})
    np.testing.assert_array_equal(position.vdot, np.zeros((1, 6)))
    assert jd.show(model).title == "massless"


def bars(distance):
    """Two bars of 1 m between hinges at a distance."""
    model = jd.Model("bars")
    a, b = (model.add_body(name, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for name in "ab")
    model.add_joint("left", model.world, a, jd.Revolute("z"))
    model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("z"))
    model.add_joint("right", model.world.at(distance, 0, 0), b.at(1, 0, 0), jd.Revolute("z"))
    return model


def test_loops_are_closed_on_the_side_that_is_wished():
    for sign in (1.0, -1.0):
        found = still(bars(1.0), near={"left.angle": sign, "top.angle": -2.0 * sign})
        tip = found.values("b.position")[0]
        np.testing.assert_allclose(tip, (0.5, sign * np.sqrt(0.75), 0), atol=1e-9)


def test_a_loop_that_cannot_close_is_shown_open_and_told():
    page = jd.show(bars(3.0), near={"left.angle": 0.5})
    subtitle = data_of(page)["subtitle"]
    assert subtitle.startswith("2 bodies, 3 joints · NOT ASSEMBLED: the loop left - top - right")


def test_a_system_is_shown_as_well(crane):
    assert jd.show(jd.compile(crane, execution=jd.Plain()), title="mine").title == "mine"


def test_incomplete_runs_are_marked(solution, other):
    run = replace(solution.statistics, status="interrupted", is_complete=False, t_end_wanted=99.0)
    x = solution
    short = Solution(x.system, x.time, x.q, x.v, x.vdot, x.tau, x.extra, statistics=run)
    text = f"INCOMPLETE: stopped at {x.time[-1]:g} s of 99 s (interrupted)"
    assert text in data_of(jd.animate(short))["subtitle"]
    assert text in data_of(jd.report(short))["subtitle"]
    named = data_of(jd.animate({"soft": other, "stiff": short}))["subtitle"]
    assert text.replace("INCOMPLETE", "INCOMPLETE stiff") in named
    assert "INCOMPLETE" not in data_of(jd.animate({"soft": other, "stiff": solution}))["subtitle"]
