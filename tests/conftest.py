"""Fixtures and settings shared by all tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from jourdain.errors import IntegrationError
from jourdain.results import Solution
from jourdain.simulation.driver import Driver
from jourdain.testing import check_contacts

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
_MORE = 20  # times the cases in the profile "thorough"
settings.register_profile("ci", max_examples=50, **_COMMON)
settings.register_profile("landing", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=50 * _MORE, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def _take_profile(function: Any) -> None:
    """Let tests that give their own number of cases follow the profile too."""
    own = getattr(function, "_hypothesis_internal_use_settings", None)
    is_given = own is not None and own.max_examples != settings().max_examples
    if settings.get_current_profile_name() == "thorough" and is_given:
        function._hypothesis_internal_use_settings = settings(
            own, max_examples=_MORE * own.max_examples
        )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the property tests; leave out what is thorough unless ``-m`` names it."""
    for item in items:
        function = getattr(item, "obj", None)
        if getattr(function, "is_hypothesis_test", False):
            item.add_marker("property")
            _take_profile(getattr(function, "__func__", function))
    if "thorough" not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)


def _known_defect(item: pytest.Item) -> str | None:
    """Why a test breaks the laws of contact; ``only=`` names the cases that do."""
    mark = item.get_closest_marker("breaks_contact_laws")
    applies = mark is not None and mark.kwargs.get("only", "") in item.name
    return mark.args[0] if applies else None


class _Checked:
    """Every run with contacts is checked against the laws of contact, whoever starts it.

    Samples of runs that have stopped with an error are checked too: users read them. A test with
    the mark ``breaks_contact_laws`` shows a known defect: it fails as soon as the laws hold.
    """

    item: pytest.Item | None = None
    broken: ClassVar[list[str]] = []

    @classmethod
    def look(cls, solution: Solution) -> None:
        """Check a solution; what a known defect breaks is kept for the end of the test."""
        item, system = cls.item, solution.system
        if not (system.has_contacts or system.model.contact_groups):
            return
        if item is None or item.get_closest_marker("without_contact_check"):
            return
        try:
            check_contacts(solution)
        except IntegrationError as error:
            if _known_defect(item) is None:
                pytest.fail(f"a run of this test breaks the laws of contact: {error}")
            cls.broken.append(str(error))

    @classmethod
    def wrap(cls, kind: Any) -> None:
        """Let the runs of one kind of simulation be checked."""
        original = kind.run

        def run(self: Any, *given: Any, **named: Any) -> Solution:
            try:
                solution: Solution = original(self, *given, **named)
            except IntegrationError as error:
                if error.solution is not None:
                    cls.look(error.solution)
                raise
            cls.look(solution)
            return solution

        run.is_checked = True
        kind.run = run


if not hasattr(Driver.run, "is_checked"):  # tests of these settings load them once more
    _Checked.wrap(Driver)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tell the check which test makes the runs."""
    _Checked.item = item
    _Checked.broken.clear()
    try:
        return (yield)
    finally:
        _Checked.item = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test whose known defect is mended, so that its mark goes."""
    result = yield
    reason = _known_defect(item)
    if reason is not None and not _Checked.broken:
        pytest.fail(f"its runs keep the laws of contact now; remove the mark: {reason}")
    return result


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
    monkeypatch.setattr("jourdain.simulation.interruption.SOON", 0.0)


@pytest.fixture(scope="session", autouse=True)
def pictures_without_a_browser() -> Iterator[None]:
    """Pictures are drawn here, the same on every computer; tests of the browser ask for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jourdain.viz.pages.browser.installed", lambda: None)
        yield


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
