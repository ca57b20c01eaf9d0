"""Limits of joints that follow others, and start values that keep the limits."""

from __future__ import annotations

from dataclasses import replace

from jourdain.io.robots.description import Coupling, RobotJoint


def _without_limits(joint: RobotJoint) -> RobotJoint:
    return replace(joint, forces=replace(joint.forces, lower=None, upper=None))


def with_common_limits(joints: list[RobotJoint], couplings: list[Coupling]) -> list[RobotJoint]:
    """Give the limits of coordinates that follow others to those others."""
    named = {joint.name: joint for joint in joints}
    for k in couplings:
        if k.other is None:
            named[k.joint] = _without_limits(named[k.joint])
            continue
        own, other = named[k.joint], named[k.other]
        if k.ratio == 0.0 or own.forces.lower is None or own.forces.upper is None:
            continue
        ends = sorted((x - k.offset) / k.ratio for x in (own.forces.lower, own.forces.upper))
        lower, upper = other.forces.lower, other.forces.upper
        low = ends[0] if lower is None else max(lower, ends[0])
        high = ends[1] if upper is None else min(upper, ends[1])
        if low < high:
            named[other.name] = replace(other, forces=replace(other.forces, lower=low, upper=high))
        named[own.name] = _without_limits(own)
    return list(named.values())


def start_within(joints: list[RobotJoint], couplings: list[Coupling]) -> dict[str, float]:
    """Start values within the limits, for coordinates whose zero is beyond them."""
    found: dict[str, float] = {}
    for joint in joints:
        lower, upper = joint.forces.lower, joint.forces.upper
        if lower is not None and upper is not None and not lower <= 0.0 <= upper:
            found[joint.name] = 0.5 * (lower + upper)
    for k in couplings:
        value = k.offset + k.ratio * found.get(k.other or "", 0.0)
        if value:
            found[k.joint] = value
    words = {joint.name: next(iter(joint.kind.coordinates), "") for joint in joints}
    return {f"{name}.{words[name]}": value for name, value in found.items()}
