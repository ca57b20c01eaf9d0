"""A coordinate of a joint or of the model."""

from __future__ import annotations

from typing import Any, TypeAlias

from jourdain.errors import ModelError
from jourdain.model.elements import CoordinateElement, JointElement
from jourdain.model.measures.measure import Measure
from jourdain.model.names import joined
from jourdain.spatial import check
from jourdain.spatial.annotations import Takes

CoordinateField: TypeAlias = Takes[str | CoordinateElement | JointElement, str]
"""Field that takes a name or an element with one coordinate, and holds a name."""


class Coordinate(Measure):
    """A coordinate by its name, ``jd.Coordinate("main.angle")``.

    The force of the connection acts along it: on the child of the joint by its parent.

    Parameters
    ----------
    name : str, CoordinateElement or JointElement
        ``joint.coordinate``, or the name of a scalar coordinate of the model; or what
        ``add_coordinate`` returned, or ``add_joint`` of a joint with one coordinate.
    unit : str
        Unit of the coordinate; set by `Model.add_connection`.
    """

    name: CoordinateField
    unit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _name(self.name))
        if not isinstance(self.name, str):
            raise ModelError(
                f"name of Coordinate is {check.shown(self.name)}: give the name of a coordinate in "
                "quotes, such as 'main.angle'."
            )

    def value(self, at: Any) -> Any:
        """The coordinate."""
        return at.coordinate(self.name)

    def __str__(self) -> str:
        return f"Coordinate({self.name})"


def _name(given: Any) -> Any:
    """Name of the coordinate of an element; other things as they are."""
    if isinstance(given, CoordinateElement):
        return given.name
    if not isinstance(given, JointElement):
        return given
    names = list(given.kind.coordinates)
    if len(names) != 1:
        raise ModelError(
            f"Coordinate of joint {given.name!r}, which has {len(names)}: name one, such as "
            f"jd.Coordinate({joined(given.name, *names[:1])!r})."
        )
    return joined(given.name, names[0])
