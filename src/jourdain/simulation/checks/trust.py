"""Whether the method of a run explains what is missing in its energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jourdain.errors import AssemblyError, IntegrationError, JourdainError, SingularSystemError
from jourdain.model.laws import Equal, SetValued
from jourdain.results import Solution
from jourdain.results.audit import EnergyBalance, balance_of, energy_balance, struck_samples
from jourdain.results.trajectory import Trajectory
from jourdain.simulation.checks.finish import cut_off
from jourdain.solvers import Integrator, Method
from jourdain.system.plan import COMPILED_CONSTRAINTS_UP_TO

_FACTOR = 1000.0  # by which errors of steps may add up to more than their sum
_LARGEST = 0.05  # part of the energy that no number of steps explains
_MANY = 50_000  # evaluations beside which the audit of a large machine takes no time
_FEW = 9  # samples of the first look, which clears almost all runs
_FEW_OF_WORK = 65  # samples of it where power is summed up
_NOT_MANY = 256  # samples that are all looked at where power is summed up: two looks cost more
_STEPS_OF_WORK = 100.0  # steps in which bodies that overlap may be moved apart
_ROUNDING = 1e-9  # part of the energies that rounding of many steps may change
_LOOKED_AT = 3  # intervals between samples that are computed again
_DENSE = 50  # samples; fewer do not tell how fast work changes between them
_COUNTS = 1e-3  # part of the largest deviation beside which others are none
_CONFIRMED = 0.5  # part of a deviation that is there again

Again = Callable[[int], Solution | None]
"""Function that computes the time from one sample to the next again; None where it cannot."""


def explained(balance: EnergyBalance, method: Method, steps: int, fastest: float = 0.0) -> bool:
    """Whether a method can have done what is off in the energy, beyond the error of the audit.

    Parameters
    ----------
    balance : EnergyBalance
        Audit of a run.
    method : Method
        With error control each step may be off by rtol and atol. Equal steps may lose all energy,
        and gain as much as was supplied; with contacts, besides, what lifts bodies in some steps.
    steps : int
        Number of steps.
    fastest : float
        Largest velocity, with which atol is compared.
    """
    gain, loss = _allowed(balance, method, steps, fastest)
    return not (np.max(balance.off) > gain or np.max(-balance.off) > loss)


def _allowed(balance: EnergyBalance, method: Method, steps: int, fastest: float) -> Any:
    """Energy [J] that a run may gain, and that it may lose."""
    inner: Any = getattr(method, "integrator", method)  # of phases between events
    rtol, supplied = getattr(inner, "rtol", None), balance.supplied
    rounding = _ROUNDING * float(np.abs(balance.total).max() + np.abs(balance.potential).max())
    floor = 10.0 * balance.work_error + rounding + 1e-12
    if rtol is None:
        step = 0.0 if isinstance(method, Integrator) else getattr(inner, "dt", 0.0)
        return supplied + _STEPS_OF_WORK * step * _largest_power(balance) + floor, np.inf
    part = min(_FACTOR * rtol * max(steps, 1), _LARGEST + _FACTOR * rtol)
    loose = (getattr(inner, "atol", None) or 0.0) / max(fastest, 1e-300)
    part += min(1.0, _FACTOR * loose * max(steps, 1))
    return part * supplied + floor, part * supplied + floor


def _largest_power(balance: EnergyBalance) -> float:
    """Largest rate of potential energy between samples [W]: bodies that are moved apart rise."""
    h = np.diff(balance.time)
    rates = np.abs(np.diff(balance.potential)[h > 0.0]) / h[h > 0.0]
    return float(rates.max(initial=0.0))


def require_balance(solution: Solution, method: Method, again: Again | None = None) -> None:
    """Refuse to call a run finished whose energy is not finite, or off for no good reason.

    The first look is at a few samples, and clears almost all runs. The audit of all is next. Where
    laws, inputs or drives do work its samples may be too far apart to tell that work: the intervals
    in which most is missing are computed again, and only what is missing then, too, counts.

    Parameters
    ----------
    solution : Solution
        The run.
    method : Method
        How it was computed.
    again : function, optional
        Computes an interval again. Without it the samples are taken as they are, if there is one
        for every few steps.

    Raises
    ------
    IntegrationError
        If its method does not explain the deviation.
    """
    n = len(solution.time)
    if not n:
        return
    is_at_work = _is_at_work(solution)
    looks_at_all = is_at_work and n <= _NOT_MANY
    most = _FEW_OF_WORK if is_at_work else _FEW
    few = np.arange(n) if looks_at_all else _few_samples(solution, most)
    look = _balance_of(solution, few, is_at_work and not _is_too_large(solution))
    if not np.all(np.isfinite(look.total)):
        k = int(few[np.argmax(~np.isfinite(look.total))])
        raise _off(solution, k, (
            f"the energy is not finite at t = {solution.time[k]:.6g} s, because velocities up to "
            f"{np.abs(solution.v[k]).max(initial=0.0):.3g} are too large to be squared.\n"
            "  Next: look at the start values and their units."
        ))  # fmt: skip
    if n < 2 or (_is_too_large(solution) and is_at_work):
        return
    facts = method, _steps(solution), float(np.abs(solution.v).max(initial=0.0))
    if _is_cleared(look, *facts):
        return
    balance = look
    if not looks_at_all:
        balance = _balance_of(solution, np.arange(n), is_at_work or _holds(solution))
    if explained(balance, *facts):
        return
    if is_at_work and not _is_confirmed(balance, again, facts):
        return
    raise _off(solution, n, (
        f"the energy of the run is off by {balance.off[balance.worst]:.3g} J at t = "
        f"{balance.at:.6g} s, while {balance.supplied:.3g} J were supplied: more than its "
        "tolerance explains.\n"
        "  Likely causes: a singular position on the way, in which small forces become endless "
        "ones; a body with hardly any inertia; steps that are too long. Next: look at "
        "sol[\"energy.total\"] of error.solution and, with loops, at print(jd.structure(model, "
        "at=...)) where it jumps; take a smaller rtol or a shorter step."
        f"{_at_contact(solution, balance)}"
    ))  # fmt: skip


def _at_contact(solution: Solution, balance: EnergyBalance) -> str:
    """Advice where most of what is missing is lost at an event of contacts, with their names."""
    k = int(np.argmax(np.abs(np.diff(balance.off)))) + 1
    near = [e for e in solution.events if balance.time[k - 1] <= e.time <= balance.time[k]]
    found = next((e for e in near if e.kind == "impact"), None)
    if found is None:
        return ""
    return (
        f"\n  Most of it is missing where {found.name} strikes at t = {found.time:.6g} s: contact "
        "points may run around a rim or an edge there faster than any step. Time steps pass that: "
        "method=jd.MoreauJean(1e-4)."
    )


def _holds(solution: Solution) -> bool:
    """Whether connections hold measures, of velocities perhaps, which takes power.

    Where there are only contacts, all work is known; powers would but add what is not smooth.
    """
    laws = [c.law for c in solution.model.connections.values()]
    return not all(isinstance(law, SetValued) for law in laws)


def _is_cleared(look: EnergyBalance, method: Method, steps: int, fastest: float) -> bool:
    """Whether a look at a few samples leaves no doubt: the error of its work counts against it."""
    error = 10.0 * look.work_error
    gain, loss = (x - 2.0 * error for x in _allowed(look, method, steps, fastest))
    return bool(np.max(look.off) <= gain and np.max(-look.off) <= loss)


def _few_samples(solution: Solution, most: int) -> Any:
    """Numbers of a few samples, with both of every jump, and that with the largest velocity."""
    n = len(solution.time)
    jumps = np.flatnonzero(np.diff(solution.time) <= 0.0)
    fastest = np.argmax(np.abs(solution.v).max(axis=1, initial=0.0))
    chosen = np.linspace(0, n - 1, min(n, most)).astype(int)
    return np.array(sorted({*chosen, *jumps, *(jumps + 1), fastest}))  # `unique` loads numpy.ma


@np.errstate(over="ignore", invalid="ignore")
def _balance_of(solution: Solution, k: Any, has_powers: bool) -> EnergyBalance:
    """Audit of some samples; a moderate number of them takes no code that is compiled for it."""
    x, system = solution, solution.system
    state = x.time[k], x.q[k], x.v[k], (x.vdot if has_powers else x.v)[k]  # not asked for
    run = Trajectory(system, *state, x.tau[k], x.extra[k], x.parameters, x.contacts[k])
    run.energy = system.energy_of_few(run.q, run.v, run.time, run.p)
    return balance_of(run, has_powers, struck_samples(x)[k])


def _is_confirmed(balance: EnergyBalance, again: Again | None, facts: Any) -> bool:
    """Whether energy is missing in the worst intervals, too, when they are computed again."""
    is_dense = _is_dense(balance, facts[1])
    if again is None:
        return is_dense
    change, h = np.diff(balance.off), np.diff(balance.time)
    between = np.flatnonzero(h > 0.0)
    order = between[np.argsort(-np.abs(change[between]))][:_LOOKED_AT]
    order = order[np.abs(change[order]) > _COUNTS * np.abs(change).max(initial=0.0)]
    if np.abs(change[order]).sum() < np.abs(change[h <= 0.0]).sum():
        return True  # in jumps, whose work is known
    real, apparent, n_known = 0.0, 0.0, 0
    for k in order:
        try:
            solution = again(int(k))
        except (AssemblyError, IntegrationError, SingularSystemError):
            return True  # no way through it, not even from its own beginning
        except JourdainError:
            continue
        if solution is None:
            continue
        n_known += 1
        anew = energy_balance(solution)
        missed = np.abs(balance.total[k + 1] - anew.total[-4:]).min()  # an impact may be at the end
        real += missed + (0.0 if explained(anew, *facts) else abs(anew.residual))
        apparent += abs(change[k])
    return bool(real > _CONFIRMED * apparent) if n_known else is_dense


def _is_dense(balance: EnergyBalance, steps: int) -> bool:
    """Whether samples tell the work between them: many, few steps between two, and half agree."""
    n, most = len(balance.time), float(np.abs(balance.off).max(initial=0.0))
    return bool(n > _DENSE and 4 * n > steps and 10.0 * balance.work_error < most)


def _steps(solution: Solution) -> int:
    return solution.statistics.steps or solution.statistics.evaluations  # not all codes tell steps


def _is_too_large(solution: Solution) -> bool:
    """Whether powers take longer to prepare than the run: loops over tables have none."""
    system = solution.system
    is_large = len(system.description.links) > COMPILED_CONSTRAINTS_UP_TO
    return bool(system.loops_constraints) and is_large and solution.statistics.evaluations < _MANY


def _is_at_work(solution: Solution) -> bool:
    """Whether inputs, drives or laws do work besides weight and contacts."""
    model, description = solution.model, solution.system.description
    laws = any(
        not (
            isinstance(c.law, SetValued) or (isinstance(c.law, Equal) and not callable(c.law.value))
        )
        for c in model.connections.values()
    )
    is_driven = bool(description.layout.n_e) or bool(description.moved_links)
    return bool(solution.inputs) or laws or is_driven or bool(model.composites)


def _off(solution: Solution, n: int, reason: str) -> IntegrationError:
    error = IntegrationError(
        f"model {solution.model_name!r}: {reason}\n"
        f"  What was computed is in error.solution ({n} samples)."
    )
    error.solution = cut_off(solution, n)
    return error
