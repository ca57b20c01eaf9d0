"""A thin ring that bends in its plane, without extension (4.F53)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.damping import Damping, coefficients, damping_of
from jourdain.model.flexible.integrals import integrals
from jourdain.model.flexible.place import Place, fixed
from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.ritz import gauss
from jourdain.model.flexible.section import Section
from jourdain.model.flexible.solid import Elasticity, FlexibleSolid, Position
from jourdain.spatial import check
from jourdain.spatial.solid import Shape

_PIECES = 36  # of a ring, to draw it bent
_MOST = 12  # waves around the ring
_HUB = 0.5  # part of the radius within which frames are those of the ring as a whole


def ring(
    radius: float,
    section: Section,
    *,
    waves: int = 3,
    damping: Damping | Sequence[float] = 0.0,
) -> Ring:
    """Flexible ring about the z axis of the body, such as a ring gear.

    It bends in its plane by 2, 3, … waves around it and keeps its length: ovals, triangles and so
    on. Its frame is in the middle and moves with the ring in the mean. Positions are right to
    second order: rotation and tension stiffen it.

    Parameters
    ----------
    radius : float [m]
        Radius of the line of its cross-sections.
    section : Section
        Cross-section: y is along the radius, z along the axis, as in
        ``jd.flexible.rectangle(material, height=thickness, width=width)``.
    waves : int
        Most waves around the ring; there are two coordinates for each number from 2 on, ``c2`` and
        ``s2`` for cos 2φ and sin 2φ: the largest radial displacement [m].
    damping : float, sequence of float [1], or Rayleigh
        Damping ratio of the modes, as that of a `beam`.

    Returns
    -------
    Ring
        For `Model.add_body`. ``body.at(x, y, z)`` in half the radius around the middle is a frame
        of the ring as a whole; elsewhere, one that moves with the ring at that angle.

    Examples
    --------
    >>> import jourdain as jd
    >>> steel = jd.flexible.rectangle(jd.flexible.STEEL, height=0.006, width=0.03)
    >>> jd.flexible.ring(0.08, steel).frequencies.round(2)
    array([ 597.53,  597.53, 1688.25, 1688.25])
    """
    return Ring(radius, section, waves, damping_of(damping, "the ring"))


@dataclass(frozen=True)
class Ring(FlexibleSolid):
    """A flexible ring. Made by `ring`, which tells what its fields mean."""

    radius: float
    section: Section
    waves: int
    damping: Damping

    def __post_init__(self) -> None:
        plain_number(self.radius, "radius of the ring", positive=True)
        if not isinstance(self.section, Section):
            raise ModelError(
                f"section of the ring is {check.shown(self.section)}: give a cross-section, for "
                "example jd.flexible.rectangle(jd.flexible.STEEL, height=0.006, width=0.03)."
            )
        n = self.waves
        if isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= _MOST:
            raise ModelError(
                f"waves of the ring is {check.shown(n)}: give a whole number from 2 to {_MOST}."
            )

    @property
    def _harmonics(self) -> Any:
        """Number of waves of each coordinate."""
        return np.repeat(np.arange(2, self.waves + 1), 2)

    def _turns(self, angle: Any, order: int = 0) -> Any:
        """Turn of the tangent by each coordinate (k, n), or its derivatives by the angle."""
        i, x = self._harmonics, np.asarray(angle)[:, None]
        phase = np.tile([0.0, 0.5 * np.pi], self.waves - 1)  # cos iφ, then sin iφ outwards
        rate = (i**2 - 1.0) / (i * self.radius)
        return rate * i**order * np.sin(i * x - phase + order * 0.5 * np.pi)

    @cached_property
    def _nodes(self) -> tuple[Any, Any]:
        """Angles all around, equally spaced: sums over them are exact for waves."""
        n = 6 * self.waves + 6
        return 2.0 * np.pi * np.arange(n) / n, np.full(n, 2.0 * np.pi / n)

    @cached_property
    def _closing(self) -> Any:
        """Second derivatives (2, n, n) of the turn A cos φ + B sin φ that closes the ring."""
        angle, weights = self._nodes
        turns, along = self._turns(angle), _along(angle)
        return -np.einsum("k,ak,ki,kj->aij", weights, along, turns, turns) / np.pi

    def _walk(self, angle: float) -> Any:
        """Second derivatives (2, n, n) of the way from the angle 0 to this one."""
        x, weights = gauss([0.0, 0.5 * angle, angle], 3 * self.waves + 12)
        turns, out, along = self._turns(x), _outward(x), _along(x)
        squares = np.einsum("k,ak,ki,kj->aij", weights, along, turns, turns)
        tilted = np.einsum("k,ak,bk,bij->aij", weights, out, out, self._closing)
        return -self.radius * (squares + tilted)

    @cached_property
    def _mean(self) -> Any:
        """Mean of the way from the angle 0, so that the middle stays where it is."""
        angles, weights = self._nodes
        walks = [self._walk(float(angle)) for angle in angles]
        return np.einsum("k,kaij->aij", weights, walks) / (2.0 * np.pi)

    def on_ring(self, angle: float) -> Place:
        """Frame on the line of the cross-sections; undeformed, its axes are those of the body."""
        x, i = np.array([angle]), self._harmonics
        turns, out, along = self._turns(x)[0], _outward(x)[:, 0], _along(x)[:, 0]
        sideways = -turns * self.radius / (i**2 - 1.0)  # tangential displacement
        outward = self._turns(x, 1)[0] * self.radius / (i**2 - 1.0)  # w = −t'
        n = len(i)
        A, T, B, T2 = np.zeros((3, n)), np.zeros((3, n)), np.zeros((3, n, n)), np.zeros((3, n, n))
        A[:2] = np.outer(out, outward) + np.outer(along, sideways)
        T[2], T2[2] = turns, np.einsum("a,aij->ij", out, self._closing)
        B[:2] = self._walk(angle) - self._mean
        return Place(np.array([*(self.radius * out), 0.0]), A, B, T, T2)

    def _place(self, position: Position) -> Place:
        x, y, z = (plain_number(value, "a position on the ring") for value in position)
        if np.hypot(x, y) < _HUB * self.radius:
            return fixed((x, y, z), len(self._harmonics))
        own = self.on_ring(float(np.arctan2(y, x)))
        return own.beside(np.array([x, y, z]) - own.x)

    def _points(self) -> list[tuple[float, Place]]:
        """Point masses: slices with their height along the radius and their width."""
        own, found = self.section, []
        for angle, weight in zip(*self._nodes, strict=True):
            place, mass = self.on_ring(float(angle)), weight * self.radius * own.mass
            out = np.array([*_outward(np.array([angle]))[:, 0], 0.0])
            radial, axial = (np.sqrt(own.moments[k] / own.mass) for k in (2, 1))
            for a in (radial, -radial) if radial else (0.0,):
                for b in (axial, -axial) if axial else (0.0,):
                    share = mass / ((2 if radial else 1) * (2 if axial else 1))
                    found.append((share, place.beside(a * out + np.array([0.0, 0.0, b]))))
        return found

    @cached_property
    def elasticity(self) -> Elasticity:  # type: ignore[override]
        """Waves around the ring; they do not mix."""
        own, i = integrals(self._points()), self._harmonics
        masses = np.diag(own.mass_matrix)
        stiffness = self.section.EI_z * np.pi / self.radius**3 * (i**2 - 1.0) ** 2
        losses = coefficients(self.damping, masses, stiffness)
        names = [f"{letter}{k}" for k in range(2, self.waves + 1) for letter in "cs"]
        return Elasticity(own, self._place, stiffness, losses, dict.fromkeys(names, "m"))

    @property
    def gauges(self) -> list[Position]:
        """Middles of its pieces."""
        return [position for position, _ in self.outline]

    @property
    def outline(self) -> list[tuple[Position, Shape]]:
        """Pieces to draw."""
        step, own = 2.0 * np.pi / _PIECES, self.section
        length = 2.0 * (self.radius + 0.5 * own.height) * np.tan(0.5 * step)
        found = []
        for k in range(_PIECES):
            c, s = (float(f(k * step)) for f in (np.cos, np.sin))
            turn = ((-s, -c, 0.0), (c, -s, 0.0), (0.0, 0.0, 1.0))  # columns: along, inward, z
            size = (length, own.height, own.width)
            piece = Shape("box", size, (0.0, 0.0, 0.0), turn)
            found.append(((self.radius * c, self.radius * s, 0.0), piece))
        return found


def _outward(angle: Any) -> Any:
    """Directions (2, k) of the radius."""
    return np.stack([np.cos(angle), np.sin(angle)])


def _along(angle: Any) -> Any:
    """Directions (2, k) of the tangent."""
    return np.stack([-np.sin(angle), np.cos(angle)])
