import threading
import time

import pytest

from jourdain.phases import Watch, phase


def wait_for(condition):
    until = time.monotonic() + 5.0
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    assert condition()


def test_a_phase_that_lasts_is_shown_and_taken_away():
    shown = []
    with Watch(shown.append, 0.0):
        with phase("compiling"):
            wait_for(lambda: shown)
            with phase("a part of it"):
                assert shown == ["compiling", "a part of it"]
        assert shown == ["compiling", "a part of it", "compiling", ""]


def test_short_phases_are_not_shown():
    shown = []
    with Watch(shown.append, 100.0), phase("compiling"):
        time.sleep(0.3)
    assert shown == []


def test_what_fails_is_over():
    shown = []

    def fail():
        wait_for(lambda: shown)
        raise ValueError

    with Watch(shown.append, 0.0):
        with pytest.raises(ValueError), phase("compiling"):  # noqa: PT011
            fail()
        assert shown == ["compiling", ""]


def test_other_threads_are_not_shown():
    shown = []

    def work():
        with phase("elsewhere"):
            time.sleep(0.4)

    with Watch(shown.append, 0.0):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert shown == []
