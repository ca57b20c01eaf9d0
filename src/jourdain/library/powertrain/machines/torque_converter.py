"""Torque converter by its maps (4.F26)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, Angles, hold_angles
from jourdain.library.powertrain.clutches.capacity import CapacityField, require_capacity
from jourdain.library.powertrain.clutches.clutch import Clutch
from jourdain.math.left import Course, left
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import is_function
from jourdain.model.parts.part import Part, Samples
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

SLOWEST = 1e-6
"""Speed below which the faster wheel counts as this fast in the ratio of speeds [rad/s]."""
COUPLED = 1e-9
"""Torque at equal speeds that still counts as none, in parts of the torque at stall."""


class ConverterTorques(ForceLaw):
    """Torques on pump and turbine, (−M_P, M_T), by maps over the ratio of speeds (4.F26).

    Parameters
    ----------
    torque, ratio : functions of ν
        Torque of the pump at the reference speed, and M_T/M_P.
    reference : float [rad/s]
        Reference speed.
    """

    torque: Callable[..., Any]
    ratio: Callable[..., Any]
    reference: NumberField

    def _torques(self, v: Any) -> tuple[Any, Any]:
        pump, turbine = v[0], v[1]
        drives = math.absolute(turbine) <= math.absolute(pump)
        fast, slow = math.where(drives, pump, turbine), math.where(drives, turbine, pump)
        slowest = math.where(fast < 0.0, -SLOWEST, SLOWEST)
        nu = slow / math.where(math.absolute(fast) < SLOWEST, slowest, fast)
        size = self.torque(nu) * fast * math.absolute(fast) / self.reference**2
        taken = math.where(drives, size, -size)
        return taken, math.where(drives, self.ratio(nu), 1.0) * taken

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Torques on pump and turbine."""
        pump, turbine = self._torques(v)
        return math.vector(-pump, turbine)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """What heats the oil."""
        pump, turbine = self._torques(v)
        return pump * v[0] - turbine * v[1]


class TorqueConverter(Part):
    """A torque converter by its maps over the ratio of speeds ν = ω_T/ω_P (4.F26).

        M_P = M_ref(ν) (ω_P/ω_ref)²,   M_T = μ(ν) M_P

    Where the turbine is faster, in coast, it is a coupling: the two change places, μ = 1.

    Parameters
    ----------
    pump, turbine : Measure
        Angles of the two shafts.
    torque : function of ν [N m]
        Torque M_ref of the pump at the reference speed; zero at ν = 1. Begin it at ν = −1 where
        the turbine may turn backward; before its first point it is as there.
    ratio : function of ν
        Torque ratio μ: 2 or so at ν = 0, 1 from the coupling point on.
    reference : float [rad/s]
        Reference speed ω_ref.
    lockup : number, function of time, Signal, Plates or None
        Capacity of the clutch between pump and turbine, as that of `Clutch`; 0 for none.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("stall")
    >>> pump = model.add_coordinate("pump", 0.1, driven=lambda t: 200.0 * t)
    >>> turbine = model.add_coordinate("turbine", 0.1, driven=0.0)
    >>> maps = jd.Table((0.0, 0.8, 1.0), (150.0, 140.0, 0.0)), jd.Table((0.0, 0.85), (2.0, 1.0))
    >>> box = model.add("box", pt.TorqueConverter(pump, turbine, *maps, reference=200.0))
    >>> sol = jd.simulate(model, 0.1)
    >>> [float(sol[f"box.{n}"][-1]) for n in ("pump_torque", "turbine_torque", "loss")]
    [150.0, 300.0, 30000.0]
    """

    pump: AngleField
    turbine: AngleField
    torque: Callable[..., Any]
    ratio: Callable[..., Any]
    reference: NumberField
    lockup: CapacityField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "pump", "turbine")
        for name in ("torque", "ratio"):
            if not is_function(getattr(self, name)):
                raise ModelError(
                    f"{name} of TorqueConverter is {check.shown(getattr(self, name))}: give a "
                    "function of the ratio of speeds, such as jd.Table((0, 0.8, 1), (150, 140, 0))."
                )
            curve = getattr(self, name)
            first = curve.x[0] if isinstance(curve, math.Table) else 0.0
            if first > 0.0:
                raise ModelError(
                    f"{name} of TorqueConverter begins at ν = {first:g}, but a vehicle starts with "
                    "a turbine that stands: outside of its map. Begin it at 0, or at −1 where the "
                    "turbine may turn backward."
                )
        check.number(self.reference, "reference of TorqueConverter", positive=True, unit="rad/s")
        require_capacity(self.lockup, "lockup of TorqueConverter")
        left = float(self.torque(1.0))
        if abs(left) > COUPLED * abs(float(self.torque(0.0))):
            raise ModelError(
                f"torque of TorqueConverter is {left:g} N m at equal speeds: it would jump where "
                "the turbine overtakes the pump. End the map with 0 at ν = 1."
            )

    def build(self, group: Group) -> Mapping[str, Any]:
        """One connection on both shafts, and the clutch beside it."""
        law = ConverterTorques(self.torque, self.ratio, self.reference)
        shafts = Angles((self.pump, self.turbine), ("pump", "turbine"))
        group.add_connection("oil", shafts, law)
        add_lockup(group, self.pump, self.turbine, self.lockup)
        return {"pump": self.pump, "turbine": self.turbine}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torques that the pump takes and the turbine gives, and what heats the oil."""
        oil = f"{name}.oil"
        names = tuple(f"{oil}.{q}.{s}" for q in ("force", "rate") for s in ("pump", "turbine"))
        loss = Result(
            "W", f"power that heats the oil of {name}", names, lambda p, t, v, w: -p * v - t * w
        )
        return converter_torques(name) | {"loss": loss}

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """Maps that were left; beyond its last point a map that keeps its end is coupled."""
        pump, turbine = (values(f"{name}.oil.rate.{side}") for side in ("pump", "turbine"))
        drives = np.abs(turbine) <= np.abs(pump)
        fast, slow = np.where(drives, pump, turbine), np.where(drives, turbine, pump)
        nu = np.where(np.abs(fast) > SLOWEST, slow / np.where(fast == 0.0, 1.0, fast), 0.0)
        asked = {"torque": nu, "ratio": np.where(drives, nu, 0.0)}
        for word, numbers in asked.items():
            curve, what = getattr(self, word), f"{word} of the torque converter {name!r}"
            is_held = isinstance(curve, math.Table) and curve.outside == "hold"
            inside = np.minimum(numbers, curve.x[-1]) if is_held else numbers
            time = values.time(f"{name}.oil.rate.pump")
            yield from left(what, curve, Course("ratio of speeds", "", inside, time))


def add_lockup(group: Group, pump: Any, turbine: Any, capacity: Any) -> None:
    """Add the clutch between pump and turbine; nothing without capacity."""
    if not isinstance(capacity, float | int) or capacity > 0.0:
        group.add("lockup", Clutch(pump, turbine, capacity))


def converter_torques(name: str) -> dict[str, Result]:
    """Torque that the pump takes, and that which the turbine gives."""
    oil = f"{name}.oil.force"
    pump = Result(
        "N m", f"torque that the pump of {name} takes", (f"{oil}.pump",), lambda force: -force
    )
    text = f"torque of the oil of {name} on its turbine"
    return {"pump_torque": pump, "turbine_torque": Result("N m", text, (f"{oil}.turbine",))}
