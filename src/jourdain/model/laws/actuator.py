"""Hydraulic and pneumatic cylinders, and whatever pushes in proportion to a signal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.source import Source, check_source, source_value
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset


class Actuator(ForceLaw):
    """Cylinder: force ``area · pressure``, pushing its ends apart.

    Parameters
    ----------
    area : float [m^2]
        Area of the piston: negative for the rod side, which pulls.
    pressure : number or function of time [Pa], optional
        Pressure difference; without it the law has an input ``pressure``.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Actuator(2e-3, pressure=5e5).force(0.1, 0.0, None)
    1000.0

    References
    ----------
    E. J. Sol, Kinematics and dynamics of multibody systems, TH Eindhoven 1983, Eq. (3.5.6).
    """

    area: NumberField
    pressure: Source = preset(default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "area", check.number(self.area, "area of Actuator"))
        check_source(self, "pressure")

    @property
    def inputs(self) -> Mapping[str, str]:  # type: ignore[override]
        """The pressure, unless it is given."""
        return {"pressure": "Pa"} if self.pressure is None else {}

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Area times pressure."""
        return self.area * source_value(self.pressure, "pressure", at)
