"""Surface of a beam, which bends on the page and has the colours of its stresses."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.model.flexible.place import Place
from jourdain.model.flexible.section import Section
from jourdain.model.flexible.solid import Skin
from jourdain.spatial.mesh import Triangles

if TYPE_CHECKING:
    from jourdain.model.flexible.beam import Beam

_ROUND = 16  # corners of a circle
_NEAR = 1e-4  # part of the length over which slopes are compared


def skin_of(beam: Beam, spans: list[tuple[float, float]]) -> Skin | None:
    """Skin over the spans of a beam; None if the size of its cross-section is not known.

    Normal stresses are those of bending and stretching, with Young's modulus of the section; shear
    is that of torsion, of round sections.
    """
    rings = [(x, beam.section_at(0.5 * (a + b))) for a, b in spans for x in (a, b)]
    if any(not own.height or not own.width for _, own in rings):
        return None
    places, stresses = list[Place](), []
    has_stress = all(own.youngs_modulus for _, own in rings)
    for x, own in rings:
        bending = _curvatures(beam, x) if has_stress else None
        for y, z in _corners(own):
            places.append(beam.elasticity.place((x, y, z)))
            if bending is not None:
                stresses.append(_stress(own, bending, y, z))
    count = len(_corners(rings[0][1]))
    points, modes, bends = (np.array([getattr(own, k) for own in places]) for k in "xAB")
    return Skin(
        Triangles.of(points, _triangles(len(rings), count)), modes, np.array(stresses), bends
    )


def _corners(own: Section) -> list[tuple[float, float]]:
    """Corners of a cross-section, around x; those of a rectangle twice, for its edges."""
    y, z = 0.5 * own.height, 0.5 * own.width
    if own.is_round:
        turns = 2.0 * np.pi * np.arange(_ROUND) / _ROUND
        return [(y * float(np.cos(t)), y * float(np.sin(t))) for t in turns]
    box = [(-y, -z), (y, -z), (y, z), (-y, z)]
    return [corner for k in range(4) for corner in (box[k], box[(k + 1) % 4])]


def _triangles(n_rings: int, count: int) -> Any:
    """Sides between rings of corners, and the ends."""
    is_round = count == _ROUND
    sides = [(k, (k + 1) % count) for k in range(0, count, 1 if is_round else 2)]
    found = []
    for ring in range(n_rings - 1):
        here, there = ring * count, (ring + 1) * count
        for a, b in sides:
            found += [(here + a, here + b, there + b), (here + a, there + b, there + a)]
    edge = list(range(0, count, 1 if is_round else 2))
    last = (n_rings - 1) * count
    for a, b in pairwise(edge[1:]):
        found += [(edge[0], b, a), (last + edge[0], last + a, last + b)]
    return np.array(found)


def _curvatures(beam: Beam, x: float) -> Any:
    """Derivatives (4, n) along the beam of its turns and of its extension, by the coordinates."""
    near = _NEAR * beam.length
    ends = max(x - near, 0.0), min(x + near, beam.length)
    one, other = (beam.elasticity.place((end, 0.0, 0.0)) for end in ends)
    return np.vstack([other.T - one.T, other.A[:1] - one.A[:1]]) / (ends[1] - ends[0])


def _stress(own: Section, slopes: Any, y: float, z: float) -> Any:
    """Stresses (6, n) [Pa] xx, yy, zz, yz, zx, xy at a corner."""
    twist, about_y, about_z, stretch = slopes
    found = np.zeros((6, slopes.shape[1]))
    found[0] = own.youngs_modulus * (stretch + z * about_y - y * about_z)
    if own.is_round and own.EI_y:
        shear = own.GJ * own.youngs_modulus / (2.0 * own.EI_y) * twist
        found[4], found[5] = shear * y, -shear * z
    return found
