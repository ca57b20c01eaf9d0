"""Free bodies as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FreeBodies:
    """Bodies with a free joint alone.

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
