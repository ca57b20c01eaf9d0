"""Hydrostatic drives, and the transmission that splits the power between gears and oil (4.F65)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library import hydraulics as hy
from jourdain.library.powertrain.angles import AngleField, add_reading, add_tied, hold_angles
from jourdain.library.powertrain.clutches.capacity import SourceField, require_source, source_now
from jourdain.library.powertrain.trains.gear import require_ratio
from jourdain.library.powertrain.trains.planetary_set import set_teeth
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.signal import Signal
from jourdain.model.measures.formula import Formula
from jourdain.model.parts.part import Part, Samples
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import Number, NumberField, SpanField, Takes, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

CIRCUIT = "circuit"
BURST = 1e8
"""Pressure that no hydrostatic machine bears [Pa]."""


@record()
class Circuit:
    """Oil of a hydrostatic drive: two pipes, fed through check valves where pressure falls.

    Parameters
    ----------
    fluid : hydraulics.Fluid
        The oil.
    volume : float [m^3]
        Of each of the two pipes.
    charge : float [Pa]
        Pressure with which they are fed.
    leakage : float [m^3/(s Pa)]
        Leakage between the two, in pump and motors together.
    """

    fluid: hy.Fluid
    volume: NumberField
    charge: NumberField = preset(default=2e6)
    leakage: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        if not isinstance(self.fluid, hy.Fluid):
            raise ModelError(
                f"fluid of Circuit is {check.shown(self.fluid)}: give hydraulics.Fluid(...)."
            )
        check.number(self.volume, "volume of Circuit", positive=True, unit="m^3")
        check.number(self.charge, "charge of Circuit", nonnegative=True, unit="Pa")
        check.number(self.leakage, "leakage of Circuit", nonnegative=True)


class HydrostaticDrive(Part):
    """A variable pump that drives motors through two pipes (4.F64, 4.F65).

        V_P s_P ω_P = n V_M s_M ω_M

    Without a `Circuit` the oil is rigid: the flows are equal at all times, and the pressure is what
    that takes. With one, the pipes have a volume, pressures, and leakage. It has no relief valves,
    so nothing bounds the pressure of a motor that is held: add them at its ports,
    ``hy.ReliefValve(drive.high, drive.low, cracking=4e7, slope=1e-9)`` and the other way round.

    Parameters
    ----------
    pump, motor : Measure
        Angles of the two shafts.
    displacements : (float, float) [m^3]
        Volumes V_P and V_M of one revolution of the pump, and of one motor.
    pump_setting, motor_setting : number, function of time, Signal, or None for an input
        Parts s of the displacements that are used, −1 to 1. Rigid oil takes numbers and functions
        of time.
    motors : int
        Number n of motors on their shaft.
    circuit : Circuit, optional
        The oil.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("drive")
    >>> a, b = (model.add(name, pt.Shaft(0.1)) for name in "ab")
    >>> drive = pt.HydrostaticDrive(a.angle, b.angle, (1e-4, 2e-4), pump_setting=0.5)
    >>> drive = model.add("drive", drive)
    >>> sol = jd.simulate(model, 1.0, start={"a.speed": 100.0, "b.speed": 25.0})
    >>> float(sol["b.speed"][-1].round(9))
    25.0
    """

    pump: AngleField
    motor: AngleField
    displacements: SpanField
    pump_setting: SourceField = preset(default=1.0)
    motor_setting: SourceField = preset(default=1.0)
    motors: int = 1
    circuit: Circuit | None = None

    def __post_init__(self) -> None:
        word = type(self).__name__
        hold_angles(self, "pump", "motor")
        require_displacements(self.displacements, word)
        if not isinstance(self.motors, Integral) or self.motors < 1:
            raise ModelError(f"motors of {word} is {check.shown(self.motors)}: give 1, 2, …")
        if self.circuit is not None and not isinstance(self.circuit, Circuit):
            raise ModelError(
                f"circuit of {word} is {check.shown(self.circuit)}: give pt.Circuit(fluid, volume)."
            )
        settings = {n: getattr(self, n) for n in ("pump_setting", "motor_setting")}
        for name, value in settings.items():
            require_setting(value, f"{name} of {word}")
            if self.circuit is None and (value is None or isinstance(value, Signal)):
                raise ModelError(
                    f"{name} of {word} is an input or a signal, but its oil is rigid: the speeds "
                    "would jump. Give circuit=pt.Circuit(fluid, volume), or a function of time."
                )
        if self.circuit is None and all(_is_zero(x) for x in settings.values()):
            raise ModelError(
                f"both settings of {word} are 0: its oil would hold nothing. Give one of them."
            )

    def _settings(self, own: str) -> tuple[Any, Any]:
        """Functions of ``at``."""
        names = ("pump_setting", "motor_setting")

        def setting(name: str) -> Any:
            value = getattr(self, name)
            return lambda at: source_now(value, at, f"{own}.{name}.setting")

        return setting(names[0]), setting(names[1])

    def build(self, group: Group) -> Mapping[str, Any]:
        """A constraint of flows, or two volumes between machines."""
        pump, motor = self._settings(group.path("x").rpartition(".")[0])
        v_p, v_m = self.displacements[0], self.motors * self.displacements[1]
        for name in ("pump_setting", "motor_setting"):
            inputs = {"setting": "1"} if getattr(self, name) is None else {}
            add_reading(group, name, pump if name[0] == "p" else motor, inputs)
        if self.circuit is None:

            def flow(at: Any) -> Any:
                ahead = v_p * pump(at) * at.rate_of(self.pump)
                return (ahead - v_m * motor(at) * at.rate_of(self.motor)) / (2.0 * math.pi)

            group.add_connection(CIRCUIT, Formula(speed=flow, unit="m^3"), Equal())
            return {"pump": self.pump, "motor": self.motor}
        own = self.circuit
        pipes = [
            group.add(n, hy.Volume(own.fluid, own.volume, start=own.charge))
            for n in ("high", "low")
        ]
        source = group.add("charge", hy.PressureSource(own.fluid, own.charge))
        for pipe, name in zip(pipes, ("feed_high", "feed_low"), strict=True):
            group.add(name, hy.CheckValve(source, pipe, FEED, cracking=CRACKING))
        group.add("pump", hy.Pump(pipes[1], pipes[0], self.pump, v_p, pump, own.leakage))
        group.add("motor", hy.Motor(pipes[0], pipes[1], self.motor, v_m, motor))
        return {"pump": self.pump, "motor": self.motor, "high": pipes[0], "low": pipes[1]}

    def results(self, name: str) -> Mapping[str, Result]:
        """Pressure by which the pipe behind the pump is above the other, and the settings."""
        text = f"pressure of {name}, behind the pump less before it"
        rigid = Result("Pa", text, (f"{name}.{CIRCUIT}.force",), lambda x: -x)
        pipes = (f"{name}.high.pressure", f"{name}.low.pressure")
        found = Result("Pa", text, pipes, lambda a, b: a - b)
        return {"pressure": rigid if self.circuit is None else found}

    def doubts(self, name: str, values: Samples) -> Iterator[str]:
        """Pressures that no pipe bears, as there is no relief valve."""
        if self.circuit is None:
            return
        highest = max(float(np.max(values(f"{name}.{n}.pressure"))) for n in ("high", "low"))
        if highest > BURST:
            yield (
                f"the pressure of {name!r} rises to {highest / 1e5:.4g} bar, which no hydrostatic "
                "machine bears: it has no relief valves of its own. Add them at its ports, as "
                "hy.ReliefValve(drive.high, drive.low, cracking=4e7, slope=1e-9), both ways."
            )


FEED = 1e-4
"""Area of an open feed valve [m^2]."""
CRACKING = 1e4
"""Pressure difference from which it opens: it is shut at rest [Pa]."""


def require_displacements(value: Any, word: str) -> None:
    """Check the volumes of pump and motor."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ModelError(
            f"displacements of {word} is {check.shown(value)}: give those of pump and motor "
            "[m^3 per revolution]."
        )
    for x in value:
        check.number(x, f"displacements of {word}", positive=True, unit="m^3")


