"""Set-valued connections beside groups: dry friction, stops and single contacts in sweeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_points import MODE
from jourdain.errors import ModelError
from jourdain.model.laws import Poisson
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.sanity import require_apart, require_known_forces
from jourdain.solvers.pile.units import Singles
from jourdain.system import System
from jourdain.system.contact.modal import contact_kernels


class SingleContacts:
    """Touchings of the part that is no loose body.

    Parameters
    ----------
    system : System
        Compiled without loose bodies and groups.
    inputs : mapping
        Inputs by name.
    held : mapping of str to int
        Places of sampled inputs.
    p : (n_p,)
        Parameters.

    Raises
    ------
    ModelError
        If a law is none that sweeps can have.
    """

    def __init__(
        self, system: System, inputs: Mapping[str, Any], held: Mapping[str, int], p: Any
    ) -> None:
        self.kernels = contact_kernels(system, inputs, held, {}, with_modes=False)
        self._contacts = Contacts(system, self.kernels, p)
        self.following, self.names = self._contacts.following, self._contacts.names
        self.owners = self._contacts.owners
        touches = self._contacts.touches
        _require_laws(touches)
        require_known_forces(system._graph[1].feels_contacts, "MoreauJean")
        self.modes = np.zeros(MODE * len(touches))
        self._is_dry = np.array([x.is_dry for x in touches], dtype=bool)
        self._is_elliptic = np.array([_is_elliptic(x) for x in touches], dtype=bool)
        self._is_poisson = np.array([isinstance(x.impact, Poisson) for x in touches], dtype=bool)
        self._lead = np.full(len(touches), -1)
        for k, x in enumerate(touches):
            self._lead[list(x.turns)] = k
        self._is_drilling = np.array([x.lead is not None and len(x.tangents) == 1 for x in touches])
        self._has_gap = np.array([x.has_gap for x in touches], dtype=bool)
        self._places = np.full((len(touches), 3), -1)  # the last row is none
        for own, x in zip(self._places, touches, strict=True):
            rows = [-1 if x.normal is None else x.normal, *x.tangents]
            own[: len(rows)] = rows
        self._places[self._is_drilling] = self._places[self._is_drilling][:, [1, 0, 2]]

    def __len__(self) -> int:
        return len(self.names)

    def at(self, q: Any, v: Any, u: Any, t: float, h: float) -> Singles:
        """Gaps and laws at a state; rows W and B (n, 3, n_v) and drift (n, 3) are kept."""
        rows = self._contacts.rows(q, v, u, t)
        none = np.zeros((1, len(v)))
        self._scale = np.ones((len(self), 3))
        self._scale[self._is_elliptic, 1:] = rows.capacity[self._is_elliptic]
        scale = self._scale[:, :, None]
        self.W, self.B = (
            scale * np.vstack([matrix, none])[self._places] for matrix in (rows.W, rows.B)
        )
        drift = np.append(rows.u - rows.W @ v, 0.0)
        drift[np.abs(drift) <= _ROUNDING * (1.0 + np.append(np.abs(rows.W) @ np.abs(v), 0.0))] = 0.0
        self.drift = self._scale * drift[self._places]
        friction = np.where(self._is_elliptic, 1.0, rows.capacity[:, 0])
        friction = np.where(self._is_dry, h * friction, friction)
        gaps = np.where(self._lead >= 0, rows.gaps[self._lead], rows.gaps)
        e = self._contacts.restitutions(rows)
        return Singles(gaps, friction, e, self._is_dry, self._lead, self._is_poisson)

    def forces(self, impulses: Any, h: float) -> Any:
        """Forces of all touchings (3 n,) from impulses (n, 3): normal, and along the tangents."""
        found = self._scale * impulses / h
        found[self._is_dry, 0] = 0.0
        found[self._is_drilling] = found[self._is_drilling][:, [1, 0, 2]]
        led = self._lead >= 0
        found[led, 0] = found[self._lead[led], 0]  # rolling and drilling have that of their contact
        return found.ravel()

    def require_apart(self, gaps: Any) -> None:
        """Refuse a start at which contacts overlap."""
        require_apart(self._contacts.touches, gaps)


_ROUNDING = 1e-12  # part of a velocity that is none


def _is_elliptic(x: Any) -> bool:
    return x.lead is None and isinstance(getattr(x.law, "friction", None), tuple)


def _require_laws(touches: Any) -> None:
    """Refuse what sweeps over many contacts do not have."""
    for x in touches:
        if x.impact.stores:
            raise ModelError(
                f"contact {x.name!r} has a law of impact that stores tangential impulses "
                f"({x.impact}), which cannot be had beside groups of contacts. Use jd.Poisson(), "
                "or add all contacts one by one with model.add_contact(...)."
            )
