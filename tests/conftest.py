"""Fixtures and settings shared by all tests."""

from __future__ import annotations

import os
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
