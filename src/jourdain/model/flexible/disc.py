"""Discs on flexible shafts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.section import ROUND_ALONG_X, Material
from jourdain.spatial.solid import Shape

_THIN = 0.2  # of its radius, width of a disc that tells none


@dataclass(frozen=True)
class Disc:
    """A rigid disc on a shaft, of any inertia.

    Parameters
    ----------
    at : float [m]
        Where it sits along the shaft.
    mass : float [kg]
        Mass.
    moments : (3,) [kg m^2]
        Moments of inertia about the line of the shaft, y and z, through its centre of mass.
    offset : (2,) [m]
        Where its centre of mass is off the line of the shaft, along y and z.
    radius, width : float [m]
        Size, to draw it.
    """

    at: float
    mass: float
    moments: tuple[float, float, float]
    offset: tuple[float, float] = (0.0, 0.0)
    radius: float = 0.0
    width: float = 0.0

    def __post_init__(self) -> None:
        for name in ("at", "mass", "radius", "width"):
            plain_number(getattr(self, name), f"{name} of the disc", nonnegative=True)
        for value in self.moments:
            plain_number(value, "a component of moments of the disc", nonnegative=True)
        for value in self.offset:
            plain_number(value, "a component of offset of the disc")

    def shape(self) -> Shape:
        """What to draw."""
        radius = self.radius or float(np.sqrt(2.0 * self.moments[0] / (self.mass or 1.0)))
        if not radius:
            return Shape("point", ())
        size = radius, self.width or _THIN * radius
        return Shape("cylinder", size, (0.0, *self.offset), ROUND_ALONG_X)


def disc(
    material: Material,
    *,
    at: float,
    diameter: float,
    width: float,
    bore: float = 0.0,
    offset: tuple[float, float] = (0.0, 0.0),
) -> Disc:
    """Disc of a material on a shaft.

    Parameters
    ----------
    material : Material
        What it is made of.
    at : float [m]
        Where it sits along the shaft.
    diameter, width, bore : float [m]
        Diameter, width along the shaft, and diameter of the hole in it, which the shaft fills.
    offset : (2,) [m]
        Where its centre of mass is off the line of the shaft, along y and z: an unbalance.
    """
    for name, value in (("diameter", diameter), ("width", width)):
        plain_number(value, f"{name} of the disc", positive=True)
    plain_number(bore, "bore of the disc", nonnegative=True)
    squares = 0.25 * (diameter**2 + bore**2)
    mass = material.density * width * np.pi / 4.0 * (diameter**2 - bore**2)
    across = mass * (squares / 4.0 + width**2 / 12.0)
    moments = (float(0.5 * mass * squares), float(across), float(across))
    return Disc(at, float(mass), moments, (offset[0], offset[1]), 0.5 * diameter, width)
