"""What can be drawn besides bodies, each described by a small record.

A place is a `Frame` on a body, the name of a quantity of the solution that is a point over time in
world axes, such as ``"ball.position"``, or a function of poses, `Moving`. New
elements are drawn by returning such records from `jourdain.viz.shapes.furniture`, or are given to
`animate` as ``extras``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from jourdain.model.elements import WORLD, Frame
from jourdain.model.joints import Joint


@dataclass(frozen=True, slots=True)
class Moving:
    """A point [m], or a vector, in world axes that a function of the poses gives.

    Parameters
    ----------
    function : function of ``at``
        Returns three numbers from ``at.pose(frame)`` and ``at.relative(frame, to)`` as a measure
        does, and ``at.quantity(name)`` of the solution.
    """

    function: Callable[[Any], Any]


Place: TypeAlias = Frame | str | Moving

_GROUND = Frame(WORLD)

ORANGE, PURPLE, GREY, TEAL, RED = "#d55e00", "#aa3377", "#8a8f98", "#009e73", "#cc3311"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A thing that stretches through two or more places: a spring, a damper, a rope, a rod.

    Parameters
    ----------
    name : str
        Name of the element; its quantities are shown when it is selected.
    kind : str
        ``"spring"``, ``"damper"``, ``"strut"`` for both, ``"rope"`` or ``"rod"``; ``"hidden"`` for
        what is inside of another.
    through : tuple of places
        Places from one end to the other.
    radius : float [m]
        Radius; zero for one that suits the machine.
    colour : str
        Colour ``"#rrggbb"``.
    """

    name: str
    kind: str
    through: tuple[Place, ...]
    radius: float = 0.0
    colour: str = TEAL


@dataclass(frozen=True, slots=True)
class Arrow:
    """A vector that is drawn to scale.

    Parameters
    ----------
    name : str
        Name of the element that it belongs to.
    kind : str
        ``"force"``, ``"torque"`` or ``"weight"``; each kind has one scale and one switch.
    at : Frame, str or Moving
        Where it starts.
    vector : str, Moving or (3,) [N, N m]
        Name of a vector quantity, a function of poses, or a constant vector.
    axes : Frame, optional
        Frame whose axes the components refer to; by default the world.
    """

    name: str
    kind: str
    at: Place
    vector: Any
    axes: Frame | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A small ball at a place: a point of contact.

    Parameters
    ----------
    name : str
        Name of the element.
    at : Frame, str or Moving
        The place.
    active : str
        Name of a quantity; the marker is seen while it is positive. Empty for always.
    colour : str
        Colour ``"#rrggbb"``.
    """

    name: str
    at: Place
    active: str = ""
    colour: str = RED


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of a point of a body.

    Parameters
    ----------
    name : str
        Name of the trace.
    at : Frame
        The point.
    colour : str
        Colour ``"#rrggbb"``; empty for that of the body.
    """

    name: str
    at: Frame
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A curve that is fixed in a frame: a guide, an edge, a way that is to be followed.

    Parameters
    ----------
    name : str
        Name of the curve.
    points : (n, 3) [m]
        Points in the axes of the frame.
    at : Frame
        The frame; by default the world.
    colour : str
        Colour ``"#rrggbb"``.
    """

    name: str
    points: Any
    at: Frame = _GROUND
    colour: str = GREY


@dataclass(frozen=True, slots=True)
class Mark:
    """Axes at a frame.

    Parameters
    ----------
    name : str
        Name of the body or of the frame.
    at : Frame
        The frame.
    """

    name: str
    at: Frame


@dataclass(frozen=True, slots=True)
class Hinge:
    """A joint as a glyph that tells its kind.

    Parameters
    ----------
    name : str
        Name of the joint.
    parent, child : Frame
        Its ends.
    kind : Joint
        The motion it allows.
    """

    name: str
    parent: Frame
    child: Frame
    kind: Joint


Drawable: TypeAlias = Stretch | Arrow | Marker | Trace | Line | Mark | Hinge


@dataclass(frozen=True, slots=True)
class Furniture:
    """Drawables of one solution, sorted by what they are."""

    drawables: tuple[Drawable, ...] = field(default_factory=tuple)

    def of(self, kind: type[Any]) -> list[Any]:
        """Drawables of a kind, in their order."""
        return [own for own in self.drawables if isinstance(own, kind)]

    def moving(self) -> list[Moving]:
        """Functions of poses in all drawables, each once."""
        found: list[Any] = [place for own in self.of(Stretch) for place in own.through]
        found += [own.at for own in self.of(Marker)]
        found += [place for own in self.of(Arrow) for place in (own.at, own.vector)]
        return list(dict.fromkeys(place for place in found if isinstance(place, Moving)))
