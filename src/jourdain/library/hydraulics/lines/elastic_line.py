"""The long line: waves in compressible oil, by Ritz' method with B-splines (4.F13 to 4.F15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import pi, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg as la
from scipy.interpolate import BSpline
from scipy.special import jve

from jourdain.errors import ModelError
from jourdain.library.hydraulics.nodes.node import End
from jourdain.library.hydraulics.passage import Passage
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.force import Force
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import Expression

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

_STEADY = 1e-3  # k below which oscillating flow has steady friction, to rounding


@dataclass(frozen=True)
class Shape:
    """A free vibration of a line of unit length, built of cubic B-splines.

    Parameters
    ----------
    eigenvalue : float
        ∫ψ'² over ∫ψ².
    mass : float
        ∫ψ², where the larger of both end values is one.
    weights : tuple of float
        Of the B-splines.
    """

    eigenvalue: float
    mass: float
    weights: tuple[float, ...]

    def value(self, x: float) -> float:
        """Value ψ at a part x of the length, 0 to 1."""
        return float(splines(len(self.weights))(x) @ np.array(self.weights))

    def slope(self, x: float) -> float:
        """Slope ψ' at a part x of the length."""
        return float(splines(len(self.weights)).derivative()(x) @ np.array(self.weights))

    @property
    def ends(self) -> tuple[float, float]:
        """Values at both ends."""
        return self.value(0.0), self.value(1.0)


@lru_cache
def splines(n: int) -> Any:
    """B-splines of third degree on equal pieces of the unit length, n of them."""
    knots = np.concatenate([[0.0] * 3, np.linspace(0.0, 1.0, n - 2), [1.0] * 3])
    return BSpline(knots, np.eye(n), 3)


@lru_cache
def shapes(n: int) -> tuple[Shape, ...]:
    """Vibrations of the space of n cubic B-splines, all of them: nothing is left out."""
    every = splines(n)
    x, w = np.polynomial.legendre.leggauss(5)
    begin, width = every.t[3:-4], np.diff(every.t[3:-3])
    points = (begin[:, None] + 0.5 * width[:, None] * (x + 1.0)).ravel()
    weights = (0.5 * width[:, None] * w).ravel()
    value, slope = every(points), every.derivative()(points)
    M, K = ((f * weights[:, None]).T @ f for f in (value, slope))
    eigenvalues, vectors = la.eigh(K, M)
    found = []
    for lam, vector in zip(eigenvalues, vectors.T, strict=True):
        ends = every(np.array([0.0, 1.0])) @ vector
        scale = ends[np.argmax(np.abs(ends))]
        own = tuple((vector / scale).tolist())
        found.append(Shape(max(float(lam), 0.0), float(1.0 / scale**2), own))
    return (Shape(0.0, found[0].mass, (1.0,) * n), *found[1:])  # the first is constant


def friction_factor(k: float) -> float:
    """Friction of oscillating over that of steady laminar flow, for k = R √(ω/ν) (4.F15).

        N = Re (z/4) J₁(z)/J₂(z),   z = k √−i

    >>> from jourdain.library.hydraulics.lines.elastic_line import friction_factor
    >>> [round(friction_factor(k), 5) for k in (1.0, 5.0, 100.0)]
    [1.00087, 1.32236, 18.05598]
    """
    if k < _STEADY:
        return 1.0
    z = k * np.sqrt(-1j)
    return float((z / 4.0 * jve(1, z) / jve(2, z)).real)


