"""The long line: waves in compressible oil, by Ritz' method with B-splines (4.F13 to 4.F15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import pi, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg as la
from scipy.interpolate import BSpline

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


@dataclass(frozen=True)
class Shape:
    """A free vibration of a line of unit length, built of cubic B-splines.

    Parameters
    ----------
    eigenvalue : float
        ∫ψ'² over ∫ψ².
    mass : float
        ∫ψ², where the larger of both end values is one.
    ends : (float, float)
        Values at both ends.
    """

    eigenvalue: float
    mass: float
    ends: tuple[float, float]


@lru_cache
def shapes(n: int) -> tuple[Shape, ...]:
    """Vibrations of the space of n cubic B-splines, all of them: nothing is left out."""
    knots = np.concatenate([[0.0] * 3, np.linspace(0.0, 1.0, n - 2), [1.0] * 3])
    splines = BSpline(knots, np.eye(n), 3)
    x, w = np.polynomial.legendre.leggauss(5)
    begin, width = knots[3:-4], np.diff(knots[3:-3])
    points = (begin[:, None] + 0.5 * width[:, None] * (x + 1.0)).ravel()
    weights = (0.5 * width[:, None] * w).ravel()
    value, slope = splines(points), splines.derivative()(points)
    M, K = ((f * weights[:, None]).T @ f for f in (value, slope))
    eigenvalues, vectors = la.eigh(K, M)
    found = []
    for lam, vector in zip(eigenvalues, vectors.T, strict=True):
        ends = splines(np.array([0.0, 1.0])) @ vector
        scale = ends[np.argmax(np.abs(ends))]
        own = float(ends[0] / scale), float(ends[1] / scale)
        found.append(Shape(max(float(lam), 0.0), float(1.0 / scale**2), own))
    return (Shape(0.0, found[0].mass, found[0].ends), *found[1:])  # the first is constant


def friction_factor(k: float) -> float:
    """Friction of oscillating over that of steady laminar flow, for k = R √(ω/ν) (4.F15).

    >>> from jourdain.library.hydraulics.lines.elastic_line import friction_factor
    >>> [round(friction_factor(k), 5) for k in (1.0, 5.0, 100.0)]
    [1.00248, 1.32233, 17.94733]
    """
    least = 1.0 + 0.0024756 * float(min(k, 5.0) ** 3.0253322)
    return least + 0.175 * max(k - 5.0, 0.0)


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

    def build(self, group: Group) -> Mapping[str, Any]:
        """A coordinate for each function, with stiffness and friction."""
        fluid, A, L = self.fluid, self._area, float(self.length)
        for i, (shape, f) in enumerate(
            zip(shapes(self.functions), self.frequencies(), strict=True)
        ):
            mode = group.add_coordinate(f"mode_{i}", fluid.density * L * shape.mass / A, unit="m^3")
            spring = Spring(fluid.bulk_modulus * shape.eigenvalue * shape.mass / (A * L))
            damper = Damper(8.0 * pi * fluid.viscosity * L * shape.mass / A**2 * self._factor(f))
            base = Force(-(shape.ends[0] - shape.ends[1]) * self.start)
            group.add_connection(f"oil_{i}", Coordinate(mode), spring + damper + base)
        return {}

    def _factor(self, f: float) -> float:
        if not self.unsteady or self.fluid.viscosity == 0.0:
            return 1.0
        nu = self.fluid.viscosity / self.fluid.density
        return friction_factor(0.5 * float(self.diameter) * sqrt(2.0 * pi * f / nu))

    def results(self, name: str) -> Mapping[str, Result]:
        """Flows at both ends, and the pressure drop."""
        every = shapes(self.functions)
        names = tuple(f"{name}.mode_{i}.rate" for i in range(len(every)))
        found = {"pressure_drop": super().results(name)["pressure_drop"]}
        for k, end in enumerate("ab"):
            factors = [shape.ends[k] for shape in every]
            text = f"flow through {name} at its end {end}"
            found[f"flow_{end}"] = Result("m^3/s", text, names, _weighted(factors))
        return found


def _weighted(factors: list[float]) -> Any:
    return lambda *rates: sum(k * rate for k, rate in zip(factors, rates, strict=True))
