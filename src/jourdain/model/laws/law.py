"""The law: how a force answers to a measure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import reduce
from inspect import isroutine
from typing import TYPE_CHECKING, Any, dataclass_transform

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.texts.phrases import phrase
from jourdain.spatial import check
from jourdain.spatial.annotations import Number, Takes, preset

if TYPE_CHECKING:
    from jourdain.model.model import Model
    from jourdain.model.parts.part import Samples


@dataclass_transform(frozen_default=True, field_specifiers=(field, preset))
class ForceLaw:
    """A smooth law: force from the measure, its rate, own states, inputs and time.

    The force is conjugate to the measure and acts on the bodies: force times rate is the power
    they receive, so a positive force makes the measure grow. A spring pulls with a negative force.

    The contract:

    1. Fields are annotated like those of a dataclass; subclasses become frozen dataclasses.
    2. ``force(x, v, at)`` returns the force for the value x and the rate v of the measure, as
       many numbers as it has; ``at.t`` is the time, ``at.state("current")`` an own state,
       ``at.input("voltage")`` an own input. What belongs to others is seen by its full name:
       ``at.state("valve.pressure")``, ``at.input("valve.opening")``,
       ``at.coordinate("main.angle")`` and ``at.velocity("main.angle")``, ``at.force("spring")``
       of a connection (of a contact its normal force), ``at.multiplier("rod")`` of a constraint,
       ``at.pose(frame)`` and ``at.twist(frame)``. Forces that need each other in a circle are
       refused by name.
    3. Optional: ``states`` names first-order states with units, ``rates(x, v, at)`` returns their
       rates in that order, ``start()`` their start values.
    4. Optional: ``inputs`` names inputs with units; they are zero unless a run gives them.
    5. Optional: ``energy(x, at)`` returns the stored energy [J], ``dissipation(x, v, at)`` the
       power that is lost [W]; what remains of the balance counts as supplied.
    6. Optional: ``completed(model)`` is the law that takes its place when the model is compiled,
       for laws that gather what others have joined to them (`Model.gathered`).
    7. Optional: ``reach`` is the value of the measure beyond which there is no force: 0 of a
       contact on a gap. Where a measure has a `Measure.lower_bound` beyond it, the rest is skipped.
    8. Optional: ``remedy`` tells what to do where the force is not a number, for the error then.
    9. Optional: ``doubts(name, unit, values)`` gives texts about what a run has found that cannot
       be true, such as a table that was left; see `Part.doubts`.

    Laws add up: ``Spring(1e3) + Damper(10.0)``. `jourdain.testing.check_law` proves a law.
    """

    states: Mapping[str, str] = {}
    inputs: Mapping[str, str] = {}
    reach: Any = None
    remedy: str = ""
    is_set_valued = False
    has_static = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make every subclass a frozen dataclass."""
        super().__init_subclass__(**kwargs)
        dataclass(frozen=True, repr=False)(cls)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force that belongs to the measure."""
        raise NotImplementedError(f"law {type(self).__name__} has no force(x, v, at)")

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Rates of the states."""
        return ()

    def start(self) -> tuple[Any, ...]:
        """Start values of the states."""
        return (0.0,) * len(self.states)

    def energy(self, x: Any, at: Any) -> Any:
        """Stored energy [J]; zero for a law that stores none."""
        return 0.0

    def energy_rate(self, x: Any, v: Any, at: Any) -> Any:
        """Rate of the stored energy [W], where it is simpler than the derivative; else None."""
        return None

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Power that is lost [W]; zero for a law that loses none."""
        return 0.0

    def doubts(self, name: str, unit: str, values: Samples) -> Iterable[str]:
        """What a run has found that cannot be true: warnings.

        Parameters
        ----------
        name, unit : str
            Full name of the connection, and the unit of its measure.
        values : Samples
            Numbers of quantities of the run.
        """
        return ()

    def completed(self, model: Model) -> ForceLaw:
        """Law that takes its place when the model is complete; itself for most."""
        return self

    def __add__(self, other: ForceLaw) -> SumLaw:
        """Two laws side by side on one measure."""
        if not isinstance(other, ForceLaw):
            raise ModelError(
                f"cannot add {check.shown(other)} to the law {self}: give a smooth law."
            )
        return SumLaw((*_parts(self), *_parts(other)))

    def __repr__(self) -> str:
        """Show functions by name, so that a law reads the same in every process."""
        own = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        shown = (f"{k}={x.__name__ if isroutine(x) else repr(x)}" for k, x in own.items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __str__(self) -> str:
        """Short form, for reports."""
        return phrase(self)


def _parts(law: ForceLaw) -> tuple[ForceLaw, ...]:
    return law.parts if isinstance(law, SumLaw) else (law,)


class SumLaw(ForceLaw):
    """Laws side by side: their forces add up. Made by ``+``."""

    parts: tuple[ForceLaw, ...]

    def __post_init__(self) -> None:
        for table in ("states", "inputs"):
            names = [name for part in self.parts for name in getattr(part, table)]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ModelError(
                    f"two laws that are added both have the {table[:-1]} {twice[0]!r}. Put them "
                    "in two connections with the same measure."
                )

    @property
    def states(self) -> Mapping[str, str]:  # type: ignore[override]
        """States of all parts."""
        return {name: unit for part in self.parts for name, unit in part.states.items()}

    @property
    def inputs(self) -> Mapping[str, str]:  # type: ignore[override]
        """Inputs of all parts."""
        return {name: unit for part in self.parts for name, unit in part.inputs.items()}

    @property
    def reach(self) -> Any:
        """Furthest reach of the parts; None where one has none."""
        every = [part.reach for part in self.parts]
        return None if any(x is None for x in every) else reduce(math.maximum, every)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Sum of the forces."""
        return sum(part.force(x, v, at) for part in self.parts)

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Rates of all states."""
        return tuple(rate for part in self.parts for rate in part.rates(x, v, at))

    def start(self) -> tuple[Any, ...]:
        """Start values of all states."""
        return tuple(value for part in self.parts for value in part.start())

    def energy(self, x: Any, at: Any) -> Any:
        """Sum of the energies."""
        return sum(part.energy(x, at) for part in self.parts)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Sum of the losses."""
        return sum(part.dissipation(x, v, at) for part in self.parts)

    def doubts(self, name: str, unit: str, values: Samples) -> Iterable[str]:
        """Those of all parts."""
        return (text for part in self.parts for text in part.doubts(name, unit, values))

    def __str__(self) -> str:
        return " + ".join(map(str, self.parts))


