"""Habits of the source that no linter checks."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "jourdain").rglob("*.py"))
TEXTS = [
    path
    for folder in ("src", "tests", "examples", "benchmarks", "docs", ".ci")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.is_file() and path.suffix in ("", ".py", ".md", ".toml", ".txt")
] + sorted(p for p in ROOT.glob("*") if p.suffix in (".md", ".toml") or p.name == "Makefile")

LONGEST = 400
LONGER: set[str] = set()  # tables of numbers may be longer: path below src/jourdain
MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:home|root|tmp|work|Users)/\w")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_source_is_found():
    assert len(SOURCES) > 10
    assert any(p.name == "pyproject.toml" for p in TEXTS)


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_modules_are_short(path):
    if path.relative_to(ROOT / "src" / "jourdain").as_posix() not in LONGER:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= LONGEST, f"{name(path)} has {lines} lines: split it by concept"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_prints_or_asserts(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "print")
    ]
    assert not found, f"{name(path)}: assert or print in lines {found}"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_modules_are_named_by_what_they_hold(path):
    assert path.stem not in ("utils", "util", "helpers", "helper", "common", "misc")


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_modules_have_no_open_ends(path):
    assert not re.search(r"\b(TODO|FIXME|XXX)\b", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_no_file_names_a_path_of_one_machine(path):
    found = MACHINE_PATH.search(path.read_text(encoding="utf-8"))
    assert not found, f"{name(path)} mentions {found and found[0]}"
