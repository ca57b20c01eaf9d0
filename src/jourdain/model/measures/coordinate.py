"""A coordinate of a joint or of the model."""

from __future__ import annotations

from typing import Any

from jourdain.errors import ModelError
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check


class Coordinate(Measure):
    """A coordinate by its name, ``jd.Coordinate("main.angle")``.

    The force of the connection acts along it: on the child of the joint by its parent.

    Parameters
    ----------
    name : str
        ``joint.coordinate``, or the name of a scalar coordinate of the model.
    unit : str
        Unit of the coordinate; set by `Model.add_connection`.
    """

    name: str
    unit: str = ""

    def __post_init__(self) -> None:
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
