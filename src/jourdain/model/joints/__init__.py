"""Joint kinds: each is one function, ``pose(q, t)``, in a file of its own."""

from jourdain.model.joints.constant_velocity import ConstantVelocity
from jourdain.model.joints.cylindrical import Cylindrical
from jourdain.model.joints.euler import Euler
from jourdain.model.joints.fixed import Fixed
from jourdain.model.joints.free import Free
from jourdain.model.joints.gimbal import Gimbal
from jourdain.model.joints.joint import Joint
from jourdain.model.joints.planar import Planar
from jourdain.model.joints.point_on_curve import PointOnCurve
from jourdain.model.joints.point_on_surface import PointOnSurface
from jourdain.model.joints.prismatic import Prismatic
from jourdain.model.joints.product import Product
from jourdain.model.joints.registry import all_joint_kinds
from jourdain.model.joints.revolute import Revolute
from jourdain.model.joints.rolling_disc import RollingDisc
from jourdain.model.joints.screw import Screw
from jourdain.model.joints.skate import Skate
from jourdain.model.joints.spherical import Spherical
from jourdain.model.joints.universal import Universal

__all__ = [
    "ConstantVelocity",
    "Cylindrical",
    "Euler",
    "Fixed",
    "Free",
    "Gimbal",
    "Joint",
    "Planar",
    "PointOnCurve",
    "PointOnSurface",
    "Prismatic",
    "Product",
    "Revolute",
    "RollingDisc",
    "Screw",
    "Skate",
    "Spherical",
    "Universal",
    "all_joint_kinds",
]
