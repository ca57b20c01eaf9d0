"""The Ravigneaux gear in detail: wheels as bodies on bearings, meshes with their phases (4.F52)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.bearings.rolling import RollingBearing, as_frame
from jourdain.library.gears.geometry.teeth import Teeth
from jourdain.library.gears.meshes.contact import Ideal, ToothContact
from jourdain.library.gears.meshes.mesh import Mesh
from jourdain.library.gears.sets.elastic_ring import ElasticRing
from jourdain.model.joints.planar import Planar
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.measure import FrameField
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check, solid
from jourdain.spatial.annotations import NumberField, SpanField, preset, record

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

WHEELS = ("large", "small", "ring", "carrier")
_PLANES = {  # where wheels begin and end along the axis, in widths; others reach from -1/2 to 1/2
    "carrier": (-0.9, -0.7), "long": (-0.5, 1.6), "short": (0.6, 1.6), "small": (0.6, 1.6),
}  # fmt: skip


@record()
class RavigneauxTeeth:
    """Numbers of teeth of a Ravigneaux gear, and where its planets stand.

    Parameters
    ----------
    large, small : int
        Teeth of the sun of the long planets, and of that of the short ones.
    long, short : int
        Teeth of the planets.
    module : float [m]
        Module of all meshes.
    planets : int
        Number of pairs of planets, evenly spaced.

    Raises
    ------
    ModelError
        If the planets cannot be assembled.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> teeth = gears.RavigneauxTeeth(large=35, small=28, long=25, short=20, module=2e-3)
    >>> teeth.ring, teeth.pins  # of the long and the short planets
    (85, (0.06, 0.048))
    """

    large: int
    small: int
    long: int
    short: int
    module: NumberField
    planets: int = 3

    def __post_init__(self) -> None:
        for name in ("large", "small", "long", "short"):
            z = getattr(self, name)
            if isinstance(z, bool) or not isinstance(z, int) or z < 6:
                raise ModelError(f"{name} of RavigneauxTeeth is {check.shown(z)}: give its teeth.")
        check.number(self.module, "module of RavigneauxTeeth", positive=True, unit="m")
        n = self.planets
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise ModelError(f"planets of RavigneauxTeeth is {check.shown(n)}: give 1, 2, 3, …")
        long, short = self.pins
        if not abs(long - short) < self.pair_distance < long + short:
            raise ModelError(
                f"RavigneauxTeeth: pins at {long:g} m and {short:g} m from the axis cannot be "
                f"{self.pair_distance:g} m apart. Change the teeth of the small sun or short "
                "planet."
            )
        for word, sun, sign in (("large", self.large, 1), ("small", self.small, -1)):
            if (self.ring + sign * sun) % n:
                raise ModelError(
                    f"RavigneauxTeeth: {n} planets, evenly spaced, cannot be assembled: with the "
                    f"{word} sun {self.ring} {'+' if sign > 0 else '−'} {sun} = "
                    f"{self.ring + sign * sun} is no multiple of {n}."
                )

    @property
    def ring(self) -> int:
        """Teeth of the ring."""
        return self.large + 2 * self.long

    @property
    def pins(self) -> tuple[float, float]:
        """Distances of the pins of long and short planets from the axis [m]."""
        half = 0.5 * self.module
        return half * (self.large + self.long), half * (self.small + self.short)

    @property
    def pair_distance(self) -> float:
        """Distance of the pins of a pair [m]."""
        return float(0.5 * self.module * (self.long + self.short))

    @property
    def offset(self) -> float:
        """Angle about the axis from a long planet to its short one [rad]."""
        a, b = self.pins
        return float(math.acos((a**2 + b**2 - self.pair_distance**2) / (2.0 * a * b)))

    @property
    def places(self) -> tuple[float, ...]:
        """Angles at which the long planets stand [rad]."""
        return tuple(2.0 * math.pi * k / self.planets for k in range(self.planets))

    def pair(self, a: str, b: str) -> Teeth:
        """Teeth of a mesh of two wheels by name; a ring is b."""
        z = {n: getattr(self, n) for n in ("large", "small", "long", "short")} | {
            "ring": -self.ring
        }
        return Teeth((z[a], z[b]), self.module)


class RavigneauxGear(Part):
    """A Ravigneaux gear whose wheels move in the plane (4.F52).

    Suns, ring, carrier and planets are bodies with two ways and an angle; suns, ring and carrier in
    bearings of the housing, planets on pins of the carrier, all with clearance. The twelve meshes
    of three pairs of planets have the phases of their places. With `elastic` the rim of the ring
    bends (4.F53). Ports: the bodies ``large``, ``small``, ``ring``, ``carrier`` and their angles
    ``large_angle``, …

    Parameters
    ----------
    housing : Frame or Body
        Its z-axis is the axis.
    teeth : RavigneauxTeeth
        Numbers of teeth.
    contact : Elastic or Rigid
        How all teeth answer.
    backlash : float [m]
        Play of each mesh.
    width : float [m]
        Width of the wheels, which are discs of steel; the ring is as thick as ``rim``.
    rim : float [m]
        Radial thickness of the ring behind its teeth.
    bearing, pin : (float, float, float) [N/m, N s/m, m]
        Stiffness, damping and clearance of the bearings of central wheels, and of planets.
    elastic : int
        Largest number of waves of the rim; 0 is rigid.
    """

    housing: FrameField
    teeth: RavigneauxTeeth
    contact: ToothContact
    backlash: NumberField = preset(default=5e-5)
    width: NumberField = preset(default=0.02)
    rim: NumberField = preset(default=8e-3)
    bearing: SpanField = preset(default=(5e7, 2e3, 0.0))
    pin: SpanField = preset(default=(2e8, 2e3, 0.0))
    elastic: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "housing", as_frame(self.housing, "housing of RavigneauxGear"))
        if not isinstance(self.teeth, RavigneauxTeeth):
            raise ModelError(
                f"teeth of RavigneauxGear is {check.shown(self.teeth)}: give "
                "gears.RavigneauxTeeth(large=35, small=28, long=25, short=20, module=2e-3)."
            )
        if isinstance(self.contact, Ideal):
            raise ModelError(
                "RavigneauxGear has ideal teeth between wheels that move in bearings: give "
                "gears.Elastic(...), or take powertrain.Ravigneaux."
            )
        for name in ("bearing", "pin"):
            given = getattr(self, name)
            if not isinstance(given, tuple | list) or len(given) != 3:
                raise ModelError(
                    f"{name} of RavigneauxGear is {check.shown(given)}: give stiffness, damping and"
                    " clearance, (5e7, 2e3, 2e-5)."
                )
        for name in ("width", "rim"):
            check.number(getattr(self, name), f"{name} of RavigneauxGear", positive=True, unit="m")
        if self.elastic not in (0, *range(2, 20)):
            raise ModelError(
                f"elastic of RavigneauxGear is {check.shown(self.elastic)}: give the number of "
                "waves around the rim, 2 or more; 0 is rigid."
            )

    @property
    def ring_radius(self) -> Any:
        """Radius of the middle line of the rim [m]."""
        t = self.teeth
        return 0.5 * t.module * t.ring + 1.25 * t.module + 0.5 * self.rim

    def build(self, group: Group) -> Mapping[str, Any]:
        """Bodies in bearings, then the meshes."""
        bodies = {name: self._central(group, name) for name in WHEELS}
        rim = None
        if self.elastic:
            ring = ElasticRing(
                self.ring_radius, self.rim, self.width, waves=self.elastic, damping=0.02
            )
            rim = group.add("rim", ring).rim
        t = self.teeth
        for k, place in enumerate(t.places):
            self._pair(group, k, place, bodies, rim)
        angles = {f"{n}_angle": Coordinate(group.path(f"{n}_plane.angle")) for n in WHEELS}
        return bodies | angles

    def _central(self, group: Group, name: str) -> Any:
        """A sun, the ring or the carrier in its bearing."""
        t = self.teeth
        z = {"large": t.large, "small": t.small, "carrier": t.large + t.long}.get(name, t.ring)
        radius = 0.5 * t.module * z
        if name == "ring":
            outer, inner = self.ring_radius + 0.5 * self.rim, self.ring_radius - 0.5 * self.rim
            area = math.pi * (outer**2 - inner**2)
            wheel = solid.tube(7850.0 * self.width * area, inner, outer, self.width)
        else:
            wheel = self._wheel(name, radius)
        body = group.add_body(name, wheel)
        group.add_joint(f"{name}_plane", self.housing, body, Planar("z"))
        group.add(f"{name}_bearing", RollingBearing(self.housing, body, *self.bearing))
        return body

    def _wheel(self, name: str, radius: Any) -> Any:
        """A wheel of steel, seen in its own plane: those of the set lie behind each other."""
        mass = 7850.0 * math.pi * radius**2 * self.width
        first, last = _PLANES.get(name, (-0.5, 0.5))
        seen = solid.cylinder(
            mass=0.0, radius=radius, length=(last - first) * self.width,
            at=(0.0, 0.0, 0.5 * (first + last) * self.width),
        )  # fmt: skip
        heavy = solid.cylinder(mass=mass, radius=radius, length=self.width)
        return solid.Solid(heavy.inertia, seen.shapes)

    def _pair(
        self, group: Group, k: int, place: float, bodies: Mapping[str, Any], rim: Any
    ) -> None:
        """A long and a short planet on their pins, and their four meshes."""
        t, (long_pin, short_pin) = self.teeth, self.teeth.pins
        aside = place + t.offset
        centres = {
            name: (r * float(math.cos(angle)), r * float(math.sin(angle)))
            for name, r, angle in (("long", long_pin, place), ("short", short_pin, aside))
        }
        (xl, yl), (xs, ys) = centres["long"], centres["short"]
        toward = float(math.atan2(ys - yl, xs - xl))
        turn = {"long": t.pair("large", "long").mate(0.0, place)}
        turn["short"] = t.pair("long", "short").mate(turn["long"], toward)
        frames = {}
        for name, (x, y) in centres.items():
            wheel = self._wheel(name, 0.5 * t.module * getattr(t, name))
            body = group.add_body(f"{name}_{k}", wheel)
            pin = bodies["carrier"].at(x, y, 0.0)
            group.add_joint(f"{name}_{k}_plane", pin, body, Planar("z"))
            group.add(f"{name}_{k}_pin", RollingBearing(pin, body, *self.pin))
            frames[name] = body.at(rotation=math.rotation_z(turn[name]))
        meshes: tuple[tuple[str, Any, str, Any], ...] = (
            ("large", bodies["large"], "long", frames["long"]),
            ("long", frames["long"], "ring", bodies["ring"]),
            ("long", frames["long"], "short", frames["short"]),
            ("short", frames["short"], "small", bodies["small"]),
        )
        for a, wheel_a, b, wheel_b in meshes:
            own = rim if b == "ring" else None
            mesh = Mesh(wheel_a, wheel_b, t.pair(a, b), self.contact, self.backlash, rim=own)
            group.add(f"{a}_{b}_{k}", mesh)

    def results(self, name: str) -> Mapping[str, Result]:
        """Forces of the bearings of the ring and of the carrier on the housing."""
        return {
            f"{wheel}_load": Result(
                "N", f"load of the bearing of the {wheel} of {name}",
                (f"{name}.{wheel}_bearing.load",),
            )
            for wheel in ("ring", "carrier")
        }  # fmt: skip
