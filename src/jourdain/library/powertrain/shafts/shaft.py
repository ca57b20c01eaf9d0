"""The rigid shaft (4.F30)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Shaft(Part):
    """A rigid shaft: J φ̈ = Σ M (4.F30). Its port is the ``angle``.

    Parameters
    ----------
    inertia : float [kg m^2]
        Moment of inertia J.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("wheel")
    >>> shaft = model.add("shaft", pt.Shaft(0.5))
    >>> push = model.add_connection("push", shaft.angle, jd.Force(2.0))
    >>> float(jd.simulate(model, 1.0)["shaft.speed"][-1].round(9))
    4.0
    """

    inertia: NumberField

    def __post_init__(self) -> None:
        check.number(self.inertia, "inertia of Shaft", positive=True, unit="kg m^2")

    def build(self, group: Group) -> Mapping[str, Any]:
        """One coordinate."""
        angle = Coordinate(group.add_coordinate("angle", self.inertia))
        return {"angle": angle}

    def results(self, name: str) -> Mapping[str, Result]:
        """Speed."""
        return {"speed": Result("rad/s", f"speed of {name}", (f"{name}.angle.rate",))}
