"""A straight beam by Ritz's method, to second order: bending, torsion, extension (FB-3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.flexible.integrals import integrals, points_of
from jourdain.model.flexible.place import Place
from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.ritz import FAMILIES, gauss
from jourdain.model.flexible.section import Section
from jourdain.model.flexible.solid import Elasticity, FlexibleSolid, Position, Shapes
from jourdain.spatial import check
from jourdain.spatial.solid import Shape

_PIECES = 12  # of a beam, to draw it bent
_FIELDS = {"y": ("m", 2), "z": ("m", 2), "twist": ("rad", 1), "stretch": ("m", 1)}  # unit, zeros
_MOST = 40  # modes or functions of a beam
_MOST_POLYNOMIALS = 12  # beyond which their matrices are ill-conditioned


def beam(
    length: float,
    section: Section | Callable[[float], Section],
    *,
    modes: int = 4,
    fields: tuple[str, ...] = ("y", "z", "twist"),
    functions: int = 8,
    family: str = "polynomials",
    damping: float = 0.0,
    frame: str = "end",
) -> Beam:
    """Flexible beam along x from the origin of the body.

    Its frame is that of the end at the origin. Bending of large rotating or loaded beams is right
    to second order: it stiffens by centrifugal forces and gives way under pressure.

    Parameters
    ----------
    length : float [m]
        Length.
    section : Section or function
        Cross-section, for example ``jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.02)``; a
        function of x [m] for a tapered beam.
    modes : int
        How many of its lowest modes, clamped at the origin, are the elastic coordinates.
    fields : tuple of str
        What it does: bend along ``"y"`` and ``"z"``, ``"twist"``, and ``"stretch"``, which makes
        a motion stiff and is left out by default.
    functions : int
        Shape functions for each field, of which the modes are made.
    family : str
        ``"polynomials"``, ``"splines"`` or ``"eigenfunctions"`` of a clamped and free beam.
    damping : float [1]
        Damping ratio of each mode.
    frame : {"end", "mean"}
        Frame in which deformations are small: fixed to the end at the origin, good for arms and
        blades; or moving with the beam in the mean, good for rods between two joints and for free
        bodies. Both tend to the same motion for small deformations.

    Returns
    -------
    Beam
        For `Model.add_body`.

    Examples
    --------
    >>> import jourdain as jd
    >>> rod = jd.flexible.beam(1.0, jd.flexible.circle(jd.flexible.STEEL, 0.01), modes=2)
    >>> rod.frequencies.round(3)
    array([7.236, 7.236])
    """
    return Beam(length, section, modes, tuple(fields), functions, family, damping, frame)


@dataclass(frozen=True)
class Beam(FlexibleSolid):
    """A flexible beam. Made by `beam`, which tells what its fields mean."""

    length: float
    section: Section | Callable[[float], Section]
    n_modes: int
    fields: tuple[str, ...]
    functions: int
    family: str
    damping: float
    frame: str

    def __post_init__(self) -> None:
        plain_number(self.length, "length of the beam", positive=True)
        plain_number(self.damping, "damping of the beam", nonnegative=True)
        if not isinstance(self.section, Section) and not callable(self.section):
            raise ModelError(
                f"section of the beam is {check.shown(self.section)}: give a cross-section, for "
                "example jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.02), or a function of x."
            )
        for field in self.fields:
            if field not in _FIELDS:
                raise unknown_name("field", str(field), _FIELDS, "a beam")
        if self.family not in FAMILIES:
            raise unknown_name("family of functions", str(self.family), FAMILIES, "beams")
        for name, count in (("modes", self.n_modes), ("functions", self.functions)):
            if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST:
                raise ModelError(
                    f"{name} of the beam is {check.shown(count)}: give a whole number from 1 to "
                    f"{_MOST}."
                )
        if self.family == "polynomials" and self.functions > _MOST_POLYNOMIALS:
            raise ModelError(
                f"functions of the beam is {self.functions}: more than {_MOST_POLYNOMIALS} "
                'polynomials cannot be told apart by rounding. Take fewer, or family="splines".'
            )
        if self.frame not in ("end", "mean"):
            raise unknown_name("frame", str(self.frame), ("end", "mean"), "beams")
        most = self.functions * len(self.fields)
        if self.n_modes > most:
            raise ModelError(
                f"modes of the beam is {self.n_modes}: with {self.functions} functions in each of "
                f"{len(self.fields)} fields give 1 to {most}, or give more functions."
            )

    @cached_property
    def elasticity(self) -> Elasticity:  # type: ignore[override]
        """Its lowest modes, clamped at the origin."""
        ritz = Ritz(self)
        blocks = [(f, _FIELDS[f][0], own) for f, own in ritz.places.items()]
        ends = [position for position, _ in self.outline]
        shapes = Shapes(integrals(ritz.points()), ritz.place, ritz.stiffness(), blocks, ends)
        found = shapes.modes(self.n_modes, self.damping)
        return found.in_mean_axes() if self.frame == "mean" else found

    def section_at(self, x: float) -> Section:
        """Cross-section at a place along the beam."""
        return self.section if isinstance(self.section, Section) else self.section(x)

    @property
    def outline(self) -> list[tuple[Position, Shape]]:
        """Pieces to draw; the last one ends at the tip."""
        piece = self.length / _PIECES
        middles = [(k + 0.5) * piece for k in range(_PIECES)]
        pieces = [((x, 0.0, 0.0), self.section_at(x).shape(piece, 0.0)) for x in middles]
        return [*pieces, ((self.length, 0.0, 0.0), Shape("point", ()))]


class Ritz:
    """A beam in terms of its shape functions."""

    def __init__(self, beam: Beam) -> None:
        make = FAMILIES[beam.family]
        self.beam, self.length = beam, beam.length
        self.families = {f: make(beam.functions, _FIELDS[f][1]) for f in beam.fields}
        self.places = {
            f: range(k * beam.functions, (k + 1) * beam.functions)
            for k, f in enumerate(beam.fields)
        }
        self.n = beam.functions * len(beam.fields)
        breaks = {x * beam.length for own in self.families.values() for x in own.breaks}
        self.breaks = sorted(breaks)
        self.count = beam.functions + 6  # Gauss points in an interval

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
        v, w, twist, u = (self.rows(f, 0, at)[0] for f in _FIELDS)
        v1, w1 = (self.rows(f, 1, at)[0] for f in ("y", "z"))
        A, T = np.stack([u, v, w]), np.stack([twist, -w1, v1])
        own = Place(np.array([x, 0.0, 0.0]), A, *self._second(x, T))
        return own.beside(np.array([0.0, *offset])) if any(offset) else own

    def _second(self, x: float, T: Any) -> tuple[Any, Any, Any]:
        """Terms of second order in the coordinates, integrated from the origin to x."""
        inner = [b for b in self.breaks if 0.0 < b < x]
        s, weights = gauss([0.0, *inner, x], self.count) if x > 0.0 else (np.zeros(1), np.zeros(1))
        v1, w1, a1, u1 = (self.rows(f, 1, s) for f in _FIELDS)
        v2, w2 = (self.rows(f, 2, s) for f in ("y", "z"))
        a = self.rows("twist", 0, s)

        def total(left: Any, right: Any, factor: Any = 1.0) -> Any:
            both = np.einsum("k,ki,kj->ij", weights * factor, left, right)
            return 0.5 * (both + both.T)

        arm = x - s
        B = [
            -total(v1, v1) - total(w1, w1),
            2.0 * (total(u1, v1) - total(a, w2, arm)),
            2.0 * (total(u1, w1) + total(a, v2, arm)),
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
        return found

    def stiffness(self) -> Any:
        """Stiffness matrix; the strain energy is exactly quadratic in these coordinates."""
        x, weights = self.nodes
        sections = [self.beam.section_at(float(s)) for s in x]
        K = np.zeros((self.n, self.n))
        terms = (("y", 2, "EI_z"), ("z", 2, "EI_y"), ("twist", 1, "GJ"), ("stretch", 1, "EA"))
        for field, order, name in terms:
            rows = self.rows(field, order, x)
            values = weights * np.array([getattr(own, name) for own in sections])
            K += np.einsum("k,ki,kj->ij", values, rows, rows)
        return K
