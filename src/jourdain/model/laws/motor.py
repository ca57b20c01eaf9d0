"""Electric motors: the current is a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.source import Source, check_source, source_value
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

_POSITIVE = ("resistance", "inductance")


class Motor(ForceLaw):
    """Direct-current motor: torque ``constant · i`` with ``inductance di/dt = V - r i - c v``.

    The measure is the rotation of the rotor against the stator, for example `Coordinate`; for a
    linear motor it is the displacement. The current starts at zero.

    Parameters
    ----------
    constant : float [N m/A = V s/rad, N/A = V s/m]
        Torque per current, and voltage per speed.
    resistance : float [ohm]
        Resistance r of the winding.
    inductance : float [H]
        Inductance of the winding.
    voltage : number or function of time [V], optional
        Voltage V; without it the law has an input ``voltage``.

    Examples
    --------
    >>> import jourdain as jd
    >>> motor = jd.Motor(constant=0.05, resistance=1.0, inductance=5e-4, voltage=12.0)
    >>> dict(motor.states)
    {'current': 'A'}

    References
    ----------
    E. J. Sol, Kinematics and dynamics of multibody systems, TH Eindhoven 1983, Eq. (3.5.8), with
    the sign of the voltage of the speed corrected.
    """

    constant: NumberField
    resistance: NumberField
    inductance: NumberField
    voltage: Source = preset(default=None)

    states = {"current": "A"}

    def __post_init__(self) -> None:
        check_winding(self)
        check_source(self, "voltage")

    @property
    def inputs(self) -> Mapping[str, str]:  # type: ignore[override]
        """The voltage, unless it is given."""
        return {"voltage": "V"} if self.voltage is None else {}

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Constant times current."""
        return self.constant * at.state("current")

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Rate of the current."""
        return (current_rate(self, source_value(self.voltage, "voltage", at), v, at),)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the magnetic field."""
        return 0.5 * self.inductance * at.state("current") ** 2

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Heat of the winding."""
        return self.resistance * at.state("current") ** 2


class Servo(ForceLaw):
    """Motor that is led to a target: a `Motor` with the voltage ``gain (target - x)``.

    Parameters
    ----------
    gain : float [V/rad, V/m]
        Voltage per deviation.
    constant, resistance, inductance : float
        Those of the motor, see `Motor`.
    target : number or function of time [rad, m], optional
        What the measure shall become; without it the law has an input ``target``.
    unit : str
        Unit of the target.

    Examples
    --------
    >>> import jourdain as jd
    >>> servo = jd.Servo(20.0, constant=0.05, resistance=1.0, inductance=5e-4, target=0.5)

    References
    ----------
    E. J. Sol, Kinematics and dynamics of multibody systems, TH Eindhoven 1983, Eq. (3.5.9), with
    the sign of the voltage of the speed corrected.
    """

    gain: NumberField
    constant: NumberField
    resistance: NumberField
    inductance: NumberField
    target: Source = preset(default=None)
    unit: str = "rad"

    states = {"current": "A"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "gain", check.number(self.gain, "gain of Servo"))
        check_winding(self)
        check_source(self, "target")

    @property
    def inputs(self) -> Mapping[str, str]:  # type: ignore[override]
        """The target, unless it is given."""
        return {"target": self.unit} if self.target is None else {}

    def voltage(self, x: Any, at: Any) -> Any:
        """Voltage of the controller [V]."""
        return self.gain * (source_value(self.target, "target", at) - x)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Constant times current."""
        return self.constant * at.state("current")

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Rate of the current."""
        return (current_rate(self, self.voltage(x, at), v, at),)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the magnetic field."""
        return 0.5 * self.inductance * at.state("current") ** 2

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Heat of the winding."""
        return self.resistance * at.state("current") ** 2


def check_winding(law: Any) -> None:
    """Check the numbers of a winding."""
    for name in ("constant", *_POSITIVE):
        what = f"{name} of {type(law).__name__}"
        value = check.number(getattr(law, name), what, positive=name in _POSITIVE)
        object.__setattr__(law, name, value)


def current_rate(law: Any, voltage: Any, v: Any, at: Any) -> Any:
    """Rate [A/s] of the current in a winding that moves at the rate v."""
    drop = law.resistance * at.state("current") + law.constant * v
    return (voltage - drop) / law.inductance
