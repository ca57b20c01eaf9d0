"""Line contact of flanks: Hertzian stress and oil film (2.F79)."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.gears.geometry.teeth import Teeth
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset, record


@record()
class Material:
    """Elastic data of two wheels that touch, and their reduced modulus E'.

        2/E' = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b

    Parameters
    ----------
    modulus : float [Pa]
        Young's modulus of both.
    poisson : float
        Poisson's ratio of both.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> f"{gears.Material(2.06e11).reduced:.4g}"
    '2.264e+11'
    """

    modulus: NumberField = preset(default=2.06e11)
    poisson: NumberField = preset(default=0.3)

    def __post_init__(self) -> None:
        check.number(self.modulus, "modulus of Material", positive=True, unit="Pa")
        nu = check.number(self.poisson, "poisson of Material")
        if not -1.0 < nu <= 0.5:
            raise ModelError(f"poisson of Material is {nu:g}: give a number from 0 to 0.5.")

    @property
    def reduced(self) -> Any:
        """E' = E/(1 − ν²) [Pa]."""
        return self.modulus / (1.0 - self.poisson**2)


def hertz_stress(force: Any, radius: Any, length: Any, material: Material | None = None) -> Any:
    """Largest pressure of a line contact, √(F E'/(2π R' L)) [Pa] (2.F79).

    Parameters
    ----------
    force : float or array [N]
        Normal force F.
    radius : float [m]
        Reduced radius R', 1/R' = 1/R_a + 1/R_b.
    length : float [m]
        Length L of the line.
    material : Material, optional
        Steel by default.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> f"{gears.hertz_stress(1000.0, radius=0.01, length=0.02) / 1e6:.0f} MPa"
    '424 MPa'
    """
    reduced = (material or Material()).reduced
    return math.sqrt(math.maximum(force, 0.0) * reduced / (2.0 * math.pi * radius * length))


def film_thickness(
    force: Any,
    speed: Any,
    radius: Any,
    length: Any,
    oil: Lubricant,
    material: Material | None = None,
) -> Any:
    """Least thickness of an elastohydrodynamic film (Dowson and Higginson; 2.F79) [m].

        h = 2.65 R' U^0.7 G^0.54 W^−0.13,  U = η u/(E' R'),  G = α E',  W = F/(E' R' L)

    Parameters
    ----------
    force : float or array [N]
        Normal force, above zero.
    speed : float or array [m/s]
        Mean speed u of both surfaces, with which they draw oil into the contact.
    radius, length : float [m]
        As of `hertz_stress`.
    oil : Lubricant
        The oil.
    material : Material, optional
        Steel by default.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> oil = gears.Lubricant(viscosity=0.02)
    >>> f"{1e6 * gears.film_thickness(1000.0, 5.0, 0.01, 0.02, oil):.2f} µm"
    '0.57 µm'
    """
    E = (material or Material()).reduced
    U = oil.viscosity * math.absolute(speed) / (E * radius)
    W = math.maximum(force, 1e-12) / (E * radius * length)
    return 2.65 * radius * U**0.7 * (oil.pressure_coefficient * E) ** 0.54 * W**-0.13


@record()
class Lubricant:
    """Oil in a loaded contact: viscosity grows as exp(α p).

    Parameters
    ----------
    viscosity : float [Pa s]
        Dynamic viscosity η without pressure.
    pressure_coefficient : float [1/Pa]
        Growth α with the pressure.
    """

    viscosity: NumberField
    pressure_coefficient: NumberField = preset(default=2.0e-8)

    def __post_init__(self) -> None:
        for name in ("viscosity", "pressure_coefficient"):
            check.number(getattr(self, name), f"{name} of Lubricant", positive=True)


def flank_radius(teeth: Teeth, place: float = 0.0) -> float:
    """Reduced radius of curvature of the flanks at a place on the path of contact [m].

    The flanks curve with their distances from the points of tangency, ρ = r_b tan α_w ± s.

    Parameters
    ----------
    teeth : Teeth
        The pair.
    place : float [m]
        Distance s behind the pitch point, from −g_f to g_a.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> teeth = gears.Teeth((20, 30), module=3e-3)
    >>> f"{1e3 * gears.flank_radius(teeth):.3f} mm"
    '6.156 mm'
    """
    tangent = float(math.tan(teeth.working_angle))
    a, b = (r * tangent for r in teeth.base_radii)
    a, b = a + place, b - place
    if a <= 0.0 or (teeth.teeth[1] > 0 and b <= 0.0):
        raise ModelError(
            f"place {place:g} m is off the line of action of the teeth {teeth.teeth}: give one "
            f"from {-teeth.approach:g} to {teeth.recess:g} m."
        )
    return a * b / (a + b) / float(math.cos(teeth.base_helix))
