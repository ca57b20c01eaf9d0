"""The elastic ring: vibrations of the rim of a ring gear in its plane (4.F53)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


@record()
class Rim:
    """Coordinates of an elastic ring, for the meshes on it. A port of `ElasticRing`.

    Parameters
    ----------
    cosines, sines : tuple of str
        Names of the coordinates of cos iφ and sin iφ, i = 2, 3, …
    """

    cosines: tuple[str, ...]
    sines: tuple[str, ...]

    def displacement(self, angle: Any, at: Any) -> tuple[Any, Any]:
        """Way of the rim outward, and forward along the circumference, at an angle of it [m]."""
        out, ahead = 0.0, 0.0
        for k, (cosine, sine) in enumerate(zip(self.cosines, self.sines, strict=True)):
            i = k + 2
            c, s = math.cos(i * angle), math.sin(i * angle)
            a, b = at.coordinate(cosine), at.coordinate(sine)
            out = out + a * c + b * s
            ahead = ahead + (b * c - a * s) / i  # inextensible: u' = −v
        return out, ahead


class ElasticRing(Part):
    """Waves of a thin inextensible ring in its plane, on its body (4.F53). Port ``rim``.

        v = Σ q_i cos iφ + r_i sin iφ,   M_i = ρ A R π (1 + 1/i² + I/(A R²) (i − 1/i)²)
        K_i = π E I/R³ (i² − 1)²,   i = 2 … n

    The waves are small and belong to the body: what its rotation does to them (Coriolis forces, and
    stiffening by the second order) is left out, as for a ring that is held or turns slowly against
    its frequencies.

    Parameters
    ----------
    radius : float [m]
        Radius R of the middle line.
    thickness, width : float [m]
        Radial thickness and axial width of the section.
    modulus, density : float [Pa, kg/m^3]
        Of the material, steel by default.
    waves : int
        Largest number n of waves around the ring.
    damping : float
        Damping ratio of each wave.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import gears
    >>> model = jd.Model("ring")
    >>> ring = model.add("ring", gears.ElasticRing(0.08, thickness=6e-3, width=0.03, waves=4))
    >>> [round(mode.frequency, 2) for mode in jd.eigenmodes(model)]
    [597.53, 597.53, 1688.25, 1688.25, 3231.91, 3231.91]
    """

    radius: NumberField
    thickness: NumberField
    width: NumberField
    modulus: NumberField = preset(default=2.1e11)
    density: NumberField = preset(default=7850.0)
    waves: int = 5
    damping: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        for name in ("radius", "thickness", "width", "modulus", "density"):
            check.number(getattr(self, name), f"{name} of ElasticRing", positive=True)
        if nominal(self.thickness) > 0.5 * nominal(self.radius):
            raise ModelError(
                f"ElasticRing is {nominal(self.thickness):g} m thick at a radius of "
                f"{nominal(self.radius):g} m: the ring has to be thin, below a fifth or so."
            )
        if isinstance(self.waves, bool) or not isinstance(self.waves, int) or self.waves < 2:
            raise ModelError(f"waves of ElasticRing is {check.shown(self.waves)}: give 2, 3, 4, …")
        check.number(self.damping, "damping of ElasticRing", nonnegative=True)

    def wave(self, i: int) -> tuple[Any, Any]:
        """Mass and stiffness of the wave i [kg, N/m]."""
        area, R = self.thickness * self.width, self.radius
        inertia = self.width * self.thickness**3 / 12.0
        turning = inertia / (area * R**2) * (i - 1.0 / i) ** 2
        mass = self.density * area * R * math.pi * (1.0 + 1.0 / i**2 + turning)
        return mass, math.pi * self.modulus * inertia / R**3 * (i**2 - 1.0) ** 2

    def build(self, group: Group) -> Mapping[str, Any]:
        """Two coordinates for each number of waves."""
        names: dict[str, list[str]] = {"cos": [], "sin": []}
        for i in range(2, self.waves + 1):
            mass, stiffness = self.wave(i)
            law = Spring(stiffness) + Damper(2.0 * self.damping * math.sqrt(mass * stiffness))
            for word, found in names.items():
                way = group.add_coordinate(f"{word}_{i}", mass, unit="m")
                group.add_connection(f"spring_{word}_{i}", Coordinate(way), law)
                found.append(way.name)
        return {"rim": Rim(tuple(names["cos"]), tuple(names["sin"]))}

    def results(self, name: str) -> Mapping[str, Result]:
        """Largest way of the waves outward, the sum of their amplitudes."""
        ways = [f"{name}.{w}_{i}" for i in range(2, self.waves + 1) for w in ("cos", "sin")]

        def total(*ways: Any) -> Any:
            return sum((a**2 + b**2) ** 0.5 for a, b in zip(ways[0::2], ways[1::2], strict=True))

        text = f"sum of the amplitudes of the waves of {name}"
        return {"waves": Result("m", text, tuple(f"{way}.value" for way in ways), total)}
