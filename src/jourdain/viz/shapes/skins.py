"""Surfaces of flexible bodies, which bend on the page and in pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.model.elements import Body
from jourdain.model.flexible.nodes.nodal import von_mises
from jourdain.model.flexible.solid import Skin
from jourdain.results import Solution
from jourdain.spatial.mesh import Triangles
from jourdain.viz.pages import packing
from jourdain.viz.shapes.mesh import facets
from jourdain.viz.shapes.scene import LEVELS, Part

_SEEN = 1e-5  # part of the size of a body that shows


def coordinates_of(body: Body) -> list[str]:
    """Names of the elastic coordinates of a body that has a skin; else none."""
    if body.elastic is None or body.elastic.skin is None:
        return []
    return [f"{body.piece_of}.elastic.{name}" for name in body.elastic.coordinates]


def amplitudes(solution: Solution, body: Body) -> Any:
    """Elastic coordinates (samples, n) of a body with a skin."""
    return np.stack([solution.values(name) for name in coordinates_of(body)], axis=-1)


def largest_stress(solution: Solution, body: Body) -> float:
    """Largest stress [Pa] after von Mises on the skin of a body in a run; zero if not known."""
    skin = None if body.elastic is None else body.elastic.skin
    if skin is None or not len(skin.stresses):
        return 0.0
    d = amplitudes(solution, body)
    rows = np.unique(np.linspace(0, len(d) - 1, 200).astype(int))
    return max(float(von_mises(skin.stresses @ d[k]).max()) for k in rows)


def skin_entry(solution: Solution, body: Body, bend: float) -> dict[str, Any]:
    """What the page knows of a body that bends; nothing for others."""
    skin = None if body.elastic is None else body.elastic.skin
    if skin is None:
        return {}
    most = largest_stress(solution, body)
    own: dict[str, Any] = {
        "names": coordinates_of(body),
        "modes": packing.plain(np.ascontiguousarray(skin.modes.transpose(2, 0, 1)), "f32"),
        "bend": bend,
        "most": most,
    }
    pairs = _pairs_that_show(skin, bend * np.abs(amplitudes(solution, body)).max(axis=0))
    if pairs:
        own["pairs"] = pairs
        twice = [skin.quadratic[:, :, i, j] * (0.5 if i == j else 1.0) for i, j in pairs]
        own["quadratic"] = packing.plain(np.array(twice), "f32")
    note = f"mass {body.inertia.mass:.4g} kg"
    if most > 0.0:
        stresses = np.ascontiguousarray(skin.stresses.transpose(2, 0, 1))
        own["stress"] = packing.plain(stresses, "f32")
        note += f", stress up to {most / 1e6:.4g} MPa (red)"
    return {"skin": own, "note": note}


def _pairs_that_show(skin: Skin, largest: Any) -> list[tuple[int, int]]:
    """Pairs of coordinates whose displacements of second order are seen on the page."""
    if not len(skin.quadratic):
        return []
    reach = np.abs(skin.quadratic).max(axis=(0, 1)) * np.outer(largest, largest)
    limit = _SEEN * float(np.ptp(skin.surface.points, axis=0).max())
    return [(i, j) for i, j in np.argwhere(reach > limit).tolist() if i <= j]


class Bending:
    """Parts of flexible bodies as they are bent in a run.

    Parameters
    ----------
    solution : Solution
        The run, whose largest stress is the end of the colours.
    rows : index
        Its samples that are drawn.
    parts : sequence of Part
        All parts of the model, in order.
    """

    def __init__(self, solution: Solution, rows: Any, parts: tuple[Part, ...]) -> None:
        self._parts = parts
        self._bodies: dict[int, Any] = {}
        for k, body in enumerate(solution.model.bodies.values()):
            if coordinates_of(body):
                d, skin = amplitudes(solution, body)[rows], body.elastic and body.elastic.skin
                self._bodies[k] = (skin, d, largest_stress(solution, body))

    def at(self, row: int) -> tuple[Part, ...]:
        """All parts at one of the moments."""
        if not self._bodies:
            return self._parts
        parts = list(self._parts)
        for k, (skin, d, most) in self._bodies.items():
            surface = Triangles.of(skin.at(d[row]), skin.surface.triangles)
            levels = None
            if most > 0.0:
                size = von_mises(skin.stresses @ d[row])[skin.surface.triangles].mean(axis=1)
                levels = np.minimum((LEVELS * size / most).astype(int), LEVELS - 1)
            parts[k] = replace(parts[k], mesh=facets(surface), levels=levels)
        return tuple(parts)
