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
    """

    kind: str
    size: tuple[Any, ...]
    position: Vector = ORIGIN
    rotation: Matrix = IDENTITY
    mesh: Triangles | None = None

    def moved(self, position: Vector, rotation: Matrix) -> Shape:
        """Shape carried along with a frame that is placed at a pose in another one."""
        place = moved_point(self.position, position, rotation)
        return Shape(self.kind, self.size, place, product(rotation, self.rotation), self.mesh)


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

    def moved(self, position: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Solid:
        """Solid placed at a position [m], turned by a rotation (3×3), in another frame."""
        p = check.vector(position, "position of the solid")
        R = check.rotation(rotation, "rotation of the solid")
        if p == ORIGIN and R is IDENTITY:
            return self
        return Solid(self.inertia.moved(p, R), tuple(s.moved(p, R) for s in self.shapes))

    def __add__(self, other: Solid) -> Solid:
        """Both solids as one rigid body."""
        if not isinstance(other, Solid):
            return NotImplemented
        return compound(self, other)


def point(mass: Number, at: Triple = ORIGIN) -> Solid:
    """Point mass [kg] at a position [m]: without moments of inertia about itself."""
    p = check.vector(at, "position of the point mass")
    return _solid("point", mass, (), ORIGIN).moved(p)


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
    line = difference(b, a)
    if not any(nominal(line)):
        raise ModelError(f"the rod starts and ends at {check.listed(a)} m: give two points.")
    m = _mass(mass, "rod")
    inertia = Inertia(m, along(a, 0.5, line), parallel_axis(m / 12.0, line))
    return Solid(inertia, (Shape("rod", line, a),))


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
    x, y, z = _dimensions(size, "size of the box", zero=True)
    moments = [(a**2 + b**2) / 12.0 for a, b in ((y, z), (z, x), (x, y))]
    return _solid("box", mass, (x, y, z), moments).moved(at, rotation)


def ball(mass: Number, radius: Number, *, at: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Solid:
    """Ball of a mass [kg] and a radius [m], centred on the origin."""
    r = _dimension(radius, "radius of the ball")
    return _solid("ball", mass, (r,), [0.4 * r**2] * 3).moved(at, rotation)


def ellipsoid(
    mass: Number, semi_axes: Triple, *, at: Triple = ORIGIN, rotation: Rows = IDENTITY
) -> Solid:
    """Ellipsoid of a mass [kg] and three semi-axes [m] along x, y, z, centred on the origin."""
    x, y, z = _dimensions(semi_axes, "semi_axes of the ellipsoid")
    moments = [(a**2 + b**2) / 5.0 for a, b in ((y, z), (z, x), (x, y))]
    return _solid("ellipsoid", mass, (x, y, z), moments).moved(at, rotation)


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
    r = _dimension(radius, "radius of the cylinder")
    h = _dimension(length, "length of the cylinder", zero=True)
    solid = _solid("cylinder", mass, (r, h), _round_moments(r**2, h))
    return solid.moved(ORIGIN, _turn(axis, "cylinder")).moved(at, rotation)


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
    a = _dimension(inner_radius, "inner_radius of the tube", zero=True)
    b = _dimension(outer_radius, "outer_radius of the tube")
    h = _dimension(length, "length of the tube", zero=True)
    if nominal(a) > nominal(b):
        raise ModelError(
            f"the tube has inner_radius {nominal(a):g} m and outer_radius {nominal(b):g} m: "
            "the outer radius must be the larger one. Exchange the two."
        )
    solid = _solid("tube", mass, (a, b, h), _round_moments(a**2 + b**2, h))
    return solid.moved(ORIGIN, _turn(axis, "tube")).moved(at, rotation)


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
    r = _dimension(radius, "radius of the cone")
    h = _dimension(height, "height of the cone")
    across = (r**2 * 4.0 + h**2) * 0.0375
    solid = _solid("cone", mass, (r, h), (across, across, 0.3 * r**2), com=(0.0, 0.0, 0.25 * h))
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


def compound(*solids: Solid, at: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Solid:
    """One rigid body of several solids, placed in the body frame at ``at`` [m], turned."""
    for solid in solids:
        if not isinstance(solid, Solid):
            raise ModelError(
                f"compound got {check.shown(solid)}, which is no solid. "
                "Make the parts with jd.solid.box(...), jd.solid.rod(...) and so on."
            )
    if not solids:
        raise ModelError("compound got no solids. Give at least one, such as jd.solid.box(...).")
    shapes = tuple(shape for solid in solids for shape in solid.shapes)
    return Solid(combined([solid.inertia for solid in solids]), shapes).moved(at, rotation)


def _solid(kind: str, mass: Any, size: tuple[Any, ...], radii: Any, com: Vector = ORIGIN) -> Solid:
    """Solid whose principal moments are the mass times the squared radii of gyration."""
    m = _mass(mass, kind)
    return Solid(Inertia(m, com, [times(m, k) for k in radii]), (Shape(kind, size),))


def _mass(mass: Any, kind: str) -> Any:
    return check.number(mass, f"mass of the {kind}", nonnegative=True, unit="kg")


def _dimension(value: Any, what: str, *, zero: bool = False) -> Any:
    return check.number(value, what, positive=not zero, nonnegative=zero, unit="m")


def _dimensions(values: Any, what: str, *, zero: bool = False) -> tuple[Any, ...]:
    axes = zip("xyz", check.vector(values, what), strict=True)
    return tuple(_dimension(v, f"component {axis} of {what}", zero=zero) for axis, v in axes)


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
