from __future__ import annotations

import json
import re

import pytest
import typer
from typer.testing import CliRunner

import jourdain as jd
from jourdain.cli import app, simulation
from jourdain.cli.simulation import assigned, chosen_method
from jourdain.simulation import saving
from jourdain.solvers import all_integrators

PENDULUM = """
format = "jourdain-1"
name = "pendulum"
body.rod = { solid = "rod", mass = 1.0, end = [0.0, 0.0, -0.5] }
joint.hinge = { parent = "world", child = "rod", kind = "Revolute", axis = "y" }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    return tmp_path


def invoke(*arguments):
    return CliRunner().invoke(app, ["run", *map(str, arguments)])


def test_a_run_writes_results_and_tells_about_them(folder):
    result = invoke("pendulum.toml", "--time", 2, "--out", "run.nc", "--start", "hinge.angle=0.4")
    assert result.exit_code == 0, result.output
    assert "Solution of 'pendulum', 0 s to 2 s" in result.stdout
    assert result.stdout.endswith("saved to run.nc\n")
    sol = jd.load("run.nc")
    assert sol.values("hinge.angle")[0] == 0.4
    assert sol.time[-1] == 2.0


def test_results_are_named_after_the_model_by_default(folder):
    assert invoke("pendulum.toml", "--time", 0.1).exit_code == 0
    assert (folder / "pendulum.nc").is_file()


def test_options_reach_the_simulation(folder):
    result = invoke(
        "pendulum.toml", "-t", 1, "-s", "hinge.angle=0.4", "-s", "hinge.rate=1", "-o", "run.nc",
        "--method", "RungeKutta4", "--dt", 0.01, "--sample", 0.5,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    sol = jd.load("run.nc")
    assert sol.time.tolist() == [0.0, 0.5, 1.0]
    assert sol.statistics.method == "RungeKutta4(dt=0.01)"
    assert (sol.q[0, 0], sol.v[0, 0]) == (0.4, 1.0)


def test_json_is_one_object(folder):
    result = invoke("pendulum.toml", "--time", 1, "--start", "hinge.angle=0.4", "--json")
    told = json.loads(result.stdout)
    assert told["model"] == "pendulum"
    assert told["file"] == "pendulum.nc"
    assert told["is_complete"]
    assert (told["begin"], told["end"], told["samples"]) == (0.0, 1.0, 1001)
    assert set(told["final"]) == {"hinge.angle", "hinge.rate"}
    assert told["steps"] > 0
    assert told["events"] == []


def test_resume_goes_on_to_the_same_state(folder):
    start = ("--start", "hinge.angle=1.5")
    assert invoke("pendulum.toml", "--time", 1, *start, "--out", "a.nc").exit_code == 0
    assert invoke("pendulum.toml", "--time", 2, "--resume", "a.nc", "--out", "a.nc").exit_code == 0
    assert invoke("pendulum.toml", "--time", 2, *start, "--out", "b.nc").exit_code == 0
    assert jd.load("a.nc").statistics.steps == jd.load("b.nc").statistics.steps
    assert jd.load("a.nc").time[0] == 0.0


def test_inputs_are_numbers_or_tables(folder):
    (folder / "force.csv").write_text("time,torque\n0,0\n0.5,2\n1,0\n")
    for given in ("force.csv", "2"):
        arguments = ("--input", f"hinge.angle={given}", "--out", "run.nc", "--sample", 0.25)
        result = invoke("pendulum.toml", "--time", 1, *arguments)
        assert result.exit_code == 0, result.output
        applied = jd.load("run.nc").values("hinge.applied_torque").tolist()
        assert applied == ([0.0, 1.0, 2.0, 1.0, 0.0] if given.endswith("csv") else [2.0] * 5)


def test_a_table_is_written_besides(folder):
    columns = ("--column", "hinge.angle", "--column", "rod.velocity.x")
    result = invoke("pendulum.toml", "--time", 1, "--csv", "run.csv", *columns, "--sample", 0.5)
    assert result.exit_code == 0, result.output
    lines = (folder / "run.csv").read_text().splitlines()
    assert lines[0] == "time [s],hinge.angle [rad],rod.velocity.x [m/s]"
    assert len(lines) == 4


# --- errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["pendulm.toml", "--time", 1], "Did you mean 'pendulum.toml'?"),
        (["pendulum.toml", "--time", -1], "the end must lie after the start"),
        (["pendulum.toml", "--time", 1, "--start", "hinge.angel=1"], "Did you mean 'hinge.angle'?"),
        (["pendulum.toml", "--time", 1, "--sample", 0], "give a spacing in seconds"),
        (["pendulum.toml", "--time", 1, "--parameter", "k=2"], "no parameter 'k'"),
        (["pendulum.toml", "--time", 1, "--resume", "old.nc"], "there is no file 'old.nc'"),
        (["pendulum.toml", "--time", 1, "--input", "hinge.angle=no.csv"], "no file that can be"),
        (["pendulum.toml", "--time", 1, "--input", "hinge.angle=broken.toml"], "two numbers, time"),
        (["pendulum.toml", "--time", 1, "--csv", "no/run.csv"], "there is no folder 'no'"),
        (["pendulum.toml", "--time", 1, "--out", "no/run.nc"], "there is no folder 'no'"),
        (["pendulum.toml", "--time", 1, "--out", "."], "'.' is a folder"),
        (["broken.toml", "--time", 1], "line 3"),
    ],
)
def test_errors_of_models_and_files(folder, arguments, text):
    (folder / "broken.toml").write_text('format = "jourdain-1"\nname = "x"\nbdy.rod = 1\n')
    result = invoke(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert text in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["pendulum.toml"], "--time"),
        (["pendulum.toml", "--time", "long"], "Invalid value for '--time'"),
        (["pendulum.toml", "--time", 1, "--start", "hinge.angle"], "is not of the form"),
        (["pendulum.toml", "--time", 1, "--start", "hinge.angle=far"], "is not of the form"),
        (["pendulum.toml", "--time", 1, "--method", "dop583"], "Did you mean 'dop853'?"),
        (["pendulum.toml", "--time", 1, "--input", "hinge.angle"], "is not of the form rail"),
        (["pendulum.toml", "--time", 1, "--method", "moreaujean"], "moreaujean takes --dt"),
        (["pendulum.toml", "--time", 1, "--rtol", 1e-9], "name the method that --rtol"),
        (["pendulum.toml", "--time", 1, "-i", "gauss4"], "gauss4 takes --dt."),
        (["pendulum.toml", "--time", 1, "-i", "dop853", "--dt", 1], "dop853 takes --rtol, --atol."),
    ],
)
def test_wrong_usage(folder, arguments, text):
    result = invoke(*arguments)
    assert result.exit_code == 2
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.stderr).split())
    assert text in words


def test_a_failed_run_leaves_its_results(folder):
    """A second step of five seconds ends where angles are no numbers any more."""
    (folder / "wild.toml").write_text(PENDULUM.replace('"pendulum"', '"wild"'))
    result = invoke(
        "wild.toml", "--time", 1e5, "--start", "hinge.rate=1e299", "-i", "rungekutta4", "--dt", 5
    )
    assert result.exit_code == 1
    assert "error: model 'wild' stopped at t = " in result.stderr
    assert "INCOMPLETE solution" in result.stdout
    assert not jd.load("wild.nc").statistics.is_complete


def test_results_are_saved_elsewhere_when_their_place_fails(folder, monkeypatch):
    """A file in the place of the folder, made while the run went on."""
    place = folder / "out"
    place.mkdir()
    monkeypatch.setattr(saving, "require_writable", lambda path: place.rmdir())
    monkeypatch.setattr(simulation.tempfile, "gettempdir", lambda: str(folder))
    result = invoke("pendulum.toml", "--time", 1, "--out", "out/run.nc", "--json")
    assert result.exit_code == 1
    assert "cannot write 'out/run.nc'" in result.stderr
    saved = json.loads(result.stdout)["file"]
    assert jd.load(saved).time[-1] == 1.0


CTRL_C = """
import sys
from jourdain.cli import app, simulation

