"""The velocity level of a measure: what is limited or held is a speed, not a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jourdain.errors import ModelError
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check

if TYPE_CHECKING:
    from jourdain.model.model import Model


class Rate(Measure):
    """Rate of a measure, which has no value of its own: laws act on the speed alone.

    The force is that of the measure, as both have the same virtual power.

    - ``Unilateral`` on a rate is a freewheel, a ratchet or a check valve: ẋ ≥ limit, and a force
      where it is equal. It closes where the rate comes down to the limit, without an impact.
    - ``Equal`` on a rate holds the speed, not the place: ẋ = value(t), a constraint on velocity
      level; errors of the place are not corrected.
    - ``Interval`` on a rate is the same as on the measure, with a capacity that does not see x.
    - Force laws get an empty x; use laws of the rate, such as `Damper`.

    Parameters
    ----------
    measure : Measure
        What is measured.

    Examples
    --------
    >>> import jourdain as jd
    >>> slip = jd.Coordinate("engine") - jd.Coordinate("wheel")
    >>> model = jd.Model("car")
    >>> shafts = [model.add_coordinate(name, 1.0) for name in ("engine", "wheel")]
    >>> freewheel = model.add_connection("freewheel", jd.Rate(-1.0 * slip), jd.Unilateral())
    """

    measure: Measure

    def __post_init__(self) -> None:
        if not isinstance(self.measure, Measure):
            raise ModelError(
                f"Rate is of {check.shown(self.measure)}: give a measure, such as "
                "jd.Coordinate('shaft')."
            )
        if isinstance(self.measure, Rate):
            raise ModelError("Rate is of a rate: measures have no second rates. Leave one out.")
        if hasattr(self.measure, "contacts"):
            raise ModelError(
                f"Rate is of {self.measure}, a contact, which has a gap and a sliding velocity. "
                "Give a measure, such as jd.Distance(a, b)."
            )

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Unit of the integral of the rate: that of the measure."""
        return self.measure.unit

    @property
    def rate_unit(self) -> str:
        """Unit of the rate."""
        return self.measure.rate_unit

    @property
    def force_unit(self) -> str:
        """Unit of the force."""
        return self.measure.force_unit

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of components."""
        return self.measure.size

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the components."""
        return self.measure.labels

    @property
    def component_units(self) -> tuple[str, ...]:
        """Units of the components."""
        return self.measure.component_units

    def completed(self, model: Model) -> Rate:
        """Rate of the completed measure."""
        return Rate(self.measure.completed(model))

    def rate(self, at: Any) -> Any:
        """Rate of the measure."""
        return at.rate_of(self.measure)
