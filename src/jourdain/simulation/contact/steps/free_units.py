"""Free bodies of a model as units of its time steps: their own motion, and proof of rest."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

from jourdain.model.elements import with_values
from jourdain.simulation.contact.loose import free_bodies, loose_bodies, loose_of
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.steps.group_points import GroupPoints
from jourdain.simulation.contact.steps.resting import Resting
from jourdain.solvers.timestep.records import REST, Machine, Step
from jourdain.system.contact.step_kernels import StepKernels


def _names(kernels: StepKernels, find: Callable[..., dict[str, str]]) -> dict[str, str]:
    """Names of bodies and their joints; those of an earlier run are used again."""
    if find not in kernels.patterns:
        kernels.patterns[find] = find(kernels.system.model, kernels.input_names)
    found: dict[str, str] = kernels.patterns[find]
    return found


def add_free_bodies(
    m: Machine, contacts: Contacts, kernels: StepKernels, *, is_alpha: bool
) -> None:
    """Free bodies, which move by themselves; with generalised-α as all others."""
    system, values = contacts.system, contacts.values
    found = {} if is_alpha else _names(kernels, free_bodies)
    free, n = loose_of(system, found, values), len(found)
    m.n_free, m.free_q, m.free_v = n, np.append(free.at_q, 0), np.append(free.at_v, 0)
    m.free, m.free_turn = np.append(free.properties.ravel(), 0.0), np.zeros(9 * n + 1)
    m.free_weight = np.array(with_values(system.model.gravity, values), dtype=float)
    m.free_work = np.zeros(32)


def add_rest(
    m: Machine, s: Step, groups: GroupPoints, contacts: Contacts, kernels: StepKernels
) -> Resting:
    """Free bodies whose rest can be proven: those that nothing but groups acts on."""
    names, free, system = groups.bodies, {}, contacts.system
    if groups:
        found = _names(kernels, loose_bodies)
        free = {name: joint for name, joint in found.items() if name in names}
    places = np.array([names.index(name) for name in free], dtype=np.int64)
    resting = Resting(m, loose_of(system, free, contacts.values), places)
    if free:
        called = resting.callback(s)
        m.code[REST] = ctypes.cast(called, ctypes.c_void_p).value
    return resting
