"""Flexible bodies: small deformations on large motions. Used as ``jd.flexible.beam(...)``."""

from jourdain.model.flexible.beam import beam, shaft
from jourdain.model.flexible.damping import Rayleigh
from jourdain.model.flexible.disc import Disc, disc
from jourdain.model.flexible.fem.from_fem import from_fem
from jourdain.model.flexible.fem.generators import box_mesh, cylinder_mesh
from jourdain.model.flexible.fem.reading import read_mesh
from jourdain.model.flexible.integrals import Integrals
from jourdain.model.flexible.nodes.archive import read_body, write_body
from jourdain.model.flexible.nodes.mesh import Mesh
from jourdain.model.flexible.nodes.modes import from_modes
from jourdain.model.flexible.nodes.nodal import NodalSolid
from jourdain.model.flexible.ring import ring
from jourdain.model.flexible.section import (
    ALUMINIUM,
    STEEL,
    Material,
    Section,
    circle,
    rectangle,
    tube,
)
from jourdain.model.flexible.solid import FlexibleSolid

__all__ = [
    "ALUMINIUM",
    "STEEL",
    "Disc",
    "FlexibleSolid",
    "Integrals",
    "Material",
    "Mesh",
    "NodalSolid",
    "Rayleigh",
    "Section",
    "beam",
    "box_mesh",
    "circle",
    "cylinder_mesh",
    "disc",
    "from_fem",
    "from_modes",
    "read_body",
    "read_mesh",
    "rectangle",
    "ring",
    "shaft",
    "tube",
    "write_body",
]
