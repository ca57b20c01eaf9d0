"""Set-valued connections as expressions: gaps, sliding velocities, and forces while they slide.

Each contact point has a mode of eight numbers: whether its gap is held, whether its sliding
velocity is held, the direction in which it slides, what is added to its two indicators, a given
normal force, and whether it is closed though others hold its gap. A contact point that slides has

    F_T = −μ λ_N d   (Coulomb),   F_T = −a d   (Interval),   d = γ/|γ|          (CT-1)

One that sticks holds up to its static coefficient or capacity, which may be larger: the mode tells
which of the two counts, not a velocity that is rounding. Rolling and drilling are contact points of
their own, without a gap: γ is an angular velocity, μ a length, λ_N the normal force of their
contact. Near the direction of the mode d is continued beyond γ = 0, so that the force stays smooth
there; at γ = 0 it is the direction of the mode.

Where more contact points rest than the machine can tell apart, others hold some of them. Their
normal force is given, and their friction is a share of their capacity: a direction shorter than
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.connections.law_view import LawView
from jourdain.equations.connections.scene import Quantity, Scene, Traced
from jourdain.equations.parts import contact_leads
from jourdain.equations.tracing.continuity import require_continuous
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.errors import ModelError
from jourdain.model.connection import Connection
from jourdain.model.laws import Coulomb, Interval, Locked, Unilateral
from jourdain.model.laws.law import call
from jourdain.model.measures import Gap, Touch
from jourdain.spatial.parameter import evaluate

MODE = 8
"""Numbers of a mode: gap held, sliding velocity held, direction (2), slacks (2), force, closed."""
UNSEEN = 1e100
"""Slack that hides an indicator: others keep the contact point at rest."""
SLOW = 1e-8
"""Sliding speed [m/s] that is none: there friction acts along the direction of the mode."""
ENDLESS = 1e30
"""Capacity [N, N m] of what is locked."""
_TINY = 1e-12  # [m/s] keeps roots from zero


@dataclass(frozen=True)
class PointEquations:
    """One contact, stop or place of dry friction.

    Parameters
    ----------
    name : str
        Name of the connection; with a number behind a dot where it has several points.
    connection : Connection
        Where it comes from.
    normal : Quantity or None
        Gap.
    tangential : Quantity or None
        Sliding velocity, one or two components.
    capacity : casadi.SX
        Coefficient of friction, or capacity of dry friction, while it slides.
    static : casadi.SX or None
        The same while it sticks, where it differs.
    mode : casadi.SX
        Symbols of its mode.
    lead : str or None
        Name of the contact point whose normal force limits it, for rolling and drilling.
    lock : casadi.SX or None
        Of a constraint that comes and goes: above zero while it is there.
    """

    name: str
    connection: Connection
    normal: Quantity | None
    tangential: Quantity | None
    capacity: Any
    static: Any
    mode: Any
    lead: str | None = None
    lock: Any = None

    @property
    def leans_on(self) -> str | None:
        """Name of the contact point whose normal force limits its friction, if one does."""
        return self.name if self.normal is not None else self.lead

    @property
    def is_closed(self) -> Any:
        """1 where the gap is held."""
        return self.mode[0]

    @property
    def sticks(self) -> Any:
        """1 where the sliding velocity is held."""
        return self.mode[1]

    @property
    def given_force(self) -> Any:
        """Normal force that the mode gives, besides the multiplier of a gap that is held."""
        return self.mode[6]

    @property
    def holds(self) -> Any:
        """Coefficient of friction, or capacity, while it sticks."""
        return self.capacity if self.static is None else self.static

    @property
    def _given_capacity(self) -> Any:
        """Coefficient or capacity of which the mode gives a part; of a lock the force itself."""
        if self.lock is not None:
            return ca.if_else(self.is_held, 1.0, 0.0)
        if self.static is None:
            return self.capacity
        n = max(self.capacity.numel(), self.static.numel())
        sliding, static = (ca.repmat(x, n // x.numel(), 1) for x in (self.capacity, self.static))
        return ca.if_else(self.is_held, static, sliding)

    @property
    def is_held(self) -> Any:
        """Whether it sticks, held by its own friction or by others."""
        return ca.logic_or(self.sticks > 0.5, self.mode[5] >= UNSEEN)

    def normal_force(self, force: Any) -> Any:
        """Normal force where it is closed, else zero."""
        return ca.fmax(self.is_closed, self.mode[7]) * force

    @property
    def n_tangents(self) -> int:
        """Number of tangents."""
        return 0 if self.tangential is None else int(self.tangential.rate.numel())

    def sliding_force(self, normal_force: Any) -> Any:
        """Friction force while it slides (CT-1), or that its mode gives while it sticks."""
        if self.tangential is None:
            return ca.SX(0, 1)
        a = self._given_capacity
        if self.n_tangents == 1:
            force = a * self.mode[2]
        else:
            way = _direction(self.tangential.rate, self.mode[2:4])
            force = a * way
            if a.numel() == 2:  # in an ellipse the force is normal to the slip's level line
                sliding = a * force / ca.sqrt(ca.sumsqr(a * way) + _TINY**2)
                force = ca.if_else(self.is_held, a * self.mode[2:4], sliding)
        if self.leans_on is None:
            return -force
        return -self.normal_force(normal_force) * force

    @property
    def quantities(self) -> list[Quantity]:
        """Gap and sliding velocity, those there are."""
        return [q for q in (self.normal, self.tangential) if q is not None]


def _direction(slip: Any, way: Any) -> Any:
    """Unit vector along a sliding velocity; near the way of the mode it goes on beyond zero.

    What begins to slide moves along the way of the mode: before it does, its velocity is rounding.
    """
    along = ca.dot(slip, way)
    across = slip - along * way
    ahead = way + across / ca.if_else(ca.fabs(along) > 0.0, along, 1.0)
    unit = ahead / ca.sqrt(ca.sumsqr(ahead) + _TINY**2)
    is_near = ca.sumsqr(across) <= along * along
    moved = ca.if_else(is_near, unit, slip / ca.sqrt(ca.sumsqr(slip) + _TINY**2))
    return ca.if_else(ca.sumsqr(slip) <= SLOW**2, way, moved)


Pair = tuple[Traced | None, Traced | None]
"""Gap and sliding velocity of a contact point, on symbols."""
Quantities = tuple[Quantity | None, Quantity | None]
"""The same at a motion."""


def point_equations(
    connection: Connection,
    values: Mapping[str, Any],
    pairs: Sequence[Quantities],
    mode: Any,
    view: LawView,
) -> list[PointEquations]:
    """Contacts of a set-valued connection.

    Parameters
    ----------
    connection : Connection
        Measure and law.
    values : mapping
        Symbols of the parameters.
    pairs : sequence of (Quantity or None, Quantity or None)
        Gap and sliding velocity of each.
    mode : casadi.SX
        Modes of its contact points, one after the other.
    view : LawView
        Time and multipliers, for laws that ask.
    """
    where, law = f"connection {connection.name!r}", connection.law
    leads, found, lock = contact_leads(connection), [], None
    with on_symbols(f"{where}: its measure or law"):
        if isinstance(law, Locked):
            lock = _lock(law, [tangential for _, tangential in pairs], view, where)
        for k, (name, (normal, tangential)) in enumerate(zip(leads, pairs, strict=True)):
            lead, own = leads[name], mode[MODE * k : MODE * (k + 1), :]
            static = None
            if lock is not None:
                capacity = _while_locked(lock)
            elif lead is None:
                capacity = _capacity(law, tangential, values, view, where)
                static = _static(law, tangential, values, view)
            else:
                length = getattr(law, name.removeprefix(f"{lead}."))
                capacity = _number(length, values, _speed(tangential))
            found.append(
                PointEquations(
                    name, connection, normal, tangential, capacity, static, own, lead, lock
                )
            )
    return found


def traced_pairs(
    measure: Any, law: Any, values: Mapping[str, Any], scene: Scene, numbers: Sequence[Any] = ()
) -> list[Pair]:
    """Gap and sliding velocity of each contact point of a set-valued connection.

    Parameters
    ----------
    measure, law : Measure, SetValued
        The measure with symbols for parameters, and the law.
    values : mapping
        Symbols of the parameters.
    scene : Scene
        What the measure looks at.
    numbers : sequence of casadi.SX
        Symbols of numbers that differ between the connections it is traced for.
    """
    where = scene.where
    trace = partial(Traced, scene, numbers=numbers)
    if isinstance(law, Locked):
        return _locks(measure, scene, trace)
    if isinstance(law, Interval) and isinstance(measure, Gap | Touch):
        raise ModelError(
            f"{where}: Interval is dry friction of a given capacity, which does not depend on "
            f"whether {type(measure).__name__} is closed. Use jd.Coulomb(friction), or put the "
            "Interval on a measure of its own, such as jd.Coordinate."
        )
    if isinstance(law, Interval):
        value = measure.value(scene)
        return [(None, trace(value, scene.rate_of(measure)))]
    has_contacts = hasattr(measure, "contacts")
    if isinstance(law, Coulomb) and not has_contacts:
        raise ModelError(
            f"{where}: Coulomb needs a measure of a contact with tangents: jd.Gap(contour, "
            "contour), or jd.Touch(normal, tangential)."
        )
    if law.turns and not isinstance(measure, Gap):
        raise ModelError(
            f"{where}: {law} has {' and '.join(law.turns)} friction, but {measure} does not tell "
            "how the bodies turn. Use jd.Gap(contour, contour), or put a jd.Interval on a measure "
            "of the angular velocity."
        )
    if has_contacts:
        contacts = measure.contacts(scene, law.turns) if law.turns else measure.contacts(scene)
        return [x for contact in contacts for x in _of_contact(law, scene, trace, *contact)]
    return [(_limited(measure, law, values, scene, trace), None)]


def _locks(measure: Any, scene: Scene, trace: Callable[..., Traced]) -> list[Pair]:
    """Velocities of the components of a measure that is locked, one by one."""
    if isinstance(measure, Gap | Touch):
        raise ModelError(
            f"{scene.where}: Locked holds a measure where it is, but {type(measure).__name__} can "
            "open and slide. Lock a jd.Coordinate, or what jd.Relative measures."
        )
    value, rates = measure.value(scene), ca.SX(scene.rate_of(measure))
    values = [None] * rates.numel() if value is None else ca.vertsplit(ca.SX(math.vector(value)))
    return [(None, trace(x, v)) for x, v in zip(values, ca.vertsplit(rates), strict=True)]


def _lock(law: Locked, components: Sequence[Any], view: LawView, where: str) -> Any:
    """Number that is above zero while it locks."""
    has_place = all(x.value is not None for x in components)
    place = ca.vertcat(*(x.value for x in components)) if has_place else ca.SX.zeros(1)
    found = ca.SX(law.locks(place, ca.vertcat(*(x.rate for x in components)), view))
    if found.numel() != 1:
        raise ModelError(
            f"{where}: when of Locked gives {found.numel()} numbers; give one, which is "
            "above zero while it locks."
        )
    return found


def _while_locked(lock: Any) -> Any:
    """Capacity: endless while it locks, else zero; NaN stays NaN, to be refused."""
    return ca.if_else(lock > 0.0, ENDLESS, ca.if_else(lock <= 0.0, 0.0, lock))


def _of_contact(
    law: Any, scene: Scene, trace: Callable[..., Traced], gap: Any, slip: Any, *turning: Any
) -> Iterator[Pair]:
    """Gap and sliding velocity of a point, then how the bodies turn there."""

    def velocity(rate: Any) -> Traced:
        return trace(None, ca.SX(math.vector(rate)))

    yield trace(gap, scene.rate(gap)), velocity(slip) if isinstance(law, Coulomb) else None
    yield from ((None, velocity(rate)) for rate in turning)


def _limited(
    measure: Any, law: Unilateral, values: Mapping[str, Any], scene: Scene, trace: Any
) -> Traced:
    """Gap of a measure to its limit; of a measure of velocity, the velocity itself."""
    sign = 1.0 if law.side == "above" else -1.0
    value = measure.value(scene)
    if value is None:
        limit = ca.SX(math.vector(evaluate(law.limit, values)))
        return trace(None, sign * (scene.rate_of(measure) - limit))  # type: ignore[no-any-return]
    gap = sign * (ca.SX(math.vector(value)) - evaluate(law.limit, values))
    return trace(gap, scene.rate(gap))  # type: ignore[no-any-return]


def _capacity(
    law: Any, tangential: Quantity | None, values: Mapping[str, Any], view: LawView, where: str
) -> Any:
    """Coefficient of friction or capacity while it slides."""
    if tangential is None:
        return ca.SX(0)
    if isinstance(law, Interval):
        x, n = _place(tangential), tangential.rate.numel()
        found = partial(_number, law.capacity, values, x)
        if callable(law.capacity):
            example = "jd.Interval(capacity, static=...)"
            require_continuous(lambda v: found(v, view), n, where, example)
        return found(tangential.rate, view)
    if callable(law.friction):
        example = "jd.Coulomb(friction, static=...)"
        require_continuous(lambda v: call(law.friction, ca.fabs(v)), 1, where, example)
    return _coefficients(law.friction, values, _speed(tangential))


def _static(law: Any, tangential: Quantity | None, values: Mapping[str, Any], view: LawView) -> Any:
    """Coefficient of friction or capacity while it sticks, where the law has one of its own."""
    if tangential is None or not law.has_static:
        return None
    if isinstance(law, Interval):
        still = ca.SX.zeros(tangential.rate.numel())
        return _number(law.static, values, _place(tangential), still, view)
    return _coefficients(law.static, values, ca.SX.zeros(1))


def _place(tangential: Quantity) -> Any:
    return ca.SX.zeros(1) if tangential.value is None else tangential.value


def _coefficients(friction: Any, values: Mapping[str, Any], speed: Any) -> Any:
    parts = friction if isinstance(friction, tuple) else (friction,)
    return ca.vertcat(*(_number(mu, values, speed) for mu in parts))


def _speed(velocity: Any) -> Any:
    return ca.sqrt(ca.sumsqr(velocity.rate) + _TINY**2)


def _number(value: Any, values: Mapping[str, Any], *arguments: Any) -> Any:
    given: Callable[..., Any] | Any = value
    return ca.SX(call(given, *arguments) if callable(given) else evaluate(given, values))
