"""Types of the public names. Written by `make stubs`; do not edit."""

from jourdain import library as library
from jourdain import math as math
from jourdain import testing as testing
from jourdain.analysis import signals as signals
from jourdain.analysis.assemble import assemble as assemble
from jourdain.analysis.inverse_dynamics import inverse_dynamics as inverse_dynamics
from jourdain.analysis.kinematics import kinematics as kinematics
from jourdain.analysis.linear.equilibrium import equilibrium as equilibrium
from jourdain.analysis.linear.linearize import linearize as linearize
from jourdain.analysis.linear.sweep import equilibria as equilibria
from jourdain.analysis.plan import plan as plan
from jourdain.analysis.rollout import rollout as rollout
from jourdain.analysis.signals.orders import order_map as order_map
from jourdain.analysis.signals.spectra import spectrum as spectrum
from jourdain.analysis.simulate import Delayed as Delayed
from jourdain.analysis.simulate import Event as Event
from jourdain.analysis.simulate import Sampled as Sampled
from jourdain.analysis.simulate import simulate as simulate
from jourdain.analysis.structure import structure as structure
from jourdain.analysis.verify import verify as verify
from jourdain.analysis.vibration.along_run import linearize_along as linearize_along
from jourdain.analysis.vibration.eigenmodes import eigenmodes as eigenmodes
from jourdain.analysis.vibration.over_parameter import campbell as campbell
from jourdain.analysis.vibration.periodic import periodic as periodic
from jourdain.analysis.vibration.response import frequency_response as frequency_response
from jourdain.equations.joints.modes import mode_vectors as mode_vectors
from jourdain.errors import AssemblyError as AssemblyError
from jourdain.errors import FormatError as FormatError
from jourdain.errors import IntegrationError as IntegrationError
from jourdain.errors import JourdainError as JourdainError
from jourdain.errors import MissingExtraError as MissingExtraError
from jourdain.errors import ModelError as ModelError
from jourdain.errors import SingularSystemError as SingularSystemError
from jourdain.errors import TopologyError as TopologyError
from jourdain.errors import UnknownNameError as UnknownNameError
from jourdain.export.fmu.write import write_fmu as write_fmu
from jourdain.formulations import Augmented as Augmented
from jourdain.formulations import Recursive as Recursive
from jourdain.formulations import VelocityTransformation as VelocityTransformation
from jourdain.io import read_mjcf as read_mjcf
from jourdain.io import read_model as read_model
from jourdain.io import read_urdf as read_urdf
from jourdain.io import write_model as write_model
from jourdain.io import write_urdf as write_urdf
from jourdain.library import flexible as flexible
from jourdain.math import Map as Map
from jourdain.math import Polynomial as Polynomial
from jourdain.math import Ramp as Ramp
from jourdain.math import Sine as Sine
from jourdain.math import Table as Table
from jourdain.math import clip as clip
from jourdain.math import cos as cos
from jourdain.math import cross as cross
from jourdain.math import dot as dot
from jourdain.math import exp as exp
from jourdain.math import log as log
from jourdain.math import maximum as maximum
from jourdain.math import minimum as minimum
from jourdain.math import norm as norm
from jourdain.math import rotation as rotation
from jourdain.math import rotation_quaternion as rotation_quaternion
from jourdain.math import rotation_x as rotation_x
from jourdain.math import rotation_y as rotation_y
from jourdain.math import rotation_z as rotation_z
from jourdain.math import sin as sin
from jourdain.math import smooth_step as smooth_step
from jourdain.math import sqrt as sqrt
from jourdain.math import tan as tan
from jourdain.math import where as where
from jourdain.model import Frame as Frame
from jourdain.model import Model as Model
from jourdain.model.composites.composite import Composite as Composite
from jourdain.model.composites.composite import in_series as in_series
from jourdain.model.composites.node import Node as Node
from jourdain.model.contours import Box as Box
from jourdain.model.contours import Capsule as Capsule
from jourdain.model.contours import Circle as Circle
from jourdain.model.contours import Contour as Contour
from jourdain.model.contours import Curve as Curve
from jourdain.model.contours import Cylinder as Cylinder
from jourdain.model.contours import Disc as Disc
from jourdain.model.contours import HalfSpace as HalfSpace
from jourdain.model.contours import Point as Point
from jourdain.model.contours import Polygon as Polygon
from jourdain.model.contours import Polyhedron as Polyhedron
from jourdain.model.contours import Sphere as Sphere
from jourdain.model.contours import Surface as Surface
from jourdain.model.joints import ConstantVelocity as ConstantVelocity
from jourdain.model.joints import Cylindrical as Cylindrical
from jourdain.model.joints import Euler as Euler
from jourdain.model.joints import Fixed as Fixed
from jourdain.model.joints import Free as Free
from jourdain.model.joints import Gimbal as Gimbal
from jourdain.model.joints import Joint as Joint
from jourdain.model.joints import Planar as Planar
from jourdain.model.joints import PointOnCurve as PointOnCurve
from jourdain.model.joints import PointOnSurface as PointOnSurface
from jourdain.model.joints import Prismatic as Prismatic
from jourdain.model.joints import Revolute as Revolute
from jourdain.model.joints import RollingDisc as RollingDisc
from jourdain.model.joints import Screw as Screw
from jourdain.model.joints import Skate as Skate
from jourdain.model.joints import Spherical as Spherical
from jourdain.model.joints import Universal as Universal
from jourdain.model.laws import Actuator as Actuator
from jourdain.model.laws import Bar as Bar
from jourdain.model.laws import Beam as Beam
from jourdain.model.laws import Coulomb as Coulomb
from jourdain.model.laws import Damper as Damper
from jourdain.model.laws import Equal as Equal
from jourdain.model.laws import Force as Force
from jourdain.model.laws import ForceLaw as ForceLaw
from jourdain.model.laws import Hertz as Hertz
from jourdain.model.laws import Interval as Interval
from jourdain.model.laws import Jenkins as Jenkins
from jourdain.model.laws import Law as Law
from jourdain.model.laws import Locked as Locked
from jourdain.model.laws import Maxwell as Maxwell
from jourdain.model.laws import Motor as Motor
from jourdain.model.laws import Muscle as Muscle
from jourdain.model.laws import Newton as Newton
from jourdain.model.laws import Poisson as Poisson
from jourdain.model.laws import Servo as Servo
from jourdain.model.laws import Signal as Signal
from jourdain.model.laws import Spring as Spring
from jourdain.model.laws import Unilateral as Unilateral
from jourdain.model.measures import Angle as Angle
from jourdain.model.measures import Coordinate as Coordinate
from jourdain.model.measures import DiscHeight as DiscHeight
from jourdain.model.measures import Distance as Distance
from jourdain.model.measures import Formula as Formula
from jourdain.model.measures import Gap as Gap
from jourdain.model.measures import Measure as Measure
from jourdain.model.measures import OnCurve as OnCurve
from jourdain.model.measures import OnSurface as OnSurface
from jourdain.model.measures import PathLength as PathLength
from jourdain.model.measures import Rate as Rate
from jourdain.model.measures import Relative as Relative
from jourdain.model.measures import Rolling as Rolling
from jourdain.model.measures import Sum as Sum
from jourdain.model.measures import Touch as Touch
from jourdain.model.parts.group import Group as Group
from jourdain.model.parts.part import BuiltPart as BuiltPart
from jourdain.model.parts.part import Part as Part
from jourdain.results import Solution as Solution
from jourdain.results import cite as cite
from jourdain.results import load as load
from jourdain.simulation.methods import EventDriven as EventDriven
from jourdain.simulation.methods import MoreauJean as MoreauJean
from jourdain.simulation.methods import NonsmoothAlpha as NonsmoothAlpha
from jourdain.solvers import Cvode as Cvode
from jourdain.solvers import Dop853 as Dop853
from jourdain.solvers import Dopri5 as Dopri5
from jourdain.solvers import Gauss4 as Gauss4
from jourdain.solvers import GeneralizedAlpha as GeneralizedAlpha
from jourdain.solvers import Ida as Ida
from jourdain.solvers import Integrator as Integrator
from jourdain.solvers import Method as Method
from jourdain.solvers import Partition as Partition
from jourdain.solvers import Projection as Projection
from jourdain.solvers import Radau5 as Radau5
from jourdain.solvers import RungeKutta4 as RungeKutta4
from jourdain.solvers import SemiImplicitEuler as SemiImplicitEuler
from jourdain.solvers import Tsit5 as Tsit5
from jourdain.spatial import solid as solid
from jourdain.spatial.inertia import Inertia as Inertia
from jourdain.spatial.parameter import Parameter as Parameter
from jourdain.system import Looped as Looped
from jourdain.system import Plain as Plain
from jourdain.system import System as System
from jourdain.system import Unrolled as Unrolled
from jourdain.system import compile as compile
from jourdain.viz.pages.animate import animate as animate
from jourdain.viz.pages.animate import show as show
from jourdain.viz.pictures.film import render as render
from jourdain.viz.plot import plot as plot
from jourdain.viz.report import report as report

