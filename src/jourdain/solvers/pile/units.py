"""What a pile is made of: loose bodies and groups of contours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.collision import ContactFinder


@dataclass(frozen=True)
class Loose:
    """Bodies that hang on the world alone.

    Parameters
    ----------
    properties : (n, 23)
        Mass, centre of mass, moments about it, their inverse, radius of gyration.
    at_q, at_v : (n,) of int
        Where the coordinates of their free joints begin.
    """

    properties: Any
    at_q: Any
    at_v: Any

    def __len__(self) -> int:
        return len(self.at_q)


@dataclass(frozen=True)
class PairLaw:
    """Law of contacts.

    Parameters
    ----------
    friction, restitution : float, or function of an array
        Coefficients; from the speeds of sliding, and of approach [m/s]. A pair for friction that
        is elliptic along the tangents.
    rolling, drilling : float, or function of an array [m]
        Lengths of moments; from the speeds of turning [rad/s].
    is_poisson : bool
        Whether impacts follow Poisson's law, not Newton's.
    """

    friction: Any
    restitution: Any
    rolling: Any = 0.0
    drilling: Any = 0.0
    is_poisson: bool = False

    @property
    def is_elliptic(self) -> bool:
        """Whether friction differs between the tangents."""
        return isinstance(self.friction, tuple)

    @property
    def turns(self) -> bool:
        """Whether it resists that bodies turn against each other."""
        return any(callable(x) or x > 0.0 for x in (self.rolling, self.drilling))

    @property
    def coefficients(self) -> tuple[Any, ...]:
        """All numbers and functions."""
        friction = self.friction if self.is_elliptic else (self.friction,)
        return *friction, self.restitution, self.rolling, self.drilling

    def at(self, rates: Any, is_turned: bool) -> tuple[Any, Any, Any]:
        """Coefficients μ and e at velocities (n, 3), and factors (n, 3) of the axes (CT-19)."""
        across = None if rates is None else np.linalg.norm(rates[:, 1:], axis=1)
        if is_turned:
            spin = None if rates is None else np.abs(rates[:, 0])
            parts = [_at(self.drilling, spin), *2 * [_at(self.rolling, across)]]
        else:
            pair = self.friction if self.is_elliptic else (self.friction, self.friction)
            parts = [_at(mu, across) for mu in pair]
        limits = np.stack(np.broadcast_arrays(*parts))
        most = limits.max(axis=0)
        scale = np.where(most > 0.0, limits / np.where(most > 0.0, most, 1.0), 1.0).T
        if is_turned:
            return most, 0.0, scale
        approach = None if rates is None else np.maximum(-rates[:, 0], 0.0)
        return most, _at(self.restitution, approach), np.insert(scale, 0, 1.0, axis=-1)


def _at(coefficient: Any, speeds: Any) -> Any:
    """Coefficient at speeds; zero for a function of which no speed is known."""
    if not callable(coefficient):
        return coefficient
    return 0.0 if speeds is None else coefficient(speeds)


@dataclass(frozen=True)
class Group:
    """Contours of which pairs may touch, and their laws.

    Parameters
    ----------
    finder : ContactFinder
        Finds the contacts.
    units : (n,) of int
        Unit of each contour, −1 for the world.
    frames : (n, 12)
        Poses of the contours relative to the centre of mass of a loose body; for the world, in it.
    reach : (n,) [m]
        How far each contour reaches from its frame.
    laws : tuple of PairLaw
        Laws.
    kinds : (n,) of int
        Kind of each contour.
    table : (m, m) of int
        Law of two kinds; −1 where they do not touch.
    apart : (k, 2) of int
        Pairs of contours that do not touch either, the smaller number first.
    """

    finder: ContactFinder
    units: Any
    frames: Any
    reach: Any
    laws: tuple[PairLaw, ...]
    kinds: Any
    table: Any
    apart: Any

    @cached_property
    def _tables(self) -> tuple[Any, ...]:
        """Kinds, table of laws and numbers of the pairs that do not touch, one behind the other."""
        codes = np.sort(self.apart @ (len(self.units), 1))
        return tuple(
            np.ascontiguousarray(x, dtype=np.int64) for x in (self.kinds, self.table, codes)
        )

    @property
    def arguments(self) -> dict[str, int]:
        """What the loop over candidates is told of the group."""
        kinds, table, codes = self._tables
        return {
            "n_own": len(self.units), "kinds": address(kinds), "n_kinds": len(table),
            "law_table": address(table), "n_apart": len(codes), "apart": address(codes),
        }  # fmt: skip


def reaches(groups: Sequence[Group], owners: Any, frames: Any, n: int) -> Any:
    """How far the contours of each of n loose bodies reach from its centre of mass (n,) [m]."""
    reach = np.zeros(n + 1)
    ends = np.linalg.norm(frames[:, 9:], axis=1)
    np.maximum.at(reach, owners, ends + np.concatenate([g.reach for g in groups]))
    return reach[:-1]
