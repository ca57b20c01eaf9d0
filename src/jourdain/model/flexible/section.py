"""Materials and cross-sections of beams."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.plain import plain_number
from jourdain.spatial.solid import Shape

ROUND_ALONG_X = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
"""Turn of a cylinder whose axis lies along x."""


@dataclass(frozen=True)
class Material:
    """An elastic material.

    Parameters
    ----------
    youngs_modulus : float [Pa]
        Young's modulus.
    density : float [kg/m^3]
        Density.
    poisson_ratio : float [1]
        Poisson's ratio.
    """

    youngs_modulus: float
    density: float
    poisson_ratio: float = 0.3

    def __post_init__(self) -> None:
        plain_number(self.youngs_modulus, "youngs_modulus of the material", positive=True)
        plain_number(self.density, "density of the material", positive=True)

    @property
    def shear_modulus(self) -> float:
        """Shear modulus [Pa]."""
        return self.youngs_modulus / (2.0 * (1.0 + self.poisson_ratio))


STEEL = Material(2.1e11, 7850.0)
ALUMINIUM = Material(7.0e10, 2700.0, 0.33)


@dataclass(frozen=True)
class Section:
    """Stiffness and mass of a beam per length, along x.

    Made by `rectangle`, `circle` and `tube`, or by hand for any other profile.

    Parameters
    ----------
    EI_y, EI_z : float [N m^2]
        Bending stiffness about y (bends in z) and about z (bends in y).
    GJ : float [N m^2]
        Stiffness against torsion.
    EA : float [N]
        Stiffness against extension.
    mass : float [kg/m]
        Mass per length.
    moments : (3,) [kg m]
        Rotational inertia per length about x, y and z.
    height, width : float [m]
        Size along y and z, to draw it, and where its stresses are largest.
    is_round : bool
        Whether it is drawn round, or as a rectangle.
    shear_y, shear_z : float [N]
        Stiffness against shear along y and z, for beams with the field ``"shear"``.
    youngs_modulus : float [Pa]
        Young's modulus, for stresses.
    """

    EI_y: float
    EI_z: float
    GJ: float
    EA: float
    mass: float
    moments: tuple[float, float, float] = (0.0, 0.0, 0.0)
    height: float = 0.0
    width: float = 0.0
    is_round: bool = False
    shear_y: float = 0.0
    shear_z: float = 0.0
    youngs_modulus: float = 0.0

    def __post_init__(self) -> None:
        names = ("EI_y", "EI_z", "GJ", "EA", "mass", "height", "width", "shear_y", "shear_z")
        for name in (*names, "youngs_modulus"):
            plain_number(getattr(self, name), f"{name} of the section", nonnegative=True)
        for value in self.moments:
            plain_number(value, "a component of moments of the section", nonnegative=True)

    def shape(self, length: float, middle: float) -> Shape:
        """Piece of the beam to draw, around a place of its own."""
        if self.is_round:
            size = 0.5 * self.height, length
            return Shape("cylinder", size, (middle, 0.0, 0.0), ROUND_ALONG_X)
        return Shape("box", (length, self.height, self.width), (middle, 0.0, 0.0))


def rectangle(material: Material, height: float, width: float) -> Section:
    """Rectangle of a height [m] along y and a width [m] along z."""
    for name, value in (("height", height), ("width", width)):
        plain_number(value, f"{name} of the rectangle", positive=True)
    area, I_y, I_z = height * width, height * width**3 / 12.0, width * height**3 / 12.0
    a, b = max(height, width), min(height, width)
    odd = np.arange(1, 200, 2)
    series = np.sum(np.tanh(odd * np.pi * a / (2.0 * b)) / odd**5.0)
    J = a * b**3 * (1.0 / 3.0 - 64.0 / np.pi**5 * b / a * series)
    nu = material.poisson_ratio
    shear = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu)  # Cowper 1966
    own = _section(material, area, (I_y, I_z, float(J)), shear)
    return replace(own, height=height, width=width)


def circle(material: Material, diameter: float) -> Section:
    """Full circle of a diameter [m]."""
    plain_number(diameter, "diameter of the circle", positive=True)
    return tube(material, diameter, 0.0)


def tube(material: Material, outer: float, inner: float) -> Section:
    """Circular tube of an outer and an inner diameter [m]."""
    plain_number(outer, "outer diameter of the tube", positive=True)
    plain_number(inner, "inner diameter of the tube", nonnegative=True)
    if inner >= outer:
        raise ModelError(
            f"the tube has an inner diameter of {inner:g} m and an outer one of {outer:g} m: give "
            "the outer one first, jd.flexible.tube(material, outer, inner)."
        )
    area = np.pi / 4.0 * (outer**2 - inner**2)
    moment = np.pi / 64.0 * (outer**4 - inner**4)
    nu, m = material.poisson_ratio, inner / outer
    a = (1.0 + m * m) ** 2
    shear = 6.0 * (1.0 + nu) * a / ((7.0 + 6.0 * nu) * a + (20.0 + 12.0 * nu) * m * m)  # Cowper
    own = _section(material, area, (moment, moment, 2.0 * moment), shear)
    return replace(own, height=outer, width=outer, is_round=True)


def _section(
    material: Material, area: float, moments: tuple[float, float, float], shear: float
) -> Section:
    """Section of an area [m²], with second moments of area about y and z and against torsion."""
    E, rho, (I_y, I_z, J) = material.youngs_modulus, material.density, moments
    G = material.shear_modulus
    inertia = (rho * (I_y + I_z), rho * I_y, rho * I_z)
    own = Section(E * I_y, E * I_z, G * J, E * area, rho * area, inertia)
    return replace(own, shear_y=shear * G * area, shear_z=shear * G * area, youngs_modulus=E)
