"""Every built-in smooth law, for tests that must hold for all of them."""

from __future__ import annotations

from typing import Any

from jourdain.math import Polynomial, Sine, Table
from jourdain.model.laws.actuator import Actuator
from jourdain.model.laws.beam import Bar, Beam
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.force import Force
from jourdain.model.laws.hertz import Hertz
from jourdain.model.laws.jenkins import Jenkins
from jourdain.model.laws.law import ForceLaw, Law
from jourdain.model.laws.maxwell import Maxwell
from jourdain.model.laws.motor import Motor, Servo
from jourdain.model.laws.muscle import Muscle
from jourdain.model.laws.spring import Spring

_BUSHING = ((3e3, 100.0, 0.0), (100.0, 2e3, -50.0), (0.0, -50.0, 40.0))
_OIL = ((5.0, 1.0, 0.0), (1.0, 4.0, 0.2), (0.0, 0.2, 0.1))


def hardening(x: Any) -> Any:
    """Pull [N] of a spring that grows stiffer."""
    return 100.0 * x + 50.0 * x**3


def hardening_energy(x: Any) -> Any:
    """Energy [J] of the spring that grows stiffer."""
    return 50.0 * x**2 + 12.5 * x**4


def lagging(x: Any, v: Any, at: Any) -> Any:
    """Force [N] that follows the pull of a spring with a delay."""
    return -10.0 * at.state("lag") + at.input("push")


def lag_rate(x: Any, v: Any, at: Any) -> Any:
    """Rate [m/s] of the delayed elongation."""
    return ((x - at.state("lag")) / 0.1,)


def all_laws() -> tuple[tuple[ForceLaw, int], ...]:
    """Representative instances of every built-in law, with the size of the measure each takes."""
    states, inputs = {"lag": "m"}, {"push": "N"}
    winding: dict[str, Any] = {"constant": 0.05, "resistance": 1.0, "inductance": 0.5e-3}
    rubber = Table((-0.5, 0.0, 0.2, 1.0), (-300.0, 0.0, 20.0, 400.0), "monotone", "extrapolate")
    one = (
        *(Spring(100.0, 0.2), Spring(50.0, 0.1, 3.0), Spring(-20.0)),
        *(Spring(rubber, 0.1), Spring(Polynomial((0.0, 10.0, 0.0, 5.0)), preload=2.0)),
        Spring(hardening, 0.1, potential=hardening_energy),
        *(Damper(5.0), Damper(Polynomial((0.0, 2.0, 0.0, 3.0)))),
        *(Maxwell(100.0, 0.2), Maxwell((100.0, 20.0), (0.2, 3.0), 0.1, "rad")),
        *(Jenkins(100.0, 20.0), Jenkins((100.0, 50.0), (20.0, 30.0), 0.1, "rad")),
        *(Hertz(200.0), Hertz(50.0, 0.2, 10.0 / 9.0)),
        *(Muscle(60.0, 0.8), Muscle(60.0, 0.8, signal=0.7)),
        Bar(0.5, 2e3),
        *(Force(3.0), Force(Sine(2.0, 1.5))),
        *(Actuator(2e-3), Actuator(-1e-3, Sine(1e5, 2.0))),
        *(Motor(**winding), Motor(**winding, voltage=12.0)),
        *(Servo(20.0, **winding), Servo(20.0, **winding, target=Sine(0.5, 2.0), unit="m")),
        Law(hardening_energy),
        Law(lagging, states=states, inputs=inputs, state_rates=lag_rate, state_start=(0.1,)),
        Spring(100.0, 0.2) + Damper(5.0) + Maxwell(10.0, 0.1),
    )
    three = (
        *(Spring((10.0, 20.0, 30.0), (0.1, 0.0, 0.2)), Spring(_BUSHING, 0.1, (1.0, 2.0, 3.0))),
        *(Damper((1.0, 2.0, 3.0)), Damper(_OIL), Spring(_BUSHING) + Damper(_OIL)),
        *(Beam(0.5, 1e4, 20.0), Beam(0.5, 1e4, 20.0, damping=0.01)),
        Force((1.0, 2.0, 3.0)),
    )
    six = (Beam(0.5, 1e4, (20.0, 30.0), 10.0), Beam(0.5, 1e4, 20.0, 10.0, 0.02), Spring(7.0))
    return tuple((law, n) for n, laws in ((1, one), (3, three), (6, six)) for law in laws)
