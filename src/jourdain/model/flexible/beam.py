"""Straight beams and shafts by Ritz's method: bending, torsion, extension and shear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.flexible.beam_shapes import BeamShapes
from jourdain.model.flexible.beam_skin import skin_of
from jourdain.model.flexible.damping import Damping, damping_of
from jourdain.model.flexible.disc import Disc
from jourdain.model.flexible.end_modes import for_loads_at
from jourdain.model.flexible.integrals import integrals
from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.ritz import FAMILIES
from jourdain.model.flexible.section import Section
from jourdain.model.flexible.solid import Elasticity, FlexibleSolid, Position, Shapes, Skin
from jourdain.spatial import check
from jourdain.spatial.solid import Shape

_PIECES = 12  # of a beam, to draw it bent
_FIELDS = ("y", "z", "twist", "stretch", "shear")
_FRAMES = ("auto", "end", "ends", "mean")
_MOST = 40  # modes or functions of a beam
_MOST_POLYNOMIALS = 12  # beyond which their matrices are ill-conditioned
_FOR_LOADS = 2  # modes in a plane of which static deflections by loads at an end can be made
_ENOUGH = 3  # modes in a plane with which two frequencies are right as well
_SAME = 1e-9  # part of the length by which the pieces of a stepped beam may miss it

Sections = Section | Callable[[float], Section] | Sequence[tuple[float, Section]]


def beam(
    length: float,
    section: Sections,
    *,
    modes: int | None = None,
    fields: Sequence[str] = ("y", "z", "twist"),
    functions: int = 8,
    family: str = "polynomials",
    damping: Damping | Sequence[float] = 0.0,
    frame: str = "auto",
) -> Beam:
    """Flexible beam along x from the origin of the body.

    Bending of large rotating or loaded beams is right to second order: it stiffens by centrifugal
    forces and gives way under pressure.

    Parameters
    ----------
    length : float [m]
        Length.
    section : Section, function, or sequence of (length, Section)
        Cross-section, for example ``jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.02)``; a
        function of x [m] for a tapered beam; pieces with their lengths [m] for a stepped one.
    modes : int, optional
        How many of its lowest modes are the elastic coordinates. By default four for each plane of
        bending and two for each other field, made so that all loads at its ends bend, twist and
        stretch it at rest exactly as they should.
    fields : tuple of str
        What it does: bend along ``"y"`` and ``"z"``, ``"twist"``, ``"stretch"``, which makes
        a motion stiff, and ``"shear"`` where it bends, for short thick ones.
    functions : int
        Shape functions for each field, of which the modes are made.
    family : str
        ``"polynomials"``, ``"splines"``, or eigenfunctions of a uniform beam by its ends:
        ``"clamped-free"``, ``"pinned-pinned"``, ``"free-free"`` and so on.
    damping : float, sequence of float [1], or Rayleigh
        Damping ratio of each mode: one for all, or one for each, the lowest mode first; or
        ``jd.flexible.Rayleigh(mass, stiffness)``.
    frame : {"auto", "end", "ends", "mean"}
        Frame in which deformations are small. ``"end"`` is fixed to the end at the origin, and the
        modes are those of the beam clamped there: for arms and blades. ``"ends"``, too, but the
        modes are made of what loads at the other end do at rest, and of those with both ends
        clamped: for frames, and for what carries moments at its tip. ``"mean"`` moves with the
        beam in the mean, and modes that are given are those of the free beam: for rods between
        joints, and free bodies. ``"auto"`` chooses by the model: the mean where the body is part of
        a loop or not joined to anything, unless a Fixed joint holds one of its ends; else the
        ends. Where ``modes`` are given it takes the ends only if a joint holds the far one, and
        if there are three modes and more for each plane, or two with a Fixed joint.

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
    given = damping_of(damping, "the beam")
    return Beam(length, _sections(section), modes, tuple(fields), functions, family, given, frame)


