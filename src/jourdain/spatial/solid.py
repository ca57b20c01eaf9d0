"""Solids of uniform density: their inertia and what to draw. Used as ``jd.solid.box(...)``.

Each function returns a `Solid`, which `Model.add_body` takes; solids are added with ``+``. The
keywords ``at`` [m] and ``rotation`` (3×3) place the solid in the body frame: first it is turned
about its own origin, then moved. Masses and dimensions may be `Parameter`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial import check
from jourdain.spatial.annotations import Axis, Number, Rows, Triple
from jourdain.spatial.inertia import Inertia, combined, parallel_axis
from jourdain.spatial.mesh import Triangles, read_triangles
from jourdain.spatial.parameter import nominal
from jourdain.spatial.pose import (
    IDENTITY,
    ORIGIN,
    Matrix,
    Vector,
    along,
    difference,
    moved_point,
    product,
    times,
)

_SIZES = {  # names of the dimensions of a kind, and whether they may be zero
    "box": {f"component {axis} of size": True for axis in "xyz"},
    "ball": {"radius": False},
    "cylinder": {"radius": False, "length": True},
    "tube": {"inner_radius": True, "outer_radius": False, "length": True},
    "cone": {"radius": False, "height": False},
    "ellipsoid": {f"component {axis} of semi_axes": False for axis in "xyz"},
}


@dataclass(frozen=True, slots=True)
class Shape:
    """What to draw of a solid.

    Parameters
    ----------
    kind : str
        With its ``size`` [m], in the axes of the shape:

        - ``"rod"``: vector from one end, at the origin, to the other
        - ``"box"``: edges along x, y, z; centred
        - ``"ball"``: radius; centred
        - ``"cylinder"``: radius, length along z; centred
        - ``"tube"``: inner radius, outer radius, length along z; centred
        - ``"cone"``: radius of the base, which lies around the origin, height along z
        - ``"ellipsoid"``: semi-axes along x, y, z; centred
        - ``"mesh"``: none; the surface is in ``mesh``
        - ``"point"``: nothing
    size : tuple [m]
        Dimensions.
    position : (3,) [m]
        Origin of the shape in the body frame.
    rotation : (3, 3) [1]
        Axes of the shape in the body frame, as columns.
    mesh : Triangles, optional
        Surface of a mesh.
    colour : tuple of float, optional
        Red, green, blue and opacity, from 0 to 1; that of the body by default.
    """

    kind: str
    size: tuple[Any, ...]
    position: Vector = ORIGIN
    rotation: Matrix = IDENTITY
    mesh: Triangles | None = None
    colour: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for value, (name, zero) in zip(self.size, _SIZES.get(self.kind, {}).items(), strict=False):
            what = f"{name} of the {self.kind}"
            check.number(value, what, positive=not zero, nonnegative=zero, unit="m")
        if self.kind == "tube" and nominal(self.size[0]) > nominal(self.size[1]):
            inner, outer = nominal(self.size[:2])
            raise ModelError(
                f"the tube has inner_radius {inner:g} m and outer_radius {outer:g} m: "
                "the outer radius must be the larger one. Exchange the two."
            )
        if self.kind == "rod" and not any(nominal(self.size)):
            raise ModelError(
                f"the rod starts and ends at {check.listed(self.position)} m: give two points."
            )

    def moved(self, position: Vector, rotation: Matrix) -> Shape:
        """Shape carried along with a frame that is placed at a pose in another one."""
        place = moved_point(self.position, position, rotation)
        turned = product(rotation, self.rotation)
        return Shape(self.kind, self.size, place, turned, self.mesh, self.colour)


@dataclass(frozen=True, slots=True)
class Solid:
    """Inertia and shapes of a body; made by the functions of `jourdain.solid`.

    Parameters
    ----------
    inertia : Inertia
        Mass properties in the body frame.
    shapes : tuple of Shape
        What to draw.
    """

    inertia: Inertia
    shapes: tuple[Shape, ...] = ()

    @check.arithmetic("the solid")
    def moved(self, position: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Solid:
        """Solid placed at a position [m], turned by a rotation (3×3), in another frame."""
        p = check.vector(position, "position of the solid")
        R = check.rotation(rotation, "rotation of the solid")
        if p == ORIGIN and R is IDENTITY:
            return self
        return Solid(self.inertia.moved(p, R), tuple(s.moved(p, R) for s in self.shapes))

    def __add__(self, other: Solid | Inertia) -> Solid:
        """Both solids as one rigid body; an `Inertia` adds mass without a shape."""
        if not isinstance(other, Solid | Inertia):
            return NotImplemented
        return compound(self, other)

    __radd__ = __add__


@check.arithmetic("the point")
def point(mass: Number, at: Triple = ORIGIN) -> Solid:
    """Point mass [kg] at a position [m]: without moments of inertia about itself."""
    p = check.vector(at, "position of the point mass")
    return _solid(mass, Shape("point", ()), ORIGIN).moved(p)


@check.arithmetic("the rod")
def rod(mass: Number, end: Triple, start: Triple = ORIGIN) -> Solid:
    """Thin rod between two points of the body frame.

    Parameters
    ----------
    mass : float [kg]
        Mass, spread evenly.
    end, start : (3,) [m]
        The two ends. It has no moment of inertia about its own line.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.solid.rod(mass=1.2, end=(1.0, 0, 0)).inertia.com
    (0.5, 0.0, 0.0)
    """
    a, b = check.vector(start, "start of the rod"), check.vector(end, "end of the rod")
    shape, m = Shape("rod", difference(b, a), a), _mass(mass, "rod")
    line = shape.size
    inertia = Inertia(m, along(a, 0.5, line), parallel_axis(m / 12.0, line))
    return Solid(inertia, (shape,))


@check.arithmetic("the box")
def box(mass: Number, size: Triple, *, at: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Solid:
    """Box centred on the origin.

    Parameters
    ----------
    mass : float [kg]
        Mass.
    size : (3,) [m]
        Edges along x, y, z; zero for a plate.
    at, rotation : (3,) [m], (3, 3) [1]
        Where it sits in the body frame.
    """
    shape = Shape("box", check.vector(size, "size of the box"))
    return _solid(mass, shape, _block_moments(shape, 12.0)).moved(at, rotation)


@check.arithmetic("the ball")
def ball(mass: Number, radius: Number, *, at: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Solid:
    """Ball of a mass [kg] and a radius [m], centred on the origin."""
    shape = _round("ball", radius)
    (r,) = shape.size
    return _solid(mass, shape, [0.4 * r**2] * 3).moved(at, rotation)


@check.arithmetic("the ellipsoid")
def ellipsoid(
    mass: Number, semi_axes: Triple, *, at: Triple = ORIGIN, rotation: Rows = IDENTITY
) -> Solid:
    """Ellipsoid of a mass [kg] and three semi-axes [m] along x, y, z, centred on the origin."""
    shape = Shape("ellipsoid", check.vector(semi_axes, "semi_axes of the ellipsoid"))
    return _solid(mass, shape, _block_moments(shape, 5.0)).moved(at, rotation)


@check.arithmetic("the cylinder")
def cylinder(
    mass: Number,
    radius: Number,
    length: Number,
    axis: Axis = "z",
    *,
    at: Triple = ORIGIN,
    rotation: Rows = IDENTITY,
) -> Solid:
    """Cylinder centred on the origin.

    Parameters
    ----------
    mass : float [kg]
        Mass.
    radius, length : float [m]
        Dimensions; length zero makes a thin disc.
    axis : "x", "y", "z", "-x", ... or unit vector
        Direction of its axis in the body frame.
    at, rotation : (3,) [m], (3, 3) [1]
        Where it sits in the body frame.
    """
    shape = _round("cylinder", radius, length)
    r, h = shape.size
    solid = _solid(mass, shape, _round_moments(r**2, h))
    return solid.moved(ORIGIN, _turn(axis, "cylinder")).moved(at, rotation)


@check.arithmetic("the tube")
def tube(
    mass: Number,
    inner_radius: Number,
    outer_radius: Number,
    length: Number,
    axis: Axis = "z",
    *,
    at: Triple = ORIGIN,
    rotation: Rows = IDENTITY,
) -> Solid:
    """Hollow cylinder centred on the origin.

    Parameters
    ----------
    mass : float [kg]
        Mass.
    inner_radius, outer_radius, length : float [m]
        Dimensions; equal radii make a thin shell, length zero a ring.
    axis : "x", "y", "z", "-x", ... or unit vector
        Direction of its axis in the body frame.
    at, rotation : (3,) [m], (3, 3) [1]
        Where it sits in the body frame.
    """
    shape = _round("tube", inner_radius, outer_radius, length)
    a, b, h = shape.size
    solid = _solid(mass, shape, _round_moments(a**2 + b**2, h))
    return solid.moved(ORIGIN, _turn(axis, "tube")).moved(at, rotation)


@check.arithmetic("the cone")
def cone(
    mass: Number,
    radius: Number,
    height: Number,
    axis: Axis = "z",
    *,
    at: Triple = ORIGIN,
    rotation: Rows = IDENTITY,
) -> Solid:
    """Cone that stands on the origin: there lies the centre of its base.

    Its tip is at ``height`` along the axis, its centre of mass at a quarter of the height.

    Parameters
    ----------
    mass : float [kg]
        Mass.
    radius, height : float [m]
        Radius of the base, distance of the tip from it.
    axis : "x", "y", "z", "-x", ... or unit vector
        Direction from the base to the tip in the body frame.
    at, rotation : (3,) [m], (3, 3) [1]
        Where it sits in the body frame.
    """
    shape = _round("cone", radius, height)
    r, h = shape.size
    across = (r**2 * 4.0 + h**2) * 0.0375
    solid = _solid(mass, shape, (across, across, 0.3 * r**2), com=(0.0, 0.0, 0.25 * h))
    return solid.moved(ORIGIN, _turn(axis, "cone")).moved(at, rotation)


def mesh(
    path: str | os.PathLike[str],
    *,
    mass: Number | None = None,
    density: Number | None = None,
    inertia: Inertia | None = None,
    scale: float = 1.0,
    at: Triple = ORIGIN,
    rotation: Rows = IDENTITY,
) -> Solid:
    """Solid enclosed by a surface from a file (STL, OBJ, PLY, GLB); needs the extra ``mesh``.

    Parameters
    ----------
    path : str or path
        The file.
    mass, density : float [kg], [kg/m^3]
        One of them, for a closed surface that is filled evenly.
    inertia : Inertia
        Mass properties instead, in the axes of the file; then the surface is only drawn.
    scale : float [m]
        Unit of length of the file: 0.001 for millimetres.
    at, rotation : (3,) [m], (3, 3) [1]
        Where it sits in the body frame.

    Raises
    ------
    ModelError
        If not exactly one of mass, density and inertia is given, or if the surface is open.
    """
    if sum(x is not None for x in (mass, density, inertia)) != 1:
        raise ModelError(f"the mesh '{path}' needs one of mass, density and inertia.")
    surface = read_triangles(path, check.number(scale, "scale of the mesh", positive=True))
    if inertia is None:
        inertia = _filled(surface, mass, density, f"the mesh '{path}'")
    return Solid(inertia, (Shape("mesh", (), mesh=surface),)).moved(at, rotation)


def _filled(surface: Triangles, mass: Any, density: Any, what: str) -> Inertia:
    """Inertia of the inside of a closed surface."""
    volume, centre, second = surface.enclosed()
    if surface.n_open_edges or volume <= 0.0:
        raise ModelError(
            f"{what} encloses {volume:.4g} m^3 and has {surface.n_open_edges} open edges, so it "
            "has no inside to fill. Close it and turn its faces outwards, or give its "
            "inertia=jd.Inertia(...)."
        )
    m = _mass(mass, "mesh") if density is None else _density(density) * volume
    per_mass = (np.trace(second) * np.eye(3) - second) / volume
    moments = [[times(m, float(x)) for x in row] for row in per_mass]
    return Inertia(m, tuple(centre.tolist()), moments)


def _density(density: Any) -> Any:
    return check.number(density, "density of the mesh", positive=True, unit="kg/m^3")


@check.arithmetic("the compound")
def compound(*solids: Solid | Inertia, at: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Solid:
    """One rigid body of several solids, placed in the body frame at ``at`` [m], turned."""
    for solid in solids:
        if isinstance(solid, list | tuple):
            raise ModelError("compound got a list. Give its members, jd.solid.compound(*parts).")
        if not isinstance(solid, Solid | Inertia):
            raise ModelError(
                f"compound got {check.shown(solid)}, which is no solid. "
                "Make the parts with jd.solid.box(...), jd.solid.rod(...) and so on."
            )
    if not solids:
        raise ModelError("compound got no solids. Give at least one, such as jd.solid.box(...).")
    parts = [Solid(solid) if isinstance(solid, Inertia) else solid for solid in solids]
    shapes = tuple(shape for part in parts for shape in part.shapes)
    return Solid(combined([part.inertia for part in parts]), shapes).moved(at, rotation)


def _solid(mass: Any, shape: Shape, radii: Any, com: Vector = ORIGIN) -> Solid:
    """Solid whose principal moments are the mass times the squared radii of gyration."""
    m = _mass(mass, shape.kind)
    return Solid(Inertia(m, com, [times(m, k) for k in radii]), (shape,))


def _round(kind: str, *sizes: Any) -> Shape:
    """Shape with its dimensions as floats or parameters."""
    names = (f"{name} of the {kind}" for name in _SIZES[kind])
    return Shape(kind, tuple(check.number(x, n) for x, n in zip(sizes, names, strict=True)))


def _block_moments(shape: Shape, part: float) -> list[Any]:
    x, y, z = shape.size
    return [(a**2 + b**2) / part for a, b in ((y, z), (z, x), (x, y))]


def _mass(mass: Any, kind: str) -> Any:
    return check.number(mass, f"mass of the {kind}", nonnegative=True, unit="kg")


def _round_moments(square: Any, length: Any) -> tuple[Any, Any, Any]:
    across = (square * 3.0 + length**2) / 12.0
    return across, across, square * 0.5


def _turn(axis: Any, kind: str) -> Matrix:
    """Rotation that takes z to the axis; the identity for z."""
    given = check.unit_axis(axis, f"axis of the {kind}")
    a = np.eye(3)["xyz".index(given)] if isinstance(given, str) else np.array(given)
    side = np.cross(a, np.eye(3)[np.argmin(np.abs(a))])
    side /= np.linalg.norm(side)
    columns = np.array((np.cross(side, a), side, a)).T + 0.0  # no negative zeros
    return tuple(tuple(row) for row in columns.tolist())
