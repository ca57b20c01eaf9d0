"""Beams of several bodies in a row."""

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


def test_rows_come_back_from_files(tmp_path):
    model = jd.Model("row")
    model.add("row", jd.flexible.SegmentedBeam(model.world.at(), 1.0, SECTION, 2))
    jd.write_model(model, tmp_path / "row.toml")
    assert jd.read_model(tmp_path / "row.toml") == model


@pytest.mark.parametrize("count", [0, 2.5, True, 10**6])
def test_bad_counts_are_told(count):
    with pytest.raises(jd.ModelError, match="segments of SegmentedBeam"):
        jd.flexible.SegmentedBeam(jd.Model("m").world.at(), 1.0, SECTION, count)
