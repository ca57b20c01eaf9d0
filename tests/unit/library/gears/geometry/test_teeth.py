"""Involute geometry against published and constructed values (4.V26, 4.V27, 5.V4)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.errors import ModelError
from jourdain.library import gears


def test_path_of_contact():
    """4.V26."""
    teeth = gears.Teeth((20, 30), module=3e-3)
    found = [1e3 * teeth.approach, 1e3 * teeth.recess, 1e3 * teeth.pitch, teeth.contact_ratio]
    np.testing.assert_allclose(found, [7.32209, 6.89399, 8.85639, 1.60518], atol=1e-5)
    tangent = 1e3 * teeth.base_radii[0] * math.tan(teeth.working_angle)
    assert tangent == pytest.approx(10.26060, abs=1e-5)


def five_cylinder(a, b, **more):
    """Wheels of 5.V4: transverse pressure angle of 20 degrees, helix of 15."""
    helix = math.radians(15.0)
    normal = math.atan(math.tan(math.radians(20.0)) * math.cos(helix))
    return gears.Teeth((a, b), 2.85e-3, pressure_angle=normal, helix=helix, **more)


def test_base_radii_of_a_timing_train():
    """5.V4."""
    found = [1e3 * five_cylinder(z, 33).base_radii[0] for z in (37, 33, 17, 35, 34)]
    np.testing.assert_allclose(found, [51.2931, 45.7479, 23.5671, 48.5205, 47.1342], atol=5e-5)


def test_a_helix_adds_overlap():
    """ε = 1.64 + 0.58 of the wheels 1 and 2 (5, 4.2)."""
    plain, wide = five_cylinder(37, 33), five_cylinder(37, 33, width=20e-3)
    assert plain.contact_ratio == pytest.approx(1.64, abs=0.01)
    assert wide.contact_ratio - plain.contact_ratio == pytest.approx(0.578, abs=1e-3)


def test_shifts_move_the_axes_apart_without_play():
    """The teeth of both fill the working circle, whatever the shifts."""
    for shifts in ((0.3, 0.2), (-0.2, 0.5), (0.5, -0.5), (0.0, 0.0)):
        teeth = gears.Teeth((20, 30), 3e-3, shifts=shifts)
        thick = [2.0 * teeth._half_tooth(k) * teeth.working_radii[k] for k in (0, 1)]
        pitch = 2.0 * math.pi * teeth.working_radii[0] / 20
        assert sum(thick) == pytest.approx(pitch, rel=1e-12)
        again = gears.Teeth((20, 30), 3e-3, shifts=shifts, distance=teeth.axis_distance)
        assert again.working_angle == pytest.approx(teeth.working_angle, rel=1e-12)


def test_a_ring_is_a_wheel_with_negative_teeth():
    teeth = gears.Teeth((30, -90), 3e-3)
    assert teeth.axis_distance == pytest.approx(0.5 * 3e-3 * 60)
    assert teeth.ratio == 3.0
    assert teeth.contact_ratio > gears.Teeth((30, 90), 3e-3).contact_ratio
    assert -teeth.tip_radii[1] == pytest.approx(0.5 * 3e-3 * 90 - 3e-3)
    # ends of the path of contact by the circles of the tips
    base, work = -teeth.base_radii[1], -teeth.working_radii[1]
    tangent = math.sqrt(work**2 - base**2)
    assert math.hypot(tangent - teeth.approach, base) == pytest.approx(-teeth.tip_radii[1])


def test_curvature_at_the_pitch_point():
    teeth = gears.Teeth((20, 30), 3e-3)
    a, b = (r * math.tan(teeth.working_angle) for r in teeth.base_radii)
    assert gears.flank_radius(teeth) == pytest.approx(1.0 / (1.0 / a + 1.0 / b))
    ring = gears.Teeth((20, -60), 3e-3)
    assert gears.flank_radius(ring) == pytest.approx(1.0 / (1.0 / a - 1.0 / (3.0 * a)))


angles = st.floats(-10.0, 10.0)


@given(angles, angles)
def test_phase_over_a_tooth(turn, toward):
    """4.V27: a tooth further it is the same, half a tooth further half a pitch away."""
    teeth = gears.Teeth((20, 30), 3e-3)
    phase = teeth.phase(turn, toward)
    assert 0.0 <= phase < 1.0

    def gap(x, y):
        return abs((x - y + 0.5) % 1.0 - 0.5)

    assert gap(teeth.phase(turn + 2.0 * math.pi / 20, toward), phase) < 1e-12
    assert gap(teeth.phase(turn + math.pi / 20, toward), phase + 0.5) < 1e-12
    assert gap(teeth.phase(turn + 0.3, toward + 0.3), phase) < 1e-12


@given(st.integers(18, 40), st.integers(17, 30), st.integers(2, 6), st.floats(-1.0, 1.0))
def test_planets_close_where_they_can_be_assembled(sun, planet, n, turn):
    """4.V27: planets ask for one place of the ring iff (z_S + z_R)/n is whole."""
    ring = sun + 2 * planet
    inner, outer = gears.Teeth((sun, planet), 2e-3), gears.Teeth((planet, -ring), 2e-3)
    asked = []
    for k in range(n):
        place = 2.0 * math.pi * k / n
        stands = inner.mate(turn, place)
        asked.append(outer.mate(stands, place))
    pitch = 2.0 * math.pi / ring
    spread = max(abs((x - asked[0] + 0.5 * pitch) % pitch - 0.5 * pitch) for x in asked)
    assert (spread < 1e-9) == ((sun + ring) % n == 0)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"teeth": (20.5, 30)}, "give two whole numbers"),
        ({"teeth": 20}, "give two whole numbers"),
        ({"teeth": (20, -18)}, "has more of them than a"),
        ({"teeth": (-20, 30)}, "wheel a has outer teeth"),
        ({"module": 0.0}, "module of Teeth is 0 m: it must be positive"),
        ({"pressure_angle": 20.0}, "give radians, such as 20 \\* jd.math.pi / 180"),
        ({"helix": 15.0}, "give radians"),
        ({"shifts": 0.3}, "give two numbers"),
        ({"distance": 0.07}, "base circles meet. Without it, it is 0.075 m"),
        ({"addendum": 0.4}, "the contact ratio is 0.7.*at times no tooth carries"),
        ({"distance": 0.0785}, "the contact ratio is 0"),
    ],
)
def test_wrong_input(change, text):
    with pytest.raises(ModelError, match=text):
        gears.Teeth(**{"teeth": (20, 30), "module": 3e-3} | change)
