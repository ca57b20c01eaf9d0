"""Surfaces of beams: closed, where the beam is, with the stresses of closed forms."""

import numpy as np
import pytest

import jourdain as jd

STEEL = jd.flexible.STEEL
ROUND, FLAT = jd.flexible.circle(STEEL, 0.02), jd.flexible.rectangle(STEEL, 0.03, 0.01)


@pytest.mark.parametrize("frame", ["end", "mean"])
@pytest.mark.parametrize(
    ("section", "volume"),
    [
        (ROUND, 8.0 * np.sin(np.pi / 8.0) * 1e-4),  # of 16 corners
        (FLAT, 3e-4),
        ([(0.25, FLAT), (0.75, jd.flexible.rectangle(STEEL, 0.01, 0.01))], 1.5e-4),
    ],
)
def test_it_encloses_the_beam(section, volume, frame):
    skin = jd.flexible.beam(1.0, section, modes=2, frame=frame).skin
    found, middle, _ = skin.surface.enclosed()
    assert found == pytest.approx(volume, rel=1e-12)
    if frame == "end":
        assert 0.2 < middle[0] <= 0.5 + 1e-12


@pytest.mark.parametrize("frame", ["end", "mean"])
def test_points_move_with_the_beam(frame):
    beam = jd.flexible.beam(1.0, FLAT, modes=5, fields=("y", "z", "twist", "stretch"), frame=frame)
    skin = beam.skin
    place = beam.elasticity.place((1.0, 0.015, 0.005))
    k = int(np.linalg.norm(skin.surface.points - place.x, axis=1).argmin())
    assert skin.surface.points[k] == pytest.approx(place.x, abs=1e-15)
    assert np.allclose(skin.modes[k], place.A, atol=1e-15)


@pytest.mark.parametrize("kind", ["end", "mean", "nodes in the mean"])
def test_it_is_drawn_where_frames_are(kind):
    """To second order: what is bent far gets shorter on the page, too."""
    if kind == "nodes in the mean":
        mesh = jd.flexible.box_mesh((1.0, 0.03, 0.01), (4, 1, 1))
        solid = jd.flexible.from_fem(mesh, STEEL, modes=3)
        origin = -solid.integrals.mean_frame.x
    else:
        fields = ("y", "z", "twist", "stretch")
        solid = jd.flexible.beam(1.0, FLAT, modes=5, fields=fields, frame=kind)
        origin = solid.elasticity.place((0.0, 0.0, 0.0)).x
    d, skin = np.full(solid.n, 0.05), solid.skin
    drawn, rest = skin.at(d), skin.surface.points
    for k in (0, 7, len(rest) - 1):
        frame = solid.elasticity.place(tuple((rest[k] - origin).tolist()))
        assert drawn[k] == pytest.approx(frame.x + frame.A @ d + 0.5 * d @ frame.B @ d, abs=1e-13)
    second = np.abs(drawn - rest - skin.modes @ d).max()
    assert second < 1e-15 if kind == "nodes in the mean" else second > 1e-3


def _amplitudes(beam, x, load):
    """Elastic coordinates at rest under a torque and a force at x."""
    place = beam.elasticity.place((x, 0.0, 0.0))
    return np.vstack([place.T, place.A]).T @ load / beam.elasticity.stiffness


def test_bending_and_stretching_stress():
    """σ = M/W + N/A, largest where both pull."""
    fields = ("y", "z", "stretch")
    beam = jd.flexible.beam(1.0, FLAT, modes=6, functions=2, fields=fields)
    d = _amplitudes(beam, 1.0, np.array([0.0, 0.0, 0.0, 50.0, 5.0, 2.0]))
    stress = beam.skin.stresses @ d
    at_root = beam.skin.surface.points[:, 0] == 0.0
    expected = 5.0 * 6.0 / (0.01 * 0.03**2) + 2.0 * 6.0 / (0.03 * 0.01**2) + 50.0 / 3e-4
    assert stress[at_root, 0].max() == pytest.approx(expected, rel=1e-3)
    highest = beam.skin.surface.points[at_root][stress[at_root, 0].argmax()]
    assert highest == pytest.approx([0.0, -0.015, -0.005])  # pulled upwards it stretches below


def test_torsion_stress():
    """τ = T r/J of a round shaft."""
    shaft = jd.flexible.beam(1.0, ROUND, modes=1, functions=1, fields=("twist",))
    d = _amplitudes(shaft, 1.0, np.array([3.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    stress = shaft.skin.stresses @ d
    size = np.linalg.norm(stress[:, 3:], axis=1)
    assert size == pytest.approx(3.0 * 16.0 / (np.pi * 0.02**3), rel=1e-6)


def test_what_has_no_size_has_no_skin():
    plain = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)
    beam = jd.flexible.beam(1.0, plain, modes=1, fields=("y",))
    assert beam.skin is None
    assert len(beam.outline) == 12
    sized = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0, height=0.01, width=0.01)
    assert not jd.flexible.beam(1.0, sized, modes=1, fields=("y",)).skin.stresses.size


def test_pieces_of_a_ring_lie_along_it():
    for (x, y, _), piece in jd.flexible.ring(0.2, FLAT, waves=2).outline:
        along = np.array(piece.rotation)[:, 0]
        assert along == pytest.approx([-y / 0.2, x / 0.2, 0.0], abs=1e-12)
