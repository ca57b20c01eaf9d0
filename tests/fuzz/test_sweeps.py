"""Files that somebody has changed, and processes that were killed: errors of ours only.

A few cases of each sweep are in the suite; ``pytest -m thorough tests/fuzz`` runs all of them.
"""

import os
import sys

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform != "linux", reason="processes by fork, limits of Linux"
)


@pytest.mark.slow
def test_some_changed_numbers_of_results(run_sweep):
    assert "refused" in run_sweep("resume_sweep", 397)


@pytest.mark.thorough
def test_all_changed_numbers_of_results(run_sweep):
    run_sweep("resume_sweep", timeout=7200)


@pytest.mark.slow
def test_three_kills(run_sweep):
    assert run_sweep("kill_sweep", 3).startswith("3 kills")


@pytest.mark.thorough
def test_fifty_kills(run_sweep):
    run_sweep("kill_sweep", 50, timeout=3600)


@pytest.mark.slow
def test_some_forged_results(run_sweep):
    assert "refused" in run_sweep("forge_sweep", 20)


@pytest.mark.thorough
def test_many_forged_results(run_sweep):
    run_sweep("forge_sweep", 2000, timeout=7200)


@pytest.mark.slow
def test_some_changed_surfaces(run_sweep):
    pytest.importorskip("trimesh")
    assert "refused" in run_sweep("mesh_sweep", 60)


@pytest.mark.thorough
def test_many_changed_surfaces(run_sweep):
    pytest.importorskip("trimesh")
    run_sweep("mesh_sweep", 5000, timeout=7200)


@pytest.mark.slow
def test_some_changed_models_are_simulated(run_sweep):
    assert "ran" in run_sweep("model_sweep", "run", 12)


@pytest.mark.thorough
def test_many_changed_models_are_simulated(run_sweep):
    run_sweep("model_sweep", "run", 2000, timeout=7200)


@pytest.mark.thorough
def test_a_hundred_thousand_changed_models_are_read(run_sweep):
    run_sweep("model_sweep", "read", 100_000, timeout=7200)
