"""A six-legged machine that walks in a circle: the machine of the demonstration.

The trunk and the feet follow functions of time; the angles of the legs are solved from them in
closed form. All of it is plain mathematics of `jourdain.math`, and is compiled with the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from jourdain import math
from jourdain.model import Model
from jourdain.model.elements import Body
from jourdain.model.joints import Free, Revolute
from jourdain.spatial import solid

RADIUS = 0.62  # of the circle [m]
CYCLE = 0.8  # duration of a double step [s]
STEPS = 16  # double steps in one round
ROUND = CYCLE * STEPS  # [s]
RATE = 2.0 * math.pi / ROUND  # of turning [rad/s]
HEIGHT = 0.13  # of the trunk [m]
LIFT = 0.06  # of a foot [m]
HIP, THIGH, SHIN = 0.055, 0.14, 0.21  # lengths [m]


@dataclass(frozen=True, slots=True)
class Leg:
    """Where a leg sits on the trunk, and when it steps.

    Parameters
    ----------
    name : str
        Beginning of the names of its bodies and joints.
    position : (3,) [m]
        Hip in the axes of the trunk.
    angle : float [rad]
        Direction of the leg, from forwards to the left.
    phase : float [1]
        Part of a cycle by which its step is late; legs of equal phase form a tripod.
    """

    name: str
    position: tuple[float, float, float]
    angle: float
    phase: float

    @property
    def home(self) -> Any:
        """Place of the foot on the ground below the trunk, halfway through its stance [m]."""
        x, y, _ = self.position
        reach = 0.22
        return math.vector(x + reach * math.cos(self.angle), y + reach * math.sin(self.angle), 0.0)


def legs() -> tuple[Leg, ...]:
    """Three legs on each side, from front to rear; neighbours step in turn."""
    places = ((0.17, 0.085, 0.85), (0.0, 0.115, 1.57), (-0.17, 0.085, 2.29))
    return tuple(
        Leg(f"{side}_{k}", (x, sign * y, 0.0), sign * angle, 0.5 * ((k + (sign > 0)) % 2))
        for side, sign in (("left", 1), ("right", -1))
        for k, (x, y, angle) in enumerate(places, 1)
    )


def trunk_position(t: Any) -> Any:
    """Position of the trunk at time t [s]: round the origin, with a slight bounce [m]."""
    turn = RATE * t
    bounce = 0.006 * math.cos(4.0 * math.pi * t / CYCLE)
    return math.vector(RADIUS * math.sin(turn), -RADIUS * math.cos(turn), HEIGHT + bounce)


def trunk_orientation(t: Any) -> Any:
    """Quaternion of the trunk at time t [s]: heading along the circle, swaying with the steps."""
    heading, roll = 0.5 * RATE * t, 0.03 * math.sin(2.0 * math.pi * t / CYCLE)
    turned = math.vector(math.cos(heading), 0.0, 0.0, math.sin(heading))
    return math.quaternion_product(turned, (math.cos(roll), math.sin(roll), 0.0, 0.0))


def foot_position(leg: Leg, t: Any) -> Any:
    """Place of a foot at time t [s] in the world [m]: at rest, then in an arc to the next hold."""
    count = math.floor(t / CYCLE - leg.phase)
    progress = math.smooth_step(t / CYCLE - leg.phase - count, 0.5, 1.0)
    turn = RATE * CYCLE * (count + progress + leg.phase + 0.25)
    arc = 4.0 * progress * (1.0 - progress)
    centre = math.vector(0.0, RADIUS, 0.0)
    return math.rotation_z(turn) @ (leg.home - centre) + math.vector(0.0, 0.0, LIFT * arc * arc)


def joint_angles(leg: Leg, t: Any) -> tuple[Any, Any, Any]:
    """Angles [rad] of a leg that put its foot where it has to be: swing, lift and knee.

    Swing turns about the vertical axis of the hip, the others about the axis across the leg, so
    that a positive angle lowers what is behind.
    """
    to_trunk = math.rotation_quaternion(trunk_orientation(t)).T
    in_trunk = to_trunk @ (foot_position(leg, t) - trunk_position(t))
    foot = math.rotation_z(-leg.angle) @ (in_trunk - math.vector(leg.position))
    out = math.hypot(foot[0], foot[1]) - HIP
    squared = out * out + foot[2] * foot[2]
    lift = math.acos((squared + THIGH**2 - SHIN**2) / (2.0 * THIGH * math.sqrt(squared)))
    bend = math.acos((squared - THIGH**2 - SHIN**2) / (2.0 * THIGH * SHIN))
    return math.atan2(foot[1], foot[0]), -math.atan2(foot[2], out) - lift, bend


def make_walker() -> Model:
    """Build the machine: a trunk with six driven legs and a scanner that turns freely on top."""
    model = Model("walker")
    trunk = model.add_body("trunk", _hull())
    motion = {"position": trunk_position, "orientation": trunk_orientation}
    model.add_joint("way", model.world, trunk, Free(), driven=motion)
    scanner = model.add_body("scanner", _head())
    model.add_joint("mast", trunk.at(0.07, 0.0, 0.05), scanner, Revolute("z"))
    for leg in legs():
        _add_leg(model, trunk, leg)
    return model


def colours() -> Mapping[str, str]:
    """Colours by body: one family for each tripod."""
    families = {0.0: ("#b45309", "#d97706", "#f0a63a"), 0.5: ("#0f5c73", "#1d84a3", "#4fb3cf")}
    parts = {
        f"{leg.name}_{part}": colour
        for leg in legs()
        for part, colour in zip(("hip", "thigh", "shin"), families[leg.phase], strict=True)
    }
    return {"trunk": "#3b4654", "scanner": "#e2e6ea", **parts}


def _add_leg(model: Model, trunk: Body, leg: Leg) -> None:
    hip = model.add_body(f"{leg.name}_hip", _hip())
    thigh = model.add_body(f"{leg.name}_thigh", _thigh())
    shin = model.add_body(f"{leg.name}_shin", _shin())
    place = trunk.at(*leg.position, rotation=math.rotation_z(leg.angle))
    ends = ((place, hip, "z"), (hip.at(HIP), thigh, "y"), (thigh.at(THIGH), shin, "y"))
    for k, (inner, outer, axis) in enumerate(ends):
        name = f"{leg.name}_{('swing', 'lift', 'knee')[k]}"
        drive = {"angle": partial(_angle, leg, k)}
        model.add_joint(name, inner, outer, Revolute(axis), driven=drive)
    model.add_frame(f"{leg.name}_foot", shin.at(SHIN))


def _angle(leg: Leg, k: int, t: Any) -> Any:
    return joint_angles(leg, t)[k]


def _hull() -> solid.Solid:
    deck = solid.box(1.0, (0.26, 0.11, 0.02), at=(0.0, 0.0, 0.035))
    return solid.ellipsoid(4.0, (0.23, 0.115, 0.042)) + deck


def _head() -> solid.Solid:
    drum = solid.cylinder(0.2, 0.032, 0.03, at=(0.0, 0.0, 0.02))
    return drum + solid.box(0.05, (0.02, 0.07, 0.016), at=(0.03, 0.0, 0.02))


def _hip() -> solid.Solid:
    arm = solid.box(0.1, (HIP, 0.022, 0.018), at=(0.5 * HIP, 0.0, 0.0))
    return solid.cylinder(0.1, 0.022, 0.05) + arm


def _thigh() -> solid.Solid:
    bearing = partial(solid.cylinder, 0.05, 0.017, 0.04, "y")
    beam = solid.box(0.2, (THIGH, 0.018, 0.026), at=(0.5 * THIGH, 0.0, 0.0))
    return bearing() + beam + bearing(at=(THIGH, 0.0, 0.0))


def _shin() -> solid.Solid:
    return solid.cone(0.2, 0.016, SHIN, "x") + solid.ball(0.02, 0.006, at=(SHIN, 0.0, 0.0))
