"""A quantity of the machine by its name, as a function that files can hold."""

from __future__ import annotations

from typing import Any, Literal, get_args

from jourdain import math
from jourdain.errors import ModelError, did_you_mean
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset, record

Kind = Literal["coordinate", "force", "input", "multiplier", "rate", "state", "velocity"]


@record()
class Signal:
    """A multiple of something that laws see: ``offset + factor · at.kind(name)``.

    For capacities of clutches and brakes, for lags and rates of states, where a function would do
    as well; but a model file can hold it. As a capacity it is not below zero, and a force or
    multiplier counts by its size; lags and rates take it with its sign.

    Parameters
    ----------
    kind : {"coordinate", "force", "input", "multiplier", "rate", "state", "velocity"}
        What is asked for.
    name : str
        Full name; own states and inputs need no element before them.
    factor, offset : float
        Numbers of the line.

    Examples
    --------
    >>> import jourdain as jd
    >>> clutch = jd.Interval(jd.Signal("state", "valve.pressure", factor=2e-5, offset=-3.0))
    """

    kind: Kind
    name: str
    factor: NumberField = preset(default=1.0)
    offset: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            known = get_args(Kind)
            raise ModelError(
                f"Signal has kind={self.kind!r}. Use one of {', '.join(map(repr, known))}."
                f"{did_you_mean(str(self.kind), known)}"
            )
        if not isinstance(self.name, str):
            raise ModelError(f"name of Signal is {check.shown(self.name)}: give a text.")
        for field in ("factor", "offset"):
            number = check.number(getattr(self, field), f"{field} of Signal")
            object.__setattr__(self, field, number)

    def __call__(self, *arguments: Any) -> Any:
        """Value now; ``at`` is the last argument."""
        return math.maximum(0.0, self.line(arguments[-1]))

    def signed(self, at: Any) -> Any:
        """Value now with its sign, forces too."""
        return self.offset + self.factor * getattr(at, self.kind)(self.name)

    def line(self, at: Any) -> Any:
        """Value now, which may be below zero; forces by their size."""
        value = getattr(at, self.kind)(self.name)
        if self.kind in ("force", "multiplier"):
            value = math.absolute(value)
        return self.offset + self.factor * value

    def __str__(self) -> str:
        """Short form, for reports."""
        return f"Signal({self.kind} of {self.name})"
