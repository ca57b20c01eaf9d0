from __future__ import annotations

import io
import re
import time

from rich.console import Console

import jourdain as jd
from jourdain.analysis.progress import shown_progress
from jourdain.analysis.progress.bar import Bar
from jourdain.phases import phase


def terminal():
    return Console(file=io.StringIO(), force_terminal=True, width=100)


def drawn(console):
    """Text without the codes that move the cursor and give colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", console.file.getvalue())


def test_nothing_is_drawn_where_nobody_looks():
    console = Console(file=io.StringIO())
    with Bar(1.0, console) as progress:
        assert progress is None
    assert console.file.getvalue() == ""


def test_short_runs_are_not_shown():
    console = terminal()
    with Bar(10.0, console) as progress:
        for t in range(10):
            progress(float(t), 0.1)
    assert drawn(console) == ""


def test_time_speed_and_step_are_shown():
    console = terminal()
    with Bar(10.0, console, quiet=0.0) as progress:
        progress(0.0, 0.1)
        progress(2.5, 0.01)
        progress(5.0, 0.02)
    told = drawn(console)
    assert "of 10 s" in told
    assert "× real time" in told
    assert "step 0.02 s" in told


def test_it_goes_with_a_simulation():
    model = jd.Model("rail")
    cart = model.add_body("cart", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint("slide", model.world, cart, jd.Prismatic("x"))
    console = terminal()
    with Bar(20.0, console, quiet=0.0) as progress:
        jd.simulate(model, 20.0, method=jd.RungeKutta4(1e-3), progress=progress)
    assert "20 s of 20 s" in drawn(console)
    assert "step 0.001 s" in drawn(console)


def test_phases_are_named_until_the_motion_begins():
    console = terminal()
    with Bar(10.0, console, quiet=0.0) as progress, phase("compiling accelerations"):
        for _ in range(500):
            time.sleep(0.01)
            if "compiling" in drawn(console):
                break
        assert "compiling accelerations …" in drawn(console)
        progress(0.0, 0.1)
        progress(5.0, 0.1)
    assert "of 10 s" in drawn(console)


def test_a_program_in_a_terminal_is_shown_them(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("jourdain.analysis.progress.bar._QUIET", 0.0)
    with shown_progress(None, 10.0) as told:
        with shown_progress(None, 5.0) as inner:
            assert inner is None  # one display at a time
        assert told is not None
        told(0.0, 0.1)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with shown_progress(None, 10.0) as told:
        assert told is None
