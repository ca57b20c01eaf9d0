"""How a run stays on its constraints: strategy objects."""

from __future__ import annotations

from dataclasses import dataclass

from jourdain.errors import ModelError


class Closure:
    """How states of a run are brought onto closed loops and held measures, after every step."""


@dataclass(frozen=True)
class Projection(Closure):
    """All coordinates move, by the smallest change in the measure of the masses: the default."""


@dataclass(frozen=True)
class Partition(Closure):
    """Independent coordinates stay as they were integrated, and the others follow from them.

    Which are independent is found from the constraint Jacobian by elimination with complete
    pivoting, on position and on velocity level apart, and changes when another choice is better
    conditioned: dead points are passed (PT-1 to PT-3).

    Parameters
    ----------
    keep : float [1]
        A coordinate stays dependent while its pivot is at least this part of the best one.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Partition()
    Partition(keep=0.1)
    """

    keep: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 < self.keep <= 1.0:
            raise ModelError(
                f"Partition has keep = {self.keep!r}; give a number above 0 and up to 1."
            )
