"""Measures inside a composite connection: as others, with nodes among the frames."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.composites.node import Node
from jourdain.model.elements import Frame
from jourdain.model.measures.measure import Measure


class Inside(Measure):
    """A measure that may look at nodes and internal coordinates of a composite.

    Parameters
    ----------
    measure : Measure
        What is measured.
    composite : str
        Name of the composite; internal coordinates are known outside as ``composite.name``.
    nodes : tuple of Node
        Its nodes.
    names : tuple of str
        Its internal coordinates, by the names they have inside.
    """

    measure: Measure
    composite: str
    nodes: tuple[Node, ...]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        """Leave the fields as they are."""

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Unit of the measure."""
        return self.measure.unit

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of components."""
        return self.measure.size

    @property
    def rate_unit(self) -> str:
        """Unit of the rate."""
        return self.measure.rate_unit

    @property
    def force_unit(self) -> str:
        """Unit of the force."""
        return self.measure.force_unit

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Frames on bodies that it refers to."""
        own = {node.name for node in self.nodes}
        every = (*self.measure.frames, *(node.on for node in self.nodes))
        return tuple(dict.fromkeys(frame for frame in every if frame.body not in own))

    def value(self, at: Any) -> Any:
        """Value of the measure."""
        return self.measure.value(InsideView(at, self))

    def rate(self, at: Any) -> Any:
        """Rate of the measure, if it gives one."""
        return self.measure.rate(InsideView(at, self))

    def __str__(self) -> str:
        return str(self.measure)


class InsideView:
    """What a measure inside a composite sees: nodes and internal coordinates besides the rest."""

    def __init__(self, at: Any, inside: Inside) -> None:
        self._at, self._inside = at, inside
        self._nodes = {node.name: node for node in inside.nodes}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._at, name)

    def pose(self, frame: Any) -> tuple[Any, Any]:
        """Orientation and position of a frame in the world."""
        frame = frame if isinstance(frame, Frame) else frame.at()
        if frame.body not in self._nodes:
            return self._at.pose(frame)  # type: ignore[no-any-return]
        node = self._nodes[frame.body]
        q = math.vector([self.coordinate(name) for name in node.coordinates])
        R, r = node.kind.pose(q, self._at.t)
        R_on, r_on = self.pose(node.on)
        R, r = R_on @ math.matrix(R), r_on + R_on @ math.vector(r)
        return R @ math.matrix(frame.rotation), r + R @ math.vector(frame.position)

    def relative(self, frame: Any, to: Any) -> tuple[Any, Any]:
        """Orientation and position of a frame as seen from another one."""
        (R, r), (R_to, r_to) = self.pose(frame), self.pose(to)
        return R_to.T @ R, R_to.T @ (r - r_to)

    def twist(self, frame: Any) -> tuple[Any, Any]:
        """Angular velocity and velocity of the origin of a frame, world components."""
        frame = frame if isinstance(frame, Frame) else frame.at()
        if frame.body not in self._nodes:
            return self._at.twist(frame)  # type: ignore[no-any-return]
        R, _ = self.pose(frame)
        rates = self.rate_of(_PoseOf(frame))
        R_dot = math.matrix([[rates[3 * i + j] for j in range(3)] for i in range(3)])
        return math.axial(R_dot @ R.T), math.vector([rates[9 + k] for k in range(3)])

    def coordinate(self, name: str) -> Any:
        """A coordinate, of the composite if it has one of that name."""
        return self._at.coordinate(self._full(name))

    def velocity(self, name: str) -> Any:
        """Rate of a coordinate."""
        return self._at.velocity(self._full(name))

    def rate_of(self, measure: Any) -> Any:
        """Rate of a measure."""
        inside = self._inside
        return self._at.rate_of(Inside(measure, inside.composite, inside.nodes, inside.names))

    def _full(self, name: str) -> str:
        return f"{self._inside.composite}.{name}" if name in self._inside.names else name


class _PoseOf(Measure):
    """All numbers of a pose: the orientation row by row, then the position."""

    frame: Frame
    size = 12

    def value(self, at: Any) -> Any:
        R, r = at.pose(self.frame)
        turned = [R[i, j] for i in range(3) for j in range(3)]
        return math.vector([*turned, *(r[k] for k in range(3))])
