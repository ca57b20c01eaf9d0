"""Inertia of rotors that turn with a joint coordinate: what a gear reflects of its motor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check


def armatures(kind: Joint, given: Any, what: str) -> dict[str, Any]:
    """Check the armature of a joint; return inertias [kg m^2, kg] by the names of velocities.

    Parameters
    ----------
    kind : Joint
        Kind of the joint.
    given : None, number, Parameter or mapping
        One number for a joint of one velocity; else numbers by the names of coordinates or of
        velocities, or of groups of velocities such as ``angular_velocity``.
    what : str
        Name of the joint for errors.
    """
    if given is None:
        return {}
    velocities = list(kind.velocities)
    if not isinstance(given, Mapping):
        if len(velocities) != 1:
            names = ", ".join(_names(kind)) or "none"
            raise ModelError(
                f"{what}: the armature is {check.shown(given)}, but {type(kind).__name__} has "
                f"{len(velocities)} velocities. Name what it turns with, "
                f"armature={{name: inertia}}, of: {names}."
            )
        return {velocities[0]: _inertia(given, f"{what}: the armature")}
    found: dict[str, Any] = {}
    for key, value in given.items():
        meant = _meant(kind, key) if isinstance(key, str) else []
        if not meant:
            raise unknown_name("coordinate", str(key), _names(kind), f"{what}: armature")
        for name in meant:
            if name in found:
                raise ModelError(f"{what}: the armature of {name!r} is given twice. Keep one.")
            found[name] = _inertia(value, f"{what}: the armature of {key!r}")
    return {name: found[name] for name in velocities if name in found}


def _inertia(value: Any, what: str) -> Any:
    return check.number(value, what, nonnegative=True)


def _meant(kind: Joint, key: str) -> list[str]:
    """Velocities that a name means: its own, that of the coordinate, or a group."""
    velocities = list(kind.velocities)
    if key in velocities:
        return [key]
    if key in kind.coordinates and _are_rates(kind):
        return [velocities[list(kind.coordinates).index(key)]]
    return [name for name in velocities if name.startswith(f"{key}.")]


def _are_rates(kind: Joint) -> bool:
    """Whether every velocity is the rate of the coordinate in its place."""
    rates = kind.rates(np.array(kind.start(), dtype=float))
    return rates is None and len(kind.coordinates) == len(kind.velocities)


def _names(kind: Joint) -> list[str]:
    return list(kind.coordinates) if _are_rates(kind) else list(kind.velocities)
