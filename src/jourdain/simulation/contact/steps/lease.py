"""Memory of steps that runs of one system use in turn: it takes longer to make than a short run."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.steps.one_step import OneStep
from jourdain.simulation.contact.steps.state_update import Stepping, update_of
from jourdain.system.contact.step_kernels import StepKernels

_KEPT = 4  # that no run uses


class Lease:
    """Memory of steps while a run uses it; with the run it goes back to what is free.

    Parameters
    ----------
    one : OneStep
        The memory, as if it were new.
    key : tuple
        Equal for memories that can stand in for each other.
    free : list
        Memories of the system that no run uses, with their keys.
    """

    def __init__(self, one: OneStep, key: tuple[Any, ...], free: list[Any]) -> None:
        self.one, self._key, self._free = one, key, free

    def __del__(self) -> None:
        self._free.append((self._key, self.one))
        del self._free[:-_KEPT]


def leased(
    contacts: Contacts, kernels: StepKernels, quaternions: list[int], method: Stepping
) -> Lease:
    """Memory of steps for one run; parameters as of `OneStep`."""
    key = (*astuple(update_of(method)), contacts.p.tobytes())
    free: list[Any] = kernels.patterns.setdefault("steps", [])
    for k, (own, one) in enumerate(free):
        if own == key:
            del free[k]
            one.start_again(method)
            return Lease(one, key, free)
    return Lease(OneStep(contacts, kernels, quaternions, method), key, free)
