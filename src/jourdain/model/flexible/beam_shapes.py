"""Shape functions of a straight beam to second order: bending, torsion, extension, shear (FB-3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.integrals import points_of
from jourdain.model.flexible.place import Place
from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.ritz import FAMILIES, SPLINE_DEGREE, gauss
from jourdain.model.flexible.solid import Position

if TYPE_CHECKING:
    from jourdain.model.flexible.beam import Beam

FIELDS = {
    "y": ("m", 2), "z": ("m", 2), "twist": ("rad", 1), "stretch": ("m", 1),
    "shear_y": ("m", 1), "shear_z": ("m", 1),
}  # fmt: skip
"""Unit of the amplitudes of each field, and how many derivatives are zero at the origin."""
_ENERGIES = (
    ("y", 2, "EI_z"), ("z", 2, "EI_y"), ("twist", 1, "GJ"), ("stretch", 1, "EA"),
    ("shear_y", 1, "shear_y"), ("shear_z", 1, "shear_z"),
)  # fmt: skip


class BeamShapes:
    """A beam in terms of its shape functions."""

    def __init__(self, beam: Beam) -> None:
        make = FAMILIES[beam.family]
        self.beam, self.length = beam, beam.length
        n, jumps = beam.functions, [x / beam.length for x in beam.jumps]
        discs = {x / beam.length for x in (disc.at for disc in beam.discs)} - {0.0, 1.0, *jumps}
        self.families, self.places, self.n = {}, {}, 0
        for f in _split(beam.fields):
            zeros = FIELDS[f][1]
            own = make(n, zeros).with_kinks(jumps, (zeros, zeros + 1))
            own = own.with_kinks(sorted(discs), (zeros + 1,) if zeros == 2 else (1,))
            count = own.orders[0](np.zeros(1)).shape[1]
            self.families[f], self.places[f] = own, range(self.n, self.n + count)
            self.n += count
        breaks = {x * beam.length for own in self.families.values() for x in own.breaks}
        self.breaks = sorted(breaks)
        degree = {"splines": min(n, SPLINE_DEGREE), "polynomials": n}.get(beam.family, 3 * n)
        self.count = degree + 6  # Gauss points in an interval; waves need more of them

    @property
    def blocks(self) -> list[tuple[str, str, Sequence[int]]]:
        """Fields that do not mix; shear belongs to the bending in its plane."""
        whole = {f: [*self.places[f], *self.places.get(f"shear_{f}", ())] for f in self.places}
        return [(f, FIELDS[f][0], own) for f, own in whole.items() if not f.startswith("shear")]

    @cached_property
    def nodes(self) -> tuple[Any, Any]:
        """Gauss points of the whole beam, and their weights."""
        return gauss(self.breaks, self.count)

    def rows(self, field: str, order: int, x: Any) -> Any:
        """Values (k, n) of a field, or of its derivatives, by the shape functions."""
        found = np.zeros((len(x), self.n))
        if field in self.places:
            own = self.families[field].orders[order](np.asarray(x) / self.length)
            found[:, list(self.places[field])] = own / self.length**order
        return found

    def place(self, position: Position) -> Place:
        """Frame at a position of the beam (FB-3)."""
        x, *offset = (plain_number(value, "a position on the beam") for value in position)
        if not -1e-9 <= x / self.length <= 1.0 + 1e-9:
            raise ModelError(
                f"a frame at x = {x:.6g} m is beyond the beam, which reaches from 0 to "
                f"{self.length:.6g} m."
            )
        x = min(max(x, 0.0), self.length)
        at = np.array([x])
        v, w, twist, u, gv, gw = (self.rows(f, 0, at)[0] for f in FIELDS)
        v1, w1 = (self.rows(f, 1, at)[0] for f in ("y", "z"))
        A, T = np.stack([u, v + gv, w + gw]), np.stack([twist, -w1, v1])
        own = Place(np.array([x, 0.0, 0.0]), A, *self._second(x, T))
        return own.beside(np.array([0.0, *offset])) if any(offset) else own

    def _second(self, x: float, T: Any) -> tuple[Any, Any, Any]:
        """Terms of second order in the coordinates, integrated from the origin to x."""
        inner = [b for b in self.breaks if 0.0 < b < x]
        s, weights = gauss([0.0, *inner, x], self.count) if x > 0.0 else (np.zeros(1), np.zeros(1))
        v1, w1, a1, u1, gv, gw = (self.rows(f, 1, s) for f in FIELDS)  # gv, gw: angles of shear
        v2, w2 = (self.rows(f, 2, s) for f in ("y", "z"))
        a = self.rows("twist", 0, s)

        def total(left: Any, right: Any, factor: Any = 1.0) -> Any:
            both = np.einsum("k,ki,kj->ij", weights * factor, left, right)
            return 0.5 * (both + both.T)

        arm = x - s
        B = [
            -total(v1, v1 + 2.0 * gv) - total(w1, w1 + 2.0 * gw),
            2.0 * (total(u1, v1) - total(a, w2, arm) - total(a, gw)),
            2.0 * (total(u1, w1) + total(a, v2, arm) + total(a, gv)),
        ]
        T2 = [
            total(v1, w2) - total(w1, v2),
            total(v1, a1) - total(a, v2),
            total(w1, a1) - total(a, w2),
        ]
        return np.stack(B), T, np.stack(T2)

    def points(self) -> list[tuple[float, Place]]:
        """Point masses of the whole beam, with the inertia of its slices."""
        found = []
        for x, weight in zip(*self.nodes, strict=True):
            own = self.beam.section_at(float(x))
            moments = weight * np.asarray(own.moments)
            found += points_of(weight * own.mass, moments, self.place((float(x), 0.0, 0.0)))
        for disc in self.beam.discs:
            moments = np.asarray(disc.moments)
            found += points_of(disc.mass, moments, self.place((disc.at, *disc.offset)))
        return found

    def stiffness(self) -> Any:
        """Stiffness matrix; the strain energy is exactly quadratic in these coordinates."""
        x, weights = self.nodes
        sections = [self.beam.section_at(float(s)) for s in x]
        K = np.zeros((self.n, self.n))
        for field, order, name in _ENERGIES:
            rows = self.rows(field, order, x)
            values = weights * np.array([getattr(own, name) for own in sections])
            K += np.einsum("k,ki,kj->ij", values, rows, rows)
        return K


def _split(fields: Sequence[str]) -> list[str]:
    """Fields with the shear of each plane that bends in the place of ``"shear"``."""
    planes = [f"shear_{f}" for f in fields if f in ("y", "z")]
    return [*(f for f in fields if f != "shear"), *(planes if "shear" in fields else ())]
