"""Nodes: massless points and frames inside a composite connection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.elements import IDENTITY, WORLD, Body, Frame
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import Number, Numbers, Rows, Takes, preset, record
from jourdain.spatial.parameter import Expression


class Place(Joint):
    """Three displacements along the axes of the parent frame: how a point hangs on it."""

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Displacements along x, y and z."""
        return {"position.x": "m", "position.y": "m", "position.z": "m"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Displacement without rotation."""
        return np.eye(3), (q[0], q[1], q[2])


_WORLD, _PLACE = Frame(WORLD), Place()


@record()
class Node:
    """A massless point or frame inside a composite connection, where its members meet.

    Measures of the members refer to it as they do to bodies: ``jd.Distance(body, node)``. It hangs
    on a frame by a joint kind whose coordinates are internal: they follow from the members.

    Parameters
    ----------
    name : str
        Name inside the composite.
    start : numbers [m, rad], optional
        Where the search for its coordinates begins; default the reference position of the kind.
        It chooses between several equilibria.
    on : Frame, Body or Node
        What its coordinates refer to; default the world.
    kind : Joint
        How it may move against that, a kind whose velocities are the rates of its coordinates;
        default all displacements.

    Examples
    --------
    >>> import jourdain as jd
    >>> knot = jd.Node("knot", start=(0.4, 0.0, 0.5))
    >>> list(knot.coordinates)
    ['knot.position.x', 'knot.position.y', 'knot.position.z']
    """

    name: str
    start: Takes[Numbers | None, tuple[float, ...]] = preset(default=None)
    on: Takes[Frame | Body | Node, Frame] = preset(default=_WORLD)
    kind: Joint = _PLACE

    def __post_init__(self) -> None:
        what = f"node {self.name!r}"
        check.name(self.name, "node")
        on = self.on.at() if isinstance(self.on, Body | Node) else self.on
        if not isinstance(on, Frame):
            raise ModelError(
                f"{what} hangs on {check.shown(self.on)}: give a body, a frame such as "
                "body.at(0.1, 0, 0), or another node."
            )
        object.__setattr__(self, "on", on)
        if not isinstance(self.kind, Joint):
            raise ModelError(
                f"{what}: its kind is {check.shown(self.kind)}. Give a joint kind, for example "
                'jd.Revolute("z").'
            )
        n = len(self.kind.coordinates)
        start = self.kind.start() if self.start is None else self.start
        numbers = tuple(start) if isinstance(start, tuple | list | np.ndarray) else (start,)
        if len(numbers) != n:
            raise ModelError(
                f"{what} has {len(numbers)} start values, but the coordinates "
                f"{', '.join(self.kind.coordinates) or '(none)'}: give one for each."
            )
        if len(self.kind.velocities) != n or self.kind.rates(np.zeros(n)) is not None:
            raise ModelError(
                f"{what}: the velocities of its kind {type(self.kind).__name__} are not the rates "
                "of its coordinates. Use a kind with angles, such as jd.Gimbal()."
            )
        checked = (start_number(x, f"start of {what}") for x in numbers)
        object.__setattr__(self, "start", tuple(checked))

    def at(
        self, x: Number = 0.0, y: Number = 0.0, z: Number = 0.0, *, rotation: Rows = IDENTITY
    ) -> Frame:
        """Frame at a point of the node [m], turned by ``rotation`` (3×3) against its axes."""
        return Frame(self.name, (x, y, z), rotation)

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Names and units of its coordinates inside the composite."""
        return {f"{self.name}.{name}": unit for name, unit in self.kind.coordinates.items()}

    def __str__(self) -> str:
        return self.name


def start_number(value: Any, what: str) -> float:
    """Check a start value: a number, as searches begin there whatever the parameters are."""
    given = check.number(value, what)
    if isinstance(given, Expression):
        raise ModelError(
            f"{what} is {given}: start values cannot depend on parameters. Give a number here, and "
            "others as the start of a run."
        )
    return float(given)
