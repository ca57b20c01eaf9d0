"""Viscoelastic laws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.laws.coefficient import numbers
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumbersField, preset


class Maxwell(ForceLaw):
    """Springs with dampers in series, side by side: a force that relaxes.

    A stretch ``x - free`` that is held gives the force ``-Σ kᵢ exp(-t/τᵢ) (x - free)``. Add a
    `Spring` for what remains (the Zener model, and Prony series).

    Parameters
    ----------
    stiffness : number or numbers [N/m, N m/rad]
        Stiffness kᵢ of each branch.
    time : number or numbers [s]
        Relaxation time τᵢ of each branch: damping over stiffness.
    free : float [m, rad]
        Value of the measure at which the dampers rest at the start.
    unit : str
        Unit of the measure, which the states have too.

    Examples
    --------
    >>> import jourdain as jd
    >>> rubber = jd.Spring(1e3) + jd.Maxwell((500.0, 200.0), time=(0.01, 0.5))
    >>> list(rubber.states)
    ['creep_1', 'creep_2']
    """

    stiffness: NumbersField
    time: NumbersField
    free: NumberField = preset(default=0.0)
    unit: str = "m"

    def __post_init__(self) -> None:
        stiffness = _listed(self.stiffness, "stiffness of Maxwell")
        time = _listed(self.time, "time of Maxwell")
        if len(stiffness) != len(time) or not stiffness:
            raise ModelError(
                f"Maxwell has {len(stiffness)} stiffness and {len(time)} time: give one of each "
                "for every branch."
            )
        object.__setattr__(self, "stiffness", stiffness)
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "free", check.number(self.free, "free of Maxwell"))

    @property
    def states(self) -> Mapping[str, str]:  # type: ignore[override]
        """Elongation of each damper."""
        return {f"creep_{k}": self.unit for k, _ in enumerate(self.stiffness, 1)}

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Sum of the branches."""
        return -sum(k * e for k, _, e in self._branches(x, at))

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Stretch of each spring over its relaxation time."""
        return tuple(e / time for _, time, e in self._branches(x, at))

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the springs."""
        return sum(0.5 * k * e * e for k, _, e in self._branches(x, at))

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Heat of the dampers."""
        return sum(k * e * e / time for k, time, e in self._branches(x, at))

    def _branches(self, x: Any, at: Any) -> list[tuple[Any, Any, Any]]:
        """Stiffness, relaxation time and stretch of the spring of each branch."""
        branches = zip(self.stiffness, self.time, self.states, strict=True)
        return [(k, time, x - self.free - at.state(name)) for k, time, name in branches]


def _listed(value: Any, what: str) -> tuple[Any, ...]:
    checked = numbers(value, what)
    listed = checked if isinstance(checked, tuple) else (checked,)
    return tuple(check.number(x, what, positive=True) for x in listed)
