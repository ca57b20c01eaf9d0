"""The hydrodynamic journal bearing: the film of a short bearing in closed form (5.F21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.bearings.rolling import bearing_results, hold_frames
from jourdain.model.laws.law import ForceLaw
from jourdain.model.measures.measure import FrameField
from jourdain.model.measures.relative import Relative
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

_TINY = 1e-14
_FURTHEST = 0.99  # eccentricity from which on solid contact carries the rest


def short_film(x: Any, v: Any, speed: Any, size: tuple[Any, Any, Any, Any]) -> Any:
    """Force of the oil film of a short bearing on its journal, for any motion (BG-2).

    Parameters
    ----------
    x, v : (2,) [m, m/s]
        Place and velocity of the journal in the axes of the sleeve.
    speed : float [rad/s]
        Speed of the journal against the sleeve.
    size : (float, float, float, float)
        Radius, length, radial clearance [m] and viscosity [Pa s].
    """
    radius, length, gap, viscosity = size
    a = 6.0 * speed * x[1] + 12.0 * v[0]  # pressure as a cos θ + b sin θ, where that is above zero
    b = -6.0 * speed * x[0] + 12.0 * v[1]
    size_ab = math.sqrt(a * a + b * b + _TINY**2)
    c, s = a / size_ab, b / size_ab
    p, q = (c * x[0] + s * x[1]) / gap, (c * x[1] - s * x[0]) / gap
    w2 = 1.0 - q * q
    r2 = w2 - p * p
    r = math.sqrt(r2)
    T = math.atan2(r, -p)
    along = 3.0 * p / r2**2 + T * (r2 + 3.0 * p * p) / r2**2 / r
    across = q * (2.0 + p * p / w2) / r2**2 + 3.0 * T * p * q / r2**2 / r
    factor = -viscosity * radius * length**3 / (12.0 * gap**3) * size_ab
    return math.vector(factor * (along * c - across * s), factor * (along * s + across * c))


class FilmLaw(ForceLaw):
    """Film, friction torque and solid contact of a journal on (x, y, rotation) (BG-2, BG-3)."""

    radius: Any
    length: Any
    gap: Any
    viscosity: Any
    contact: Any

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force on the journal, and torque against its rotation."""
        e = math.sqrt(x[0] * x[0] + x[1] * x[1] + _TINY**2)
        scale = math.minimum(1.0, _FURTHEST * self.gap / e)
        inside = math.vector(scale * x[0], scale * x[1])
        size = (self.radius, self.length, self.gap, self.viscosity)
        film = short_film(inside, math.vector(v[0], v[1]), v[2], size)
        solid = -self.contact * math.maximum(0.0, e - _FURTHEST * self.gap) / e
        ratio = scale * e / self.gap
        drag = 2.0 * math.pi * self.viscosity * self.radius**3 * self.length / self.gap
        torque = -drag * v[2] / math.sqrt(1.0 - ratio * ratio)
        return math.vector(film[0] + solid * x[0], film[1] + solid * x[1], torque)


@dataclass(frozen=True)
class JournalState:
    """Working point of a journal bearing. Made by `JournalBearing.working_point`.

    Parameters
    ----------
    eccentricity : float
        Eccentricity over the radial clearance, ε.
    attitude : float [rad]
        Angle from the load to the displacement of the journal, in the sense of rotation.
    stiffness, damping : (2, 2) [N/m, N s/m]
        Eight coefficients, x along the load, y by a quarter turn on in the sense of rotation.
    thinnest : float [m]
        Least thickness of the film.
    torque : float [N m]
        Friction torque.
    """

    eccentricity: float
    attitude: float
    stiffness: Any
    damping: Any
    thinnest: float
    torque: float


