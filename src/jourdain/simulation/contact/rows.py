"""Contacts of a system at one state: their rows, how rows respond, and which contact has which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.laws import Coulomb, Dry, Locked, Newton, Poisson
from jourdain.simulation.contact.events.following import Following
from jourdain.simulation.contact.sanity import (
    blame_directions,
    require_directions,
    require_friction,
    require_restitution,
    require_static,
)
from jourdain.simulation.tolerances import NEAR
from jourdain.spatial.parameter import evaluate
from jourdain.system import System
from jourdain.system.contact.kernels import ContactKernels


@dataclass(frozen=True)
class Touch:
    """One contact point as the rows see it.

    Parameters
    ----------
    name : str
        Name.
    normal : int or None
        Row of its gap.
    tangents : tuple of int
        Rows of its sliding velocity.
    law : SetValued
        Its law.
    has_gap : bool
        Whether its normal row has a position: a contact, no clutch.
    lead : int or None
        For rolling and drilling: row of the gap of the contact.
    turns : tuple of int
        Numbers of the contact points that resist rolling and drilling where it touches.
    """

    name: str
    normal: int | None
    tangents: tuple[int, ...]
    law: Any
    has_gap: bool
    lead: int | None = None
    turns: tuple[int, ...] = ()

    @property
    def leans_on(self) -> int | None:
        """Row of the normal force that limits its friction: its own, or that of its contact."""
        return self.lead if self.normal is None else self.normal

    @property
    def impact(self) -> Newton | Poisson:
        """Its law of impact."""
        kind: Newton | Poisson = self.law.impact
        return kind

    def restitution(self, speed: float, values: Any) -> float:
        """Restitution at a speed of approach [m/s]."""
        e = self.law.restitution
        return float(e(speed) if callable(e) else evaluate(e, values))

    @property
    def tangential_restitution(self) -> float:
        """Part of the tangential impulse, or of the slip, that is given back."""
        return float(self.law.tangential_restitution)

    @property
    def given_back(self) -> float:
        """Part of the slip that an impact by Newton's law turns round; 0 for what turns."""
        is_newton = isinstance(self.impact, Newton) and self.lead is None
        return self.tangential_restitution if is_newton else 0.0

    @property
    def has_static(self) -> bool:
        """Whether it holds more, or other, friction while it sticks."""
        return bool(self.tangents) and self.lead is None and bool(self.law.has_static)

    @property
    def is_dry(self) -> bool:
        """Whether nothing presses where it acts: dry friction of a given capacity, or a lock."""
        return isinstance(self.law, Dry)

    @property
    def is_lock(self) -> bool:
        """Whether it is a constraint that comes and goes."""
        return isinstance(self.law, Locked)

    @property
    def is_freewheel(self) -> bool:
        """Whether it is one-sided in a velocity, without a gap."""
        return self.normal is not None and not self.has_gap

    @property
    def is_rough(self) -> bool:
        """Whether it is a contact with friction."""
        return isinstance(self.law, Coulomb)


@dataclass(frozen=True)
class Rows:
    """All rows at one state.

    Parameters
    ----------
    gaps : (n,) [m]
        Gaps.
    u : (m,) [m/s]
        Velocities of the rows.
    bias : (m,) [m/s^2]
        Their rates at zero accelerations.
    capacity, static : (n, 2)
        Coefficients of friction, or capacities, of what slides and of what sticks, which
        are equal by default.
    W, B : (m, n_v)
        Rows, and velocities that unit impulses cause.
    vdot : (n_v,)
        Accelerations without contact forces.
    """

    gaps: Any
    u: Any
    bias: Any
    capacity: Any
    W: Any
    B: Any
    vdot: Any
    static: Any = None

    def __post_init__(self) -> None:
        if self.static is None:
            object.__setattr__(self, "static", self.capacity)

    @cached_property
    def G(self) -> Any:  # noqa: N802
        """Response of the rows to unit impulses (CT-2)."""
        G = self.W @ self.B.T
        return 0.5 * (G + G.T)

    def drift(self, v: Any) -> Any:
        """What drives and time make of the velocities of these rows, which are at v."""
        return self.u - self.W @ v

    def drive_work(self, v: Any, impulses: Any) -> float:
        """Work [J] of drives in an impact at the velocities v of these rows.

        Impulses work on moving parts, ½ Λᵀ(u⁺ + u⁻) in all; what they do on driven ones is theirs.
        """
        return -float(impulses @ self.drift(v))

    @cached_property
    def acceleration(self) -> Any:
        """Rates of the rows without contact forces."""
        return self.W @ self.vdot + self.bias


