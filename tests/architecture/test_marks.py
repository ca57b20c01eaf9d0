"""What the settings of the tests promise: marks that select, and a time limit that names."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
_SETTINGS = (Path(__file__).parents[1] / "conftest.py").read_text(encoding="utf-8")
_MARKS = "--override-ini=markers=thorough\nslow\nproperty"
_TESTS = """
import time
import pytest
from hypothesis import given, strategies as st

def test_plain(): pass

@pytest.mark.thorough
def test_sweep(): pass

@pytest.mark.slow
def test_long(): pass

@given(st.integers())
def test_drawn(number): pass

@pytest.mark.thorough
def test_that_hangs():
    while True:
        time.sleep(0.01)
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder of tests with the settings of ours."""
    pytester.makeconftest(_SETTINGS)
    pytester.makepyfile(test_five=_TESTS)
    return pytester


@pytest.mark.parametrize(
    ("expression", "count"),
    [("", 3), ("not slow", 2), ("slow", 1), ("property", 1), ("thorough or property", 3)],
)
def test_sweeps_run_only_where_they_are_named(
    project: pytest.Pytester, expression: str, count: int
) -> None:
    result = project.runpytest("--collect-only", "-q", "-m", expression, _MARKS)
    assert len([line for line in result.outlines if "::" in line]) == count


def test_a_test_that_hangs_is_named(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess("-m", "thorough", "--timeout=0.5", _MARKS)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*test_that_hangs*Timeout*"])
