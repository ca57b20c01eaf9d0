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
from hypothesis import given, settings, strategies as st

def test_plain(): pass

@pytest.mark.thorough
def test_sweep(): pass

@pytest.mark.slow
def test_long(): pass

drawn = []

@settings(max_examples=3)
@given(st.integers())
def test_drawn(number):
    drawn.append(number)

@pytest.mark.slow
def test_drawn_often():
    assert len(drawn) > 20

@pytest.mark.thorough
@pytest.mark.timeout(0.5, func_only=True)
def test_that_hangs():
    while True:
        time.sleep(0.01)
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder of tests with the settings of ours."""
    pytester.makeconftest(_SETTINGS)
    pytester.makepyfile(test_six=_TESTS)
    return pytester


@pytest.mark.parametrize(
    ("expression", "count"),
    [("", 4), ("not slow", 2), ("slow", 2), ("property", 1), ("thorough or property", 3)],
)
def test_sweeps_run_only_where_they_are_named(
    project: pytest.Pytester, expression: str, count: int
) -> None:
    result = project.runpytest("--collect-only", "-q", "-m", expression, _MARKS)
    assert len([line for line in result.outlines if "::" in line]) == count


def test_numbers_of_cases_follow_the_profile(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess("-k", "drawn", _MARKS)
    result.assert_outcomes(passed=1, failed=1)


def test_the_thorough_profile_draws_more_and_names_a_test_that_hangs(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYPOTHESIS_PROFILE", "thorough")
    chosen = "-m", "thorough or slow or property"
    result = project.runpytest_subprocess("-v", *chosen, _MARKS)
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["*test_drawn_often PASSED*"])
    result.stdout.fnmatch_lines(["*test_that_hangs*Timeout*"])


def test_machine_code_that_hangs_is_named(pytester: pytest.Pytester) -> None:
    """Where no signal is seen, the process ends; with several workers the others go on."""
    pytester.makepyfile(test_code="def test_hang(): sum(range(10**13))\ndef test_fine(): pass")
    limits = "--timeout=0.5", "-o", "faulthandler_timeout=1", "-o", "faulthandler_exit_on_timeout=1"
    result = pytester.runpytest_subprocess("-n", "1", *limits)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["FAILED *::test_hang*crashed*"])
