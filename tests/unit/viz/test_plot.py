"""Curves that label themselves."""

import matplotlib as mpl
import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Event, Solution, Statistics
from jourdain.viz.plot import plot

mpl.use("Agg")
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def _close():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def sol():
    model = jd.Model("pair")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    arm = model.add_body("arm", jd.solid.rod(1.0, (0, 0, -0.5)))
    model.add_joint("elbow", rod.at(0, 0, -0.5), arm, jd.Revolute("y"))
    system = jd.compile(model, execution=jd.Plain())
    t = np.linspace(0.0, 1.0, 7)
    q = np.stack((np.sin(t), np.cos(t)), axis=-1)
    events = [Event("low", 0.4, q[0], q[0])]
    return Solution(system, t, q, np.ones_like(q), events=events)


def curves(axes):
    return [line for line in axes.get_lines() if len(line.get_xdata()) > 2]


def legend(axes):
    return (
        [] if axes.get_legend() is None else [t.get_text() for t in axes.get_legend().get_texts()]
    )


def test_units_share_panels_and_label_them(sol):
    axes = plot(sol, "hinge.angle", "hinge.rate", "elbow.angle", "hinge.force", title="A pair")
    assert len(axes) == 3
    assert [a.get_ylabel() for a in axes] == [
        "angle [rad]",
        "hinge.rate [rad/s]",
        "hinge.force [N]",
    ]
    assert [a.get_xlabel() for a in axes] == ["", "", "time [s]"]
    assert [legend(a) for a in axes] == [["hinge.angle", "elbow.angle"], [], ["x", "y", "z"]]
    np.testing.assert_array_equal(curves(axes[0])[1].get_ydata(), sol.values("elbow.angle"))
    np.testing.assert_array_equal(curves(axes[0])[1].get_xdata(), sol.time)
    assert axes[0].get_title(loc="left") == "A pair"


@pytest.mark.parametrize(
    ("names", "label"),
    [
        (["energy.kinetic", "energy.total"], "energy [J]"),
        (["rod.acceleration", "arm.acceleration"], "acceleration [m/s²]"),
        (["hinge.rate", "rod.angular_velocity_world"], "angular velocity [rad/s]"),
        (["hinge.torque.y", "elbow.applied_torque"], "torque [N m]"),
        (["momentum.angular"], "momentum.angular [kg m²/s]"),
        (["rod.orientation"], "rod.orientation"),
    ],
)  # fmt: skip
def test_labels(sol, names, label):
    assert [a.get_ylabel() for a in plot(sol, *names)] == [label]


def test_events_are_marked(sol):
    axes = plot(sol, "hinge.angle", "hinge.rate")
    for own in axes:
        marks = [line for line in own.get_lines() if len(line.get_xdata()) == 2]
        assert [line.get_xdata()[0] for line in marks] == [0.4]
    assert [text.get_text() for text in axes[0].texts] == ["low"]


def test_one_quantity_against_another(sol):
    (own,) = plot(sol, "rod.angular_velocity.y", against="hinge.angle")
    np.testing.assert_array_equal(curves(own)[0].get_xdata(), sol.values("hinge.angle"))
    assert own.get_xlabel() == "hinge.angle [rad]"
    assert len(own.get_lines()) == 1  # no events: they have no place here
    (path,) = plot(sol, "arm.position.z", against="arm.position.x")
    assert path.get_aspect() == 1.0
    assert own.get_aspect() == "auto"


def test_several_solutions(sol):
    other = Solution(sol.system, sol.time, 2 * sol.q, sol.v)
    axes = plot({"one": sol, "two": other}, "hinge.angle", "hinge.force")
    assert legend(axes[0]) == ["one", "two"]
    assert legend(axes[1]) == [f"{k}, {word}" for word in ("one", "two") for k in "xyz"]
    first, second = curves(axes[0])
    assert first.get_color() != second.get_color()
    vectors = curves(axes[1])
    assert vectors[0].get_color() == vectors[3].get_color()
    assert vectors[0].get_linestyle() != vectors[3].get_linestyle()


def test_own_words(sol):
    (own,) = plot(sol, "hinge.angle", "elbow.angle", labels={"hinge.angle": "Hüfte"})
    assert legend(own) == ["Hüfte", "elbow.angle"]
    (own,) = plot(sol, "hinge.angle", labels={"hinge.angle": "Hüfte"})
    assert legend(own) == ["Hüfte"]


def test_all_coordinates_by_default(sol):
    (own,) = plot(sol)
    assert legend(own) == ["hinge.angle", "elbow.angle"]


def test_given_axes_are_used(sol):
    _, given = pyplot.subplots(2, 1)
    drawn = plot(sol, "hinge.angle", "hinge.rate", axes=given)
    assert drawn == list(given)
    assert len(pyplot.get_fignums()) == 1


def test_nothing_is_shown(sol, monkeypatch):
    monkeypatch.setattr(pyplot, "show", lambda *a, **k: pytest.fail("show() was called"))
    plot(sol, "hinge.angle")


def test_it_can_be_saved(sol, tmp_path):
    plot(sol, "hinge.angle", "hinge.force")[0].figure.savefig(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 10_000


def short_of(sol, **more):
    """The same run as if it had stopped at its end, wanted to 2 s."""
    run = Statistics(status="failed", is_complete=False, t_end_wanted=2.0)
    return Solution(sol.system, sol.time, sol.q, sol.v, statistics=run, **more)


def test_incomplete_runs_are_marked(sol):
    whole = plot(sol, "hinge.angle", "hinge.rate")
    axes = plot({"a": sol, "b": short_of(sol)}, "hinge.angle", "hinge.rate", title="A pair")
    assert axes[0].get_title(loc="right") == "INCOMPLETE: b: stopped at 1 s of 2 s (failed)"
    assert axes[0].get_title(loc="left") == "A pair"
    assert whole[0].get_title(loc="right") == ""
    for own in axes:
        ends = [line for line in own.get_lines() if line.get_color() == "#c1272d"]
        assert [line.get_xdata()[0] for line in ends] == [1.0]
    across = plot(short_of(sol), "hinge.angle", against="elbow.angle")[0]
    assert across.get_title(loc="right") == "INCOMPLETE: stopped at 1 s of 2 s (failed)"
