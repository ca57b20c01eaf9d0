"""The elastic shaft by shape functions (5.F3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy.linalg import eigh

from jourdain.errors import ModelError
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.spring import Spring, is_function
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.sum import Sum
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import Function, NumberField, Takes, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

DEPENDENT = 1e-11
"""Smallest eigenvalue of the scaled mass matrix below which shapes count as dependent."""
DEGREE = 60
"""Degree of the polynomials that take the place of given functions: exact for smooth ones."""
POINTS = 200
"""Points of Gauss along a shaft: exact for polynomials of degree 399."""

ShapesField: TypeAlias = Takes[int | Sequence[Function], Any]


def add_modes(
    group: Group, inertia: Any, squares: Any, shapes: Any, dampers: Sequence[Any]
) -> list[Measure]:
    """Add one coordinate for each mode, and give the angle at each place as their sum.

    Parameters
    ----------
    group : Group
        Where to.
    inertia : number [kg m^2]
        Of each coordinate.
    squares : sequence of number [N m/rad]
        Stiffness of each mode.
    shapes : (n_places, n_modes) [1]
        Angle of each place for one radian of each mode.
    dampers : sequence of number [N m s/rad]
        Damping of each mode.
    """
    modes = [Coordinate(group.add_coordinate(f"mode_{k}", inertia)) for k in range(len(dampers))]
    for k, (c, d) in enumerate(zip(squares, dampers, strict=True)):
        if not isinstance(c, float | int) or c > 0.0:
            group.add_connection(f"spring_{k}", modes[k], Spring(c) + Damper(d))
    return [Sum(tuple(zip(row.tolist(), modes, strict=True))) for row in np.asarray(shapes)]


def _weighted(*given: Any) -> Any:
    """Sum of the modes in the first half of what is given, times the factors in the other."""
    n = len(given) // 2
    return sum(k * x for k, x in zip(given[n:], given[:n], strict=True))


def sum_of_modes(name: str, row: Any, what: str, rate: bool = False) -> Result:
    """Result of a part: an angle, or its rate, from its factor for each mode."""
    factors = tuple(float(k) for k in row)
    end, unit = (".rate", "rad/s") if rate else ("", "rad")
    modes = tuple(f"{name}.mode_{k}{end}" for k in range(len(factors)))
    return Result(unit, f"{what} of {name}", modes, _weighted, factors)


def motion_of_ports(name: str, shapes: Mapping[str, Any]) -> dict[str, Result]:
    """Angle and speed of each port, from its angle for one radian of each mode."""
    found = {}
    for port, row in shapes.items():
        found[f"angle_{port}"] = sum_of_modes(name, row, f"angle at {port}")
        found[f"speed_{port}"] = sum_of_modes(name, row, f"speed at {port}", rate=True)
    return found


class RitzShaft(Part):
    """A torsionally elastic shaft by shape functions along it (5.F3). Ports ``a``, ``b``, and more.

        φ(z, t) = φ₀(t) + Σ w_k(z) q_k(t),   M = ∫ ρ I w wᵀ dz,   K = ∫ G I w' w'ᵀ dz

    In its own modes M and K are diagonal; these are its coordinates. Torque enters at any place:
    ``places={"cam_2": 0.35}`` makes a port of that name. A frequency that it tells is never below
    the true one; polynomials come close with few.

    Parameters
    ----------
    inertia : float [kg m^2]
        Moment of inertia ∫ ρ I dz of the whole shaft.
    stiffness : float [N m/rad]
        Stiffness 1/∫ dz/(G I) between its ends, for an even shaft G I/l.
    shapes : int or sequence of functions of s
        Number of polynomials, or functions w of the place s = z/l from 0 to 1, besides the rigid
        rotation.
    lehr : float
        Damping ratio of each mode of the free shaft.
    section : function of s, optional
        Torsional second moment I over the length, in any unit: ``lambda s: 1.0 - 0.5 * s``.
    places : mapping of str to float
        Further ports and their places s, from 0 to 1.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("shaft")
    >>> shaft = model.add("shaft", pt.RitzShaft(0.5, stiffness=400.0, shapes=6))
    >>> first = jd.eigenmodes(model)[1].frequency * 2 * jd.math.pi
    >>> round(first / (400.0 / 0.5) ** 0.5, 5)  # π of the continuous shaft
    3.14159
    """

    inertia: NumberField
    stiffness: NumberField
    shapes: ShapesField = preset(default=6)
    lehr: NumberField = preset(default=0.0)
    section: Callable[[Any], Any] | None = None
    places: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        check.number(self.inertia, "inertia of RitzShaft", positive=True, unit="kg m^2")
        check.number(self.stiffness, "stiffness of RitzShaft", positive=True, unit="N m/rad")
        check.number(self.lehr, "lehr of RitzShaft", nonnegative=True)
        counted = isinstance(self.shapes, Integral) and int(self.shapes) >= 1
        listed = isinstance(self.shapes, tuple | list) and len(self.shapes) > 0
        if not counted and not (listed and all(is_function(w) for w in self.shapes)):
            raise ModelError(
                f"shapes of RitzShaft is {check.shown(self.shapes)}: give their number, 1 or more, "
                "or functions of s from 0 to 1."
            )
        for name, s in self.places.items():
            if not 0.0 <= check.number(s, f"place {name!r} of RitzShaft") <= 1.0 or name in "ab":
                raise ModelError(
                    f"place {name!r} of RitzShaft is {s:g}: give places from 0 (end a) to 1 "
                    "(end b), with names other than a and b."
                )

    def _along(self, s: Any) -> tuple[Any, Any]:
        """All functions and their slopes at places (n_functions, n_places)."""
        if isinstance(self.shapes, Integral):
            n = int(self.shapes)
            made = [np.polynomial.Legendre.basis(k, (0.0, 1.0)) for k in range(n + 1)]
            return np.array([w(s) for w in made]), np.array([w.deriv()(s) for w in made])
        w = [np.polynomial.Chebyshev.interpolate(w, DEGREE, (0.0, 1.0)) for w in self.shapes]
        values = [np.ones_like(s), *(own(s) for own in w)]
        return np.array(values), np.array([np.zeros_like(s), *(own.deriv()(s) for own in w)])

    def modes(self) -> tuple[Any, Any]:
        """Squared frequencies of the free shaft in parts of c/J, and the angle of each port.

        Returns
        -------
        squares : (n,) [1]
            The first is zero.
        shapes : (n_ports, n) [1]
            For a, b and all places.
        """
        x, weight = np.polynomial.legendre.leggauss(POINTS)
        s, weight = 0.5 * (x + 1.0), 0.5 * weight
        I_p = np.ones_like(s) if self.section is None else np.asarray(self.section(s), float)
        if not (np.isfinite(I_p).all() and I_p.min() > 0.0):
            raise ModelError("section of RitzShaft must be above zero from s = 0 to 1.")
        w, slope = self._along(s)
        M = (w * (weight * I_p / np.sum(weight * I_p))) @ w.T
        K = (slope * (weight * I_p * np.sum(weight / I_p))) @ slope.T
        sizes = np.linalg.eigvalsh(M / np.sqrt(np.outer(M.diagonal(), M.diagonal())))
        if sizes[0] < DEPENDENT:
            raise ModelError(
                "shapes of RitzShaft depend on each other, or one is constant: the rigid rotation "
                "is there already. Give others, or their number."
            )
        squares, own = eigh(K, M)
        squares[0] = 0.0
        ends = np.array([0.0, 1.0, *map(float, self.places.values())])
        return squares, self._along(ends)[0].T @ own

    def build(self, group: Group) -> Mapping[str, Any]:
        """One coordinate for each mode."""
        squares, shapes = self.modes()
        stiff = [self.stiffness * x if x > 0.0 else 0.0 for x in squares.tolist()]
        size = (self.stiffness * self.inertia) ** 0.5
        dampers = [2.0 * self.lehr * x**0.5 * size for x in squares.tolist()]
        angles = add_modes(group, self.inertia, stiff, shapes, dampers)
        return dict(zip(("a", "b", *self.places), angles, strict=True))

    def results(self, name: str) -> Mapping[str, Result]:
        """Twist from b to a, angle and speed of each port."""
        _, shapes = self.modes()
        twist = sum_of_modes(name, shapes[0] - shapes[1], "twist")
        ports = dict(zip(("a", "b", *self.places), shapes, strict=True))
        return {"twist": twist, **motion_of_ports(name, ports)}
