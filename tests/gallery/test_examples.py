"""Every example runs, and asserts what it claims."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
LONG = (  # what they need is tested elsewhere: run by `make thorough`
    "balancing_robot", "cam_follower", "delta_robot", "differential", "double_wishbone",
    "escapement", "excavator", "foucault", "four_cylinders", "gripper", "newtons_cradle",
    "scotch_yoke", "whitworth",
)  # fmt: skip


def marked(path):
    long = [pytest.mark.thorough] if path.stem in LONG else []
    return pytest.param(path, id=path.stem, marks=long)


def test_there_are_thirty_machines_of_one_short_file_each():
    short = [path for path in EXAMPLES if len(path.read_text("utf-8").splitlines()) < 80]
    assert len(short) >= 30


@pytest.mark.parametrize("path", list(map(marked, EXAMPLES)))
def test_example(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write where they are run
    runpy.run_path(str(path))["check"]()