class ElasticLine(Passage):
    """A long line, in which pressure waves run (4.F13).

    The volume that has passed at each place is a sum of functions, coordinates ``mode_0`` (the oil
    as one column), ``mode_1`` and so on. Friction is laminar, by frequency (4.F15) or steady
    (4.F14). Its oil has the bulk modulus of the fluid without air.

    Parameters
    ----------
    a, b : BuiltPart
        Nodes at its ends; the flow counts from a to b.
    length, diameter : float [m]
        Of the bore.
    functions : int
        Number of functions, 4 to 200: five for each half wave of interest.
    start : float [Pa]
        Pressure in the line at the start.
    unsteady : bool
        Whether friction depends on the frequency.
    stations : mapping of str to float
        Places along the line, as parts of its length, whose pressure and flow are results:
        ``{"middle": 0.5}`` is ``oil.pipe.pressure_middle`` and ``oil.pipe.flow_middle``.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> fluid = hy.Fluid(density=850.0, bulk_modulus=1e9, viscosity=0.0, air=0.0)
    >>> oil = jd.Model("pipe").group("oil")
    >>> T, U = oil.add("T", hy.Tank(fluid)), oil.add("U", hy.Tank(fluid))
    >>> pipe = oil.add("pipe", hy.ElasticLine(T, U, length=10.0, diameter=0.02, functions=12))
    >>> [round(f, 2) for f in pipe.frequencies()[1:3]]  # c/2L, 2c/2L
    [54.23, 108.47]
    """

    length: NumberField
    diameter: NumberField
    functions: int = 8
    start: NumberField = preset(default=0.0)
    unsteady: bool = True
    stations: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("length", "diameter"):
            check.number(getattr(self, name), f"{name} of ElasticLine", positive=True, unit="m")
        fluid = self.fluid
        sizes = (self.length, self.diameter, fluid.density, fluid.bulk_modulus, fluid.viscosity)
        if any(isinstance(x, Expression) for x in sizes):
            raise ModelError(
                "ElasticLine has a parameter among its sizes: its functions are computed when it "
                "is built. Give numbers, and build a line for each value."
            )
        n = self.functions
        if isinstance(n, bool) or not isinstance(n, int) or not 4 <= n <= 200:
            raise ModelError(f"functions of ElasticLine is {check.shown(n)}: give 4 to 200.")
        check.number(self.start, "start of ElasticLine", unit="Pa")
        object.__setattr__(self, "stations", dict(self.stations))
        for name, x in self.stations.items():
            place = check.number(x, f"station {name!r} of ElasticLine", nonnegative=True)
            if place > 1.0:
                raise ModelError(
                    f"station {name!r} of ElasticLine is {place:g}: give a part of its length, "
                    "0 at a to 1 at b."
                )

    @property
    def _area(self) -> float:
        return pi * float(self.diameter) ** 2 / 4.0

    def frequencies(self) -> list[float]:
        """Frequencies of the line with two open ends [Hz]; the first is zero."""
        c = sqrt(self.fluid.bulk_modulus / self.fluid.density)
        return [sqrt(s.eigenvalue) * c / (2 * pi * self.length) for s in shapes(self.functions)]

    def ends(self, name: str) -> tuple[End, ...]:
        """Every function moves oil at both ends."""
        return tuple(
            End(node, sign * shape.ends[k], Coordinate(f"{name}.mode_{i}"))
            for i, shape in enumerate(shapes(self.functions))
            for k, (node, sign) in enumerate(((self.a, 1.0), (self.b, -1.0)))
        )

    @property
    def coefficients(self) -> list[tuple[float, float, float]]:
        """Inertia, stiffness and friction of each function [kg/m^4, N/m^5, N s/m^5]."""
        fluid, A, L = self.fluid, self._area, float(self.length)
        found = []
        for shape, f in zip(shapes(self.functions), self.frequencies(), strict=True):
            m, k = fluid.density * L / A, fluid.bulk_modulus * shape.eigenvalue / (A * L)
            d = 8.0 * pi * fluid.viscosity * L / A**2 * self._factor(f)
            found.append((m * shape.mass, k * shape.mass, d * shape.mass))
        return found

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "elastic line"

    def build(self, group: Group) -> Mapping[str, Any]:
        """A coordinate for each function, with stiffness and friction."""
        both = zip(shapes(self.functions), self.coefficients, strict=True)
        for i, (shape, (m, k, d)) in enumerate(both):
            mode = group.add_coordinate(f"mode_{i}", m, unit="m^3")
            base = Force(-(shape.ends[0] - shape.ends[1]) * self.start)
            group.add_connection(f"oil_{i}", Coordinate(mode), Spring(k) + Damper(d) + base)
        return {}

    def _factor(self, f: float) -> float:
        if not self.unsteady or self.fluid.viscosity == 0.0:
            return 1.0
        nu = self.fluid.viscosity / self.fluid.density
        return friction_factor(0.5 * float(self.diameter) * sqrt(2.0 * pi * f / nu))

    def results(self, name: str) -> Mapping[str, Result]:
        """Flows at both ends and at stations, pressures there, energy, loss and pressure drop."""
        every, A, L = shapes(self.functions), self._area, float(self.length)
        places = {"a": 0.0, "b": 1.0, **self.stations}
        modes = tuple(f"{name}.mode_{i}" for i in range(len(every)))
        rates = tuple(f"{mode}.rate" for mode in modes)
        m, k, d = zip(*self.coefficients, strict=True)
        base = super().results(name)["pressure_drop"]
        found = {"pressure_drop": base}
        for word, x in places.items():
            flow = _weighted([shape.value(x) for shape in every])
            found[f"flow_{word}"] = Result("m^3/s", f"flow of {name} at {word}", rates, flow)
        for word, x in self.stations.items():
            steep = _weighted([shape.slope(x) for shape in every])
            pressure = _pressure(float(self.start), self.fluid.bulk_modulus / (A * L), steep)
            found[f"pressure_{word}"] = Result(
                "Pa", f"pressure of {name} at {word}", modes, pressure
            )
        found["loss"] = Result("W", f"power that {name} loses", rates, _squares(d))
        kinetic, elastic = _squares([0.5 * x for x in m]), _squares([0.5 * x for x in k])
        n = len(every)
        found["energy"] = Result(
            "J", f"energy of the oil in {name}", (*rates, *modes),
            lambda *x: kinetic(*x[:n]) + elastic(*x[n:]),
        )  # fmt: skip
        return found


def _weighted(factors: Sequence[float]) -> Any:
    return lambda *rates: sum(k * rate for k, rate in zip(factors, rates, strict=True))


def _squares(factors: Sequence[float]) -> Any:
    return lambda *rates: sum(k * rate**2 for k, rate in zip(factors, rates, strict=True))


def _pressure(start: float, stiffness: float, steep: Any) -> Any:
    """Pressure from the volumes that have passed: p₀ − E/A dV/dx (4.F13)."""
    return lambda *volumes: start - stiffness * steep(*volumes)
