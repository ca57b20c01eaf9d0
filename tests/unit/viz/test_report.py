from __future__ import annotations

import re
import sys
from datetime import date

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def text(solution):
    return jd.report(solution, text="First.\n\nSecond & <last>.").text


def section(text, title):
    return text.split(f"<h2>{title}</h2>")[1].split("</section>")[0]


def rows(text, title):
    body = section(text, title).split("<tbody>")[1]
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in body.split("</tr>")[:-1]]


def test_it_begins_with_the_words_given(text):
    assert "<p>First.</p><p>Second &amp; &lt;last&gt;.</p>" in text


def test_it_tells_how_the_run_went(text, solution):
    assert "<dt>time</dt><dd>0 s to 4 s" in text
    assert f"{solution.statistics.steps} steps" in text
    assert "<dt>energy balance</dt><dd>off by " in text


def test_it_lists_events_parameters_bodies_and_joints(text, solution):
    assert [row[0] for row in rows(text, "Events")] == ["turn"] * len(solution.events)
    assert rows(text, "Parameters") == [["length", "2", "m"]]
    assert rows(text, "Bodies")[1] == ["rope", "1", "0, 0, −1"]
    assert rows(text, "Joints")[0] == ["rail", "prismatic", "world(0, 0, 3)", "cart"]


def test_extremes_are_those_of_the_solution(text, solution):
    found = {row[0]: row[1:] for row in rows(text, "Extremes")}
    x = solution.values("rail.position")
    assert float(found["rail.position"][2]) == pytest.approx(x.max(), rel=1e-4)
    assert float(found["rail.position"][3]) == pytest.approx(solution.time[x.argmax()], rel=1e-3)
    assert found["rail.position"][5] == "m"
    assert float(found["|hook.force|"][0].replace("−", "-")) > 0.0


def test_what_stays_zero_is_left_out(text, solution):
    found = {row[0]: (row[1], row[3], row[5]) for row in rows(text, "Extremes")}
    assert all(set(row) != {"0"} for row in found.values())
    zero = [n for n in ("rail.applied_force", "power.applied") if not solution.values(n).any()]
    assert zero
    assert not found.keys() & set(zero)
    assert re.search(r"\d+ that stay zero are left out", section(text, "Extremes"))


def test_it_holds_the_structure_the_view_and_the_charts(text):
    assert "crane: 3 bodies, 3 joints, no loops" in text
    assert 'id="jourdain"' in text
    assert 'id="charts"' in text


def test_it_is_written(solution, other, tmp_path):
    page = jd.report(solution, tmp_path / "run.html", ghost=other, title="Crane <1>")
    assert page.path.read_text(encoding="utf-8") == page.text
    assert "<h1>Crane &lt;1&gt;</h1>" in page.text
    assert "this run, with other run as ghost" in page.text


def test_long_tables_are_cut(monkeypatch, solution):
    monkeypatch.setattr(sys.modules["jourdain.viz.report"], "_MOST_ROWS", 2)
    text = jd.report(solution).text
    assert len(rows(text, "Extremes")) == 2
    assert re.search(
        r"<p>and \d+ more; \d+ that stay zero are left out</p>", section(text, "Extremes")
    )


def test_key_loads_come_first_with_their_times(text, solution):
    assert text.index("Key loads") < text.index("Extremes")
    found = {row[0]: row[1:] for row in rows(text, "Key loads")}
    force = np.linalg.norm(solution.values("pivot.force"), axis=1)
    size, unit, time, parts = found["pivot.force"]
    assert float(size) * {"kN": 1e3, "N": 1.0}[unit] == pytest.approx(force.max(), rel=1e-3)
    assert float(time) == pytest.approx(solution.time[force.argmax()], rel=1e-3)
    assert len(parts.split(", ")) == 3
    assert not [name for name in found if name == "hook.torque"]  # of a ball joint: rounding


def test_it_has_a_picture_date_author_and_connections():
    model = jd.Model("hung")
    bob = model.add_body("bob", jd.solid.ball(1.0, 0.1))
    line = jd.Distance(model.world.at(0, 0, 1), bob)
    model.add_connection("coil", line, jd.Spring(100.0, free=0.9))
    sol = jd.simulate(model, 0.2)
    text = jd.report(sol, author="Ada <L>").text
    assert f"Ada &lt;L&gt; · {date.today():%d %B %Y}" in text
    assert 'src="data:image/png;base64,' in text
    assert rows(text, "Connections")[0][0] == "coil"
    assert rows(text, "Key loads")[0][0] == "coil.force"
