"""Jourdain: multibody dynamics in Python, compiled to machine code.

A machine is described in a few lines (`Model`), compiled (`compile`), analysed and looked at.
Names are loaded when they are first used, so that importing the package is quick; their types are
in ``__init__.pyi``, which `make stubs` writes from the table below.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_WHERE = {
    "jourdain.errors": (
        "AssemblyError", "FormatError", "IntegrationError", "JourdainError", "MissingExtraError",
        "ModelError", "SingularSystemError", "TopologyError", "UnknownNameError",
    ),
    "jourdain.math": (
        "Map", "Polynomial", "Ramp", "Sine", "Table", "clip", "cos", "cross", "dot", "exp", "log",
        "maximum", "minimum", "norm", "rotation", "rotation_quaternion", "rotation_x",
        "rotation_y", "rotation_z", "sin", "smooth_step", "sqrt", "tan", "where",
    ),
    "jourdain.spatial.inertia": ("Inertia",),
    "jourdain.spatial.parameter": ("Parameter",),
    "jourdain.model": ("Frame", "Model"),
    "jourdain.model.parts.group": ("Group",),
    "jourdain.model.parts.part": ("BuiltPart", "Part"),
    "jourdain.model.composites.composite": ("Composite", "in_series"),
    "jourdain.model.composites.node": ("Node",),
    "jourdain.model.joints": (
        "ConstantVelocity", "Cylindrical", "Euler", "Fixed", "Free", "Gimbal", "Joint", "Planar",
        "PointOnCurve", "PointOnSurface", "Prismatic", "Revolute", "RollingDisc", "Screw", "Skate",
        "Spherical", "Universal",
    ),
    "jourdain.model.contours": (
        "Box", "Capsule", "Circle", "Contour", "Curve", "Cylinder", "Disc", "HalfSpace", "Point",
        "Polygon", "Polyhedron", "Sphere", "Surface",
    ),
    "jourdain.model.laws": (
        "Actuator", "Bar", "Beam", "Coulomb", "Damper", "Equal", "Force", "ForceLaw", "Hertz",
        "Interval", "Jenkins", "Law", "Locked", "Maxwell", "Motor", "Muscle", "Newton", "Poisson",
        "Servo", "Signal", "Spring", "Unilateral",
    ),
    "jourdain.model.measures": (
        "Angle", "Coordinate", "DiscHeight", "Distance", "Formula", "Gap", "Measure", "OnCurve",
        "OnSurface", "PathLength", "Rate", "Relative", "Rolling", "Sum", "Touch",
    ),
    "jourdain.equations.joints.modes": ("mode_vectors",),
    "jourdain.io": ("read_mjcf", "read_model", "read_urdf", "write_model", "write_urdf"),
    "jourdain.system": ("Looped", "Plain", "System", "Unrolled", "compile"),
    "jourdain.analysis.assemble": ("assemble",),
    "jourdain.analysis.inverse_dynamics": ("inverse_dynamics",),
    "jourdain.analysis.kinematics": ("kinematics",),
    "jourdain.analysis.vibration.eigenmodes": ("eigenmodes",),
    "jourdain.analysis.linear.equilibrium": ("equilibrium",),
    "jourdain.analysis.linear.sweep": ("equilibria",),
    "jourdain.analysis.linear.linearize": ("linearize",),
    "jourdain.analysis.vibration.along_run": ("linearize_along",),
    "jourdain.analysis.vibration.over_parameter": ("campbell",),
    "jourdain.analysis.vibration.periodic": ("periodic",),
    "jourdain.analysis.vibration.response": ("frequency_response",),
    "jourdain.simulation.methods": ("EventDriven", "MoreauJean", "NonsmoothAlpha"),
    "jourdain.analysis.plan": ("plan",),
    "jourdain.analysis.rollout": ("rollout",),
    "jourdain.analysis.signals.orders": ("order_map",),
    "jourdain.analysis.signals.spectra": ("spectrum",),
    "jourdain.analysis.simulate": ("Delayed", "Event", "Sampled", "simulate"),
    "jourdain.analysis.structure": ("structure",),
    "jourdain.analysis.verify": ("verify",),
    "jourdain.formulations": ("Augmented", "Recursive", "VelocityTransformation"),
    "jourdain.solvers": (
        "Cvode", "Dop853", "Dopri5", "Gauss4", "GeneralizedAlpha", "Ida", "Integrator",
        "Method", "Partition", "Projection", "Radau5", "RungeKutta4", "SemiImplicitEuler", "Tsit5",
    ),
    "jourdain.results": ("Solution", "cite", "load"),
    "jourdain.export.fmu.write": ("write_fmu",),
    "jourdain.viz.pages.animate": ("animate", "show"),
    "jourdain.viz.pictures.film": ("render",),
    "jourdain.viz.plot": ("plot",),
    "jourdain.viz.report": ("report",),
}  # fmt: skip
_MODULES = {
    "flexible": "jourdain.library.flexible",
    "library": "jourdain.library",
    "math": "jourdain.math",
    "signals": "jourdain.analysis.signals",
    "solid": "jourdain.spatial.solid",
    "testing": "jourdain.testing",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names}

__all__ = sorted([*_MODULE_OF, *_MODULES, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value: Any = importlib.import_module(_MODULES[name])
    elif name in _MODULE_OF:
        value = getattr(importlib.import_module(_MODULE_OF[name]), name)
    else:
        from jourdain import math  # noqa: PLC0415
        from jourdain.errors import did_you_mean  # noqa: PLC0415

        there = f" It is jd.math.{name}." if name in math.__all__ else did_you_mean(name, __all__)
        raise AttributeError(f"jourdain has no {name!r}.{there}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