def require_setting(value: Any, what: str) -> None:
    """Check a setting: a number from −1 to 1, a function of time, a signal, or None."""
    if isinstance(value, float | int):
        if not -1.0 <= value <= 1.0:
            raise ModelError(f"{what} is {value:g}: give -1 to 1, the part of the displacement.")
        return
    require_source(value, what, "1")


def _is_zero(value: Any) -> bool:
    return isinstance(value, float | int) and value == 0.0


class PowerSplit(Part):
    """A planetary set that splits the power of an engine between gears and oil (4.F65).

        z_S ω_S + z_R ω_R = (z_S + z_R) ω_E,   ω_S = i_S ω_out,   ω_P = i_P ω_R,   ω_M = i_M ω_out

    The engine drives the carrier, the ring drives the pump; sun and motors drive the output. With
    the pump at zero the output stands still while the engine turns; with the motors at zero the
    ring stands, and all power passes through gears. Ports ``ring`` and those of the drive.

    Parameters
    ----------
    engine, output : Measure
        Angles of the two shafts.
    teeth : (float, float)
        Teeth z_S, z_R of sun and ring.
    displacements, pump_setting, motor_setting, motors, circuit
        As those of `HydrostaticDrive`, with two motors by default.
    gears : (float, float, float)
        Ratios i_S, i_P, i_M.
    ring_inertia : float [kg m^2]
        Moment of inertia of ring and pump, about the axis of the ring.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("tractor")
    >>> engine, out = (model.add(name, pt.Shaft(1.0)) for name in ("engine", "out"))
    >>> split = pt.PowerSplit(engine.angle, out.angle, (30, 90), (1e-4, 1e-4), motor_setting=0.5)
    >>> round(split.ratio(), 9), round(split.share(), 9)  # half the motors: speed of the engine
    (1.0, 0.75)
    """

    engine: AngleField
    output: AngleField
    teeth: Takes[tuple[Number, Number], Any]
    displacements: SpanField
    pump_setting: SourceField = preset(default=1.0)
    motor_setting: SourceField = preset(default=1.0)
    gears: SpanField = preset(default=(1.0, 1.0, 1.0))
    motors: int = 2
    ring_inertia: NumberField = preset(default=0.0)
    circuit: Circuit | None = None

    def __post_init__(self) -> None:
        hold_angles(self, "engine", "output")
        object.__setattr__(self, "teeth", set_teeth(self.teeth, 1, "PowerSplit"))
        if not isinstance(self.gears, tuple | list) or len(self.gears) != 3:
            raise ModelError(
                f"gears of PowerSplit is {check.shown(self.gears)}: give the ratios of sun, pump "
                "and motors, such as (1.0, 1.0, 1.0)."
            )
        for ratio in self.gears:
            require_ratio(ratio, "gears of PowerSplit")
        check.number(self.ring_inertia, "ring_inertia of PowerSplit", nonnegative=True)
        self._drive(self.engine)

    def _drive(self, ring: Any) -> HydrostaticDrive:
        _, i_p, i_m = self.gears
        settings = self.pump_setting, self.motor_setting
        return HydrostaticDrive(
            i_p * ring, i_m * self.output, self.displacements, *settings, self.motors, self.circuit
        )

    def _set(self, name: str, given: float | None) -> float:
        value = getattr(self, name) if given is None else given
        if not isinstance(value, float | int):
            raise ModelError(f"{name} of PowerSplit is no number: give it here.")
        return float(value)

    def ratio(self, pump: float | None = None, motor: float | None = None) -> float:
        """Ratio ω_out/ω_E for settings, by default its own, with rigid oil."""
        s, r = map(nominal, self.teeth)
        i_s, i_p, i_m = map(nominal, self.gears)
        pump, motor = self._set("pump_setting", pump), self._set("motor_setting", motor)
        v_p, v_m = (nominal(v) for v in self.displacements)
        through = pump * v_p * i_p
        return float((s + r) * through / (s * i_s * through + r * self.motors * motor * v_m * i_m))

    def share(self, pump: float | None = None, motor: float | None = None) -> float:
        """Part of the power that passes through the oil: z_R ω_R/((z_S + z_R) ω_E)."""
        s, r = map(nominal, self.teeth)
        return float(1.0 - s * nominal(self.gears[0]) * self.ratio(pump, motor) / (s + r))

    def build(self, group: Group) -> Mapping[str, Any]:
        """The drive between the ring, whose angle follows from the two shafts, and the output."""
        s, r = self.teeth
        sun = self.gears[0] * self.output
        ring = ((s + r) / r) * self.engine - (s / r) * sun
        drive = group.add("drive", self._drive(ring))
        add_tied(group, "ring", self.ring_inertia, ring)
        add_reading(group, "turn", lambda at: at.rate_of(ring))
        return {"ring": ring, "engine": self.engine, "output": self.output, "drive": drive}

    def results(self, name: str) -> Mapping[str, Result]:
        """Pressure of the drive, and the speed of the ring."""
        pressure = self._drive(self.engine).results(f"{name}.drive")["pressure"]
        speed = Result("rad/s", f"speed of the ring of {name}", (f"{name}.turn.force",))
        return {"pressure": pressure, "ring_speed": speed}
