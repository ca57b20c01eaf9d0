"""Every example runs, and asserts what it claims."""

from __future__ import annotations

import io
import runpy
import tokenize
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


def lines_of_program(text):
    """Number of lines that are neither empty nor comments nor texts at the head of something."""
    spaces = tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT
    lines, is_first = set(), True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in spaces:
            continue
        is_end = token.type == tokenize.NEWLINE
        if not is_end and not (is_first and token.type == tokenize.STRING):
            lines.update(range(token.start[0], token.end[0] + 1))
        is_first = is_end
    return len(lines)


def test_lines_of_program_are_counted():
    text = '"""Text\n\nin lines."""\n\n# comment\nx = [\n    "a",\n]\ndef f():\n    """Text."""\n'
    text += "    x\n"
    assert lines_of_program(text) == 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_machine_takes_fewer_than_eighty_lines(path):
    assert lines_of_program(path.read_text("utf-8")) < 80


def test_there_are_thirty_machines_of_one_short_file_each():
    short = [path for path in EXAMPLES if len(path.read_text("utf-8").splitlines()) < 80]
    assert len(short) >= 30


@pytest.mark.parametrize("path", list(map(marked, EXAMPLES)))
def test_example(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write where they are run
    runpy.run_path(str(path))["check"]()
