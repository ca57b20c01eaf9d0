"""The combustion engine by its map, with lag and intervention (4.F24)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, hold_angles
from jourdain.library.powertrain.clutches.capacity import (
    SourceField,
    require_source,
    source_now,
)
from jourdain.math.left import Course, left
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.signal import Signal
from jourdain.model.laws.spring import is_function
from jourdain.model.parts.part import Part, Samples
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class EngineTorque(ForceLaw):
    """Torque that follows a map with a lag: T Ṁ = (1 − β) M_map(α, ω) − M (4.F24).

    Parameters
    ----------
    torque : function of throttle and speed [N m]
        The map.
    lag : float [s]
        Time constant T.
    throttle, intervention : numbers, functions of time, signals, or None for inputs
        Throttle α, and the part β by which the torque is reduced.
    loss : function of the speed [N m], optional
        Torque of bearings and auxiliaries.
    begin : float [N m]
        Torque at the start.
    element : str
        Full name of the connection.
    """

    torque: Callable[..., Any]
    lag: NumberField
    throttle: SourceField
    intervention: SourceField
    loss: Callable[..., Any] | None
    begin: NumberField
    element: str

    @property
    def states(self) -> Mapping[str, str]:  # type: ignore[override]
        """The torque."""
        return {"torque": "N m"}

    @property
    def inputs(self) -> Mapping[str, str]:  # type: ignore[override]
        """Throttle and intervention, where they are not given."""
        return {n: "1" for n in ("throttle", "intervention") if getattr(self, n) is None}

    def start(self) -> tuple[Any, ...]:
        """Torque at the start."""
        return (self.begin,)

    def _source(self, name: str, at: Any) -> Any:
        return source_now(getattr(self, name), at, f"{self.element}.{name}")

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Torque on the shaft."""
        return at.state("torque") - self._lost(v)

    def _lost(self, v: Any) -> Any:
        return 0.0 * v if self.loss is None else self.loss(v)

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Rate of the torque."""
        wanted = (1.0 - self._source("intervention", at)) * self.torque(
            self._source("throttle", at), v
        )
        return ((wanted - at.state("torque")) / self.lag,)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """What bearings and auxiliaries take."""
        return self._lost(v) * v


class Engine(Part):
    """An engine on a shaft: torque by a map over throttle and speed, with a lag (4.F24).

        T Ṁ = (1 − β) M_map(α, ω) − M,   the shaft gets M − M_loss(ω)

    Parameters
    ----------
    shaft : Measure
        Angle of the crankshaft, whose inertia is that of the engine.
    torque : function of (throttle, speed [rad/s]) [N m]
        The map, such as `jourdain.Map`.
    throttle : number, function of time or Signal, optional
        Throttle α; without it the engine has an input ``throttle``.
    intervention : number, function of time, Signal or None
        Part β by which the torque is reduced, as during shifts; None makes it an input.
    lag : float [s]
        Time constant T.
    loss : function of the speed, optional [N m]
        Loss torque, such as `jourdain.Table`.
    start : float [N m]
        Torque M at the start.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("engine")
    >>> crank = model.add("crank", pt.Shaft(1e9))
    >>> torque = jd.Map((0.0, 1.0), (0.0, 600.0), ((-20.0, -60.0), (200.0, 200.0)))
    >>> engine = model.add("engine", pt.Engine(crank.angle, torque, throttle=1.0, lag=0.2))
    >>> float(jd.simulate(model, 1.0)["engine.torque"][-1].round(6))  # 200 (1 − exp(−5))
    198.652411
    """

    shaft: AngleField
    torque: Callable[..., Any]
    throttle: SourceField = preset(default=None)
    intervention: SourceField = preset(default=0.0)
    lag: NumberField = preset(default=0.1)
    loss: Callable[..., Any] | None = None
    start: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "shaft")
        for name in ("torque", "loss"):
            value = getattr(self, name)
            if not is_function(value) and not (name == "loss" and value is None):
                of = "throttle and speed, such as jd.Map(...)" if name == "torque" else "the speed"
                raise ModelError(
                    f"{name} of Engine is {check.shown(value)}: give a function of {of}."
                )
        for name in ("throttle", "intervention"):
            require_source(getattr(self, name), f"{name} of Engine", "1")
        self._require_inside()
        check.number(self.lag, "lag of Engine", positive=True, unit="s")
        check.number(self.start, "start of Engine", unit="N m")

    def _require_inside(self) -> None:
        """Refuse numbers that leave the map, or give more torque than it."""
        if isinstance(self.intervention, float | int) and self.intervention > 1.0:
            raise ModelError(
                f"intervention of Engine is {self.intervention:g}: give the part of the torque "
                "that is taken away, 0 to 1."
            )
        if isinstance(self.throttle, float | int) and isinstance(self.torque, math.Map):
            low, high = self.torque.x[0], self.torque.x[-1]
            if not low <= self.throttle <= high:
                raise ModelError(
                    f"throttle of Engine is {self.throttle:g}, but its map goes from {low:g} to "
                    f"{high:g}: outside of the map. Give a throttle inside of it."
                )

    def build(self, group: Group) -> Mapping[str, Any]:
        """One connection with the torque as its state."""
        law = EngineTorque(
            self.torque,
            self.lag,
            self.throttle,
            self.intervention,
            self.loss,
            self.start,
            group.path("crank"),
        )
        group.add_connection("crank", self.shaft, law)
        return {"shaft": self.shaft}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque on the shaft, speed and power."""
        crank = f"{name}.crank"
        both = (f"{crank}.force", f"{crank}.rate")
        return {
            "torque": Result("N m", f"torque of {name} on its shaft", both[:1]),
            "speed": Result("rad/s", f"speed of {name}", both[1:]),
            "power": Result("W", f"power of {name}", both, lambda torque, speed: torque * speed),
        }

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """Maps that were left."""
        rate = f"{name}.crank.rate"
        speed = Course("speed", "rad/s", values(rate), values.time(rate))
        throttle = self._throttle_course(name, values, speed.time)
        yield from left(f"torque of the engine {name!r}", self.torque, throttle, speed)
        yield from left(f"loss of the engine {name!r}", self.loss, speed)

    def _throttle_course(self, name: str, values: Samples, time: Any) -> Course | None:
        """Throttle over time; None where it is not at hand."""
        given = self.throttle
        if is_function(given) and not isinstance(given, Signal):
            return Course("throttle", "", [float(given(t)) for t in time], time)
        if given is None:
            given = Signal("input", f"{name}.crank.throttle")
        if not isinstance(given, Signal) or given.kind not in ("state", "input"):
            return None
        numbers = given.offset + given.factor * values(given.name)
        return Course("throttle", "", numbers, values.time(given.name))