def shaft(
    length: float,
    section: Sections,
    discs: Sequence[Disc] = (),
    *,
    modes: int | None = None,
    fields: Sequence[str] = ("y", "z", "twist"),
    functions: int = 10,
    damping: Damping | Sequence[float] = 0.0,
) -> Beam:
    """Flexible shaft along x from the origin of the body, with discs.

    A beam whose deformations are seen from a frame that turns and moves with the shaft in the
    mean. Gyroscopic moments, unbalance and centrifugal forces follow from the motion; what
    vibrates with ω in space is seen by the turning coordinates with ω − Ω. Damping turns with the
    shaft, too: that of material, which makes it whirl beyond its critical speed where bearings and
    air damp too little.

    Parameters
    ----------
    length : float [m]
        Length.
    section : Section, function, or sequence of (length, Section)
        Cross-section, as that of a `beam`; steps are given as pieces with their lengths.
    discs : sequence of Disc
        Discs on it, made by ``jd.flexible.disc`` or by hand.
    modes : int, optional
        How many of its lowest modes, free at both ends, are the elastic coordinates. By default as
        many as those of a `beam`, made in the same way, and more where there are many discs.
    fields : tuple of str
        What it does, as a `beam` does.
    functions : int
        Shape functions for each field.
    damping : float, sequence of float [1], or Rayleigh
        Damping ratio of the modes, as that of a `beam`.

    Examples
    --------
    >>> import jourdain as jd
    >>> disc = jd.flexible.disc(jd.flexible.STEEL, at=0.25, diameter=0.2, width=0.02)
    >>> rotor = jd.flexible.shaft(0.5, jd.flexible.circle(jd.flexible.STEEL, 0.02), [disc])
    >>> rotor.frequencies[:2].round(2)
    array([248.05, 248.05])
    """
    own = damping_of(damping, "the shaft")
    more = modes, tuple(fields), functions, "polynomials", own, "mean", tuple(discs)
    return Beam(length, _sections(section), *more)


def _sections(given: Any) -> Any:
    return tuple(map(tuple, given)) if isinstance(given, list | tuple) else given


