"""Contacts at a state: which are closed, stick or slide, with their forces and their reserves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_points import MODE
from jourdain.errors import ModelError
from jourdain.simulation.contact.events.deciding import decide_after
from jourdain.simulation.contact.events.modes import Modes
from jourdain.simulation.contact.events.resting import touching_now
from jourdain.simulation.contact.rows import Contacts
from jourdain.system import System
from jourdain.system.contact.kernels import ContactKernels

_EDGE = 1e-3  # part of its friction that something at rest must have left
_LIGHT = 1e-6  # part of the largest normal force that counts as none


@dataclass(frozen=True)
class ContactState:
    """One contact point or place of dry friction.

    Parameters
    ----------
    name : str
        Name of the contact.
    word : str
        ``"stick"``, ``"slip"``, ``"closed"`` (without friction) or ``"open"``.
    normal_force : float [N]
        Normal force; zero without a gap.
    use : float
        Friction as part of what it can be; 1 while it slides, 0 without friction.
    """

    name: str
    word: str
    normal_force: float
    use: float

    def __str__(self) -> str:
        force = f", {self.normal_force:.6g} N" if self.normal_force else ""
        use = f", uses {100 * self.use:.3g} % of its friction" if self.word == "stick" else ""
        return f"{self.name}: {self.word}{force}{use}"


@dataclass(frozen=True)
class Touched:
    """Modes of all contacts at a state.

    Parameters
    ----------
    mode : (8 n,)
        Numbers of the modes.
    states : tuple of ContactState
        The contacts in words.
    """

    mode: Any
    states: tuple[ContactState, ...] = ()

    @property
    def held(self) -> tuple[ContactState, ...]:
        """Contacts that hold something."""
        return tuple(x for x in self.states if x.word != "open")

    @property
    def on_edge(self) -> tuple[ContactState, ...]:
        """Contacts that stick with all their friction, or are closed without a force."""
        largest = max((x.normal_force for x in self.states), default=0.0)
        return tuple(
            x
            for x in self.held
            if (x.word == "stick" and x.use > 1.0 - _EDGE)
            or (0.0 <= x.normal_force <= _LIGHT * largest and x.word != "stick" and x.use == 0.0)
        )


def touched(system: System, inputs: Mapping[str, Any], q: Any, v: Any, t: float, p: Any) -> Touched:
    """Modes of all contacts at a state: those of the complementarity problem of accelerations."""
    n = len(system.description.parts.contact_names)
    if system.model.contact_groups:
        raise ModelError(
            f"model {system.model.name!r} has groups of contacts "
            f"({', '.join(system.model.contact_groups)}), which have no linear equations. Next: "
            "replace them by single contacts, model.add_contact(...)."
        )
    if not n:
        return Touched(np.zeros(0))
    kernels = ContactKernels(system, inputs, {}, {})
    contacts = Contacts(system, kernels, p)
    none = np.zeros(MODE * n)
    rows = contacts.rows(q, v, none, t)
    closed = touching_now(contacts, rows, Modes.open(n))
    found = decide_after(contacts, rows, closed, (q, v, np.zeros(0), t))
    mode = found.modes.numbers.ravel().copy()
    forces = kernels.contact_forces(q, v, mode, t, p)[0].reshape(-1, 3)
    limits = found.rows.static
    states = []
    for k, x in enumerate(contacts.touches):
        word = found.modes.word(k)
        if word == "slip" and not x.tangents:
            word = "closed"
        elif k in found.sliding:
            word = "slip"
        limit = limits[k, : len(x.tangents)] * (1.0 if x.is_dry else forces[k, 0])
        use = 1.0 if word == "slip" else 0.0
        if word == "stick":
            friction = forces[k, 1 : 1 + len(x.tangents)]
            small = np.maximum(limit, 1e-300)
            use = float(np.linalg.norm(friction / small)) if np.any(friction) else 0.0
        states.append(ContactState(x.name, word, float(forces[k, 0]), use))
    return Touched(mode, tuple(states))
