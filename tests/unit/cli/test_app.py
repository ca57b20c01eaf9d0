from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from typer.testing import CliRunner

import jourdain
from jourdain.cli import app

COMMAND = [sys.executable, "-c", "from jourdain.cli import app; app()"]
LIMIT = 0.4  # seconds


def invoke(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_version():
    result = invoke("--version")
    assert result.exit_code == 0
    assert result.output == f"jourdain {jourdain.__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], []])
def test_help_names_the_commands(arguments):
    assert "demo" in invoke(*arguments).output


def test_help_of_demo_tells_where_it_writes():
    assert "--out" in invoke("demo", "--help").output


def test_an_unknown_command_is_refused():
    result = invoke("dmeo")
    assert result.exit_code == 2
    assert "dmeo" in result.output


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path):
    (tmp_path / "taken").write_text("a file")
    result = invoke("demo", "--out", str(tmp_path / "taken"))
    assert result.exit_code == 2
    assert "is a file" in " ".join(result.output.replace("│", " ").split())


def processor_time():
    """Time [s] that ended child processes have taken; unlike the clock, it knows no waiting."""
    times = os.times()
    return times.children_user + times.children_system


def test_help_is_quick():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    taken = []
    for _ in range(5):
        start = processor_time()
        run = subprocess.run([*COMMAND, "--help"], capture_output=True, env=environment, check=True)
        taken.append(processor_time() - start)
        assert b"demo" in run.stdout
    assert min(taken) < LIMIT


def test_help_loads_nothing_heavy():
    code = "import sys; from jourdain.cli import app; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "casadi", "llvmlite", "matplotlib"} & set(loaded.stdout.split())


def test_the_package_is_the_command():
    command = [sys.executable, "-m", "jourdain", "--version"]
    found = subprocess.run(
        command, capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert found.stdout == f"jourdain {jourdain.__version__}\n"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no linker")
def test_fmu_is_written(tmp_path):
    model = jourdain.Model("cart")
    model.add_coordinate("x", 1.0, unit="m")
    jourdain.write_model(model, tmp_path / "cart.toml")
    out = tmp_path / "cart.fmu"
    given = ["--input", "x=2", "--output", "x", "--start", "x=0.5"]
    fixed = ["--method", "rungekutta4", "--dt", "0.01"]
    result = invoke("fmu", str(tmp_path / "cart.toml"), "--out", str(out), *given, *fixed)
    assert result.exit_code == 0, result.output
    assert f"wrote {out}" in result.output.replace("\n", "")
    with zipfile.ZipFile(out) as archive:
        text = archive.read("modelDescription.xml").decode()
    assert 'name="x.applied_force"' in text.replace("x.applied_torque", "x.applied_force")
    assert 'start="0.5"' in text


def test_a_first_model_runs(tmp_path):
    file = tmp_path / "mine.toml"
    assert "mine.toml --time 5 --start pivot.angle=0.5" in invoke("new", str(file)).output
    comments = file.read_text(encoding="utf-8")
    assert "jourdain view mine.nc" in comments
    assert "model.nc" not in comments
    model = jourdain.read_model(file)
    assert list(model.joints) == ["rail", "pivot"]
    sol = jourdain.simulate(model, 0.5, start={"rail.velocity": 8.0})
    assert [event.name for event in sol.events][:1] == ["buffer"]
    again = invoke("new", str(file))
    assert again.exit_code == 1
    assert "already" in again.output
    assert "does not end with .toml" in invoke("new", str(tmp_path / "mine.txt")).output


def test_completion_can_be_installed():
    assert "--install-completion" in invoke("--help").output


def test_methods_are_completed():
    from jourdain.cli.app import METHODS
    from jourdain.cli.simulation import chosen_method

    for name in METHODS:
        fixed = name in {"rungekutta4", "gauss4", "generalizedalpha", "semiimpliciteuler"}
        dt = {"dt": 1e-3} if fixed or name in {"moreaujean", "nonsmoothalpha"} else {}
        assert type(chosen_method(name, dt)).__name__.lower() == name
