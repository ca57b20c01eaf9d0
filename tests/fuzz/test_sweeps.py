"""Files that somebody has changed, and processes that were killed: errors of ours only."""

import os

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes by fork")


def test_some_changed_numbers_of_results(run_sweep):
    assert "refused" in run_sweep("resume_sweep", 197)


@pytest.mark.thorough
def test_all_changed_numbers_of_results(run_sweep):
    run_sweep("resume_sweep", timeout=7200)


def test_three_kills(run_sweep):
    assert run_sweep("kill_sweep", 3).startswith("3 kills")


@pytest.mark.thorough
def test_fifty_kills(run_sweep):
    run_sweep("kill_sweep", 50, timeout=3600)
