"""What a simulation of a model will do, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.simulate import begun, stepper_for
from jourdain.model.model import Model
from jourdain.simulation.trials import is_refined
from jourdain.solvers import Method
from jourdain.system import System, compile
from jourdain.system.plan import execution_reason, size_of

_WIDTH = 96
_SHORTER = "shorter steps, until positions change by less than a thousandth of their travel"


@dataclass(frozen=True)
class Plan:
    """How a model will be simulated; ``print`` it.

    Parameters
    ----------
    name : str
        Name of the model.
    equations : str
        How its equations run.
    contacts : str
        How its contacts are found.
    method : Method
        How it moves through time.
    reason : str
        Why so.
    then : str
        What follows the first run; empty if nothing does.
    """

    name: str
    equations: str
    contacts: str
    method: Method
    reason: str
    then: str = ""

    def __str__(self) -> str:
        rows = {
            "equations": self.equations,
            "contacts": self.contacts,
            "method": str(self.method),
            "because": self.reason,
            "then": self.then,
        }
        lines = [
            textwrap.fill(text, _WIDTH, initial_indent=f"  {word:<11}", subsequent_indent=" " * 13)
            for word, text in rows.items()
            if text
        ]
        return "\n".join([f"plan of {self.name!r}", *lines])


def plan(
    model: Model | System,
    t: float | tuple[float, float] = 1.0,
    *,
    start: Mapping[str, Any] | None = None,
    method: Method | None = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Plan:
    """Tell how `simulate` would move a model, and why, without doing it.

    Parameters
    ----------
    model, t, start, method, inputs, parameters
        As in `simulate`.

    Returns
    -------
    Plan
        Execution of the equations, treatment of contacts, method and the reason for it.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> joint = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> print(jd.plan(model))
    plan of 'pendulum'
      equations  straight-line code: 1 link, up to 20 by default
      contacts   none
      method     Dop853(rtol=1e-08, atol=None, max_step=inf)
      because    not stiff at the start: explicit method of high order
    """
    system = model if isinstance(model, System) else compile(model)
    stepper = stepper_for(
        system, t, method=method, inputs=inputs, parameters=parameters, start=start
    )
    task = stepper.task
    stepper.begin(begun(task, start), task.span.begin, np.zeros(len(task.sampled.u)))
    own = task.system.model
    return Plan(
        name=own.name,
        equations=execution_reason(size_of(own), task.system.execution),
        contacts=_contacts(system, task.system),
        method=stepper.method,
        reason=stepper.reason,
        then=_SHORTER if method is None and is_refined(stepper.method, task) else "",
    )


def _contacts(asked: System, used: System) -> str:
    """Sentence about contacts: how many, and how their pairs are found."""
    groups, n = len(used.model.contact_groups), len(used.description.parts.contact_names)
    if not groups and not n:
        return "none"
    single = f"{n} single contact{'s' * (n != 1)}, each with rows of its own"
    if not groups:
        return single
    found = f"{groups} group{'s' * (groups != 1)}, whose pairs a loop finds"
    if used is not asked:
        found = f"many single ones, taken as {found}"
    return f"{found}; {single}" if n else found