class Law(ForceLaw):
    """A law written as a function.

    Parameters
    ----------
    function : function of (x), (x, v) or (x, v, at)
        Force for the value x and the rate v of the measure; see `ForceLaw` for ``at``.
    potential : function of (x), optional
        Stored energy [J].
    states, inputs : mappings of str to str
        Names and units of own states and inputs.
    state_rates : function of (x, v, at)
        Rates of the states, in their order.
    state_start : tuple of float
        Start values of the states.
    reach : float, optional
        Value of the measure beyond which there is no force, see `ForceLaw`.

    Examples
    --------
    >>> import jourdain as jd
    >>> gas = jd.Law(lambda x, v: -4e3 * jd.exp(-x / 0.05))
    """

    function: Callable[..., Any]
    potential: Callable[[Any], Any] | None = None
    states: Mapping[str, str] = field(default_factory=dict, hash=False)
    inputs: Mapping[str, str] = field(default_factory=dict, hash=False)
    state_rates: Callable[..., Any] | None = None
    state_start: Takes[Sequence[Number], tuple[Any, ...]] = preset(default=())
    reach: Number | None = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(
                f"Law has {check.shown(self.function)}: give a function of the measure and its "
                "rate, such as lambda x, v: -1e3 * x - 5.0 * v."
            )
        if self.reach is not None:
            object.__setattr__(self, "reach", check.number(self.reach, "reach of Law"))
        object.__setattr__(self, "states", dict(self.states))
        object.__setattr__(self, "inputs", dict(self.inputs))
        start = self.state_start or (0.0,) * len(self.states)
        if len(start) != len(self.states) or (self.state_rates is None) != (not self.states):
            raise ModelError(
                f"Law has {len(self.states)} states, {len(start)} start values and "
                f"{'no' if self.state_rates is None else 'a'} function state_rates: give one start "
                "value for each state, and state_rates if there are states."
            )
        object.__setattr__(self, "state_start", tuple(start))

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """What the function gives."""
        return call(self.function, x, v, at)

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """What ``state_rates`` gives."""
        return () if self.state_rates is None else call(self.state_rates, x, v, at)

    def start(self) -> tuple[Any, ...]:
        """Start values of the states."""
        return self.state_start

    def energy(self, x: Any, at: Any) -> Any:
        """What ``potential`` gives."""
        return 0.0 if self.potential is None else call(self.potential, x)


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function with as many of the arguments as it takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError, OverflowError):
        return function(*arguments)
    if any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return function(*arguments)
    needed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return function(*arguments[: max(1, sum(p.default is p.empty for p in needed))])
