from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import jourdain as jd
from jourdain.analysis import verify
from jourdain.cli import app

CRANE = """
format = "jourdain-1"
name = "crane"
body.cart = { solid = "box", mass = 50.0, size = [0.6, 0.4, 0.2] }
body.rope = { solid = "rod", mass = 1.0, end = [0.0, 0.0, -2.0] }
joint.rail = { parent = "world", child = "cart", kind = "Prismatic", axis = "x" }
joint.pivot = { parent = "cart", child = "rope", kind = "Revolute", axis = "y" }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crane.toml").write_text(CRANE)
    return tmp_path


def invoke(*arguments):
    return CliRunner().invoke(app, [str(x) for x in arguments])


def test_show_tells_the_structure(folder):
    result = invoke("show", "crane.toml")
    assert result.exit_code == 0
    assert result.stdout.startswith("crane: 2 bodies, 2 joints, no loops")
    assert "degrees of freedom: 2" in result.stdout


def test_show_as_json(folder):
    told = json.loads(invoke("show", "crane.toml", "--json").stdout)
    assert told["bodies"] == ["cart", "rope"]
    assert told["joints"] == ["rail", "pivot"]
    assert told["coordinates"][0] == {"name": "rail.position", "unit": "m", "is_driven": False}
    assert (told["loops"], told["freedoms"]) == ([], 2)


def test_check_passes(folder):
    result = invoke("check", "crane.toml", "--states", 1)
    assert result.exit_code == 0
    assert "all passed" in result.stdout


def test_check_as_json(folder):
    told = json.loads(invoke("check", "crane.toml", "--states", 1, "--json").stdout)
    assert told["passed"]
    assert told["checks"][0]["passed"]
    assert told["checks"][0]["discrepancy"] <= told["checks"][0]["limit"]


def test_check_that_fails_is_told_by_the_exit_code(folder, monkeypatch):
    wrong = verify.Check("energy", "this, that", float("inf"), 1e-10, "no result")
    found = verify.Verification("crane", 1, (wrong,))
    monkeypatch.setattr(verify, "verify", lambda model, n: found)
    result = invoke("check", "crane.toml")
    assert result.exit_code == 1
    assert "1 FAILED" in result.stdout
    told = json.loads(invoke("check", "crane.toml", "--json").stdout)
    assert told["checks"][0]["discrepancy"] is None


def test_a_broken_model_is_told_with_its_line(folder):
    (folder / "crane.toml").write_text(CRANE.replace('"Prismatic"', '"Prismatc"'))
    for command in ("show", "check"):
        result = invoke(command, "crane.toml")
        assert result.exit_code == 1
        assert "line 6" in result.stderr
        assert "Prismatic" in result.stderr
        assert result.stdout == ""


@pytest.fixture
def results(folder):
    model = jd.read_model("crane.toml")
    jd.simulate(model, 1.0, start={"pivot.angle": 0.3}).save("run.nc")
    return folder


def test_plot_draws_a_picture(results):
    result = invoke("plot", "run.nc", "pivot.angle", "rail.position", "--out", "plot.png")
    assert result.exit_code == 0, result.output
    assert result.stdout == "wrote plot.png\n"
    assert (results / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in results.iterdir()) == ["crane.toml", "plot.png", "run.nc"]


def test_plot_has_defaults(results):
    assert invoke("plot", "run.nc").exit_code == 0
    assert (results / "run.png").is_file()


def test_plot_against_another_quantity(results):
    arguments = ["plot", "run.nc", "pivot.rate", "--against", "pivot.angle", "--out", "phase.svg"]
    assert invoke(*arguments).exit_code == 0
    assert "<svg" in (results / "phase.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["no.nc"], "there is no file 'no.nc'"),
        (["run.nc", "pivot.angel"], "Did you mean 'pivot.angle'?"),
        (["run.nc", "--against", "rope.position"], "Choose one"),
        (["run.nc", "--out", "plot.docx"], "cannot write 'plot.docx'"),
        (["run.nc", "--out", "no/plot.png"], "cannot write 'no/plot.png'"),
        (["crane.toml"], "is no file of sol.save()"),
    ],
)
def test_plot_refuses_in_words(results, arguments, text):
    result = invoke("plot", *arguments)
    assert result.exit_code == 1
    assert text in result.stderr
    assert "Traceback" not in result.stderr


def test_a_failed_picture_leaves_the_old_one(results):
    (results / "plot.docx").write_text("old")
    invoke("plot", "run.nc", "--out", "plot.docx")
    assert (results / "plot.docx").read_text() == "old"
    assert not list(results.glob("*.part*"))


def test_plot_without_matplotlib_names_the_extra(results, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    result = invoke("plot", "run.nc")
    assert result.exit_code == 1
    assert "pip install 'jourdain[plot]'" in result.stderr


@pytest.fixture
def loop(folder):
    model, Y = jd.Model("loop"), jd.Revolute("y")
    a, b, c = (model.add_body(x, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for x in "abc")
    model.add_joint("left", model.world, a, Y)
    model.add_joint("first", a.at(1, 0, 0), b, Y)
    model.add_joint("second", b.at(1, 0, 0), c, Y)
    model.add_joint("right", c.at(1, 0, 0), model.world.at(2, 0, 0), Y)
    jd.write_model(model, "loop.toml")


def test_show_tells_what_the_mechanism_doctor_finds(loop):
    told = invoke("show", "loop.toml").stdout
    assert "degrees of freedom: 1, near the reference position" in told
    assert "left, first, second, right: 3 rows too many" in told
    found = json.loads(invoke("show", "loop.toml", "--json").stdout)["mechanism"]
    assert (found["n_dof"], found["n_redundant"]) == (1, 3)


def test_check_tells_what_the_mechanism_doctor_finds(loop, monkeypatch):
    passed = verify.Verification("loop", 1, ())
    monkeypatch.setattr(verify, "verify", lambda model, n: passed)
    assert "3 rows too many" in invoke("check", "loop.toml").stdout
    assert json.loads(invoke("check", "loop.toml", "--json").stdout)["mechanism"]["n_dof"] == 1


@pytest.fixture
def run(folder):
    model = jd.read_model("crane.toml")
    sol = jd.simulate(model, 0.5, start={"pivot.angle": 0.3})
    sol.save("crane.nc")
    return folder


def test_view_writes_a_page(run):
    result = invoke("view", "crane.nc", "--plot", "pivot.angle", "--trace", "rope")
    assert (result.exit_code, result.stdout) == (0, "wrote crane.html\n")
    text = (run / "crane.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert '"label":"pivot.angle [rad]"' in text


def test_view_compares_with_another_run(run):
    result = invoke("view", "crane.nc", "--ghost", "crane.nc", "--out", "both.html")
    assert result.exit_code == 0
    assert "with other run as ghost" in (run / "both.html").read_text(encoding="utf-8")


def test_report_writes_a_page_and_opens_it_on_demand(run, monkeypatch):
    opened = []
    monkeypatch.setattr("typer.launch", opened.append)
    result = invoke("report", "crane.nc", "--open")
    assert (result.exit_code, result.stdout) == (0, "wrote crane.report.html\n")
    assert "<dt>energy balance</dt>" in (run / "crane.report.html").read_text(encoding="utf-8")
    assert opened == ["crane.report.html"]


def test_view_tells_an_unknown_quantity(run):
    result = invoke("view", "crane.nc", "--plot", "pivot.angel")
    assert result.exit_code == 1
    assert "no quantity 'pivot.angel'" in result.stderr
    assert not (run / "crane.html").exists()