@dataclass(frozen=True)
class Beam(FlexibleSolid):
    """A flexible beam. Made by `beam` and `shaft`, which tell what its fields mean."""

    length: float
    section: Any
    n_modes: int | None
    fields: tuple[str, ...]
    functions: int
    family: str
    damping: Damping
    frame: str
    discs: tuple[Disc, ...] = ()

    def __post_init__(self) -> None:
        plain_number(self.length, "length of the beam", positive=True)
        self._check_section()
        for field in self.fields:
            if field not in _FIELDS:
                raise unknown_name("field", str(field), _FIELDS, "a beam")
        if self.family not in FAMILIES:
            raise unknown_name("family of functions", str(self.family), FAMILIES, "beams")
        for name, count in (("modes", self.n_modes), ("functions", self.functions)):
            if name == "modes" and count is None:
                continue
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
        if self.frame not in _FRAMES:
            raise unknown_name("frame", str(self.frame), _FRAMES, "beams")
        most = self.functions * len(self.fields)
        if self.n_modes is not None and self.n_modes > most:
            raise ModelError(
                f"modes of the beam is {self.n_modes}: with {self.functions} functions in each of "
                f"{len(self.fields)} fields give 1 to {most}, or give more functions."
            )
        for disc in self.discs:
            if not isinstance(disc, Disc) or not 0.0 <= disc.at <= self.length:
                raise ModelError(
                    f"a disc of the shaft is {check.shown(disc)}: give jd.flexible.Disc or "
                    f"jd.flexible.disc with a place from 0 to {self.length:g} m."
                )

    def _check_section(self) -> None:
        pieces = [s for _, s in self.section] if isinstance(self.section, tuple) else [self.section]
        if not callable(self.section) and not all(isinstance(s, Section) for s in pieces):
            raise ModelError(
                f"section of the beam is {check.shown(self.section)}: give a cross-section, for "
                "example jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.02), a function of x, or "
                "pieces such as [(0.2, thick), (0.3, thin)]."
            )
        if isinstance(self.section, tuple):
            lengths = [plain_number(x, "length of a piece", positive=True) for x, _ in self.section]
            if abs(sum(lengths) - self.length) > _SAME * self.length:
                raise ModelError(
                    f"the pieces of the beam are {sum(lengths):.6g} m long together, and the beam "
                    f"{self.length:.6g} m: let them fit."
                )
        for name in ("shear_y", "shear_z") if "shear" in self.fields else ():
            if any(isinstance(s, Section) and not getattr(s, name) for s in pieces):
                raise ModelError(
                    f'the beam has the field "shear", and a section without {name}: give it, as '
                    "jd.flexible.rectangle, circle and tube do, or leave the field out."
                )

    @cached_property
    def elasticity(self) -> Elasticity:  # type: ignore[override]
        """Its lowest modes, clamped at the origin, or free."""
        own = BeamShapes(self)
        masses = integrals(own.points())
        shapes = Shapes(masses, own.place, own.stiffness(), own.blocks, self.gauges)
        if self.frame == "ends" or self.n_modes is None:
            end = self.length, 0.0, 0.0
            shapes = for_loads_at(shapes, end, self.n_modes, len(self.discs))
        if self.frame == "mean":
            shapes = shapes.in_mean_axes()
        return shapes.modes(self.n_modes, self.damping)

    @cached_property
    def _framed(self) -> dict[str, Beam]:
        return {frame: replace(self, frame=frame) for frame in _FRAMES[1:]}

    def fastened(
        self, is_rod: bool, joined: Sequence[Position] = (), clamped: Sequence[Position] = ()
    ) -> FlexibleSolid:
        """The beam with the frame that suits its part in the model."""
        if self.frame != "auto":
            return self
        planes = sum(field in self.fields for field in ("y", "z"))
        each = self.n_modes / max(planes, 1) if self.n_modes is not None else _ENOUGH
        is_held = self._has_far_end(clamped) and each >= _FOR_LOADS
        carries = self._has_far_end(joined) and each >= _ENOUGH
        if is_held or (not is_rod and (carries or self.n_modes is None)):
            return self._framed["ends"]
        return self._framed["mean" if is_rod else "end"]

    def _has_far_end(self, places: Sequence[Position]) -> bool:
        numbers = [x for x, _, _ in places if isinstance(x, int | float)]
        return any(abs(x - self.length) <= _SAME * self.length for x in numbers)

    @cached_property
    def jumps(self) -> tuple[float, ...]:
        """Where the cross-section jumps [m]."""
        if not isinstance(self.section, tuple):
            return ()
        return tuple(np.cumsum([x for x, _ in self.section])[:-1].tolist())

    def section_at(self, x: float) -> Section:
        """Cross-section at a place along the beam."""
        if isinstance(self.section, tuple):
            return self.section[int(np.searchsorted(self.jumps, x, side="right"))][1]  # type: ignore[no-any-return]
        return self.section if isinstance(self.section, Section) else self.section(x)

    @cached_property
    def _spans(self) -> list[tuple[float, float]]:
        """Pieces between which its cross-section does not jump."""
        ends = sorted({*np.linspace(0.0, self.length, _PIECES + 1).tolist(), *self.jumps})
        return list(pairwise(ends))

    @property
    def gauges(self) -> list[Position]:
        """Where its modes are measured: their largest displacement, or turn, there is one."""
        middles = [0.5 * (a + b) for a, b in self._spans]
        places = [*middles, *(own.at for own in self.discs), self.length]
        return [(x, 0.0, 0.0) for x in places]

    @cached_property
    def skin(self) -> Skin | None:
        """Its surface, if the size of its cross-section is known."""
        return skin_of(self, self._spans)

    @property
    def outline(self) -> list[tuple[Position, Shape]]:
        """Discs to draw, and pieces of a beam that has no skin."""
        discs = [((own.at, 0.0, 0.0), own.shape()) for own in self.discs]
        if self.skin is not None:
            return discs
        pieces = [
            ((0.5 * (a + b), 0.0, 0.0), self.section_at(0.5 * (a + b)).shape(b - a, 0.0))
            for a, b in self._spans
        ]
        return [*pieces, *discs]
