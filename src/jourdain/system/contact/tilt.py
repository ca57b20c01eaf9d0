"""How far discs are from lying flat on half-spaces, as expressions."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.model.contours import Disc, HalfSpace
from jourdain.system.system import System


def tilt_function(
    system: System, name: str, pair: tuple[Disc, HalfSpace], radius: float, flat: float
) -> Any:
    """Function (CT-26), less one, of the symbols of the system; None for discs that cannot tilt.

    Parameters
    ----------
    system : System
        The machine.
    name : str
        Name of the contact.
    pair : (Disc, HalfSpace)
        Its contours.
    radius : float [m]
        Radius of the disc.
    flat : float [rad]
        Angle, and part of the radius, up to which it lies flat and touches.
    """
    disc, plane = pair
    x, graph = system.graph
    axis, normal = (
        _turned(graph, contour.frame, along)
        for contour, along in ((disc, disc.axis), (plane, plane.normal))
    )
    across = ca.cross(axis, normal)
    if not ca.depends_on(across, x["q"]):
        return None
    gap = next(p.normal.value for p in graph.contact_points if p.connection.name == name)
    value = ca.fmax(ca.sumsqr(across) / flat**2, gap[0] / (flat * radius)) - 1.0
    names = ("q", "v", "t", "p")
    own = system.description.user_symbols
    return ca.Function("flat", [x[k] for k in names], [value])(*(own[k] for k in names))


def _turned(graph: Any, frame: Any, along: Any) -> Any:
    """Direction in the axes of the world."""
    v = ca.DM(np.array(frame.rotation, dtype=float)) @ ca.DM(
        np.array(math.axis_vector(along), dtype=float)
    )
    return graph.body_motions[frame.body][0] @ v if frame.body in graph.body_motions else ca.SX(v)
