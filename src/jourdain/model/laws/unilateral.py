"""Set-valued laws: one-sided contact, dry friction, and both together.

All are normal-cone inclusions −u ∈ N_C(λ): the velocity is normal to the set of admissible forces
at the force (Pfeiffer 3.1.2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal

from jourdain.errors import ModelError
from jourdain.model.laws.impact import NEWTON, Newton, Poisson
from jourdain.model.texts.phrases import phrase
from jourdain.spatial import check
from jourdain.spatial.annotations import (
    AmountField,
    AmountOrNoneField,
    AmountsField,
    AmountsOrNoneField,
    NumberField,
    preset,
    record,
)
from jourdain.spatial.parameter import Expression, nominal

TURNS = ("rolling", "drilling")
"""Relative rotations of two bodies that touch: about the tangents, and about the normal."""


class SetValued:
    """A law that holds a measure at a limit with whatever force that takes, within a set.

    What a law does not have is zero, or what is usual.
    """

    is_set_valued = True
    states: Any = MappingProxyType({})
    inputs: Any = MappingProxyType({})
    side: Any = "above"
    restitution: Any = 0.0
    tangential_restitution: Any = 0.0
    impact: Any = NEWTON
    friction: Any = 0.0
    rolling: Any = 0.0
    drilling: Any = 0.0
    capacity: Any = 0.0

    @property
    def turns(self) -> tuple[str, ...]:
        """Relative rotations that it resists: "rolling", "drilling"."""
        return ()

    @property
    def has_static(self) -> bool:
        """Whether it has static friction of its own, besides that which slides."""
        return False

    def __str__(self) -> str:
        return phrase(self)


@record()
class Unilateral(SetValued):
    """One-sided limit: the measure stays on one side, the force only pushes it there.

        0 ≤ gap ⊥ λ ≥ 0,   gap = x − limit (side "above") or limit − x (side "below")

    A stop, a contact without friction, a rope (side "below" on a distance), a freewheel or
    a check valve (on `Rate`, whose limit is a speed).

    Parameters
    ----------
    limit : float [m, rad]
        Limit; of a measure of velocity the speed [m/s, rad/s].
    side : {"above", "below"}
        Side of the limit on which the measure stays.
    restitution : float or function of the approach speed
        0 to 1.
    impact : Newton or Poisson
        Law of impact.
    """

    limit: NumberField = preset(default=0.0)
    side: Literal["above", "below"] = "above"
    restitution: AmountField = preset(default=0.0)
    impact: Newton | Poisson = NEWTON

    def __post_init__(self) -> None:
        check.number(self.limit, "limit of Unilateral")
        if self.side not in ("above", "below"):
            raise ModelError(f"Unilateral has side={self.side!r}; give 'above' or 'below'.")
        require_restitution(self.restitution, "Unilateral")
        _require_impact(self.impact, "Unilateral")


class Dry(SetValued):
    """A law of the relative velocity alone: nothing presses, so nothing but itself limits it."""


@record()
class Interval(Dry):
    """Dry friction of a given capacity: force within [−capacity, capacity], against sliding.

    In a joint, a clutch or a brake. With a measure of two components the force lies in a disc.

    Parameters
    ----------
    capacity : number, or function of (x, v, at)
        Largest force, from the value x and the rate v of the measure; ``at.t`` is the time,
        ``at.input("pressure")`` an input, ``at.state("valve.pressure")`` a state of another
        element, ``at.multiplier("floor")`` the force of a constraint or contact,
        ``at.force("pilot")`` that of a connection (see `ForceLaw`). It may fall with
        the speed (Stribeck), but must be continuous at v = 0: for more at rest give ``static``.
    inputs : mapping of str to str
        Names and units of inputs; they are zero unless a run gives them.
    static : number, or function of (x, v, at), optional
        Largest force while it sticks, at least the capacity at v = 0, where the function is taken;
        by default the capacity.

    Examples
    --------
    >>> import jourdain as jd
    >>> brake = jd.Interval(30.0)
    >>> stribeck = jd.Interval(lambda x, v: 20.0 + 10.0 * jd.exp(-((v / 0.1) ** 2)))
    >>> clutch = jd.Interval(lambda x, v, at: 2e-4 * at.input("pressure"), {"pressure": "Pa"})
    >>> belt = jd.Interval(20.0, static=30.0)
    """

    capacity: AmountField
    inputs: Mapping[str, str] = field(default_factory=dict, hash=False)
    static: AmountOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        require_amount(self.capacity, "capacity of Interval")
        _require_static(self.static, self.capacity, "Interval: capacity")
        if not isinstance(self.inputs, Mapping):
            raise ModelError(
                f"inputs of Interval are {check.shown(self.inputs)}: give names with units, such "
                'as {"pressure": "Pa"}.'
            )
        object.__setattr__(self, "inputs", dict(self.inputs))

    @property
    def has_static(self) -> bool:
        """Whether it holds more while it sticks."""
        return self.static is not None


@record()
class Coulomb(SetValued):
    """Contact with friction: Signorini's law and Coulomb's together.

    Parameters
    ----------
    friction : number, pair of numbers, or function of the slip speed
        Coefficient μ ≥ 0; a pair for elliptic friction along the two tangents of the contact.
    restitution : float or function of the approach speed
        0 to 1, along the normal.
    tangential_restitution : float
        0 to 1: part of the slip that an impact turns round (`Newton`, along both tangents), or of
        the tangential impulse that is given back (``Poisson("glocker")`` and
        ``Poisson("beitelschmidt")``, for contacts with one tangent).
    impact : Newton or Poisson
        Law of impact.
    rolling, drilling : number [m], or function of the relative angular speed
        Lengths ρ ≥ 0: moments up to ρ times the normal force resist that the bodies roll on each
        other, or turn about the common normal. Only between contours.
    static : number, pair of numbers, or function of the slip speed, optional
        Coefficient μ while it sticks, at least the friction at rest, where the function is taken;
        by default the friction. Impacts have the friction that slides.

    Examples
    --------
    >>> import jourdain as jd
    >>> law = jd.Coulomb(friction=0.4, rolling=0.001, drilling=0.002)
    >>> law.turns
    ('rolling', 'drilling')
    """

    friction: AmountsField = preset(default=0.0)
    restitution: AmountField = preset(default=0.0)
    tangential_restitution: float = 0.0
    impact: Newton | Poisson = NEWTON
    rolling: AmountField = preset(default=0.0)
    drilling: AmountField = preset(default=0.0)
    static: AmountsOrNoneField = preset(default=None)

    @property
    def turns(self) -> tuple[str, ...]:
        """Relative rotations that it resists: those whose length is not the number zero."""
        return tuple(name for name in TURNS if not _is_zero(getattr(self, name)))

    @property
    def has_static(self) -> bool:
        """Whether it holds more while it sticks."""
        return self.static is not None

    def __post_init__(self) -> None:
        for name in TURNS:
            require_amount(getattr(self, name), f"{name} of Coulomb")
        for name in ("friction", "static"):
            if isinstance(getattr(self, name), list):
                object.__setattr__(self, name, tuple(getattr(self, name)))
        for mu in self.friction if isinstance(self.friction, tuple) else (self.friction,):
            require_amount(mu, "friction of Coulomb")
        _require_ellipse(self.friction)
        _require_static(self.static, self.friction, "Coulomb: friction")
        require_restitution(self.restitution, "Coulomb")
        _require_impact(self.impact, "Coulomb")
        require_restitution(self.tangential_restitution, "Coulomb: tangential_restitution")
        if not isinstance(self.tangential_restitution, Real):
            raise ModelError(
                f"tangential_restitution of Coulomb is {check.shown(self.tangential_restitution)}: "
                "give a number from 0 to 1, neither a function nor a parameter."
            )
        if self.tangential_restitution != 0.0 and not self.impact.gives_back:
            raise ModelError(
                f"Coulomb has tangential_restitution={self.tangential_restitution!r}, which the "
                f"law of impact {self.impact} does not know. Take impact=jd.Newton(), which turns "
                "the slip round, or jd.Poisson('glocker') or jd.Poisson('beitelschmidt'), which "
                "give tangential impulses back."
            )


def _require_ellipse(friction: Any) -> None:
    """Refuse what is no pair, and friction along one tangent only, which leaves a force open."""
    if isinstance(friction, tuple) and len(friction) != 2:
        raise ModelError(
            f"friction of Coulomb has {len(friction)} numbers: give one, or a pair such as "
            "(0.3, 0.1) for the two tangents of the contact."
        )
    if isinstance(friction, tuple) and [_is_zero(mu) for mu in friction].count(True) == 1:
        raise ModelError(
            f"Coulomb has the friction {friction}, which acts in one direction only. Give both "
            "coefficients, a small one such as 1e-3 if need be, or use jd.Touch(normal, "
            "tangential) with one tangent."
        )


def _require_static(static: Any, sliding: Any, what: str) -> None:
    """Refuse what holds less at rest than while it slides."""
    law, word = what.split(": ")
    if static is None:
        return
    pair = static if isinstance(static, tuple) else (static, static)
    if len(pair) != 2 or (isinstance(static, tuple) and law == "Interval"):
        form = "one number" if law == "Interval" else "one, or a pair for the two tangents"
        raise ModelError(f"static of {law} has {len(pair)} numbers: give {form}.")
    slides = sliding if isinstance(sliding, tuple) else (sliding, sliding)
    for own, other in zip(pair, slides, strict=True):
        require_amount(own, f"static of {law}")
        if callable(own) or callable(other) or nominal(own) >= nominal(other):
            continue
        raise ModelError(
            f"{law} has static={own}, which is less than its {word} {other}: what sticks holds at "
            f"least as much as what slides. Give static ≥ {word}, or leave static away."
        )


def _require_impact(impact: Any, what: str) -> None:
    if not isinstance(impact, Newton | Poisson):
        raise ModelError(
            f"{what} has the law of impact {check.shown(impact)}: give jd.Newton() or jd.Poisson()."
        )


def _is_zero(value: Any) -> bool:
    return isinstance(value, Real) and float(value) == 0.0


def require_amount(value: Any, what: str) -> None:
    """Take numbers of 0 or more, and functions; refuse the rest."""
    if callable(value) and not isinstance(value, type):
        return
    check.number(value, what, nonnegative=True)


def require_restitution(value: Any, what: str) -> None:
    """Take numbers from 0 to 1, and functions; refuse the rest."""
    if callable(value) and not isinstance(value, type):
        return
    try:
        plain = float(nominal(check.number(value, f"restitution of {what}")))
    except ModelError:
        plain = math.nan
    if not 0.0 <= plain <= 1.0:
        is_named = isinstance(value, Expression) and math.isfinite(plain)
        text = f"{value} = {plain:g}" if is_named else check.shown(value)
        raise ModelError(
            f"{what} has the restitution {text}: give a number from 0 (no rebound) "
            "to 1 (no loss), or a function of the approach speed."
        )