ran, told = simulation.simulate, []

def progress(t, step):
    if not told:
        print("ready", file=sys.stderr, flush=True)
    told.append(t)

simulation.simulate = lambda *args, **options: ran(*args, **options | {"progress": progress})
app()
"""


def test_ctrl_c_writes_the_file(folder, interrupted):
    options = ["--time", "1e9", "--start", "hinge.angle=1", "--sample", "1e5", "--out", "run.nc"]
    code, out, told = interrupted(CTRL_C, "run", "pendulum.toml", *options)
    assert code == 130
    assert out.startswith("INCOMPLETE solution of 'pendulum': stopped at ")
    assert "of 1e+09 s (interrupted)" in out
    assert "go on with: jourdain run pendulum.toml --time 1e+09 --resume run.nc" in told
    sol = jd.load("run.nc")
    assert sol.statistics.status == "interrupted"
    assert sol.checkpoint is not None


# --- options --------------------------------------------------------------------------


def test_values_by_name():
    assert assigned(["a.b=1", "c.d=1,2,-3e4"], "--start") == {"a.b": 1.0, "c.d": [1.0, 2.0, -3e4]}


@pytest.mark.parametrize("item", ["a", "=1", "a=", "a=1,", "a=x"])
def test_what_is_no_value(item):
    with pytest.raises(typer.BadParameter, match="is not of the form"):
        assigned([item], "--start")


def test_integrators_by_name():
    assert chosen_method(None, {}) is None
    assert chosen_method("Radau5", {"rtol": 1e-6}) == jd.Radau5(rtol=1e-6)
    assert chosen_method("semiimpliciteuler", {"dt": 0.1}) == jd.SemiImplicitEuler(0.1)
    assert chosen_method("MoreauJean", {"dt": 1e-3}) == jd.MoreauJean(1e-3)
    assert chosen_method("NonsmoothAlpha", {"dt": 1e-3}) == jd.NonsmoothAlpha(1e-3)
    assert chosen_method("EventDriven", {}) == jd.EventDriven()
    assert chosen_method("eventdriven", {"rtol": 1e-9}) == jd.EventDriven(jd.Dop853(rtol=1e-9))
    assert chosen_method("Cvode", {"rtol": 1e-6}) == jd.Cvode(rtol=1e-6)


def test_help_names_all_integrators_and_units():
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", invoke("--help").stdout).split())
    for integrator in (*all_integrators(), jd.Cvode(), jd.Ida()):
        assert type(integrator).__name__.lower() in words
    assert words.count("[s].") == 3
