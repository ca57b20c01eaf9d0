"""Poses, inertias, solids, parameters and input checks."""

from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter
from jourdain.spatial.solid import Shape, Solid

__all__ = ["Inertia", "Parameter", "Shape", "Solid", "solid"]
