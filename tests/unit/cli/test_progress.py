from __future__ import annotations

import io
import re

from rich.console import Console

import jourdain as jd
from jourdain.cli.progress import Bar


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
