"""How a system with contacts is simulated: with single contacts, or with groups.

Rows of single contacts are expressions of their own for every point, so that 32 points of two boxes
take minutes to compile. A group finds its points in a loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jourdain.errors import ModelError
from jourdain.model import Model
from jourdain.model.connection import Connection
from jourdain.model.contact_group import can_meet, contact_group
from jourdain.model.measures.gap import Gap
from jourdain.simulation.contact.simulation import ContactStepper
from jourdain.simulation.methods import EventDriven, MoreauJean, NonsmoothAlpha
from jourdain.simulation.plan import GROUPED_BEYOND
from jourdain.simulation.stepper import Task
from jourdain.system import System, compile


def contact_stepper(task: Task, method: Any) -> ContactStepper:
    """Stepper of a system with contacts; many single contacts are taken as groups."""
    if task.past.solution is not None and method is None:
        method = task.past.method(None, EventDriven, MoreauJean, NonsmoothAlpha)
    system = regrouped(task.system, method)
    task = task if system is task.system else replace(task, system=system)
    return ContactStepper(task, method)


def smooth_method(method: Any) -> Any:
    """Method for a system without contacts: from event to event, that of the phases."""
    return method.integrator if isinstance(method, EventDriven) else method


def regrouped(system: System, method: Any) -> System:
    """System whose contacts are groups, where there are many and time stepping will do.

    Stops, dry friction and contacts that a group cannot have stay beside the groups; where they
    cannot be had there, as with impacts that store tangential impulses, the system stays as it is.
    """
    n = len(system.description.parts.contact_names)
    is_stepped = method is None or isinstance(method, MoreauJean)
    if n <= GROUPED_BEYOND or not is_stepped:
        return system
    if "regrouped" not in system.kernels:
        model = _with_groups(system.source)
        system.kernels["regrouped"] = None if model is None else compile(model)
    found: System | None = system.kernels["regrouped"]
    return found or system


def _with_groups(model: Model) -> Model | None:
    """Model with a group of two contours for each contact that can be one; None without any."""
    single = [c for c in model.connections.values() if c.law.is_set_valued]
    grouped = [c for c in single if _can_be_group(c)]
    left: list[Any] = [c.law for c in single if c not in grouped]
    if not grouped or any(law.impact.stores for law in left):
        return None
    twin = model.without(c.name for c in grouped)
    for c in grouped:
        gap: Any = c.measure
        twin._contacts[c.name] = contact_group(c.name, (gap.a, gap.b), c.law, with_joined=True)
    return twin


def _can_be_group(c: Connection) -> bool:
    gap: Any = c.measure
    if not isinstance(gap, Gap) or not can_meet(gap.a, gap.b):
        return False
    try:
        contact_group(c.name, (gap.a, gap.b), c.law)
    except ModelError:
        return False
    return True
