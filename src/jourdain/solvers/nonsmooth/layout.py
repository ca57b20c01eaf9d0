"""Blocks of a nonsmooth problem sorted by kind: what loops and vectorised formulas work on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jourdain.errors import ModelError

Array = NDArray[np.float64]
Rows = NDArray[np.int64]


def _no_rows() -> Rows:
    return np.zeros(0, dtype=np.int64)


def _no_pairs() -> Rows:
    return np.zeros((0, 2), dtype=np.int64)


NO_FRICTION = 1e-12
"""Coefficients up to this one count as zero: their impulses would be lost in rounding."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Rows and numbers of all blocks, kind by kind.

    Programs with many contacts build it directly (`contacts`); `Problem` makes it from blocks.

    Attributes
    ----------
    bilateral : tuple of arrays
        Rows of each bilateral block.
    half_lines : (n,)
        Row of each half line.
    segments, lower, upper : (n,)
        Row and limits of each segment.
    discs : (n, 2)
        Rows of each disc, with its ``radius``.
    line_normals, lines, line_mu : (n,)
        Friction with one row: its normal row, its row, its coefficient.
    plane_normals, planes, plane_mu : (n,), (n, 2), (n, 2)
        Friction with two rows.
    """

    bilateral: tuple[Rows, ...] = ()
    half_lines: Rows = field(default_factory=_no_rows)
    segments: Rows = field(default_factory=_no_rows)
    lower: Array = field(default_factory=lambda: np.zeros(0))
    upper: Array = field(default_factory=lambda: np.zeros(0))
    discs: Rows = field(default_factory=_no_pairs)
    radius: Array = field(default_factory=lambda: np.zeros(0))
    line_normals: Rows = field(default_factory=_no_rows)
    lines: Rows = field(default_factory=_no_rows)
    line_mu: Array = field(default_factory=lambda: np.zeros(0))
    plane_normals: Rows = field(default_factory=_no_rows)
    planes: Rows = field(default_factory=_no_pairs)
    plane_mu: Array = field(default_factory=lambda: np.zeros((0, 2)))

    def __post_init__(self) -> None:
        for name in ("line_mu", "plane_mu"):
            mu = getattr(self, name)
            if not (mu >= 0.0).all():
                raise ModelError(
                    f"coefficient of friction {mu[~(mu >= 0.0)][0]} of contact "
                    f"{int(np.argwhere(~(mu >= 0.0))[0, 0])}: it must be at least 0."
                )
            object.__setattr__(self, name, np.where(mu > NO_FRICTION, mu, 0.0))

    @classmethod
    def contacts(cls, mu: Array, dimension: int = 3) -> Self:
        """Contacts with rows normal, tangential, normal, tangential, … without anything else."""
        n = len(mu)
        rows = np.arange(n * dimension).reshape(n, dimension)
        mu = np.asarray(mu, dtype=float)
        if dimension == 2:
            return cls(half_lines=rows[:, 0], line_normals=rows[:, 0], lines=rows[:, 1], line_mu=mu)
        return cls(
            half_lines=rows[:, 0], plane_normals=rows[:, 0], planes=rows[:, 1:],
            plane_mu=np.repeat(mu[:, None], 2, axis=1),
        )  # fmt: skip

    def rows_of_blocks(self) -> Iterator[Rows]:
        """Rows of each block, kind by kind."""
        yield from self.bilateral
        for rows in (self.half_lines, self.segments, self.discs, self.lines, self.planes):
            yield from np.atleast_2d(rows.T).T

    @cached_property
    def free(self) -> Rows:
        """Rows of all bilateral blocks together."""
        return np.concatenate(self.bilateral) if self.bilateral else _no_rows()

    @property
    def frictions(self) -> tuple[tuple[Rows, Rows, Array], ...]:
        """Normal rows, rows and coefficients of friction with one row, and of that with two."""
        return (
            (self.line_normals, self.lines[:, None], self.line_mu[:, None]),
            (self.plane_normals, self.planes, self.plane_mu),
        )

    @cached_property
    def is_cone(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether friction of one and of two rows is isotropic and alone on its normal row.

        Then normal row and friction together are one second-order cone.
        """
        used = np.bincount(np.concatenate([self.line_normals, self.plane_normals]), minlength=1)
        planes = (used[self.plane_normals] == 1) & (self.plane_mu[:, 0] == self.plane_mu[:, 1])
        return used[self.line_normals] == 1, planes
