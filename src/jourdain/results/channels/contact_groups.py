"""What contacts do over time: the work of each of them, and what groups of them tell.

The columns are, for each group, number, sum of normal forces, largest overlap and residual; then
for each body with a contour in a group, torque and force at its frame in world axes; last the work
since the begin of every connection with contact or dry friction, and of every group, and the work
of drives through them. Models with quick powers, such as circuits of oil, have one more: the work
of laws, inputs and what is held, as far as it is integrated with the run; NaN where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.model.elements import WORLD
from jourdain.model.laws import SetValued
from jourdain.model.model import Model
from jourdain.model.parts.part import have_quick_power
from jourdain.results.channels.channel import XYZ, Channel

if TYPE_CHECKING:
    from jourdain.results.trajectory import Trajectory
    from jourdain.system import System

_OF_GROUP = {
    "count": ("1", "closed contacts"),
    "normal_force": ("N", "sum of the normal forces"),
    "penetration": ("m", "deepest overlap"),
    "residual": ("m/s", "error of the contact equations"),
}
_OF_BODY = {"contact_torque": "N m", "contact_force": "N"}
WORK = "work.contacts"
"""Work [J] of all contacts, dry friction and impacts since the begin of the run."""
DRIVES_WORK = "work.contact_drives"
"""Work [J] of drives through contacts, dry friction and impacts: no sampled power tells it."""
LASTING_WORK = "work.laws"
"""Work [J] of laws beyond what they store, of inputs, and of what is held; NaN if not known."""


def working_elements(model: Model) -> list[str]:
    """Elements whose work is a column: with contact or dry friction, then groups of contacts."""
    single = (name for name, c in model.connections.items() if isinstance(c.law, SetValued))
    return [*single, *model.contact_groups]


def touched_bodies(model: Model) -> list[str]:
    """Bodies with contours in groups of contacts, in the order of adding."""
    used = {c.frame.body for group in model.contact_groups.values() for c in group.contours}
    return [name for name in model.bodies if name in used and name != WORLD]


def contact_columns(model: Model) -> tuple[str, ...]:
    """Names of the columns."""
    groups = [f"{name}.{quantity}" for name in model.contact_groups for quantity in _OF_GROUP]
    bodies = [
        f"{name}.{quantity}.{axis}"
        for name in touched_bodies(model)
        for quantity in _OF_BODY
        for axis in XYZ
    ]
    works = [f"{name}.work" for name in working_elements(model)]
    more = [DRIVES_WORK] * bool(works) + [LASTING_WORK] * have_quick_power(model.parts)
    return (*groups, *bodies, *works, *more)


def count_columns(model: Model) -> list[int]:
    """Places of the numbers of closed contacts among the columns."""
    return [len(_OF_GROUP) * k for k in range(len(model.contact_groups))]  # the first of each group


def contact_wrenches(model: Model, contacts: Any) -> Any:
    """Loads [torque; force] on all bodies (n, n_bodies, 6); None without groups."""
    if contacts is None or not model.contact_groups:
        return None
    names, first = list(model.bodies), len(_OF_GROUP) * len(model.contact_groups)
    loads = np.zeros((len(contacts), len(names), 6))
    places = [names.index(name) for name in touched_bodies(model)]
    loads[:, places] = contacts[:, first : first + 6 * len(places)].reshape(len(contacts), -1, 6)
    return loads


def contact_works(run: Trajectory) -> list[Any]:
    """Work of contacts, and of drives through them, since the begin (n,) [J]; none without them."""
    model = run.system.model
    n = len(working_elements(model))
    if not n:
        return []
    end = run.contacts.shape[1] - have_quick_power(model.parts)
    return [run.contacts[:, end - n - 1 : end - 1].sum(axis=1), run.contacts[:, end - 1]]


def lasting_work(run: Trajectory) -> Any:
    """Work of laws, inputs and what is held since the begin (n,) [J]; None where it is unknown."""
    if not have_quick_power(run.system.model.parts) or not np.isfinite(run.contacts[:, -1]).all():
        return None
    return run.contacts[:, -1]


def columns_of_contacts(given: Any, system: System | None, n: int) -> Any:
    """Columns (n, n_contacts) as they are given; else nothing has happened, works are not known."""
    if given is not None or system is None:
        return given
    names = contact_columns(system.model)
    return np.tile([np.nan if name == LASTING_WORK else 0.0 for name in names], (n, 1))


def contact_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield the channels of groups, forces of contacts on bodies, and work of contacts."""
    model, place = run.system.model, 0
    for name in model.contact_groups:
        for quantity, (unit, words) in _OF_GROUP.items():
            text = f"{words} of {name}"
            yield Channel(f"{name}.{quantity}", unit, text, _column(run, place), is_base=True)
            place += 1
    for name in touched_bodies(model):
        for quantity, unit in _OF_BODY.items():
            text = f"{quantity.replace('_', ' ')} on {name}"
            compute = _column(run, slice(place, place + 3))
            yield Channel(f"{name}.{quantity}", unit, text, compute, XYZ, "world", is_base=True)
            place += 3
    elements = working_elements(model)
    for name in elements:
        text = f"work of {name} since the begin, impacts included"
        yield Channel(f"{name}.work", "J", text, _column(run, place), is_base=True)
        place += 1
    if elements:
        text = "work of contacts, dry friction and impacts since the begin"
        yield Channel(WORK, "J", text, lambda: contact_works(run)[0])
        text = "work of drives through contacts, dry friction and impacts since the begin"
        yield Channel(DRIVES_WORK, "J", text, _column(run, place), is_base=True)
    if have_quick_power(model.parts):
        text = "work of laws beyond what they store, inputs and what is held, NaN if not known"
        yield Channel(LASTING_WORK, "J", text, _column(run, -1), is_base=True)


def _column(run: Trajectory, place: Any) -> Callable[[], Any]:
    return lambda: run.contacts[:, place]
