"""The measure: what is measured between frames. The rest is derived from its value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass
from inspect import isroutine
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, dataclass_transform

from jourdain.errors import ModelError
from jourdain.model.composites.node import Node
from jourdain.model.contours.contour import Contour
from jourdain.model.elements import Body, Frame
from jourdain.model.texts.phrases import phrase
from jourdain.spatial import check
from jourdain.spatial.annotations import Takes, preset

if TYPE_CHECKING:
    from jourdain.model.measures.sum import Sum
    from jourdain.model.model import Model


FrameField: TypeAlias = Takes[Frame | Body | Node, Frame]
"""Field that takes a frame, a body or a node, and holds a frame."""
FrameOrNoneField: TypeAlias = Takes[Frame | Body | Node | None, Frame | None]
FramesField: TypeAlias = Takes[Sequence[Frame | Body | Node], tuple[Frame, ...]]


@dataclass_transform(frozen_default=True, field_specifiers=(field, preset))
class Measure:
    """A quantity of the motion. Subclass it to make your own, as the built-in ones are made.

    The contract:

    1. Fields are annotated like those of a dataclass; subclasses become frozen dataclasses by
       themselves. A field may be a frame or a body, a number, a `Parameter`, a text, a function,
       another measure, or a tuple of these.
    2. ``value(at)`` returns the number, or a vector of ``size`` numbers, from
       ``at.pose(frame)``: orientation (3×3) and position [m] of a frame in the world,
       ``at.relative(frame, to)``: the same as seen from another frame,
       ``at.coordinate("main.angle")``: a coordinate of a joint or of the model,
       ``at.state("valve.pressure")`` and ``at.input("winch.length")``: states and inputs (where the
       law is one of force, which needs no second rate; such inputs are numbers or functions of
       time), and the time ``at.t`` [s]. Write it with the functions of `jourdain.math`.
    3. Rates, Jacobians and loads come by differentiation. Only a measure of velocities that is no
       rate of anything (rolling, gliding) gives ``rate(at)`` instead, linear in ``at.twist(frame)``
       (angular velocity and velocity of the frame's origin, world axes) and
       ``at.velocity("main.angle")``; its ``value`` stays as it is here.
    4. ``lower_bound(at)``, if given, is a number that costs little and never lies above the value:
       the distance of two midpoints less both radii. Where it lies beyond the ``reach`` of the law
       the rest is skipped (in large models, where equal connections are run in loops).
    5. ``completed(model)``, if given, is the measure that takes its place when the model is
       compiled: for sums over what others have joined to it, such as the pipes of a junction.
    6. ``unit`` is the unit of the value, ``rate_unit`` that of its rate.

    `jourdain.testing.check_measure` proves a measure.

    Examples
    --------
    >>> import jourdain as jd
    >>> class Height(jd.Measure):
    ...     frame: jd.Frame
    ...     def value(self, at):
    ...         return at.pose(self.frame)[1][2]
    """

    unit = "m"
    size = 1
    n_points: Any = 1
    parameters: Any = MappingProxyType({})

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make every subclass a frozen dataclass."""
        super().__init_subclass__(**kwargs)
        dataclass(frozen=True, repr=False)(cls)

    def __post_init__(self) -> None:
        for f in _fields(self):
            object.__setattr__(self, f.name, _as_frame(getattr(self, f.name)))

    def value(self, at: Any) -> Any:
        """Value of the measure; None where only its rate is defined."""
        return None

    def rate(self, at: Any) -> Any:
        """Rate of a measure of velocities; None to have it derived from the value."""
        return None

    def lower_bound(self, at: Any) -> Any:
        """Cheap number that the value never falls below; None without one."""
        return None

    def completed(self, model: Model) -> Measure:
        """Measure that takes its place when the model is complete; itself for most."""
        return self

    @property
    def rate_unit(self) -> str:
        """Unit of the rate."""
        return unit_of_rate(self.unit)

    @property
    def force_unit(self) -> str:
        """Unit of the force that belongs to it: rate times force is power."""
        return unit_of_force(self.unit)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the components; empty for a single number."""
        n = self.size
        return () if n == 1 else ("x", "y", "z") if n == 3 else tuple(map(str, range(1, n + 1)))

    @property
    def component_units(self) -> tuple[str, ...]:
        """Units of the components."""
        return (self.unit,) * self.size

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Frames in its fields, each once."""
        return tuple(dict.fromkeys(_frames_in(self)))

    def __add__(self, other: Measure) -> Sum:
        """Sum of two measures."""
        return _sum((1.0, self), (1.0, other))

    def __sub__(self, other: Measure) -> Sum:
        """Difference of two measures."""
        return _sum((1.0, self), (-1.0, other))

    def __rmul__(self, factor: Any) -> Sum:
        """Multiple of a measure."""
        return _sum((factor, self))

    def __mul__(self, factor: Any) -> Sum:
        """Multiple of a measure."""
        return _sum((factor, self))

    def __truediv__(self, divisor: Any) -> Sum:
        """Part of a measure."""
        if isinstance(divisor, Measure):
            raise ModelError("a measure cannot be divided by a measure: write a jd.Formula.")
        if isinstance(divisor, int | float) and divisor == 0:
            raise ModelError(f"{self} is divided by zero.")
        return _sum((1.0 / divisor, self))

    def __neg__(self) -> Sum:
        """Opposite of a measure."""
        return _sum((-1.0, self))

    def __repr__(self) -> str:
        """Show functions by name, so that a measure reads the same in every process."""
        own = {f.name: getattr(self, f.name) for f in _fields(self)}
        shown = (f"{k}={x.__name__ if isroutine(x) else repr(x)}" for k, x in own.items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __str__(self) -> str:
        """Short form, for reports."""
        return phrase(self)


def _fields(measure: Any) -> tuple[Field[Any], ...]:
    return fields(measure) if is_dataclass(measure) else ()


def _as_frame(value: Any) -> Any:
    if isinstance(value, Body | Node):
        return value.at()
    return tuple(_as_frame(v) for v in value) if isinstance(value, tuple) else value


def _frames_in(value: Any) -> Iterator[Frame]:
    if isinstance(value, Frame):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _frames_in(part)
    elif isinstance(value, Measure | Contour) and is_dataclass(value):
        for f in fields(value):
            yield from _frames_in(getattr(value, f.name))


def require_frame(value: Any, what: str) -> None:
    """Refuse what is no frame and no body."""
    if not isinstance(value, Frame):
        raise ModelError(
            f"{what} is {check.shown(value)}: give a body, or a frame such as "
            "body.at(0.1, 0, 0); the ground is model.world."
        )


def _sum(*terms: tuple[Any, Any]) -> Sum:
    from jourdain.model.measures.sum import Sum  # noqa: PLC0415

    for _, measure in terms:
        if not isinstance(measure, Measure):
            raise ModelError(f"{check.shown(measure)} is no measure; measures add to measures.")
    return Sum(terms)


def unit_of_rate(unit: str) -> str:
    """Unit of the rate of something."""
    return "1/s" if unit == "1" else f"{unit}/s"


def unit_of_force(unit: str) -> str:
    """Unit of the force that belongs to a measure: rate times force is power."""
    return {"m": "N", "rad": "N m", "m^3": "Pa"}.get(unit, f"J/{unit}")
