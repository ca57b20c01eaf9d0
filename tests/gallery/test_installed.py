"""The package as a stranger gets it: installed alone, its examples run or name what they need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))

pytestmark = pytest.mark.thorough


def quietly(*command: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program that sees nothing of this environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(word) for word in command], cwd=folder, env=kept, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Folder of the programs of a new environment with nothing but the package."""
    folder = tmp_path_factory.mktemp("empty")
    assert quietly(sys.executable, "-m", "venv", folder).returncode == 0
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    done = quietly(programs / "python", "-m", "pip", "install", "--quiet", ROOT, folder=folder)
    if done.returncode != 0 and "No matching distribution" in done.stderr:
        pytest.skip("no network to install from")
    assert done.returncode == 0, done.stderr
    return programs


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_works_or_names_the_extra(installed, name, tmp_path):
    done = quietly(installed / "jourdain", "examples", "--run", name, folder=tmp_path)
    needs = "pip install 'jourdain[" in done.stderr
    assert (done.returncode == 0) != needs, done.stderr
    assert "Traceback" not in done.stderr
