"""Registry of library parts: the only classes that model files may name.

A file holds a part of a library by its name in here and its fields. The reader imports nothing
else, so that a file cannot run code that is not on this list.
"""

from __future__ import annotations

import importlib

_HYDRAULICS = (
    "Accumulator",
    "BallCheckValve",
    "BallSeat",
    "CavitatingJunction",
    "ChainTensioner",
    "CheckValve",
    "Cylinder",
    "DirectionalValve",
    "Edge",
    "ElasticLine",
    "FlowSource",
    "Fluid",
    "Gap",
    "Junction",
    "Leakage",
    "Line",
    "Motor",
    "Orifice",
    "PistonMachine",
    "PressureSource",
    "Pump",
    "ReducingValve",
    "ReliefValve",
    "ServoValve",
    "SpoolValve",
    "Tank",
    "Volume",
)
_POWERTRAIN = (
    "AngleLoad",
    "Blades",
    "Brake",
    "CamFollower",
    "CardanJoint",
    "CardanShaft",
    "Circuit",
    "Clutch",
    "ConsistentShaft",
    "Coupling",
    "Cylinders",
    "Differential",
    "DogClutch",
    "DogElement",
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
    "PlanetarySet",
    "Plates",
    "PowerSplit",
    "Ravigneaux",
    "RitzShaft",
    "Shaft",
    "ShiftElement",
    "SpeedLoad",
    "StreamTubeConverter",
    "Stribeck",
    "TorqueConverter",
    "TorsionalDamper",
    "Transmission",
    "TripodJoint",
    "Vehicle",
)
_GEARS = (
    "Elastic",
    "ElasticRing",
    "FourierStiffness",
    "Ideal",
    "Lehr",
    "Mesh",
    "RavigneauxGear",
    "RavigneauxTeeth",
    "Rigid",
    "Rim",
    "Spline",
    "SplitWheel",
    "Teeth",
    "ToothStiffness",
)
_BEARINGS = ("HydrostaticPad", "JournalBearing", "LinearBearing", "RollingBearing")
_FLEXIBLE = ("Section", "SegmentedBeam")
_LIBRARIES = {
    "hydraulics": _HYDRAULICS,
    "flexible": _FLEXIBLE,
    "powertrain": _POWERTRAIN,
    "gears": _GEARS,
    "bearings": _BEARINGS,
}
PARTS: dict[str, str] = {
    f"{library}.{name}": f"jourdain.library.{library}"
    for library, names in _LIBRARIES.items()
    for name in names
}
"""Module of each class by its name in files, ``"hydraulics.Pump": "jourdain.library.hydraulics"``.

Besides parts, records that their fields hold stand here too, such as a fluid.
"""


def registered(name: str) -> type:
    """Class of a name on the list.

    Raises
    ------
    KeyError
        If it is not there.
    """
    module = importlib.import_module(PARTS[name])
    made: type = getattr(module, name.rpartition(".")[2])
    return made


def name_in_files(made: type) -> str | None:
    """Name of a class on the list; None if it is not there."""
    own = made.__name__
    known = (name for name in PARTS if name.rpartition(".")[2] == own)
    return next((name for name in known if registered(name) is made), None)
