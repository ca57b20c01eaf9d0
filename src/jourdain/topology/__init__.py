"""Bodies and joints as a graph: spanning tree, cut joints, regular numbering, matrices."""

from jourdain.topology.freedoms import constrained_modes, driven_coordinates
from jourdain.topology.matrices import TreeMatrices, from_beta
from jourdain.topology.spanning import build
from jourdain.topology.tree import Topology, TreeJoint

__all__ = [
    "Topology",
    "TreeJoint",
    "TreeMatrices",
    "build",
    "constrained_modes",
    "driven_coordinates",
    "from_beta",
]
