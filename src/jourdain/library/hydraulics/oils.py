"""Standard oils by name, at a temperature."""

from __future__ import annotations

from math import log10

from jourdain.errors import ModelError, did_you_mean
from jourdain.library.hydraulics.fluid import Fluid
from jourdain.spatial import check

_ZERO = 273.15  # [K]
_EXPANSION = 7.0e-4  # [1/K] of mineral oil
OILS = {
    "HLP 22": (22.0, 4.3, 866.0),
    "HLP 32": (32.0, 5.4, 872.0),
    "HLP 46": (46.0, 6.8, 877.0),
    "HLP 68": (68.0, 8.7, 882.0),
    "ATF": (34.0, 7.2, 850.0),
}
"""Kinematic viscosity [mm^2/s] at 40 °C and at 100 °C, density [kg/m^3] at 15 °C."""


def standard_oil(name: str, temperature: float = 40.0, air: float = 0.005) -> Fluid:
    """Oil of a standard class at a temperature.

    The viscosity follows Walther's line through its values at 40 °C and 100 °C,
    lg lg(ν + 0.7) = a − b lg T (ASTM D341).

    Parameters
    ----------
    name : str
        ``"HLP 22"``, ``"HLP 32"``, ``"HLP 46"``, ``"HLP 68"`` or ``"ATF"``: typical values of
        these classes, not those of a product.
    temperature : float [°C]
        Temperature, −40 to 150.
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
    T = float(check.number(temperature, "temperature of the oil"))
    if not -40.0 <= T <= 150.0:
        raise ModelError(f"temperature of the oil is {T:g} °C: give -40 to 150.")
    warm, hot, heavy = OILS[name]
    first, last = (log10(log10(nu + 0.7)) for nu in (warm, hot))
    begin, end = (log10(t + _ZERO) for t in (40.0, 100.0))
    slope = (first - last) / (end - begin)
    nu = 10.0 ** (10.0 ** (first - slope * (log10(T + _ZERO) - begin))) - 0.7
    density = heavy / (1.0 + _EXPANSION * (T - 15.0))
    return Fluid(density=density, viscosity=1e-6 * nu * density, air=air)
