"""Set-valued connections as expressions: gaps, sliding velocities, and forces while they slide.

Each touching has a mode of four numbers: whether it is closed (its gap is held), whether it sticks
(its sliding velocity is held), and the direction in which it slides. A touching that slides has

    F_T = −μ λ_N d   (Coulomb),   F_T = −a d   (Interval),   d = γ/|γ|          (CT-1)

near the direction of the mode d is continued beyond γ = 0, so that the force stays smooth there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.parts import LawView
from jourdain.equations.scene import Actual, Quantity, Scene, Traced
from jourdain.errors import JourdainError, ModelError
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws import Coulomb, Interval, Unilateral
from jourdain.model.laws.law import call
from jourdain.spatial.parameter import evaluate

MODE = 4  # numbers of a mode: closed, sticks, direction (2)
_TINY = 1e-12  # sliding speed [m/s] below which a direction is none


@dataclass(frozen=True)
class Touching:
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
        Coefficient of friction, or capacity of dry friction.
    mode : casadi.SX
        Symbols of its mode.
    """

    name: str
    connection: Connection
    normal: Quantity | None
    tangential: Quantity | None
    capacity: Any
    mode: Any

    @property
    def is_closed(self) -> Any:
        """1 where the gap is held."""
        return self.mode[0]

    @property
    def sticks(self) -> Any:
        """1 where the sliding velocity is held."""
        return self.mode[1]

    @property
    def n_tangents(self) -> int:
        """Number of tangents."""
        return 0 if self.tangential is None else int(self.tangential.rate.numel())

    def sliding_force(self, normal_force: Any) -> Any:
        """Friction force while it slides (CT-1)."""
        if self.tangential is None:
            return ca.SX(0, 1)
        a = self.capacity
        if self.n_tangents == 1:
            force = a * self.mode[2]
        else:
            way = _direction(self.tangential.rate, self.mode[2:4])
            force = a * way
            if a.numel() == 2:  # in an ellipse the force is normal to the slip's level line
                force = a * force / ca.sqrt(ca.sumsqr(a * way) + _TINY**2)
        if self.normal is None:
            return -(1.0 - self.sticks) * force
        return -self.is_closed * (1.0 - self.sticks) * normal_force * force

    @property
    def quantities(self) -> list[Quantity]:
        """Gap and sliding velocity, those there are."""
        return [q for q in (self.normal, self.tangential) if q is not None]


def _direction(slip: Any, way: Any) -> Any:
    """Unit vector along a sliding velocity; near the way of the mode it goes on beyond zero."""
    along = ca.dot(slip, way)
    across = slip - along * way
    ahead = way + across / ca.if_else(ca.fabs(along) > 0.0, along, 1.0)
    unit = ahead / ca.sqrt(ca.sumsqr(ahead) + _TINY**2)
    is_near = ca.sumsqr(across) <= along * along
    return ca.if_else(is_near, unit, slip / ca.sqrt(ca.sumsqr(slip) + _TINY**2))


def point_counts(connection: Connection) -> int:
    """Number of touchings of a connection."""
    return int(getattr(connection.measure, "n_points", 1))


def touchings(
    connection: Connection, values: Mapping[str, Any], actual: Actual, mode: Any, view: LawView
) -> list[Touching]:
    """Trace a set-valued connection.

    Parameters
    ----------
    connection : Connection
        Measure and law.
    values : mapping
        Symbols of the parameters.
    actual : Actual
        Motion.
    mode : casadi.SX
        Modes of its touchings, one after the other.
    view : LawView
        Time and multipliers, for laws that ask.
    """
    where, law = f"connection {connection.name!r}", connection.law
    measure = with_values(connection.measure, values)
    try:
        pairs = _pairs(measure, law, values, actual, where)
        found = []
        for k, (normal, tangential) in enumerate(pairs):
            name = connection.name if len(pairs) == 1 else f"{connection.name}.{k + 1}"
            capacity = _capacity(law, normal, tangential, values, view)
            own = mode[MODE * k : MODE * (k + 1), :]
            found.append(Touching(name, connection, normal, tangential, capacity, own))
    except JourdainError:
        raise
    except Exception as error:  # user code: any failure is a problem to report
        raise ModelError(
            f"{where}: its measure or law fails on symbols: {error}. Write functions with those of "
            "jourdain.math; decide with jd.where(condition, yes, no)."
        ) from error
    return found


def _pairs(
    measure: Any, law: Any, values: Mapping[str, Any], actual: Actual, where: str
) -> list[tuple[Quantity | None, Quantity | None]]:
    """Gap and sliding velocity of each touching."""
    scene = Scene(actual.coordinates, where)
    if isinstance(law, Interval):
        value = measure.value(scene)
        traced = Traced(scene, value, scene.rate_of(measure))
        return [(None, traced.at(actual))]
    has_contacts = hasattr(measure, "contacts")
    if isinstance(law, Coulomb) and not has_contacts:
        raise ModelError(
            f"{where}: Coulomb needs a measure of a contact with tangents: jd.Gap(contour, "
            "contour), or jd.Touch(normal, tangential)."
        )
    if has_contacts:
        pairs = measure.contacts(scene)
        is_rough = isinstance(law, Coulomb)
        return [
            (
                Traced(scene, gap, scene.rate(gap)).at(actual),
                Traced(scene, None, ca.SX(math.vector(slip))).at(actual) if is_rough else None,
            )
            for gap, slip in pairs
        ]
    return [(_limited(measure, law, values, scene).at(actual), None)]


def _limited(measure: Any, law: Unilateral, values: Mapping[str, Any], scene: Scene) -> Traced:
    """Gap of a measure to its limit; of a measure of velocity, the velocity itself."""
    sign = 1.0 if law.side == "above" else -1.0
    value = measure.value(scene)
    if value is None:
        return Traced(scene, None, sign * scene.rate_of(measure))
    gap = sign * (ca.SX(math.vector(value)) - evaluate(law.limit, values))
    return Traced(scene, gap, scene.rate(gap))


def _capacity(
    law: Any,
    normal: Quantity | None,
    tangential: Quantity | None,
    values: Mapping[str, Any],
    view: LawView,
) -> Any:
    if tangential is None:
        return ca.SX(0)
    if isinstance(law, Interval):
        x = ca.SX.zeros(1) if tangential.value is None else tangential.value
        return _number(law.capacity, values, x, tangential.rate, view)
    speed = ca.sqrt(ca.sumsqr(tangential.rate) + _TINY**2)
    if isinstance(law.friction, tuple):
        return ca.vertcat(*(_number(mu, values, speed) for mu in law.friction))
    return _number(law.friction, values, speed)


def _number(value: Any, values: Mapping[str, Any], *arguments: Any) -> Any:
    given: Callable[..., Any] | Any = value
    return ca.SX(call(given, *arguments) if callable(given) else evaluate(given, values))
