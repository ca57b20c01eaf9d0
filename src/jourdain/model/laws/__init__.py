"""Laws: how a force answers to a measure. A new one is one file and one entry in a registry."""

from jourdain.model.laws.actuator import Actuator
from jourdain.model.laws.beam import Bar, Beam
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.force import Force
from jourdain.model.laws.hertz import Hertz
from jourdain.model.laws.impact import Newton, Poisson
from jourdain.model.laws.jenkins import Jenkins
from jourdain.model.laws.law import ForceLaw, Law, SumLaw
from jourdain.model.laws.locked import Locked
from jourdain.model.laws.maxwell import Maxwell
from jourdain.model.laws.motor import Motor, Servo
from jourdain.model.laws.muscle import Muscle
from jourdain.model.laws.registry import all_laws
from jourdain.model.laws.signal import Signal
from jourdain.model.laws.spring import Spring
from jourdain.model.laws.unilateral import Coulomb, Dry, Interval, SetValued, Unilateral

__all__ = [
    "Actuator",
    "Bar",
    "Beam",
    "Coulomb",
    "Damper",
    "Dry",
    "Equal",
    "Force",
    "ForceLaw",
    "Hertz",
    "Interval",
    "Jenkins",
    "Law",
    "Locked",
    "Maxwell",
    "Motor",
    "Muscle",
    "Newton",
    "Poisson",
    "Servo",
    "SetValued",
    "Signal",
    "Spring",
    "SumLaw",
    "Unilateral",
    "all_laws",
]