__version__: str
__all__ = [
    "Actuator",
    "Angle",
    "AssemblyError",
    "Augmented",
    "Bar",
    "Beam",
    "Box",
    "BuiltPart",
    "Capsule",
    "Circle",
    "Composite",
    "ConstantVelocity",
    "Contour",
    "Coordinate",
    "Coulomb",
    "Curve",
    "Cvode",
    "Cylinder",
    "Cylindrical",
    "Damper",
    "Delayed",
    "Disc",
    "DiscHeight",
    "Distance",
    "Dop853",
    "Dopri5",
    "Equal",
    "Euler",
    "Event",
    "EventDriven",
    "Fixed",
    "Force",
    "ForceLaw",
    "FormatError",
    "Formula",
    "Frame",
    "Free",
    "Gap",
    "Gauss4",
    "GeneralizedAlpha",
    "Gimbal",
    "Group",
    "HalfSpace",
    "Hertz",
    "Ida",
    "Inertia",
    "IntegrationError",
    "Integrator",
    "Interval",
    "Jenkins",
    "Joint",
    "JourdainError",
    "Law",
    "Locked",
    "Looped",
    "Map",
    "Maxwell",
    "Measure",
    "Method",
    "MissingExtraError",
    "Model",
    "ModelError",
    "MoreauJean",
    "Motor",
    "Muscle",
    "Newton",
    "Node",
    "NonsmoothAlpha",
    "OnCurve",
    "OnSurface",
    "Parameter",
    "Part",
    "Partition",
    "PathLength",
    "Plain",
    "Planar",
    "Point",
    "PointOnCurve",
    "PointOnSurface",
    "Poisson",
    "Polygon",
    "Polyhedron",
    "Polynomial",
    "Prismatic",
    "Projection",
    "Radau5",
    "Ramp",
    "Rate",
    "Recursive",
    "Relative",
    "Revolute",
    "Rolling",
    "RollingDisc",
    "RungeKutta4",
    "Sampled",
    "Screw",
    "SemiImplicitEuler",
    "Servo",
    "Signal",
    "Sine",
    "SingularSystemError",
    "Skate",
    "Solution",
    "Sphere",
    "Spherical",
    "Spring",
    "Sum",
    "Surface",
    "System",
    "Table",
    "TopologyError",
    "Touch",
    "Tsit5",
    "Unilateral",
    "Universal",
    "UnknownNameError",
    "Unrolled",
    "VelocityTransformation",
    "__version__",
    "animate",
    "assemble",
    "campbell",
    "cite",
    "clip",
    "compile",
    "cos",
    "cross",
    "dot",
    "eigenmodes",
    "equilibria",
    "equilibrium",
    "exp",
    "flexible",
    "frequency_response",
    "in_series",
    "inverse_dynamics",
    "kinematics",
    "library",
    "linearize",
    "linearize_along",
    "load",
    "log",
    "math",
    "maximum",
    "minimum",
    "mode_vectors",
    "norm",
    "order_map",
    "periodic",
    "plan",
    "plot",
    "read_mjcf",
    "read_model",
    "read_urdf",
    "render",
    "report",
    "rollout",
    "rotation",
    "rotation_quaternion",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "show",
    "signals",
    "simulate",
    "sin",
    "smooth_step",
    "solid",
    "spectrum",
    "sqrt",
    "structure",
    "tan",
    "testing",
    "verify",
    "where",
    "write_fmu",
    "write_model",
    "write_urdf",
]
