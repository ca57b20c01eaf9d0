"""What a robot file describes: links, joints between them, couplings of their coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field

from jourdain.model.joints.joint import Joint
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.pose import IDENTITY, ORIGIN, Matrix, Vector
from jourdain.spatial.solid import Shape

GROUND = ""
"""Name that stands for the place the robot is mounted at."""


@dataclass(frozen=True, slots=True)
class Place:
    """A pose on a link.

    Parameters
    ----------
    position : (3,) [m]
        Position in the axes of the link.
    rotation : (3, 3) [1]
        Its axes, as columns.
    """

    position: Vector = ORIGIN
    rotation: Matrix = IDENTITY


@dataclass(frozen=True, slots=True)
class Outline:
    """A shape that may touch others.

    Parameters
    ----------
    kind : str
        With its ``size`` [m]: ``"box"`` (edges), ``"ball"`` (radius), ``"cylinder"`` and
        ``"capsule"`` (radius, length along z), ``"half_space"`` (all below its x-y plane),
        ``"mesh"`` (the convex hull of a surface).
    size : tuple of float [m]
        Dimensions.
    place : Place
        Where it sits on its link.
    mesh : Triangles, optional
        Surface of a mesh.
    """

    kind: str
    size: tuple[float, ...]
    place: Place = Place()
    mesh: Triangles | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid body of a robot.

    Parameters
    ----------
    name : str
        Name in the model.
    inertia : Inertia
        Mass, centre of mass and moments in the axes of the link.
    shapes : tuple of Shape
        What to draw.
    outlines : tuple of Outline
        What may touch others, for contacts.
    """

    name: str
    inertia: Inertia
    shapes: tuple[Shape, ...] = ()
    outlines: tuple[Outline, ...] = ()


@dataclass(frozen=True, slots=True)
class Forces:
    """What acts along the coordinate of a joint.

    Parameters
    ----------
    lower, upper : float [rad, m] or None
        Stops.
    damping : float [N m s/rad, N s/m]
        Viscous friction.
    friction : float [N m, N]
        Dry friction.
    stiffness : float [N m/rad, N/m]
        Spring.
    rest : float [rad, m]
        Coordinate at which the spring is relaxed.
    armature : float [kg m^2, kg]
        Inertia of a rotor behind its gear.
    """

    lower: float | None = None
    upper: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    armature: float = 0.0


@dataclass(frozen=True, slots=True)
class RobotJoint:
    """A joint between two links.

    Parameters
    ----------
    name : str
        Name in the model.
    kind : Joint
        Motion it allows.
    parent, child : str
        Names of the links; the parent may be `GROUND`.
    parent_place, child_place : Place
        Where it sits on them.
    forces : Forces
        What acts along its coordinate.
    """

    name: str
    kind: Joint
    parent: str
    child: str
    parent_place: Place = field(default=Place())
    child_place: Place = field(default=Place())
    forces: Forces = field(default=Forces())


@dataclass(frozen=True, slots=True)
class Coupling:
    """A coordinate that follows another one: ``q = offset + ratio · other``.

    Parameters
    ----------
    joint, other : str
        Names of two joints of one coordinate each; without another one the first is held.
    ratio, offset : float
        Numbers of the relation.
    """

    joint: str
    other: str | None
    ratio: float = 1.0
    offset: float = 0.0
