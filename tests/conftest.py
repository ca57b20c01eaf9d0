"""Fixtures and settings shared by all tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=50, **_COMMON)
settings.register_profile("thorough", max_examples=1000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random generator, seeded by the name of the test."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture(scope="session")
def rounding() -> Callable[[float], float]:
    """Tolerance for a result of about n operations on numbers of size one."""
    return lambda n: 100 * np.finfo(float).eps * n


@pytest.fixture(autouse=True)
def interruptions_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests interrupt runs on purpose, many within a second, which would end the tests."""
    monkeypatch.setattr("jourdain.analysis.interruption.SOON", 0.0)


_LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


@pytest.fixture
def interrupted() -> Callable[..., tuple[int, str, str]]:
    """Run a script, press Ctrl-C when it writes "ready" to stderr; exit code, stdout, stderr.

    The script listens even where the shell that started the tests has interrupts ignored.
    """
    if sys.platform == "win32":
        pytest.skip("signals of POSIX")

    def run(script: str, *arguments: str) -> tuple[int, str, str]:
        process = subprocess.Popen(
            [sys.executable, "-c", _LISTENING + script, *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        limit = threading.Timer(120.0, process.kill)  # for readline, which knows no timeout
        limit.start()
        try:
            first = process.stderr.readline()
            process.send_signal(signal.SIGINT)
            out, told = process.communicate(timeout=60.0)
        finally:
            limit.cancel()
            process.kill()
        assert first == "ready\n", first + told
        return process.returncode, out, told

    return run
