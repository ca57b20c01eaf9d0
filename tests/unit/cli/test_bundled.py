from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jourdain as jd
from jourdain.cli import app, bundled


def invoke(*arguments):
    return CliRunner().invoke(app, ["examples", *map(str, arguments)])


def test_every_example_is_listed_with_a_sentence():
    result = invoke()
    assert result.exit_code == 0
    rows = [line.split(maxsplit=1) for line in result.stdout.splitlines() if line.startswith("  ")]
    assert [name for name, _ in rows] == list(bundled.find_examples())
    assert all(len(words) > 10 for _, words in rows)


def test_programs_and_model_files_are_there():
    endings = {path.suffix for path in bundled.find_examples().values()}
    assert endings == {".py", ".toml", ".urdf"}


@pytest.mark.parametrize("name", [x for x in bundled.find_examples() if x.endswith(".toml")])
def test_model_files_can_be_simulated(name):
    model = jd.read_model(bundled.find_examples()[name])
    assert jd.simulate(model, 0.01).statistics.is_complete


@pytest.mark.parametrize("name", ["first_steps", "first_steps.py"])
def test_an_example_is_copied(tmp_path, name):
    result = invoke("--copy", name, "--out", tmp_path / "new")
    assert result.exit_code == 0
    copy = tmp_path / "new" / "first_steps.py"
    assert result.stdout == f"wrote {copy}\n"
    assert copy.read_bytes() == bundled.find_examples()["first_steps.py"].read_bytes()


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "first_steps.py").write_text("mine")
    result = invoke("--copy", "first_steps", "--out", tmp_path)
    assert result.exit_code == 1
    assert "already" in result.stderr
    assert (tmp_path / "first_steps.py").read_text() == "mine"


def test_an_unknown_example_is_named(tmp_path):
    result = invoke("--copy", "first_step", "--out", tmp_path)
    assert result.exit_code == 1
    assert "no example 'first_step' in the package" in result.stderr
    assert "Did you mean 'first_steps.py'?" in result.stderr


def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(jd.FormatError, match="cannot write"):
        bundled.copy_example("first_steps", tmp_path / "taken" / "below")


def test_installed_examples_come_first(tmp_path, monkeypatch):
    (tmp_path / "examples").mkdir()
    monkeypatch.setattr(bundled, "_PACKAGE", tmp_path)
    assert bundled.folder() == tmp_path / "examples"
    assert bundled.find_examples() == {}
    assert "--copy NAME" in bundled.list_examples()


def test_an_example_is_run(tmp_path, monkeypatch):
    (tmp_path / "hello.py").write_text(
        '"""Says hello."""\nif __name__ == "__main__": print("hi")\n'
    )
    monkeypatch.setattr(bundled, "folder", lambda: tmp_path)
    result = invoke("--run", "hello")
    assert (result.exit_code, result.stdout) == (0, "hi\n")


@pytest.mark.parametrize(("module", "said"), [("trimesh.io", "[mesh]"), ("no_such", None)])
def test_an_example_names_the_extra_it_needs(tmp_path, monkeypatch, module, said):
    (tmp_path / "hello.py").write_text(f"import {module}")
    monkeypatch.setattr(bundled, "folder", lambda: tmp_path)
    monkeypatch.setitem(sys.modules, "trimesh", None)
    if said is None:
        with pytest.raises(ModuleNotFoundError):
            bundled.run_example("hello")
        return
    with pytest.raises(jd.MissingExtraError, match=r"pip install 'jourdain\[mesh\]'"):
        bundled.run_example("hello")


def test_a_model_file_is_no_program():
    result = invoke("--run", "crane.toml")
    assert result.exit_code == 1
    assert "'crane.toml' is a model file, no program. Next: jourdain examples" in result.stderr


@pytest.mark.slow
def test_the_wheel_has_examples_and_types(tmp_path):
    root = Path(__file__).parents[3]
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 3e6
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        inside = set(archive.namelist())
    assert {"jourdain/__init__.pyi", "jourdain/py.typed"} <= inside
    assert {"jourdain/cli/first_model.toml", "jourdain/export/fmu/interface.c"} <= inside
    run = subprocess.run(
        [sys.executable, "-m", "jourdain", "examples"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    listed = [line.split()[0] for line in run.stdout.splitlines() if line.startswith("  ")]
    assert listed == list(bundled.find_examples())
    assert {f"jourdain/examples/{name}" for name in listed} <= inside
