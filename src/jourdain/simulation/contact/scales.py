"""Time scales of a system with contacts, which a step has to resolve."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.model.contours.capsule import Capsule
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.polyhedron import Polyhedron
from jourdain.model.model import Model
from jourdain.simulation.choice import shortest_vibration
from jourdain.simulation.contact.events.modes import Modes
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.plan import SLOWEST, TimeScales
from jourdain.simulation.stepper import Task
from jourdain.spatial.parameter import nominal
from jourdain.system import System
from jourdain.system.contact.modal import contact_kernels


def time_scales(task: Task, y: Any, t: float, sampled: Any) -> TimeScales:
    """Time scales at the start, state y at t [s]."""
    n = task.n_q
    given: tuple[Any, ...] = task.system, task.inputs, task.sampled.places, {}
    kernels = contact_kernels(*given, with_modes=False)
    contacts = Contacts(task.system, kernels, task.p)
    u = np.concatenate([sampled, Modes.open(len(contacts.touches)).numbers.ravel()])

    def rates(x: Any) -> Any:
        return np.concatenate(kernels.open_rates(x[:n], x[n:], u, t, task.p))

    flight = float("inf")
    if contacts.touches:
        rows, slowest = contacts.rows(y[:n], y[n:], u, t), SLOWEST / (task.span.end - t)
        flights = [
            -float(rows.gaps[k] / rows.u[x.normal]) for k, x in enumerate(contacts.touches)
            if x.has_gap and rows.gaps[k] > 0.0 and -rows.u[x.normal] > slowest * rows.gaps[k]
        ]  # fmt: skip
        flight = float(np.median(flights)) if flights else flight
    return TimeScales(shortest_vibration(rates, y), flight, passage(task.system, y[n:]))


def passage(system: System, v: Any) -> float:
    """Time [s] in which the fastest body passes the thinnest contour of a group, at speeds v."""
    thinnest = thinnest_contour(system.model)
    is_speed = np.array([unit == "m/s" for unit in system.names.v_units], dtype=bool)
    fastest = float(np.abs(np.atleast_2d(v)[:, is_speed]).max(initial=0.0))
    return thinnest / fastest if fastest > 0.0 else float("inf")


def thinnest_contour(model: Model) -> float:
    """Least width [m] of the contours of all groups; infinite where there are none."""
    contours = [c for group in model.contact_groups.values() for c in group.contours]
    return min((_width(c) for c in contours), default=float("inf"))


def _width(contour: Contour) -> float:
    """Least width [m] of a contour; infinite if it is open or has none."""
    if isinstance(contour, Polyhedron):
        return float(np.ptp(np.array(contour.points, dtype=float), axis=0).min())
    own = {name: float(np.min(nominal(getattr(contour, name)))) for name in contour.dimensions}
    sizes = [2.0 * own.pop("radius")] if "radius" in own else []
    if not isinstance(contour, Capsule):
        sizes += own.values()
    return min((x for x in sizes if x > 0.0), default=float("inf"))
