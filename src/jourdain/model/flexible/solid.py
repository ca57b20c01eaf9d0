"""A flexible body as the equations see it: masses, frames, stiffness and damping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.damping import Damping, coefficients
from jourdain.model.flexible.integrals import Integrals
from jourdain.model.flexible.place import Place
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.pose import ORIGIN
from jourdain.spatial.solid import Shape

Position = tuple[float, float, float]
_STILL = 1e-12  # part of a turn, in m/rad, that counts as no displacement
_NO_MASS = 1e-15  # part of the largest mass that counts as none
MOST_TURN = 0.7
"""Turn [rad] within a body beyond which results are not worth their name."""


@dataclass(frozen=True, eq=False)
class Elasticity:
    """How a body deforms: its elastic coordinates d, and what they move.

    The coordinates are amplitudes of shapes, chosen so that the strain energy is ½ Σ k d².

    Parameters
    ----------
    integrals : Integrals
        Integrals over its mass.
    place : function
        Place of the frame at a position (x, y, z) [m] of the undeformed body.
    stiffness, damping : (n,)
        Stiffness k and damping coefficient of each coordinate.
    coordinates : dict of str to str
        Names of the coordinates, with their units.
    """

    integrals: Integrals
    place: Callable[[Position], Place]
    stiffness: Any
    damping: Any
    coordinates: dict[str, str]

    def in_mean_axes(self) -> Elasticity:
        """The same body in a frame at its centre of mass that moves with it in the mean (F9).

        Deformations then have no linear and no angular momentum, to first order.
        """
        mean, place = self.integrals.mean_frame, self.place
        seen = self.integrals.seen_from(mean)
        return replace(self, integrals=seen, place=lambda p: place(p).seen_from(mean))


@dataclass(frozen=True, eq=False)
class Skin:
    """Surface of a body, to draw it bent.

    Parameters
    ----------
    surface : Triangles
        The surface without deformation, in the frame in which the body deforms.
    modes : (V, 3, n)
        Displacements of its points by the coordinates.
    stresses : (V, 6, n) [Pa]
        Stresses xx, yy, zz, yz, zx, xy there; may be empty.
    quadratic : (V, 3, n, n)
        Second derivatives of the points by the coordinates; may be empty.
    """

    surface: Triangles
    modes: Any
    stresses: Any
    quadratic: Any = ()

    def at(self, amplitudes: Any) -> Any:
        """Points (V, 3) [m] of the deformed surface, where frames on the body are, too."""
        d = np.asarray(amplitudes, dtype=float)
        points = self.surface.points + self.modes @ d
        return points + 0.5 * (self.quadratic @ d) @ d if len(self.quadratic) else points


class FlexibleSolid:
    """What a flexible body is made of. Made by `jourdain.flexible.beam` and its like.

    Deformations are small; turns and displacements of the body itself may be large. Kinds are
    frozen dataclasses that tell `elasticity` and `outline`.
    """

    elasticity: Elasticity

    @property
    def outline(self) -> Sequence[tuple[Position, Shape]]:
        """What to draw, and where it is fastened."""
        return ()

    @property
    def skin(self) -> Skin | None:
        """Surface that bends, if it has one; else its outline is drawn."""
        return None

    @property
    def gauges(self) -> Sequence[Position]:
        """Where it is looked at how much it deforms."""
        return ()

    @cached_property
    def gauged_turns(self) -> tuple[Any, Any]:
        """First (g, 3, n) and second (g, 3, n, n) derivatives of the turns of its gauges."""
        places = [self.elasticity.place(position) for position in self.gauges]
        n = self.n
        return (
            np.array([own.T for own in places]).reshape(-1, 3, n),
            np.array([own.T2 for own in places]).reshape(-1, 3, n, n),
        )

    def largest_turn(self, amplitudes: Any) -> float:
        """Largest turn [rad] of its gauges against its frame, of some deformations (t, n)."""
        return max(
            (turn_of(T, T2, amplitudes) for T, T2 in zip(*self.gauged_turns, strict=True)),
            default=0.0,
        )

    @property
    def n(self) -> int:
        """Number of elastic coordinates."""
        return len(self.elasticity.coordinates)

    @property
    def coordinates(self) -> dict[str, str]:
        """Names of the elastic coordinates, with their units."""
        return self.elasticity.coordinates

    def fastened(
        self, is_rod: bool, joined: Sequence[Position] = (), clamped: Sequence[Position] = ()
    ) -> FlexibleSolid:
        """The same body as part of a machine: as a rod between joints, or free; or as an arm.

        Kinds may choose the frame of their deformations by it, by where joints are, and by where
        Fixed joints hold it.
        """
        del is_rod, joined, clamped
        return self

    @property
    def inertia(self) -> Inertia:
        """Inertia without deformation, in the axes of the body."""
        own, origin = self.elasticity.integrals, self.elasticity.place(ORIGIN).x
        com = own.h0 / own.mass
        shifted = own.moments - own.mass * (com @ com * np.eye(3) - np.outer(com, com))
        moments = tuple(map(tuple, shifted.tolist()))
        return Inertia(own.mass, tuple((com - origin).tolist()), moments)

    @property
    def frequencies(self) -> Any:
        """Frequencies (n,) [Hz] of the body alone, with the frame of its shapes held."""
        K = np.diag(self.elasticity.stiffness)
        squares = np.linalg.eigvals(np.linalg.solve(self.elasticity.integrals.mass_matrix, K))
        return np.sort(np.sqrt(np.maximum(squares.real, 0.0))) / (2.0 * np.pi)

    def compliance(self, position: Position) -> Any:
        """Turns and displacements (6, 6) of a frame by torques and forces there, at rest.

        Parameters
        ----------
        position : (3,) [m]
            Where, on the body; the frame of its shapes is held. The inverse is the stiffness.
        """
        place = self.elasticity.place(position)
        modes = np.vstack([place.T, place.A])
        return (modes / self.elasticity.stiffness) @ modes.T

    def __reduce__(self) -> Any:
        """Pickle what it was made of; the rest is computed again."""
        return type(self), tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]


def turn_of(T: Any, T2: Any, amplitudes: Any) -> float:
    """Largest turn [rad] of a frame, for any of some deformations (t, n)."""
    d = np.atleast_2d(np.asarray(amplitudes, dtype=float))
    turns = d @ T.T + 0.5 * ((T2 @ d.T).transpose(2, 0, 1) @ d[:, :, None])[:, :, 0]
    return float(np.sqrt((turns**2).sum(axis=1)).max(initial=0.0))


@dataclass(frozen=True)
class Shapes:
    """A body in terms of shape functions, before its modes are taken.

    Parameters
    ----------
    integrals, place
        Its masses and frames, as in `Elasticity`, for the amplitudes of the shapes.
    K : (n, n)
        Stiffness matrix.
    blocks : sequence of (name, unit, numbers of its shapes)
        Shapes that belong together; others do not mix with them in a mode.
    ends : sequence of position [m]
        Where a mode is measured: its largest displacement, or turn, there is one.
    """

    integrals: Integrals
    place: Callable[[Position], Place]
    K: Any
    blocks: Sequence[tuple[str, str, Sequence[int]]]
    ends: Sequence[Position]

    def in_mean_axes(self) -> Shapes:
        """The same body in a frame at its centre of mass that moves with it in the mean (F9).

        Deformations then have no linear and no angular momentum, to first order.
        """
        mean, place = self.integrals.mean_frame, self.place
        seen = self.integrals.seen_from(mean)
        return replace(self, integrals=seen, place=lambda p: place(p).seen_from(mean))

    def require_mass(self) -> None:
        """Raise where the shapes of a block move no mass."""
        M = self.integrals.mass_matrix
        for name, _, own in self.blocks:
            if np.linalg.eigvalsh(M[np.ix_(own, own)]).min() <= _NO_MASS * np.abs(M).max():
                raise ModelError(
                    f"the shapes {name!r} of a flexible body move no mass. Leave them out, or give "
                    "it mass that they move: a beam that twists, or shears, needs moments of its "
                    "section."
                )

    def modes(self, count: int | None, damping: Damping) -> Elasticity:
        """Body whose coordinates are its own modes, the lowest ``count`` of them."""
        self.require_mass()
        M = self.integrals.mass_matrix
        found = [mode for block in self.blocks for mode in self._modes_of(M, *block)]
        kept = sorted(found, key=lambda mode: float(mode[0]))[:count]
        places = [self.place(end) for end in self.ends]
        Z = np.stack([_scaled(z, unit, places) for _, _, unit, z in kept], axis=1)
        masses = np.einsum("ik,ij,jk->k", Z, M, Z)
        stiffness = masses * np.array([square for square, *_ in kept])
        losses = coefficients(damping, masses, stiffness)
        names = {name: unit for _, name, unit, _ in kept}
        place = self.place
        own = self.integrals.in_terms_of(Z)
        return Elasticity(own, lambda p: place(p).in_terms_of(Z), stiffness, losses, names)

    def _modes_of(self, M: Any, name: str, unit: str, own: Sequence[int]) -> list[tuple[Any, ...]]:
        """Squares of the frequencies [1/s²], names, units and vectors of a block's modes."""
        M_own, K_own = (X[np.ix_(list(own), list(own))] for X in (M, self.K))
        L = np.linalg.cholesky(M_own)
        half = np.linalg.solve(L, np.linalg.solve(L, K_own).T)
        squares, vectors = np.linalg.eigh(0.5 * (half + half.T))
        if squares.min() <= 0.0:
            raise ModelError(
                f"the shapes {name!r} of a flexible body have no stiffness: the lowest square of a "
                f"frequency is {squares.min():.3g} 1/s². Shapes must not contain motions of the "
                "rigid body."
            )
        columns = np.zeros((len(M), len(own)))
        columns[list(own)] = np.linalg.solve(L.T, vectors)
        pairs = zip(squares, columns.T, strict=True)
        return [(square, f"{name}{k}", unit, z) for k, (square, z) in enumerate(pairs, 1)]


def _scaled(z: Any, unit: str, places: Sequence[Place]) -> Any:
    """Mode whose largest displacement, or turn, at some places is one."""
    own = [(p.T if unit == "rad" else p.A) @ z for p in places]
    most = own[int(np.argmax([np.linalg.norm(x) for x in own]))]
    largest = most[int(np.argmax(np.abs(most)))]
    if abs(largest) <= _STILL * max(np.abs(p.T @ z).max() for p in places):
        raise ModelError(
            "a mode of a flexible body moves none of its ends. Let shapes that turn them and "
            "those that move them be blocks of their own."
        )
    return z / largest
