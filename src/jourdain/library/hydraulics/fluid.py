"""The fluid: density, viscosity, and how it gives way to pressure (4.F2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset, record
from jourdain.spatial.parameter import nominal

ATMOSPHERE = 101325.0
"""Pressure of the atmosphere [Pa]. Pressures of this library are those above it."""
_LEAST = 1e-6  # absolute pressure that oil with air does not come down to [Pa]
_NODES, _WEIGHTS = (x[6:].tolist() for x in np.polynomial.legendre.leggauss(12))  # symmetric


@record()
class Fluid:
    """A liquid with some air in it.

    All pressures are relative to the atmosphere, as gauges show them; zero is an open tank. A
    volume that has the size 1 at zero pressure has

        v(p) = (1 − α) exp(−p/E) + α (p₀/(p₀ + p))^(1/κ)                    (4.F2)

    with the pressure p₀ of the atmosphere.

    Parameters
    ----------
    density : float [kg/m^3]
        Density ρ.
    viscosity : float [Pa s]
        Dynamic viscosity μ.
    bulk_modulus : float [Pa]
        Modulus E of the liquid without air.
    air : float
        Share α of undissolved air in the volume at the pressure of the atmosphere, 0 to below 1.
    exponent : float
        Polytropic exponent κ of the air: 1 isothermal (slow) to 1.4 adiabatic (fast).
    vapour_pressure : float [Pa]
        Absolute pressure below which it evaporates.

    Examples
    --------
    >>> from jourdain.library import hydraulics as hy
    >>> oil = hy.Fluid(air=0.01, bulk_modulus=1.4e9, exponent=1.0)
    >>> [f"{oil.stiffness(1e5 * bar) / 1e6:.0f} MPa" for bar in (0, 10, 100)]
    ['10 MPa', '642 MPa', '1381 MPa']
    """

    density: NumberField = preset(default=860.0)
    viscosity: NumberField = preset(default=0.04)
    bulk_modulus: NumberField = preset(default=1.4e9)
    air: NumberField = preset(default=0.005)
    exponent: NumberField = preset(default=1.4)
    vapour_pressure: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        for name in ("density", "bulk_modulus", "exponent"):
            check.number(getattr(self, name), f"{name} of Fluid", positive=True)
        for name in ("viscosity", "air", "vapour_pressure"):
            value = check.number(getattr(self, name), f"{name} of Fluid")
            if nominal(value) < 0.0 or (name == "air" and nominal(value) >= 1.0):
                limits = "from 0 to below 1" if name == "air" else "zero or more"
                raise ModelError(f"{name} of Fluid is {nominal(value):g}: give {limits}.")

    @property
    def has_air(self) -> bool:
        """Whether it has undissolved air."""
        return not (isinstance(self.air, float | int) and self.air == 0.0)

    @property
    def lowest_pressure(self) -> Any:
        """Pressure at which it evaporates, relative to the atmosphere [Pa]."""
        return self.vapour_pressure - ATMOSPHERE

    def share(self, p: Any) -> Any:
        """Volume v(p) of what has the volume 1 at zero pressure (4.F2)."""
        return self._liquid(p) + self._air(p)

    def stiffness(self, p: Any) -> Any:
        """Bulk modulus E(p) = −v/(dv/dp) of the liquid with its air [Pa] (4.F2)."""
        if not self.has_air:
            return self.bulk_modulus + 0.0 * p
        slope = self._liquid(p) / self.bulk_modulus
        slope += self._air(p) / (self.exponent * (p + ATMOSPHERE))
        return self.share(p) / slope

    def energy(self, p: Any) -> Any:
        """Energy that a volume of fixed size takes up from zero pressure, ∫ p/E(p) dp [J/m^3].

        By Gauss' rule on the logarithm of the absolute pressure where there is air. Interpolated
        pressures may lie below that of no pressure at all, and have the energy there.
        """
        if not self.has_air:
            return p**2 / (2.0 * self.bulk_modulus)
        half = 0.5 * math.log(math.maximum(p + ATMOSPHERE, _LEAST) / ATMOSPHERE)
        rise, fall = math.exp(half), math.exp(-half / self.exponent)
        total = 0.0
        for x, w in zip(_NODES, _WEIGHTS, strict=True):
            s, f = math.exp(half * x), math.exp(-half * x / self.exponent)
            for up, down in ((rise * s, fall * f), (rise / s, fall / f)):  # at x and at -x
                absolute, air = ATMOSPHERE * up, self.air * down
                liquid = self._liquid(absolute - ATMOSPHERE)
                slope = absolute * liquid / self.bulk_modulus + air / self.exponent
                total += w * (absolute - ATMOSPHERE) * slope / (liquid + air)
        return half * total

    def _liquid(self, p: Any) -> Any:
        return (1.0 - self.air) * math.exp(-p / self.bulk_modulus)

    def _air(self, p: Any) -> Any:
        return self.air * (ATMOSPHERE / (p + ATMOSPHERE)) ** (1.0 / self.exponent)
