"""Laws: how a force answers to a measure. A new one is one file and one entry here."""

from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw, Law, SumLaw
from jourdain.model.laws.spring import Damper, Spring

__all__ = ["Damper", "Equal", "ForceLaw", "Law", "Spring", "SumLaw"]
