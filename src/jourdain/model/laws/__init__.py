"""Laws: how a force answers to a measure. A new one is one file and one entry here."""

from jourdain.model.laws.equal import Equal
from jourdain.model.laws.impact import Newton, Poisson
from jourdain.model.laws.law import ForceLaw, Law, SumLaw
from jourdain.model.laws.spring import Damper, Spring
from jourdain.model.laws.unilateral import Coulomb, Interval, SetValued, Unilateral

__all__ = [
    "Coulomb",
    "Damper",
    "Equal",
    "ForceLaw",
    "Interval",
    "Law",
    "Newton",
    "Poisson",
    "SetValued",
    "Spring",
    "SumLaw",
    "Unilateral",
]
