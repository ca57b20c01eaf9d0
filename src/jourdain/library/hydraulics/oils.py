"""Oils as functions of temperature, and standard ones by name."""

from __future__ import annotations

from math import log as ln
from typing import Any

from jourdain import math
from jourdain.errors import ModelError, did_you_mean
from jourdain.library.hydraulics.fluid import Fluid
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset, record
from jourdain.spatial.parameter import nominal

_ZERO = 273.15  # [K]
_WARM, _HOT, _COOL = 40.0, 100.0, 15.0  # [°C] at which viscosities and density are given
_COLDEST, _HOTTEST = -40.0, 150.0  # [°C]


@record()
class Oil:
    """A kind of oil: its properties over temperature.

    The kinematic viscosity ν follows Walther's line through its values at 40 °C and 100 °C,

        lg lg(ν/(mm²/s) + 0.7) = a − b lg T                                    (ASTM D341)

    the density falls as 1/(1 + β (T − 15 °C)), the bulk modulus as exp(−s (T − 40 °C)).

    Parameters
    ----------
    warm, hot : float [m^2/s]
        Kinematic viscosities at 40 °C and at 100 °C.
    density : float [kg/m^3]
        Density at 15 °C.
    bulk_modulus : float [Pa]
        Bulk modulus at 40 °C, without air.
    expansion : float [1/K]
        Thermal expansion β.
    softening : float [1/K]
        Decrease s of the bulk modulus.

    Examples
    --------
    >>> from jourdain.library import hydraulics as hy
    >>> oil = hy.Oil(warm=46e-6, hot=6.8e-6, density=877.0)
    >>> [f"{oil.at(celsius).viscosity:.4f} Pa s" for celsius in (0.0, 40.0, 80.0)]
    ['0.5117 Pa s', '0.0396 Pa s', '0.0093 Pa s']
    """

    warm: NumberField
    hot: NumberField
    density: NumberField
    bulk_modulus: NumberField = preset(default=1.4e9)
    expansion: NumberField = preset(default=7.0e-4)
    softening: NumberField = preset(default=5.5e-3)

    def __post_init__(self) -> None:
        for name in ("warm", "hot", "density", "bulk_modulus"):
            check.number(getattr(self, name), f"{name} of Oil", positive=True)
        for name in ("expansion", "softening"):
            check.number(getattr(self, name), f"{name} of Oil", nonnegative=True, unit="1/K")
        if nominal(self.warm) < nominal(self.hot):
            raise ModelError(
                f"Oil has the viscosities {nominal(self.warm):g} m^2/s at 40 °C and "
                f"{nominal(self.hot):g} at 100 °C: oil gets thinner as it gets hot. Exchange them."
            )

    def at(self, temperature: Any, air: Any = 0.005) -> Fluid:
        """Fluid at a temperature.

        Parameters
        ----------
        temperature : float [°C]
            Temperature, −40 to 150; a `Parameter` can be swept without compiling again.
        air : float
            Share of undissolved air at the pressure of the atmosphere.
        """
        T = check.number(temperature, "temperature of the oil")
        if not _COLDEST <= nominal(T) <= _HOTTEST:
            raise ModelError(f"temperature of the oil is {nominal(T):g} °C: give -40 to 150.")
        density = self.density / (1.0 + self.expansion * (T - _COOL))
        stiffness = self.bulk_modulus * math.exp(-self.softening * (T - _WARM))
        viscosity = self.kinematic_viscosity(T) * density
        return Fluid(density=density, viscosity=viscosity, bulk_modulus=stiffness, air=air)

    def kinematic_viscosity(self, temperature: Any) -> Any:
        """Viscosity ν [m^2/s] at a temperature [°C], by Walther's line."""
        first, last = (math.log(math.log(1e6 * nu + 0.7)) for nu in (self.warm, self.hot))
        slope = (last - first) / (ln(_HOT + _ZERO) - ln(_WARM + _ZERO))
        way = math.log(temperature + _ZERO) - ln(_WARM + _ZERO)
        return 1e-6 * (math.exp(math.exp(first + slope * way)) - 0.7)


def _oil(warm: float, hot: float, density: float) -> Oil:
    return Oil(1e-6 * warm, 1e-6 * hot, density)


OILS = {
    "HLP 10": _oil(10.0, 2.5, 850.0),
    "HLP 15": _oil(15.0, 3.3, 858.0),
    "HLP 22": _oil(22.0, 4.3, 866.0),
    "HLP 32": _oil(32.0, 5.4, 872.0),
    "HLP 46": _oil(46.0, 6.8, 877.0),
    "HLP 68": _oil(68.0, 8.7, 882.0),
    "HLP 100": _oil(100.0, 11.2, 886.0),
    "HVLP 32": _oil(32.0, 6.3, 868.0),
    "HVLP 46": _oil(46.0, 8.2, 872.0),
    "ATF": _oil(34.0, 7.2, 850.0),
    "SAE 5W-30": _oil(66.0, 11.5, 853.0),
    "SAE 10W-40": _oil(95.0, 14.3, 865.0),
}
"""Oils by the names of their classes."""


def standard_oil(name: str, temperature: Any = 40.0, air: Any = 0.005) -> Fluid:
    """Oil of a standard class at a temperature.

    Parameters
    ----------
    name : str
        ``"HLP 10"`` to ``"HLP 100"``, ``"HVLP 32"``, ``"HVLP 46"``, ``"ATF"``, ``"SAE 5W-30"``,
        ``"SAE 10W-40"``: typical values of these classes, not those of a product.
    temperature : float [°C]
        Temperature, −40 to 150; a `Parameter` can be swept without compiling again.
    air : float
        Share of undissolved air at the pressure of the atmosphere.

    Examples
    --------
    >>> from jourdain.library import hydraulics as hy
    >>> oil = hy.standard_oil("HLP 46", temperature=40.0)
    >>> f"{1e6 * oil.viscosity / oil.density:.1f} mm^2/s"
    '46.0 mm^2/s'
    """
    if name not in OILS:
        known = ", ".join(OILS)
        raise ModelError(f"no oil {name!r}. Known: {known}.{did_you_mean(str(name), OILS)}")
    return OILS[name].at(temperature, air)
