"""Beams of several bodies in a row."""

import numpy as np
import pytest

import jourdain as jd

SECTION = jd.flexible.circle(jd.flexible.STEEL, 0.01)


def test_a_short_row_is_one_beam():
    """Three segments with cubic shapes have the frequencies of the whole beam nearly."""
    model = jd.Model("row", gravity=(0.0, 0.0, 0.0))
    model.add("row", jd.flexible.SegmentedBeam(model.world.at(), 1.0, SECTION, 3, fields=("y",)))
    exact = jd.flexible.beam(1.0, SECTION, modes=2, fields=("y",), functions=10).frequencies
    found = jd.eigenmodes(model).frequencies
    assert found[0] == pytest.approx(exact[0], rel=2e-4)
    assert found[1] == pytest.approx(exact[1], rel=4e-3)


@pytest.mark.parametrize("segments", [2, 4])
def test_damping_is_that_of_the_whole_beam(segments):
    """Material damps by how fast it bends: its lowest mode has the ratio that is given."""
    model = jd.Model("row", gravity=(0.0, 0.0, 0.0))
    row = jd.flexible.SegmentedBeam(
        model.world.at(), 1.0, SECTION, segments, fields=("y",), damping=0.02
    )
    model.add("row", row)
    modes = jd.eigenmodes(model)
    assert modes[0].damping_ratio == pytest.approx(0.02, rel=2e-3)
    growth = modes.frequencies[1] / modes.frequencies[0]
    assert modes[1].damping_ratio == pytest.approx(0.02 * growth, rel=2e-3)


@pytest.mark.parametrize("damping", [0.0, jd.flexible.Rayleigh(0.1, 1e-4)])
def test_rows_come_back_from_files(tmp_path, damping):
    model = jd.Model("row")
    model.add("row", jd.flexible.SegmentedBeam(model.world.at(), 1.0, SECTION, 2, damping=damping))
    jd.write_model(model, tmp_path / "row.toml")
    assert jd.read_model(tmp_path / "row.toml") == model


@pytest.mark.parametrize("count", [0, 2.5, True, 10**6])
def test_bad_counts_are_told(count):
    with pytest.raises(jd.ModelError, match="segments of SegmentedBeam"):
        jd.flexible.SegmentedBeam(jd.Model("m").world.at(), 1.0, SECTION, count)


def test_damping_of_each_mode_is_refused():
    model = jd.Model("m")
    row = jd.flexible.SegmentedBeam(model.world.at(), 1.0, SECTION, 2, damping=(0.1,))
    with pytest.raises(jd.ModelError, match="damping of SegmentedBeam is a list"):
        model.add("row", row)


def test_a_moment_bends_it_into_a_quarter_circle():
    """M = π EI/2L, by steps of the load; errors fall nearly with the cube of the number."""
    found = []
    for n in (4, 8):
        model = jd.Model("circle", gravity=(0.0, 0.0, 0.0))
        section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)
        row = jd.flexible.SegmentedBeam(model.world.at(), 1.0, section, n, fields=("y",))
        end, share = model.add("row", row).end, jd.Parameter("share", 0.0)
        turn = jd.Relative(model.world, end, "rz", axes="world")
        model.add_connection("turn", turn, jd.Force(share))
        model.add_frame("tip", end)
        system, rest = jd.compile(model), None
        for k in range(1, 5):
            rest = jd.equilibrium(system, near=rest, parameters={"share": np.pi / 2.0 * k / 4.0})
        q = np.array([rest[name] for name in system.names.q])
        tip = system.point_of(system.poses(q), "tip", None)[:2]
        found.append(np.linalg.norm(tip - np.array([2.0, 2.0]) / np.pi))
    assert found[1] < 3e-4
    assert found[0] > 6.0 * found[1]
