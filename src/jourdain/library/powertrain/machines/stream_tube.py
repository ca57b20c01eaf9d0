"""Torque converter by the motion of its oil: one stream tube (4.F25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, Angles, add_tied, hold_angles
from jourdain.library.powertrain.clutches.capacity import CapacityField, require_capacity
from jourdain.library.powertrain.clutches.freewheel import OneWayClutch
from jourdain.library.powertrain.machines.torque_converter import add_lockup, converter_torques
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.unilateral import Interval
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, SpanField, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

UPSTREAM = (2, 0, 1)  # pump after stator, turbine after pump, stator after turbine


@record()
class Blades:
    """Wheels of a torque converter along its mean stream line (4.F25), in the order of the oil.

    Parameters
    ----------
    radii : (float, float, float) [m]
        Radii at the exits of pump, turbine and stator.
    exits : (float, float, float)
        Tangents of the blade angles at their exits, positive forward.
    entries : (float, float, float)
        Tangents of the blade angles at their entries.
    area : float [m^2]
        Area of the flow.
    shock : float
        Coefficient of the shock losses at the entries.
    friction : float
        Coefficient of the friction losses.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> blades = pt.Blades((0.11, 0.06, 0.07), (0.0, -2.0, 1.9), (-1.0, 0.8, -0.2), area=0.012)
    >>> len(blades.radii)
    3
    """

    radii: SpanField
    exits: SpanField
    entries: SpanField
    area: NumberField
    shock: NumberField = preset(default=1.0)
    friction: NumberField = preset(default=0.2)

    def __post_init__(self) -> None:
        for name in ("radii", "exits", "entries"):
            value = getattr(self, name)
            if not isinstance(value, tuple | list) or len(value) != len(UPSTREAM):
                raise ModelError(
                    f"{name} of Blades is {check.shown(value)}: give three numbers, for pump, "
                    "turbine and stator."
                )
            checked = tuple(
                check.number(x, f"{name} of Blades", positive=name == "radii") for x in value
            )
            object.__setattr__(self, name, checked)
        check.number(self.area, "area of Blades", positive=True, unit="m^2")
        for name in ("shock", "friction"):
            check.number(getattr(self, name), f"{name} of Blades", nonnegative=True)

    def swirl(self, i: int, speeds: Any, flow: Any) -> Any:
        """Radius times circumferential velocity of the oil at the exit of a wheel [m^2/s]."""
        R = self.radii[i]
        return R * (R * speeds[i] + flow / self.area * self.exits[i])

    def torques(self, speeds: Any, flow: Any, density: Any) -> tuple[Any, ...]:
        """Torques of the oil on the three wheels: −ρ Q (swirl at exit − swirl at entry)."""
        out = [self.swirl(i, speeds, flow) for i in range(3)]
        return tuple(-density * flow * (out[i] - out[up]) for i, up in enumerate(UPSTREAM))

    def head(self, speeds: Any, flow: Any, density: Any) -> Any:
        """Pressure with which the wheels drive the flow [Pa]: Σ ω (swirl at exit − at entry) ρ."""
        out = [self.swirl(i, speeds, flow) for i in range(3)]
        return density * sum(speeds[i] * (out[i] - out[up]) for i, up in enumerate(UPSTREAM))

    def lost(self, speeds: Any, flow: Any, density: Any) -> Any:
        """Pressure that shocks and friction take [Pa], not below zero."""
        v, total = flow / self.area, 0.0
        for i, up in enumerate(UPSTREAM):
            entering = self.radii[up] * (speeds[up] - speeds[i])
            shock = entering + v * (self.exits[up] - self.entries[i])
            total = total + self.shock * shock**2
        return 0.5 * density * (total + self.friction * v**2)


class OilTorques(ForceLaw):
    """Torques of the oil on pump, turbine and stator, and the pressure on its flow (4.F25).

    The losses of a resting flow, P_L(ω, 0), are dry friction beside it.

    Parameters
    ----------
    blades : Blades
        The wheels.
    density : float [kg/m^3]
        Of the oil.
    """

    blades: Blades
    density: NumberField

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Three torques and a head, which have no power together, less losses of the flow."""
        speeds, flow = (v[0], v[1], v[2]), v[3]
        torques = self.blades.torques(speeds, flow, self.density)
        head = self.blades.head(speeds, flow, self.density)
        return math.vector(*torques, head - math.sign(flow) * self._more(speeds, flow))

    def _more(self, speeds: Any, flow: Any) -> Any:
        """Losses beyond those of a resting flow [Pa]."""
        lost = (self.blades.lost(speeds, q, self.density) for q in (flow, 0.0))
        return next(lost) - next(lost)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Power of the losses beyond those of a resting flow."""
        return math.absolute(v[3]) * self._more((v[0], v[1], v[2]), v[3])


class StreamTubeConverter(Part):
    """A torque converter by the flow of its oil along one stream tube (4.F25).

    The flow Q is the rate of a coordinate ``volume`` with the inertia ρ L/A. The oil gives each
    wheel the change of its swirl, −ρ Q Δ(r c_u), and gets as much power from it; shocks and
    friction take the pressure P_L(ω, Q), against the flow, as dry friction does: set-valued at
    rest. The stator sits on a freewheel of the housing. A run starts by itself where speeds differ.

    Parameters
    ----------
    pump, turbine, stator : Measure
        Angles of the three shafts.
    blades : Blades
        The wheels.
    length : float [m]
        Length L of the stream tube, which gives the oil its inertia.
    density : float [kg/m^3]
        Density ρ of the oil.
    oil : (float, float, float) [kg m^2]
        Moments of inertia of the oil in the three wheels.
    design : (float, float, float) [m^2]
        Blade constants S, which couple the accelerations of flow and wheels: ρ S_i ω̇_i Q̇.
    lockup : number, function of time, Signal, Plates or None
        Capacity of the clutch between pump and turbine; 0 for none.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("converter")
    >>> pump = model.add_coordinate("pump", 0.1, driven=lambda t: 200.0 * t)
    >>> turbine = model.add_coordinate("turbine", 0.1, driven=0.0)
    >>> stator = model.add_coordinate("stator", 0.01)
    >>> blades = pt.Blades((0.11, 0.06, 0.07), (0.0, -2.0, 1.9), (-1.0, 0.8, -0.2), area=0.012)
    >>> part = pt.StreamTubeConverter(pump, turbine, stator, blades, length=0.3)
    >>> box = model.add("box", part)
    >>> sol = jd.simulate(model, 1.0)  # stall: the turbine gets more than the pump takes
    >>> float((sol["box.turbine_torque"][-1] / sol["box.pump_torque"][-1]).round(1)) > 1.5
    True
    """

    pump: AngleField
    turbine: AngleField
    stator: AngleField
    blades: Blades
    length: NumberField
    density: NumberField = preset(default=850.0)
    oil: SpanField = preset(default=(0.0, 0.0, 0.0))
    design: SpanField = preset(default=(0.0, 0.0, 0.0))
    lockup: CapacityField = preset(default=0.0)

    def __post_init__(self) -> None:
        word = type(self).__name__
        hold_angles(self, "pump", "turbine", "stator")
        if not isinstance(self.blades, Blades):
            raise ModelError(
                f"blades of {word} is {check.shown(self.blades)}: give pt.Blades(...)."
            )
        check.number(self.length, f"length of {word}", positive=True, unit="m")
        check.number(self.density, f"density of {word}", positive=True)
        require_capacity(self.lockup, f"lockup of {word}")
        for k, name in enumerate(("pump", "turbine", "stator")):
            if nominal(self.design[k]) != 0.0 and nominal(self.oil[k]) == 0.0:
                raise ModelError(
                    f"{word} has a blade constant of its {name}, but no oil in it: give oil=(…) "
                    "[kg m^2], the moments of inertia of the oil."
                )
        if nominal(self._flow_inertia()) <= 0.0:
            raise ModelError(
                f"{word} has blade constants {check.listed(self.design)} m^2 that are too large "
                "for its oil: ρ L/A must exceed Σ (ρ S)²/I. Give a longer tube, or smaller ones."
            )

    def _flow_inertia(self) -> Any:
        """What remains of ρ L/A beside the oil that turns with the wheels [kg/m^4]."""
        pairs = zip(self.design, self.oil, strict=True)
        turning = sum((self.density * s) ** 2 / J for s, J in pairs if nominal(s) != 0.0)
        return self.density * self.length / self.blades.area - turning

    def build(self, group: Group) -> Mapping[str, Any]:
        """The flow, the oil in the wheels, its torques and losses, freewheel and clutch."""
        wheels = self.pump, self.turbine, self.stator
        element = group.add_coordinate("volume", self._flow_inertia(), unit="m^3")
        volume = Coordinate(element)
        for k, name in enumerate(("pump", "turbine", "stator")):
            # ½ I (ω + ρ S Q/I)² has the coupling ρ S ω Q.
            S, J = self.design[k], self.oil[k]
            turning = wheels[k] if nominal(S) == 0.0 else wheels[k] + self.density * S / J * volume
            add_tied(group, f"{name}_oil", J, turning)
        blades, density = self.blades, self.density
        angles = Angles((*wheels, volume), ("pump", "turbine", "stator", "volume"))
        group.add_connection("oil", angles, OilTorques(blades, density))

        def lost(x: Any, v: Any, at: Any) -> Any:
            speeds = tuple(at.rate_of(wheel) for wheel in wheels)
            return blades.lost(speeds, 0.0, density) + 0.0 * v

        group.add_connection("shocks", volume, Interval(lost))
        group.add("freewheel", OneWayClutch(None, self.stator))
        add_lockup(group, self.pump, self.turbine, self.lockup)
        return {"pump": self.pump, "turbine": self.turbine, "stator": self.stator}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torques, flow, and the power that shocks and friction take."""
        ends = ("pump", "turbine", "stator", "volume")
        names = tuple(f"{name}.oil.{q}.{end}" for q in ("force", "rate") for end in ends)
        lost = (*names, f"{name}.shocks.power")
        return converter_torques(name) | {
            "flow": Result("m^3/s", f"flow of oil in {name}", (f"{name}.volume.rate",)),
            "loss": Result("W", f"power that heats the oil of {name}", lost, _lost_power),
        }


def _lost_power(*values: Any) -> Any:
    """Power that oil and shocks take, from forces and rates of the oil and the power of shocks."""
    forces, rates = values[:4], values[4:8]
    return -values[8] - sum(force * rate for force, rate in zip(forces, rates, strict=True))
