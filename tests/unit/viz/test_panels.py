from __future__ import annotations

import numpy as np

from jourdain.viz.panels import by_unit, thinned, wished, with_unit


def names(panels):
    return [[channel.name for channel in panel.channels] for panel in panels]


def test_quantities_of_one_unit_share_a_panel(solution):
    panels = wished(solution, ["rail.position", "pivot.angle_1", "load.position", "pivot.angle_2"])
    assert names(panels) == [["rail.position", "load.position"], ["pivot.angle_1", "pivot.angle_2"]]
    assert [panel.unit for panel in panels] == ["m", "rad"]
    assert panels[1].label == "pivot [rad]"


def test_a_group_has_panels_of_its_own(solution):
    panels = wished(solution, ["pivot.angle_1", ("pivot.angle_2", "rail.position")])
    assert names(panels) == [["pivot.angle_1"], ["pivot.angle_2"], ["rail.position"]]


def test_by_default_there_are_some_coordinates_and_the_energy(solution):
    panels = wished(solution, None)
    assert names(panels)[0] == ["rail.position"]
    assert names(panels)[-1] == ["energy.kinetic", "energy.potential", "energy.total"]
    assert wished(solution, []) == []


def test_a_vector_gives_a_curve_for_each_component(solution):
    (panel,) = by_unit([solution.channel("load.position")])
    assert panel.curves == [(f"load.position.{axis}", axis) for axis in "xyz"]
    assert panel.label == "load.position [m]"


def test_units_read_well():
    assert with_unit("a", "m/s^2") == "a [m/s²]"
    assert with_unit("quaternion", "1") == "quaternion"


def test_thinned_curves_keep_their_peaks(rng):
    t = np.linspace(0.0, 1.0, 100_000)
    x = rng.normal(size=t.size)
    short, y = thinned(t, x, 400)
    assert len(short) <= 402
    assert (y.min(), y.max(), y[0], y[-1]) == (x.min(), x.max(), x[0], x[-1])
    assert np.all(np.diff(short) > 0.0)


def test_short_curves_stay_as_they_are():
    t = np.arange(5.0)
    assert thinned(t, t)[0] is t
