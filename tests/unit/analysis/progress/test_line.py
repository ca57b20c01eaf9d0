"""Progress of long runs in notebooks."""

import sys
from types import SimpleNamespace

import pytest

import jourdain as jd
from jourdain.analysis.progress import shown_progress
from jourdain.analysis.progress.line import Line, is_notebook


class ZMQInteractiveShell:
    """What IPython's shell is called in a notebook."""


@pytest.fixture
def notebook(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=ZMQInteractiveShell))


def test_programs_and_terminals_are_no_notebooks(monkeypatch):
    assert not is_notebook()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert not is_notebook()
    with shown_progress(None, 1.0) as told:
        assert told is None


def test_a_line_after_two_seconds_that_is_cleared(notebook, capsys):
    assert is_notebook()
    now = [100.0]
    line = Line(10.0, lambda: now[0])
    for t in (0.0, 1.0, 1.5):
        line(t, 1e-3)
        now[0] += 0.9
    assert capsys.readouterr().out == ""
    line(3.0, 1e-3)
    line(3.1, 1e-3)  # too soon
    first = "3 s of 10 s, 1.11 × real time, step 0.001 s, about 6 s to go"
    assert capsys.readouterr().out == f"\r{first}"
    line.clear()
    assert capsys.readouterr().out == f"\r{' ' * len(first)}\r"


def test_a_given_function_is_asked_instead(notebook):
    with shown_progress(max, 1.0) as told:
        assert told is max


@pytest.mark.parametrize("has_contact", [False, True])
def test_simulate_shows_it(notebook, capsys, monkeypatch, has_contact):
    monkeypatch.setattr("jourdain.analysis.progress.line._QUIET", 0.0)
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -1)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    if has_contact:
        model.add_connection("brake", jd.Coordinate("hinge.angle"), jd.Interval(0.1))
    method = jd.MoreauJean(1e-3) if has_contact else jd.RungeKutta4(1e-5)
    jd.simulate(model, 8.0, start={"hinge.angle": 1.0}, method=method)
    out = capsys.readouterr().out
    assert " s of 8 s, " in out
    assert out.endswith(" \r")
