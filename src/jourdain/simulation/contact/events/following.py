"""Contact parameters of surfaces as states: found at the start, kept at rounding, missed if lost.

The state equation carries them along (CP-3). Gaps take two steps of Newton's method from them, so
what integration leaves of errors does not matter; it is taken away between phases and steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import with_values
from jourdain.system import System
from jourdain.system.contact.kernels import ContactKernels

_AHEAD = np.logspace(-9, -2, 8)  # [s] where a lost point is looked for after a failure


class Following:
    """Contact parameters of one run.

    Parameters
    ----------
    system : System
        The compiled machine.
    kernels : ContactKernels
        Its compiled functions.
    p : (n_p,)
        Parameters.
    """

    def __init__(self, system: System, kernels: ContactKernels, p: Any) -> None:
        self._system, self._kernels, self._p = system, kernels, p
        values = dict(zip(system.names.parameters, p.tolist(), strict=True))
        self._measures: dict[str, Any] = {
            c.name: with_values(c.measure, values) for c in system.description.parts.followed
        }
        self._places = {
            name: [system.names.q.index(f"{name}.{own}") for own in measure.parameters]
            for name, measure in self._measures.items()
        }

    def __bool__(self) -> bool:
        return bool(self._measures)

    def found(self, q: Any, t: float) -> Any:
        """Positions with contact parameters that are looked for all over the surfaces."""
        if not self:
            return q
        q = np.array(q)
        poses = self._system.poses(q, t, parameters=self._p)
        bodies = {name: (T[:3, :3], T[:3, 3]) for name, T in zip(self._bodies, poses, strict=True)}
        at = Snapshot(bodies, t=t)
        for name, measure in self._measures.items():
            q[self._places[name]] = measure.near(at, None)[1]
        return q

    @property
    def _bodies(self) -> list[str]:
        return list(self._system.model.bodies)

    def kept(self, q: Any, v: Any, u: Any, t: float) -> Any:
        """Positions with contact parameters that fit them."""
        if not self:
            return q
        q, places = np.array(q), [k for own in self._places.values() for k in own]
        q[places] = self._kernels.parameters(q, v, u, t, self._p)[0]
        return q

    def require(self, names: list[str], gaps: Any, t: float) -> None:
        """Refuse gaps that are not numbers.

        Raises
        ------
        IntegrationError
            If a contact point is lost; the text names the contact.
        """
        if not self:
            return
        for name, gap in zip(names, gaps, strict=True):
            if np.isnan(gap) and name in self._measures:
                raise IntegrationError(
                    f"contact {name!r} has lost its contact point at t = {t:.9g} s: no parameters "
                    "of its surfaces near those of the moment before make their normals meet. "
                    "Likely causes: it has come to a pole or an edge of a surface, where its two "
                    "tangents have one direction; or a surface is flat or hollow there. Write the "
                    "surface with other parameters, so that its poles are elsewhere."
                )

    def explain(self, names: list[str], q: Any, v: Any, u: Any, t: float) -> None:
        """Refuse to go on where a contact point is lost just ahead, for runs that have failed."""
        if not self:
            return
        qdot, vdot = self._kernels.rates(q, v, u, t, self._p)
        for h in _AHEAD:
            ahead = q + h * qdot, v + h * vdot, u, t + h, self._p
            self.require(names, self._kernels.rows(*ahead)[0], t)
