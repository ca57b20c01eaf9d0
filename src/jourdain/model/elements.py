"""What a model is made of: frozen elements with names. No numerics."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.drive import Drive, members
from jourdain.model.flexible.nodes.nodal import NodalSolid
from jourdain.model.flexible.solid import FlexibleSolid
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import Number, Rows, Takes, Triple, preset, record
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Expression, Parameter, evaluate, parameters_in
from jourdain.spatial.pose import IDENTITY, ORIGIN, Matrix, Vector
from jourdain.spatial.solid import Shape

__all__ = [
    "IDENTITY",
    "WORLD",
    "Body",
    "CoordinateElement",
    "Frame",
    "JointElement",
    "parameters_of",
    "with_values",
]

WORLD = "world"


@record(slots=True)
class Frame:
    """A place on a body: a point with axes.

    Parameters
    ----------
    body : str
        Name of the body that carries it.
    position : (3,) [m]
        Position in the axes of the body.
    rotation : (3, 3) [1]
        Orientation; the columns are the axes of the frame in the axes of the body.
    """

    body: str
    position: Takes[Triple, Vector] = preset(default=ORIGIN)
    rotation: Takes[Rows, Matrix] = preset(default=IDENTITY)

    def __post_init__(self) -> None:
        what = f"of the frame on body {self.body!r}"
        object.__setattr__(self, "position", check.vector(self.position, f"position {what}"))
        object.__setattr__(self, "rotation", check.rotation(self.rotation, f"rotation {what}"))

    def __str__(self) -> str:
        return self.body if self.position == ORIGIN else f"{self.body}{check.listed(self.position)}"


@dataclass(frozen=True, slots=True)
class Body:
    """A body, rigid or flexible. Made by `Model.add_body`.

    Parameters
    ----------
    name : str
        Name in the model.
    inertia : Inertia
        Mass, centre of mass and moments.
    shapes : tuple of Shape
        What to draw.
    elastic : FlexibleSolid, optional
        How it deforms; None for a rigid body.
    piece_of : str
        Flexible body that it was made of, for its sections; else empty.
    colour : str
        Colour ``"#rrggbb"`` in pictures; empty for that of its shapes, or one in turn.
    opacity : float
        From 0 to 1: below one it is seen through.
    """

    name: str
    inertia: Inertia
    shapes: tuple[Shape, ...] = ()
    elastic: FlexibleSolid | None = field(default=None, repr=False)
    piece_of: str = field(default="", repr=False)
    colour: str = field(default="", repr=False)
    opacity: float = field(default=1.0, repr=False)

    def at(
        self, x: Number = 0.0, y: Number = 0.0, z: Number = 0.0, *, rotation: Rows = IDENTITY
    ) -> Frame:
        """Frame at a point of the body [m], turned by ``rotation`` (3×3) against its axes."""
        if check.is_triple(x):
            raise ModelError(
                f"a frame on body {self.name!r} at {check.shown(x)}: give three numbers, "
                "body.at(x, y, z); of a point p, body.at(*p)."
            )
        return Frame(self.name, (x, y, z), rotation)

    def at_node(self, number: int, *, rotation: Rows = IDENTITY) -> Frame:
        """Frame that moves with a node of a flexible body, turned by ``rotation`` (3×3)."""
        return Frame(self.name, self._nodal("at_node").node(number), rotation)

    def at_interface(self, name: str, *, rotation: Rows = IDENTITY) -> Frame:
        """Frame that moves with an interface of a flexible body, turned by ``rotation`` (3×3)."""
        return Frame(self.name, self._nodal("at_interface").interface(name), rotation)

    def _nodal(self, method: str) -> NodalSolid:
        if not isinstance(self.elastic, NodalSolid):
            raise ModelError(
                f"body {self.name!r} has no nodes: body.{method} is for flexible bodies of "
                "jd.flexible.from_modes or from_fem. Take body.at(x, y, z)."
            )
        return self.elastic


@dataclass(frozen=True, slots=True)
class JointElement:
    """A joint of a model: a kind between two frames. Made by `Model.add_joint`.

    Parameters
    ----------
    name : str
        Name in the model.
    parent, child : Frame
        The two ends as the user wrote them; coordinates measure the child relative to the parent.
    kind : Joint
        The motion it allows.
    driven : mapping of str to function
        Coordinates, or groups such as ``orientation``, that are given functions of time.
    armature : mapping of str to float [kg m^2, kg]
        Inertia of rotors that turn with its velocities, by their names.
    """

    name: str
    parent: Frame
    child: Frame
    kind: Joint
    driven: Mapping[str, Drive] = field(default_factory=dict, hash=False)
    armature: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def driven_coordinates(self) -> tuple[str, ...]:
        """Names of the driven coordinates in the order of ``q``, groups taken apart."""
        taken = {name for key in self.driven for name in members(self.kind, key)}
        return tuple(name for name in self.kind.coordinates if name in taken)


@dataclass(frozen=True, slots=True)
class CoordinateElement:
    """A scalar coordinate with an inertia: a shaft's rotation, the flow in a line.

    Made by `Model.add_coordinate`.

    Parameters
    ----------
    name : str
        Name in the model; its velocity is ``name.rate``.
    inertia : float [kg m^2, kg, ...]
        Inertia that belongs to the coordinate.
    unit : str
        Unit of the coordinate.
    driven : function of time, optional
        Prescribes the coordinate.
    """

    name: str
    inertia: Any
    unit: str = "rad"
    driven: Drive | None = None

    def __post_init__(self) -> None:
        what = f"coordinate {self.name!r}"
        amount = check.number(self.inertia, f"inertia of {what}", nonnegative=True)
        object.__setattr__(self, "inertia", amount)
        if not isinstance(self.unit, str) or not self.unit.strip():
            raise ModelError(
                f"{what} has the unit {self.unit!r}: give a text such as 'rad' or 'm'."
            )


def parameters_of(value: Any) -> Iterator[Parameter]:
    """Yield the parameters that an element, a joint kind, a function or a number refers to."""
    if isinstance(value, float | str):  # most of what a large model holds
        return
    if isinstance(value, Expression):
        yield from parameters_in(value)
    elif inspect.isfunction(value):
        names = inspect.getclosurevars(value)
        for held in (*names.nonlocals.values(), *names.globals.values()):
            yield from parameters_in(held) if isinstance(held, Expression) else ()
    else:
        for part in _parts(value):
            yield from parameters_of(part)


def with_values(value: Any, values: Mapping[str, Any]) -> Any:
    """Copy of an element or a joint kind with ``values[name]`` in the place of parameters."""
    if isinstance(value, Expression):
        return evaluate(value, values)
    if isinstance(value, list | tuple):
        return type(value)(with_values(item, values) for item in value)
    if not _is_record(value):
        return value
    filled = copy.copy(value)
    for f in fields(value):
        object.__setattr__(filled, f.name, with_values(getattr(value, f.name), values))
    return filled


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, list | tuple):
        return list(value)
    return [getattr(value, f.name) for f in fields(value)] if _is_record(value) else []


def _is_record(value: Any) -> bool:
    return is_dataclass(value) and not isinstance(value, type)
