"""Geoms of MJCF files: mass, what to draw, what may touch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jourdain.errors import FormatError
from jourdain.io.robots.description import Outline, Place
from jourdain.io.robots.meshes import Meshes
from jourdain.io.robots.mjcf.settings import Settings
from jourdain.io.robots.places import inside, turn_to
from jourdain.io.robots.xml import Node
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.solid import Shape, Solid

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 3}
_WITH_ENDS = ("capsule", "cylinder", "ellipsoid", "box")
_FILLINGS = ("legacy", "exact", "convex", "shell")
_WATER = "1000"  # [kg/m^3], density where none is given


@dataclass(frozen=True)
class Geom:
    """A geom, read.

    Parameters
    ----------
    inertia : Inertia
        Mass properties in the axes of its body.
    shapes : tuple of Shape
        What to draw.
    outlines : tuple of Outline
        What may touch others.
    group : int
        Group it belongs to.
    fault : FormatError or None
        Why its mass is not known: that of a surface that cannot be read.
    """

    inertia: Inertia
    shapes: tuple[Shape, ...]
    outlines: tuple[Outline, ...]
    group: int = 0
    fault: FormatError | None = None


@dataclass
class Geoms:
    """Reader of geoms.

    Parameters
    ----------
    settings : Settings
        What holds for the file.
    surfaces : mapping of str to Node
        Meshes by name.
    colours : mapping of str to tuple
        Colours of materials by name.
    meshes : Meshes
        Files with surfaces.
    """

    settings: Settings
    surfaces: Mapping[str, Node]
    colours: Mapping[str, tuple[float, ...] | None]
    meshes: Meshes

    def read(self, node: Node, around: Place) -> Geom | None:
        """Read a geom, in a frame of its body; None for what is not read."""
        kind = node.get("type") or ("mesh" if "mesh" in node.attributes else "sphere")
        if kind == "mesh":
            return self._mesh(node, around)
        if "mesh" in node.attributes and kind in _SIZES:
            raise node.wrong(
                f"is a {kind} that is fitted to a mesh, which is not read: give its size"
            )
        if kind not in _SIZES:
            self._note(f"a geom of type {kind!r} in line {node.line} is passed over")
            return None
        place, size = self._extent(node, kind)
        place = inside(around, place)
        if kind == "plane":
            return self._plane(node, place, size)
        made, outline = _solid(kind, size)
        mass = self._mass(node, _volume(kind, size))
        if mass and node.get("shellinertia") == "true":
            raise node.wrong(
                "is a shell, whose moments of inertia are read of meshes only: make it solid, or "
                "give its body an <inertial>"
            )
        placed = _scaled(made, mass).moved(place.position, place.rotation)
        outlines = () if outline is None else (replace(outline, place=place),)
        return self._geom(node, placed, outlines)

    def _geom(self, node: Node, made: Solid, outlines: tuple[Outline, ...]) -> Geom:
        colour = self._colour(node)
        is_seen = colour is None or colour[3] > 0.0
        shapes = tuple(replace(shape, colour=colour) for shape in made.shapes) if is_seen else ()
        touches = node.number("contype", 1) != 0 or node.number("conaffinity", 1) != 0
        group = int(node.number("group", 0.0))
        return Geom(made.inertia, shapes, outlines if touches else (), group)

    def _mesh(self, node: Node, around: Place) -> Geom | None:
        name = node.needs("mesh")
        asset = self.surfaces.get(name)
        if asset is None:
            raise node.wrong(f"names the mesh {name!r}, which no <mesh> of <asset> describes")
        surface = self._surface(asset)
        if surface is None:
            why = (self.meshes.notes or ["it has no file"])[-1].rstrip(".")
            fault = node.wrong(
                f"gives its body the mass of mesh {name!r}, which cannot be read: {why}. Next: "
                "give the body an <inertial>"
            )
            has_mass = node.number("mass", 1.0) and node.number("density", 1.0)
            group = int(node.number("group", 0.0))
            return Geom(Inertia(0.0), (), (), group, fault if has_mass else None)
        place = inside(around, self.settings.place(node))
        made = Solid(self._filled(node, asset, surface), (Shape("mesh", (), mesh=surface),))
        outline = Outline("mesh", (), place, surface)
        return self._geom(node, made.moved(place.position, place.rotation), (outline,))

    def _filled(self, node: Node, asset: Node, surface: Triangles) -> Inertia:
        """Mass properties of a mesh: filled evenly, or a shell."""
        how, name = asset.get("inertia", "legacy"), node.get("mesh")
        if node.get("shellinertia") == "true":
            how = "shell"
        if how not in _FILLINGS:
            raise asset.wrong(f"has inertia={how[:40]!r}: known are {', '.join(_FILLINGS)}")
        body = _hull(surface.points) if how == "convex" else surface
        size, centre, second = body.spread() if how == "shell" else body.enclosed()
        mass = self._mass(node, abs(size))
        moments = (np.trace(second) * np.eye(3) - second) / size if size else np.zeros((3, 3))
        if mass and size <= 0.0:
            self._note(f"mesh {name!r} is not closed: the mass of its geom is left out")
            mass = 0.0
        return Inertia(mass, tuple(centre.tolist()), (mass * moments).tolist())

    def _surface(self, asset: Node) -> Triangles | None:
        scale = np.array(asset.numbers("scale", 3, (1.0, 1.0, 1.0)))
        if "vertex" in asset.attributes:
            made: Triangles | None = _hull(np.reshape(asset.row("vertex"), (-1, 3)))
        elif "file" not in asset.attributes:
            self._note(f"mesh {asset.get('name')!r} has no file and is left out")
            return None
        else:
            options = self.settings.options
            folder = options.get("meshdir", options.get("assetdir", ""))
            made = self.meshes.surface(asset.get("file"), folder=folder)
        if made is None:
            return None
        # MuJoCo: counted from refpos, turned back by refquat, then scaled
        turn = self.settings.rotation(
            Node("mesh", {"quat": asset.get("refquat", "1 0 0 0")}, asset.file, asset.line)
        )
        points = (made.points - np.array(asset.numbers("refpos", 3, (0.0, 0.0, 0.0)))) @ turn
        faces = made.triangles if np.prod(scale) > 0.0 else made.triangles[:, ::-1]
        return Triangles.of(points * scale, faces)

    def _plane(self, node: Node, place: Place, size: Any) -> Geom:
        drawn: tuple[Shape, ...] = ()
        if size[0] > 0.0 and size[1] > 0.0:
            shape = Shape(
                "box", (2.0 * size[0], 2.0 * size[1], 0.0), place.position, place.rotation
            )
            drawn = (shape,)
        return self._geom(node, Solid(Inertia(0.0), drawn), (Outline("half_space", (), place),))

    def _extent(self, node: Node, kind: str) -> tuple[Place, Any]:
        """Place in its frame, and half its sizes as MuJoCo has them."""
        count = _SIZES[kind]
        ends = node.attributes.get("fromto")
        if ends is None or kind not in _WITH_ENDS:
            size = node.row("size")
            if len(size) < count and kind != "plane":
                raise node.wrong(f"is a {kind} and has {len(size)} sizes: give {count}")
            if kind != "plane" and min(size[:count]) <= 0.0:
                raise node.wrong("has a size that is not above zero")
            return self.settings.place(node), (*size[:count], *(0.0,) * (count - len(size)))
        low, high = np.reshape(node.numbers("fromto", 6), (2, 3))
        half = 0.5 * float(np.linalg.norm(high - low))
        if half == 0.0:
            raise node.wrong("goes from a point to itself")
        radius = node.row("size")
        if not radius or radius[0] <= 0.0:
            raise node.wrong("needs its size: a radius above zero")
        x, y, z = (0.5 * (low + high)).tolist()
        place = Place((x, y, z), turn_to(low - high))
        across = (radius[0],) * (count - 1)
        return place, (*across, half)

    def _mass(self, node: Node, volume: float) -> float:
        if "mass" in node.attributes:
            return node.number("mass")
        return volume * node.number("density", float(_WATER))

    def _colour(self, node: Node) -> tuple[float, ...] | None:
        if "rgba" in node.attributes:
            return tuple(min(max(x, 0.0), 1.0) for x in node.numbers("rgba", 4))
        return self.colours.get(node.get("material"))

    def _note(self, text: str) -> None:
        if text not in self.meshes.notes:
            self.meshes.notes.append(text)


def _solid(kind: str, size: Any) -> tuple[Solid, Outline | None]:
    """Solid of mass one, and its outline."""
    if kind == "sphere":
        return solid.ball(1.0, size[0]), Outline("ball", (size[0],))
    if kind == "box":
        edges = tuple(2.0 * x for x in size)
        return solid.box(1.0, edges), Outline("box", edges)
    if kind == "cylinder":
        radius, length = size[0], 2.0 * size[1]
        return solid.cylinder(1.0, radius, length), Outline("cylinder", (radius, length))
    if kind == "ellipsoid":
        return solid.ellipsoid(1.0, size), None
    return _capsule(*size), Outline("capsule", (size[0], 2.0 * size[1]))


def _capsule(radius: float, half: float) -> Solid:
    """Cylinder with two half balls, of mass one."""
    tube, ends = 2.0 * half * radius**2, 4.0 / 3.0 * radius**3  # volumes over π
    middle = solid.cylinder(tube / (tube + ends), radius, 2.0 * half)
    weight = 0.5 * ends / (tube + ends)
    across = weight * radius**2 * (0.4 - 0.140625)  # half a ball about its own centre of mass
    caps = [
        Solid(
            Inertia(
                weight,
                (0.0, 0.0, s * (half + 0.375 * radius)),
                (across, across, 0.4 * weight * radius**2),
            ),
            (Shape("ball", (radius,), (0.0, 0.0, s * half)),),
        )
        for s in (-1.0, 1.0)
    ]
    return solid.compound(middle, *caps)


def _volume(kind: str, size: Any) -> float:
    if kind == "sphere":
        return float(4.0 / 3.0 * np.pi * size[0] ** 3)
    if kind == "ellipsoid":
        return float(4.0 / 3.0 * np.pi * np.prod(size))
    if kind == "box":
        return float(8.0 * np.prod(size))
    tube = np.pi * size[0] ** 2 * 2.0 * size[1]
    return float(tube + (4.0 / 3.0 * np.pi * size[0] ** 3 if kind == "capsule" else 0.0))


def _scaled(made: Solid, mass: float) -> Solid:
    """Same solid of another mass."""
    own = made.inertia
    moments = tuple(tuple(mass * x for x in row) for row in own.moments)
    return Solid(Inertia(mass * own.mass, own.com, moments), made.shapes)


def _hull(points: Any) -> Triangles:
    """Convex hull of points, faces outwards."""
    from scipy.spatial import ConvexHull  # noqa: PLC0415

    hull = ConvexHull(points)
    faces = hull.simplices.copy()
    middle = points.mean(axis=0)
    a, b, c = (points[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - middle) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    return Triangles.of(points, faces)
