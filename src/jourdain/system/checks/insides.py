"""Where the internal coordinates of composite connections lie, and whether they are loose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from jourdain.system.questions.answers import Answers

_SINGULAR = 1e-11  # ratio of singular values


@dataclass(frozen=True)
class Inside:
    """Places of one composite in q, among the steps, and in the matrix.

    Parameters
    ----------
    name : str
        Name of the composite.
    names : tuple of str
        Its internal coordinates.
    q, steps, rows : slice
        Where they lie in q, among the steps, and in residuals and matrix.
    is_elastic : bool
        Whether laws alone place them.
    lack : str
        What they lack where the matrix is singular.
    """

    name: str
    names: tuple[str, ...]
    q: slice
    steps: slice
    rows: slice
    is_elastic: bool
    lack: str


def insides(answers: Answers) -> Iterator[Inside]:
    """Yield the places of all composites."""
    parts, graph = answers.description.parts, answers.graph[1]
    start = len(answers.description.names.q) - len(parts.internal)
    step, row = 0, 0
    for element in parts.composites:
        names, inner = tuple(element.coordinates), graph.eliminated[element.name]
        n, size = len(names), inner.matrix.shape[0]
        yield Inside(
            element.name, names, slice(start, start + n), slice(step, step + n),
            slice(row, row + size), element.n_held == 0, inner.lack,
        )  # fmt: skip
        start, step, row = start + n, step + n, row + size


def loose_names(matrix: Any, names: Sequence[str], limit: float = _SINGULAR) -> list[str]:
    """Internal coordinates that a matrix leaves loose, if it is singular but for a limit."""
    scale = np.sqrt(np.abs(matrix).max(axis=1, initial=0.0))
    scale[scale == 0.0] = 1.0
    _, sizes, basis = np.linalg.svd(matrix / np.outer(scale, scale))
    if sizes[-1] > limit * sizes[0]:
        return []
    loose = np.abs(basis[-1][: len(names)]) / scale[: len(names)]
    return [name for name, x in zip(names, loose, strict=True) if x > 0.5 * loose.max()]
