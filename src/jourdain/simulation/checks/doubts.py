"""Results that cannot be true, told by parts and laws that know: torn oil, maps that are left."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from jourdain.errors import DoubtWarning
from jourdain.model.laws.law import ForceLaw
from jourdain.model.parts.part import Part, Samples
from jourdain.results import Solution
from jourdain.results.audit import struck_samples
from jourdain.simulation.checks.deformed import of_deformations

_FEW = 200
"""Samples at which forces are looked at."""


def tell_doubts(solution: Solution) -> None:
    """Warn of what parts and laws of the model doubt in a run."""
    samples = _Samples(solution)
    for text in chain(
        _of_parts(solution, samples), _of_laws(solution, samples), of_deformations(solution)
    ):
        warnings.warn(f"model {solution.model_name!r}: {text}", DoubtWarning, stacklevel=6)


def _of_parts(solution: Solution, samples: Samples) -> Iterator[str]:
    for name, built in solution.model.parts.items():
        if type(built.part).doubts is not Part.doubts:
            yield from built.part.doubts(name, samples)


def _of_laws(solution: Solution, samples: Samples) -> Iterator[str]:
    """Of the equal members of an array the first that tells something."""
    told: set[str] = set()
    for name, connection in solution.model.connections.items():
        whole = name.rpartition(".")[0]
        if not isinstance(connection.law, ForceLaw) or whole in told:
            continue
        for text in connection.law.doubts(name, connection.measure.unit, samples):
            yield text
            if whole in solution.model.arrays:
                told.add(whole)


class _Samples:
    """Values of a run: coordinates and states at all samples, others at a few without impacts."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def __call__(self, name: str) -> Any:
        """Numbers of a quantity."""
        if name in self.solution.system.names.q:
            return self.solution.q[:, self.solution.system.names.q.index(name)]
        return self._few.values(name)

    def time(self, name: str) -> Any:
        """Times of these numbers."""
        return (self.solution if name in self.solution.system.names.q else self._few).time

    @cached_property
    def _few(self) -> Solution:
        x = self.solution
        calm = np.flatnonzero(~struck_samples(x))
        k = calm[np.linspace(0, len(calm) - 1, min(len(calm), _FEW)).astype(int)]
        columns = (x.time, x.q, x.v, x.vdot, x.tau, x.extra, x.contacts)
        return Solution(
            x.system, *(column[k] for column in columns), events=[], statistics=x.statistics,
            inputs=x.inputs, parameters=x.parameters,
        )  # fmt: skip
