"""What print(sol) shows."""

from xml.etree import ElementTree

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Event, Solution, Statistics


@pytest.fixture
def make(swing):
    def solution(n=51, **more):
        return Solution(swing.system, swing.time[:n], swing.q[:n], swing.v[:n], **more)

    return solution


def test_a_whole_report(make, swing):
    events = [Event("low", 0.1 * k, swing.q[0], swing.v[0]) for k in range(1, 6)]
    statistics = Statistics("Dop853(rtol=1e-08)", "not stiff", 12, 3, 178, 0.25, t_end_wanted=0.5)
    sol = make(events=events, statistics=statistics, inputs={"hinge.angle": 0.0}, parameters={})
    lines = str(sol).splitlines()
    assert lines[:4] == [
        "Solution of 'pendulum', 0 s to 0.5 s",
        "  samples      51, about every 0.01 s",
        "  method       Dop853(rtol=1e-08) (not stiff)",
        "  effort       12 steps, 3 rejected, 178 evaluations, 0.25 s (2 × real time)",
    ]
    assert lines[4].startswith("  energy       balance off by ")
    assert lines[4].endswith("J exchanged")
    assert lines[5:] == [
        "  inputs       hinge.angle",
        "  events       5: low at 0.1 s, low at 0.2 s, low at 0.3 s, low at 0.4 s, …",
        f"  names        {len(sol.names())} in sol.names(), of hinge, body, tip, energy, power, "
        "momentum, centre_of_mass",
    ]


def test_an_incomplete_run_says_so_first(make):
    statistics = Statistics(status="step_too_small", is_complete=False, t_end_wanted=2.0)
    first = str(make(statistics=statistics)).splitlines()[0]
    assert first == ("INCOMPLETE solution of 'pendulum': stopped at 0.5 s of 2 s (step too small)")


def test_an_interrupted_run_says_so_first(make):
    statistics = Statistics(reason="interrupted", is_complete=False, t_end_wanted=2.0)
    assert str(make(statistics=statistics)).splitlines()[0].endswith("of 2 s (interrupted)")


def test_a_terminal_event_is_no_failure(make):
    first = str(make(statistics=Statistics(status="terminal_event"))).splitlines()[0]
    assert first == "Solution of 'pendulum', 0 s to 0.5 s (ended by an event)"


def test_nothing_computed(make):
    statistics = Statistics(status="not_finite", is_complete=False, t_end_wanted=2.0)
    text = str(make(0, statistics=statistics))
    assert text.startswith("INCOMPLETE solution of 'pendulum': nothing reached of 2 s (not finite)")
    assert "energy  " not in text


def test_quaternions_parameters_and_uncertain_work(mixture):
    text = str(mixture)
    assert "constraints  quaternions off unit length by at most" in text
    assert "parameters   length = 0.6" in text
    assert "(work known to" in text


def test_discontinuities_are_counted(swing):
    k = np.array((0, 1, 2, 2, 3))
    text = str(Solution(swing.system, swing.time[k], swing.q[k], swing.v[k]))
    assert "samples      5, about every 0.0075 s, 1 discontinuities" in text


def test_at_most_ten_lines(mixture):
    assert len(str(mixture).splitlines()) <= 10
    assert max(len(line) for line in str(mixture).splitlines()) <= 120


def test_a_notebook_shows_the_same_as_a_table(mixture):
    page = ElementTree.fromstring(mixture._repr_html_())
    rows = [f"  {name.text:<12} {text.text}" for name, text in page.iter("tr")]
    assert [page[0].text, *rows] == str(mixture).splitlines()


def test_the_residual_of_single_contacts_has_no_unit():
    """It is a part of the velocities that were to be changed; that of groups is a velocity."""
    model = jd.Model("brake")
    model.add_coordinate("shaft", 1.0)
    model.add_connection("brake", jd.Coordinate("shaft"), jd.Interval(1.0))
    sol = jd.simulate(model, 0.01, start={"shaft.rate": 1.0}, method=jd.MoreauJean(1e-3))
    told = next(line for line in str(sol).splitlines() if line.strip().startswith("residual"))
    assert "m/s" not in told
    bare = dict(sol.columns)
    del bare["contacts"]  # a file that somebody has changed
    vars(sol)["columns"] = bare
    assert str(sol)
