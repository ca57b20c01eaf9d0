"""A constraint that comes and goes: dog clutches, parking locks, grippers, valves that close."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, TypeAlias

from jourdain.errors import ModelError
from jourdain.model.laws.law import call
from jourdain.model.laws.signal import Signal
from jourdain.model.laws.unilateral import Dry
from jourdain.spatial import check
from jourdain.spatial.annotations import Function, Takes, record

WhenField: TypeAlias = Takes[str | Signal | Function, Any]


@record()
class Locked(Dry):
    """Constraint that is there while ``when`` is above zero: the measure stays where it is.

    It holds with whatever force that takes. Where it closes with speed, an impulse of the whole
    machine takes the speed away, and energy with it, as where plastic bodies hit each other
    (CT-24). Where it opens, nothing jumps.

    Parameters
    ----------
    when : function of (x, v, at), name of an input, or Signal
        Locked while it is above zero. A function sees the value x and the rate v of the measure;
        ``at.t`` is the time, ``at.input("gear")`` an input, ``at.coordinate("shaft.angle")`` a
        coordinate (see `ForceLaw`).
    inputs : mapping of str to str
        Names and units of inputs; they are zero unless a run gives them.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("dogs", gravity=(0, 0, 0))
    >>> one = model.add_coordinate("one", inertia=3.0, unit="rad")
    >>> other = model.add_coordinate("other", inertia=1.0, unit="rad")
    >>> slip = jd.Coordinate("one") - jd.Coordinate("other")
    >>> dog = model.add_connection("dog", slip, jd.Locked(lambda x, v, at: at.t - 0.5))
    >>> round(float(jd.simulate(model, 1.0, start={"one.rate": 8.0})["other.rate"][-1]), 9)
    6.0
    """

    when: WhenField
    inputs: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.inputs, Mapping):
            raise ModelError(
                f"inputs of Locked are {check.shown(self.inputs)}: give names with units, such as "
                '{"gear": "1"}.'
            )
        inputs: dict[str, str] = dict(self.inputs)
        if isinstance(self.when, str):
            inputs.setdefault(self.when, "1")
            object.__setattr__(self, "when", Signal("input", self.when))
        if not callable(self.when) or isinstance(self.when, type):
            raise ModelError(
                f"when of Locked is {check.shown(self.when)}: give a function of (x, v, at) that "
                "is above zero while it locks, such as lambda x, v, at: at.t - 1.0, or the name "
                "of an input. What is always locked is jd.Equal()."
            )
        object.__setattr__(self, "inputs", inputs)

    def locks(self, x: Any, v: Any, at: Any) -> Any:
        """Number that is above zero while it locks."""
        return self.when.line(at) if isinstance(self.when, Signal) else call(self.when, x, v, at)
