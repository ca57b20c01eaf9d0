"""Description of a machine: the model, its elements and the joint kinds."""

from jourdain.model.drive import Constant
from jourdain.model.elements import Body, CoordinateElement, Frame, JointElement
from jourdain.model.model import Model

__all__ = ["Body", "Constant", "CoordinateElement", "Frame", "JointElement", "Model"]