class Contacts:
    """Contact points of a system and their rows.

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
        self.system, self.kernels, self.p = system, kernels, p
        self.brevity = 1.0  # part of the times to look ahead, for short runs
        self.values = dict(zip(system.names.parameters, p.tolist(), strict=True))
        self.following = Following(system, kernels, p)
        self.touches: list[Touch] = []
        self.owners: list[str] = []  # connections of the contact points; their rows lie together
        self._first_rows: dict[str, int] = {}  # of each connection
        row = 0
        for x in system.graph[1].contact_points:
            self.owners.append(x.connection.name)
            self._first_rows.setdefault(x.connection.name, row)
            normal = row if x.normal is not None else None
            row += x.normal is not None
            tangents = tuple(range(row, row + x.n_tangents))
            row += x.n_tangents
            has_gap = x.normal is not None and x.normal.value is not None
            touch = Touch(x.name, normal, tangents, x.connection.law, has_gap)
            _require_one_tangent(touch)
            if not callable(touch.law.restitution):
                require_restitution(touch, touch.restitution(0.0, self.values))
            self.touches.append(touch if x.lead is None else self._turning(touch, x.lead))
        self.n_rows, self.has_static = row, any(x.has_static for x in self.touches)

    def _turning(self, touch: Touch, name: str) -> Touch:
        """Make it known to the contact that it turns in."""
        at = next(k for k, x in enumerate(self.touches) if x.name == name)
        lead = self.touches[at]
        self.touches[at] = replace(lead, turns=(*lead.turns, len(self.touches)))
        return replace(touch, lead=lead.normal)

    @property
    def connections(self) -> list[str]:
        """Names of the connections that contact points belong to."""
        return list(self._first_rows)

    def by_connection(self, values: Any) -> Any:
        """Sums (…, n_connections) of values of the rows (…, n_rows)."""
        first = list(self._first_rows.values())
        return np.add.reduceat(values, first, axis=-1) if first else np.zeros_like(values)

    def together(self, k: int) -> list[int]:
        """Numbers of a contact point and of what turns there."""
        return [k, *self.touches[k].turns]

    def parts(self, k: int, values: Any) -> tuple[float, ...]:
        """Values of the rows of a contact point: normal, tangents, then rolling and drilling."""
        x = self.touches[k]
        rows = () if x.normal is None else (x.normal,)
        turning = (row for j in x.turns for row in self.touches[j].tangents)
        return tuple(float(values[row]) for row in (*rows, *x.tangents, *turning))

    def rows(self, q: Any, v: Any, u: Any, t: float) -> Rows:
        """Rows at a state; ``u`` are sampled inputs and modes."""
        found, static = self._shaped(self.kernels.rows(q, v, u, t, self.p)), None
        if self.has_static:
            static = self.kernels.static_capacities(q, v, u, t, self.p)[0].reshape(-1, 2)
        return self.checked(found, static, t)

    def checked(self, found: list[Any], static: Any, t: float) -> Rows:
        """Rows of these numbers, if laws and directions allow them."""
        self.following.require(self.names, found[0], t)
        require_directions(self, found, t)
        require_friction(self, found[0], found[3], t)
        if not self.has_static:
            return Rows(*found)
        require_static(self, found[1], found[3], static, t)
        return replace(Rows(*found), static=static)

    def explain(self, q: Any, v: Any, u: Any, t: float) -> None:
        """Name the contact because of which a run has failed, if there is one."""
        self.following.explain(self.names, q, v, u, t)
        blame_directions(self, self._shaped(self.kernels.rows(q, v, u, t, self.p)), t)

    @property
    def names(self) -> list[str]:
        """Names of the contact points."""
        return [x.name for x in self.touches]

    def _shaped(self, found: Any) -> list[Any]:
        gaps, u, bias, capacity, W, B, vdot = found
        return [gaps, u, bias, capacity.reshape(-1, 2), W, B, vdot]

    def restitutions(self, rows: Rows) -> Any:
        """Restitution of each contact point at its speed of approach."""
        found = []
        for k, x in enumerate(self.touches):
            speed = 0.0 if x.normal is None else max(0.0, -rows.u[x.normal])
            found.append(x.restitution(speed, self.values))
            if x.normal is not None and not (x.has_gap and rows.gaps[k] > NEAR):
                require_restitution(x, found[-1], speed)
        return np.array(found)


def locked(touches: Sequence[Touch], rows: Rows) -> list[int]:
    """Numbers of the locks that hold."""
    return [k for k, x in enumerate(touches) if x.is_lock and rows.capacity[k, 0] > 0.0]


def frictions(
    touches: Sequence[Touch], contacts: Iterable[int]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Number, normal row and rows of every friction of some contacts, rolling and drilling too."""
    for k in contacts:
        for j in (k, *touches[k].turns):
            x = touches[j]
            if x.leans_on is not None and x.tangents:
                yield j, x.leans_on, x.tangents


def _require_one_tangent(x: Touch) -> None:
    """Stored tangential impulses are defined along one tangent only (Pfeiffer 3.5.2.2)."""
    if x.impact.stores and len(x.tangents) == 2:
        raise ModelError(
            f"contact {x.name!r} slides in two directions, but its law of impact stores tangential "
            f"impulses ({x.impact}), which is defined for one. Use jd.Poisson(), or a contact with "
            "one tangent: jd.Touch(normal, tangential)."
        )
