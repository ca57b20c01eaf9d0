"""Power transmission in one dimension: shafts, gears, clutches, engine, converter and vehicle.

A shaft is a coordinate with inertia, its angle what other parts are joined to; a gear or planetary
set is a constraint between angles, a clutch dry friction on their difference, a freewheel a
one-sided law. Angles may be those of joints of three-dimensional bodies, too:
``jd.Coordinate("main.angle")``.

Torques count from a to b, speeds in rad/s; ``sol["engine.speed", "rpm"]`` converts.
"""

from jourdain.library.powertrain.clutches.capacity import Plates, Stribeck
from jourdain.library.powertrain.clutches.clutch import Brake, Clutch
from jourdain.library.powertrain.clutches.freewheel import DogClutch, OneWayClutch
from jourdain.library.powertrain.machines.cam_load import AngleLoad, CamFollower, SpeedLoad
from jourdain.library.powertrain.machines.cylinders import (
    Cylinders,
    GasCycle,
    speed_irregularity,
    uneven_turning,
)
from jourdain.library.powertrain.machines.engine import Engine
from jourdain.library.powertrain.machines.stream_tube import Blades, StreamTubeConverter
from jourdain.library.powertrain.machines.torque_converter import TorqueConverter
from jourdain.library.powertrain.machines.vehicle import Vehicle
from jourdain.library.powertrain.shafts.cardan import CardanJoint, CardanShaft, cardan_ratio
from jourdain.library.powertrain.shafts.coupling import (
    Coupling,
    ElastomerCoupling,
    TorsionalDamper,
)
from jourdain.library.powertrain.shafts.elastic_shaft import ConsistentShaft, ElasticShaft
from jourdain.library.powertrain.shafts.modal_train import ModalTrain, modal_train
from jourdain.library.powertrain.shafts.ritz_shaft import RitzShaft
from jourdain.library.powertrain.shafts.shaft import Shaft
from jourdain.library.powertrain.shafts.tripod import TripodJoint
from jourdain.library.powertrain.shifting.comfort import Comfort, shift_comfort
from jourdain.library.powertrain.shifting.control import Driver, ShiftControl
from jourdain.library.powertrain.shifting.optimal_shift import (
    Control,
    OptimalShift,
    optimal_shift,
)
from jourdain.library.powertrain.shifting.shift_program import shift_program
from jourdain.library.powertrain.trains.box_elements import (
    DogElement,
    FreewheelElement,
    GearPair,
    GearSet,
    ShiftElement,
)
from jourdain.library.powertrain.trains.gear import Differential, Gear
from jourdain.library.powertrain.trains.planetary_set import PlanetarySet
from jourdain.library.powertrain.trains.power_split import (
    Circuit,
    HydrostaticDrive,
    PowerSplit,
)
from jourdain.library.powertrain.trains.ravigneaux import Ravigneaux
from jourdain.library.powertrain.trains.transmission import Transmission

__all__ = [
    "AngleLoad",
    "Blades",
    "Brake",
    "CamFollower",
    "CardanJoint",
    "CardanShaft",
    "Circuit",
    "Clutch",
    "Comfort",
    "ConsistentShaft",
    "Control",
    "Coupling",
    "Cylinders",
    "Differential",
    "DogClutch",
    "DogElement",
    "Driver",
    "ElasticShaft",
    "ElastomerCoupling",
    "Engine",
    "FreewheelElement",
    "GasCycle",
    "Gear",
    "GearPair",
    "GearSet",
    "HydrostaticDrive",
    "ModalTrain",
    "OneWayClutch",
    "OptimalShift",
    "PlanetarySet",
    "Plates",
    "PowerSplit",
    "Ravigneaux",
    "RitzShaft",
    "Shaft",
    "ShiftControl",
    "ShiftElement",
    "SpeedLoad",
    "StreamTubeConverter",
    "Stribeck",
    "TorqueConverter",
    "TorsionalDamper",
    "Transmission",
    "TripodJoint",
    "Vehicle",
    "cardan_ratio",
    "modal_train",
    "optimal_shift",
    "shift_comfort",
    "shift_program",
    "speed_irregularity",
    "uneven_turning",
]