class JournalBearing(Part):
    """A hydrodynamic journal bearing: Reynolds' equation of a short bearing, any motion (5.F21).

    The pressure of the film is that of the closed solution where it is above zero, and zero
    elsewhere. The load of a short bearing is too high for longer ones: by 1.3 at ε = 0.5 and 2 at
    ε = 0.8 for L/D = 0.56; see `finite_film`. Above ε = 0.99 a solid contact takes over.

    Parameters
    ----------
    a, b : Frame or Body
        Sleeve and journal; z is the axis. Either may turn.
    radius, length, gap : float [m]
        Radius and length of the bearing, and its radial clearance c.
    viscosity : float [Pa s]
        Dynamic viscosity of the oil.
    contact : float [N/m]
        Stiffness of solid contact.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import bearings
    >>> model = jd.Model("rotor")
    >>> rotor = model.add_body("rotor", jd.solid.ball(mass=2.0, radius=0.05))
    >>> sizes = {"radius": 0.018, "length": 3.6e-3, "gap": 20e-6, "viscosity": 0.02}
    >>> bearing = bearings.JournalBearing(model.world, rotor, **sizes)
    >>> state = bearing.working_point(9.89878, speed=100 * jd.math.pi)
    >>> f"{state.eccentricity:.4f}"
    '0.5000'
    """

    a: FrameField
    b: FrameField
    radius: NumberField
    length: NumberField
    gap: NumberField
    viscosity: NumberField
    contact: NumberField = preset(default=1e9)

    def __post_init__(self) -> None:
        hold_frames(self)
        for name in ("radius", "length", "gap", "viscosity", "contact"):
            check.number(getattr(self, name), f"{name} of JournalBearing", positive=True)
        if nominal(self.gap) >= 0.1 * nominal(self.radius):
            raise ModelError(
                f"gap of JournalBearing is {nominal(self.gap):g} m in a radius of "
                f"{nominal(self.radius):g} m: give the radial clearance, some thousandth of it."
            )

    @property
    def sizes(self) -> tuple[Any, Any, Any, Any]:
        """Radius, length, gap, viscosity."""
        return self.radius, self.length, self.gap, self.viscosity

    def build(self, group: Group) -> Mapping[str, Any]:
        """One law for force and friction."""
        law = FilmLaw(*self.sizes, self.contact)
        group.add_connection("film", Relative(self.a, self.b, "x y rz"), law)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Load, eccentricity, least film, friction torque."""
        place = (f"{name}.film.value.x", f"{name}.film.value.y")
        gap = nominal(self.gap)
        return bearing_results(name, "film") | {
            "thinnest": Result(
                "m", f"least thickness of the film of {name}", place,
                lambda x, y: np.maximum(gap - np.hypot(x, y), 0.0),
            ),
            "friction_torque": Result(
                "N m", f"friction torque of {name} on the journal", (f"{name}.film.force.rz",)
            ),
        }  # fmt: skip

    def load(self, eccentricity: float, speed: float) -> float:
        """Load at a steady eccentricity ε and speed [N] (BG-4)."""
        if not 0.0 <= eccentricity < 1.0:
            raise ModelError(f"eccentricity is {eccentricity:g}: give a part of the gap, 0 to 1.")
        size: Any = tuple(map(nominal, self.sizes))
        place = np.array([eccentricity * size[2], 0.0])
        force = short_film(place, np.zeros(2), speed, size)
        return float(np.hypot(*force))

    def working_point(self, load: float, speed: float) -> JournalState:
        """Steady state under a load, with its eight coefficients (5.F20).

        Parameters
        ----------
        load : float [N]
            Load.
        speed : float [rad/s]
            Speed of the journal.
        """
        from scipy.optimize import brentq  # noqa: PLC0415

        check.number(load, "load of a working point", positive=True, unit="N")
        check.number(speed, "speed of a working point", positive=True, unit="rad/s")
        if self.load(_FURTHEST, speed) < load:
            raise ModelError(
                f"the film carries {self.load(_FURTHEST, speed):.3g} N at {speed:g} rad/s, not "
                f"{load:g} N. Give more speed, length or viscosity, or a smaller gap."
            )
        eps = float(brentq(lambda e: self.load(e, speed) - load, 0.0, _FURTHEST, xtol=1e-14))
        size: Any = tuple(map(nominal, self.sizes))
        gap = size[2]
        place = np.array([eps * gap, 0.0])
        force = short_film(place, np.zeros(2), speed, size)
        toward = -force / np.hypot(*force)  # direction of the load
        R = np.array([[toward[0], -toward[1]], [toward[1], toward[0]]])
        h, u = 1e-5 * gap, 1e-5 * gap * speed
        columns = [
            [(short_film(place + s * d, s * e, speed, size)) for s in (2.0, 1.0, -1.0, -2.0)]
            for d, e in ((h * R[:, 0], 0 * R[:, 0]), (h * R[:, 1], 0 * R[:, 0]),
                         (0 * R[:, 0], u * R[:, 0]), (0 * R[:, 0], u * R[:, 1]))
        ]  # fmt: skip
        slopes = [(8.0 * (f[1] - f[2]) - (f[0] - f[3])) / 12.0 for f in columns]
        K = -R.T @ np.column_stack(slopes[:2]) / h
        C = -R.T @ np.column_stack(slopes[2:]) / u
        drag = 2.0 * np.pi * size[3] * size[0] ** 3 * size[1] / gap
        torque = drag * speed / np.sqrt(1.0 - eps**2)
        attitude = float(np.arctan2(-toward[1], toward[0]))
        return JournalState(eps, attitude, K, C, float(gap * (1.0 - eps)), float(torque))
