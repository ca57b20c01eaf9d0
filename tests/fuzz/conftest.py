"""Sweeps: a few cases in the suite, all of them with ``-m thorough``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
collect_ignore_glob = ["*_sweep.py", "forks.py"]  # programs of their own


def pytest_collection_modifyitems(config, items):
    if "thorough" in (config.option.markexpr or ""):
        return
    left_out = [item for item in items if item.get_closest_marker("thorough") is not None]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def run_sweep():
    """Run a sweep of this folder in a process of its own; give its last line, or fail."""

    def run(name, *arguments, timeout=300):
        command = [sys.executable, str(HERE / f"{name}.py"), *map(str, arguments)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, env=environment, check=False
        )
        assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        return done.stdout.strip().splitlines()[-1]

    return run
