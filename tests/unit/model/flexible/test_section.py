"""Cross-sections and materials."""

import numpy as np
import pytest

import jourdain as jd

STEEL = jd.flexible.STEEL


def test_a_square_resists_torsion_as_tables_say():
    section = jd.flexible.rectangle(STEEL, 0.02, 0.02)
    assert section.GJ / STEEL.shear_modulus / 0.02**4 == pytest.approx(0.140577, abs=1e-6)
    assert section.EI_y == section.EI_z == pytest.approx(STEEL.youngs_modulus * 0.02**4 / 12.0)


def test_a_flat_strip_is_stiff_along_its_height():
    section = jd.flexible.rectangle(STEEL, height=0.1, width=0.001)
    assert section.EI_z / section.EI_y == pytest.approx(1e4)
    assert section.GJ == pytest.approx(STEEL.shear_modulus * 0.1 * 1e-9 / 3.0, rel=0.01)


def test_a_tube_is_a_circle_less_a_circle():
    tube = jd.flexible.tube(STEEL, 0.03, 0.02)
    outer, inner = (jd.flexible.circle(STEEL, d) for d in (0.03, 0.02))
    for name in ("EI_y", "GJ", "EA", "mass"):
        assert getattr(tube, name) == pytest.approx(getattr(outer, name) - getattr(inner, name))
    assert np.allclose(tube.moments, np.subtract(outer.moments, inner.moments))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: jd.flexible.rectangle(STEEL, -1.0, 1.0), "height of the rectangle"),
        (lambda: jd.flexible.circle(STEEL, 0.0), "diameter of the circle"),
        (lambda: jd.flexible.Material(0.0, 1.0), "youngs_modulus of the material"),
    ],
)
def test_bad_numbers_are_named(make, text):
    with pytest.raises(jd.ModelError, match=text):
        make()
