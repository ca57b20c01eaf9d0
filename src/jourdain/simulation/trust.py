"""Whether the tolerance of a run explains what is missing in its energy."""

from __future__ import annotations

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.model.laws import Equal
from jourdain.results import Solution
from jourdain.results.audit import energy_balance
from jourdain.simulation.finish import cut_off
from jourdain.solvers import Integrator

_FACTOR = 1000.0  # by which errors of steps may add up to more than their sum
_LARGEST = 0.05  # part of the energy that no number of steps explains
_MANY = 20_000  # steps beside which the audit of a run takes no time


def explained(deviation: float, exchanged: float, method: Integrator, steps: int) -> bool:
    """Whether an energy that is off by a deviation [J] is what a method can do.

    Parameters
    ----------
    deviation : float [J]
        Energy that is missing or too much, beyond the error of the audit itself.
    exchanged : float [J]
        Largest change of an energy, or largest work, during the run.
    method : Integrator
        With error control each step may be off by rtol; with equal steps nothing is promised but
        that the deviation is less than all the energy there is.
    steps : int
        Number of steps.
    """
    rtol = getattr(method, "rtol", None)
    part = 1.0 if rtol is None else min(_FACTOR * rtol * max(steps, 1), _LARGEST + _FACTOR * rtol)
    return not deviation > part * exchanged


def require_balance(solution: Solution, method: Integrator) -> None:
    """Refuse to call a run of a machine with constraints finished whose energy is off.

    Projections move states, and near singular positions they can do any work. Where nothing else
    does work a look at three samples clears almost all runs, and the full audit decides about the
    others; elsewhere it is worth its time for long runs only.

    Raises
    ------
    IntegrationError
        If its tolerance does not explain the deviation.
    """
    samples = len(solution.time)
    if samples < 2 or (_is_at_work(solution) and _steps(solution) < _MANY):
        return
    if not _is_at_work(solution) and _keeps_energy(solution, method):
        return
    balance = energy_balance(solution)
    beyond = abs(balance.residual) - 10.0 * balance.work_error
    if explained(beyond - _floor(solution, balance.exchanged, method), balance.exchanged, method,
                 _steps(solution)):  # fmt: skip
        return
    error = IntegrationError(
        f"model {solution.model_name!r}: the energy of the run is off by {balance.residual:.3g} J, "
        f"while {balance.exchanged:.3g} J were exchanged: more than its tolerance explains.\n"
        "  Likely causes: a singular position on the way, in which small forces become endless "
        "ones; or a body with hardly any inertia in a loop. Next: look at "
        "print(jd.structure(model, at=...)) where the energy jumps, or take a smaller rtol.\n"
        f"  What was computed is in error.solution ({len(solution.time)} samples)."
    )
    error.solution = cut_off(solution, samples)
    raise error


def _steps(solution: Solution) -> int:
    return solution.statistics.steps or solution.statistics.evaluations  # not all codes tell steps


def _is_at_work(solution: Solution) -> bool:
    """Whether inputs, drives or laws do work besides weight."""
    model = solution.model
    laws = any(not isinstance(c.law, Equal) or callable(c.law.value)
               for c in model.connections.values())  # fmt: skip
    is_driven = bool(solution.system._description.layout.n_e)
    moves = any(not link.motion.modes[1].is_zero() for link in solution.system._description.links)
    return bool(solution.inputs) or laws or is_driven or moves or bool(model.composites)


def _keeps_energy(solution: Solution, method: Integrator) -> bool:
    k = [0, len(solution.time) // 2, -1]
    p = solution.system.parameter_array(solution.parameters)
    given = solution.q[k], solution.v[k], solution.time[k]
    kinetic, potential = solution.system.energy(*given, parameters=p)
    total, exchanged = kinetic + potential, float(max(kinetic.max(), np.ptp(potential)))
    beyond = float(np.ptp(total)) - 1e-9 * float(np.abs(total).max())
    beyond -= _floor(solution, exchanged, method)
    return explained(beyond, exchanged, method, _steps(solution))


def _floor(solution: Solution, exchanged: float, method: Integrator) -> float:
    """Energy [J] that the absolute tolerance of the steps leaves open."""
    size = max(float(np.abs(solution.v).max(initial=0.0)), 1e-300)
    loose = (getattr(method, "atol", None) or 0.0) / size
    return min(1.0, _FACTOR * loose * _steps(solution)) * exchanged + 1e-12
