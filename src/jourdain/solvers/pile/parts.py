"""What a pile is made of: loose bodies, and groups of contours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
class Group:
    """Contours of which all pairs may touch, and their law.

    Parameters
    ----------
    finder : ContactFinder
        Finds the contacts.
    units : (n,) of int
        Unit of each contour, −1 for the world.
    frames : (n, 12)
        Poses of the contours relative to the centre of mass of a loose body; for the world, in it.
    friction, restitution : float
        Coefficients.
    reach : (n,) [m]
        How far each contour reaches from its frame.
    """

    finder: ContactFinder
    units: Any
    frames: Any
    friction: float
    restitution: float
    reach: Any
