"""Names of what belongs to a velocity coordinate: its rate and the force along it.

=====================  ========================  =======================
velocity               acceleration              force along it
=====================  ========================  =======================
``rate``               ``angular_acceleration``  ``applied_torque``
``velocity``           ``acceleration``          ``applied_force``
``angular_velocity``   ``angular_acceleration``  ``applied_torque``
``lean_rate``          ``lean_acceleration``     ``lean_torque``
=====================  ========================  =======================

Numbers and components stay: ``rate_2`` gives ``angular_acceleration_2``. ``torque`` stands for
rates in rad/s and ``force`` for all others. Should two words of a joint coincide, as in
``Revolute("x") * Spherical()``, the later takes its velocity's name with ``_derivative`` or
``_force``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

_ACCELERATIONS = {
    "rate": "angular_acceleration",
    "velocity": "acceleration",
    "angular_velocity": "angular_acceleration",
}
_FORCES = ("rate", "velocity", "angular_velocity")


def acceleration_names(velocities: Mapping[str, str]) -> list[str]:
    """Names of the rates of velocity coordinates with given units."""
    return list(_renamed(tuple(velocities.items()), _acceleration, "_derivative"))


def force_names(velocities: Mapping[str, str]) -> list[str]:
    """Names of the forces along velocity coordinates with given units."""
    return list(_renamed(tuple(velocities.items()), _force, "_force"))


def _acceleration(word: str, unit: str) -> str:
    if word == "rate" and unit != "rad/s":
        return "acceleration"
    if word.endswith("_rate"):
        return word.removesuffix("_rate") + "_acceleration"
    return _ACCELERATIONS.get(word, word + "_derivative")


def _force(word: str, unit: str) -> str:
    effort = "torque" if unit == "rad/s" else "force"
    return f"applied_{effort}" if word in _FORCES else f"{word.removesuffix('_rate')}_{effort}"


@lru_cache(maxsize=256)  # joints of a model have few sets of names
def _renamed(
    velocities: tuple[tuple[str, str], ...], rename: Callable[[str, str], str], otherwise: str
) -> tuple[str, ...]:
    """Rename the first part of each name; a word that is taken by another velocity gives way."""
    owners: dict[str, str] = {}
    names = []
    for name, unit in velocities:
        stem, dot, label = name.partition(".")
        match = re.fullmatch(r"(\w+?)(_\d+)?", stem)
        word, number = (match[1], match[2] or "") if match else (stem, "")
        wanted = rename(word, unit) + number
        new = wanted if owners.setdefault(wanted, stem) == stem else stem + otherwise
        names.append(new + dot + label)
    return tuple(names)


def rate_unit(unit: str) -> str:
    """Unit of the rate of a quantity: ``rad/s`` gives ``rad/s^2``."""
    return f"{unit}^2" if unit.endswith("/s") else f"{unit}/s"


def force_unit(velocity_unit: str) -> str:
    """Unit of the force whose power is force times velocity."""
    known = {"rad/s": "N m", "m/s": "N", "1/s": "J"}
    return known.get(velocity_unit, f"J/({velocity_unit.removesuffix('/s')})")
