"""Driven coordinates as expressions of time, with their first and second rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.equations.joints.motion import Motion
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.sweeps import Layout
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.model.drive import members
from jourdain.model.elements import JointElement
from jourdain.spatial.parameter import evaluate, values_in_force


def drives(links: Sequence[Link], layout: Layout, values: Mapping[str, Any], t: Any) -> Any:
    """Columns e, de/dt, d²e/dt² of all driven coordinates.

    Parameters
    ----------
    links, layout
        The tree.
    values : mapping
        Symbols of the parameters.
    t : casadi.SX
        Time.
    """
    e = [ca.SX(0)] * layout.n_e
    with values_in_force(values):
        for link, start in zip(links, layout.e_start, strict=True):
            for k, value in enumerate(driven_values(link.joint.joint, link.motion, values, t)):
                e[start + k] = value
    e0 = ca.vertcat(*e) if e else ca.SX(0, 1)
    e1 = ca.jacobian(e0, t)
    return e0, e1, ca.jacobian(e1, t)


def drives_of(element: JointElement, motion: Motion, values: Mapping[str, Any], t: float) -> Any:
    """Rows e, de/dt, d²e/dt² (3, n_e) of the driven coordinates of one joint at a time."""
    time = ca.SX.sym("t")
    with values_in_force(values):
        e = driven_values(element, motion, values, time)
    e0 = ca.vertcat(*e) if e else ca.SX(0, 1)
    e1 = ca.jacobian(e0, time)
    found = ca.Function("drives", [time], [e0, e1, ca.jacobian(e1, time)])(t)
    return np.array([np.array(x).reshape(-1) for x in found])


def driven_values(element: JointElement, motion: Motion, values: Mapping[str, Any], t: Any) -> Any:
    """Driven coordinates of one joint, in the order of its kind."""
    by_name: dict[str, Any] = {}
    for key, function in element.driven.items():
        group = members(element.kind, key)
        with on_symbols(f"joint {element.name!r}: the driven value of {key!r}"):
            given = evaluate(function(t), values)
            column = math.vector(given) if isinstance(given, list | tuple) else ca.SX(given)
        by_name |= {name: ca.SX(column[i]) for i, name in enumerate(group)}
    names = list(element.kind.coordinates)
    return [by_name[names[i]] for i in motion.driven]
