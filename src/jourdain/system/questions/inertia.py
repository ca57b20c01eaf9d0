"""Whether every free coordinate of a system moves some inertia."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.recursion import composite_body
from jourdain.system.checks.singular import (
    has_doubtful_inertia,
    leans_on_constraints,
    require_inertia,
)
from jourdain.system.compiled import CompiledModel
from jourdain.system.execution import Looped
from jourdain.system.looped import dense
from jourdain.system.plan import CHECKED_UP_TO
from jourdain.system.questions.answers import Answers

_HELD = 1e-12  # part of masses and constraints that every motion must meet


def mass_matrix(compiled: CompiledModel, q: Any, t: Any, parameters: Any) -> Any:
    """Mass matrix M (..., n_v, n_v) [kg, kg m, kg m^2], both triangles filled."""
    is_looped = isinstance(compiled.execution, Looped)
    if is_looped and compiled.is_flexible:  # whose joints have more columns than the loops have
        units = np.eye(compiled.description.n_v)
        q, t = np.asarray(q, dtype=float)[..., np.newaxis, :], np.asarray(t)[..., np.newaxis]
        return compiled.run(composite_body.MULTIPLY, q, units, t, parameters=parameters)[0]
    way = dense.MASS_MATRIX if is_looped else composite_body.MASS_MATRIX
    return compiled.run(way, q, t, parameters=parameters)[0]


class InertiaCheck:
    """Looks for coordinates without inertia and names them.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    answers : Answers
        Gives its constraints, which may exclude motions without inertia.
    """

    def __init__(self, compiled: CompiledModel, answers: Answers) -> None:
        self._compiled, self._answers, self._d = compiled, answers, compiled.description
        self._found_at: Any = None  # position, time and parameters at which all had some
        self.is_pending = True  # nobody has looked yet
        self.is_sound = False  # no coordinate can ever lack inertia

    @cached_property
    def _is_doubtful(self) -> bool:
        return has_doubtful_inertia(self._compiled.model)

    def look(self, q: Any, t: Any, parameters: Any) -> None:
        """Look once for coordinates without inertia, if a body is massless, a point or a rod."""
        is_doubtful = self._is_doubtful
        if np.ndim(q) == 0:
            return  # no positions, as the call itself will say
        if len(self._d.links) <= CHECKED_UP_TO and is_doubtful:
            self.require(q, t, parameters, np.shape(q)[:-1], 0)
        motions = {id(link.motion): link.motion for link in self._d.links}
        is_even = all(motion.modes[0].is_constant() for motion in motions.values())
        self.is_sound = is_even and not (is_doubtful or self._compiled.has_connections)
        self.is_pending = False

    def require(self, q: Any, t: Any, parameters: Any, lead: tuple[int, ...], row: int) -> None:
        """Raise if a coordinate has no inertia in one row of a batch."""
        whole, q = np.asarray(q, dtype=float), self._compiled.of_tree(q)
        times, p = np.asarray(t, dtype=float), self._compiled.parameters.array(parameters)
        columns = q, times[..., np.newaxis], p
        lead = np.broadcast_shapes(lead, *(np.shape(c)[:-1] for c in columns))
        if 0 in lead:
            return
        wide = [np.broadcast_to(c, (*lead, np.shape(c)[-1])) for c in columns]
        at = np.unravel_index(row, lead)
        q, t, p = (w[at] for w in wide)
        whole = np.broadcast_to(whole, (*lead, whole.shape[-1]))[at]
        place = q.tobytes(), float(t[0]), p.tobytes()
        if place != self._found_at:
            if not self._is_held(whole, float(t[0]), p):
                require_inertia(self._d, q, float(t[0]), p)
            self._found_at = place

    def _is_held(self, q: Any, t: float, p: Any) -> bool:
        """Tell whether constraints exclude all motions without inertia (CD-8)."""
        if not self._d.parts.has_constraints or not leans_on_constraints(self._d):
            return False
        M = mass_matrix(self._compiled, q, t, p)
        P = self._answers.answers(Mechanism.jacobian, q, np.zeros(len(M)), t=t, parameters=p)
        P = P[np.abs(P).max(axis=1, initial=0.0) > 0.0]
        mass = np.diag(M)
        heavy = mass > _HELD * mass.max(initial=0.0)
        response = (P[:, heavy] ** 2 / mass[heavy]).sum(axis=1)
        rest = (P * P).sum(axis=1) / max(mass.max(initial=0.0), 1e-300)
        whole = M + P.T @ (P / np.where(response > 0.0, response, rest)[:, np.newaxis])
        scale = np.sqrt(np.maximum(np.diag(whole), 1e-300))
        return bool(np.linalg.eigvalsh(whole / np.outer(scale, scale))[0] > _HELD)
