"""Gears: involute teeth, meshes with play, planetary sets with their phases, splines.

A `Mesh` joins two wheels, on shafts (angles) or on bodies (frames), by ideal teeth, by elastic ones
with play, damping and oil film, or by rigid ones that hit. Forces act along the line of action.
"""

from jourdain.library.gears.geometry.contact import (
    Lubricant,
    Material,
    film_thickness,
    flank_radius,
    hertz_stress,
)
from jourdain.library.gears.geometry.phasing import Phasing, phasing
from jourdain.library.gears.geometry.teeth import Teeth
from jourdain.library.gears.meshes.contact import Elastic, Ideal, Rigid
from jourdain.library.gears.meshes.mesh import Mesh
from jourdain.library.gears.meshes.stiffness import FourierStiffness, Lehr, ToothStiffness
from jourdain.library.gears.sets.elastic_ring import ElasticRing, Rim
from jourdain.library.gears.sets.ravigneaux import RavigneauxGear, RavigneauxTeeth
from jourdain.library.gears.sets.spline import Spline
from jourdain.library.gears.sets.split_wheel import SplitWheel

__all__ = [
    "Elastic",
    "ElasticRing",
    "FourierStiffness",
    "Ideal",
    "Lehr",
    "Lubricant",
    "Material",
    "Mesh",
    "Phasing",
    "RavigneauxGear",
    "RavigneauxTeeth",
    "Rigid",
    "Rim",
    "Spline",
    "SplitWheel",
    "Teeth",
    "ToothStiffness",
    "film_thickness",
    "flank_radius",
    "hertz_stress",
    "phasing",
]
