"""How well a run keeps what physics keeps: energy, and the length of quaternions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.results.channels.channel import WXYZ
from jourdain.results.channels.contact_groups import (
    DRIVES_WORK,
    LASTING_WORK,
    WORK,
    contact_works,
    lasting_work,
)
from jourdain.results.channels.energetics import DRIVES, LASTING, Power
from jourdain.results.statistics import STEPPED
from jourdain.results.trajectory import Trajectory

if TYPE_CHECKING:
    from jourdain.results.solution import Solution


_ROUNDING = 1e-13  # part of the time [s] that samples at one instant may lie apart

_quiet = np.errstate(over="ignore", invalid="ignore")  # energies that are not finite give NaN


@dataclass(frozen=True)
class EnergyBalance:
    """Energy during a run against energy at its start and the power between.

    Parameters
    ----------
    time : (n,) [s]
        Samples.
    kinetic, potential : (n,) [J]
        Energies.
    powers : sequence of (n,) [W]
        Power of applied forces, drives, connections.
    works : sequence of (n,) [J]
        Work that is known without its power: of contacts, of drives through them, impacts
        included; of laws and inputs where it is integrated with the run.
    """

    time: Any
    kinetic: Any
    potential: Any
    powers: Sequence[Any]
    works: Sequence[Any]

    @property
    @_quiet
    def change(self) -> float:
        """Change of kinetic and potential energy, from start to end [J]."""
        return float(self.total[-1] - self.total[0])

    @property
    def work(self) -> float:
        """Work of applied forces, drives, connections and contacts [J]."""
        return float(self._work[-1])

    @property
    @_quiet
    def residual(self) -> float:
        """What is missing at the end [J]: zero for an exact run."""
        return self.change - self.work

    @cached_property
    @_quiet
    def total(self) -> Any:
        """Kinetic and potential energy (n,) [J]."""
        return self.kinetic + self.potential

    @cached_property
    @_quiet
    def off(self) -> Any:
        """Energy beyond that of the start and the work since (n,) [J]: zero for an exact run."""
        return self.total - self.total[0] - self._work

    @property
    def largest(self) -> float:
        """Largest deviation of the energy from start and work, at any sample [J]."""
        return abs(float(self.off[self.worst]))

    @property
    def at(self) -> float:
        """Where that is [s]."""
        return float(self.time[self.worst])

    @cached_property
    @_quiet
    def work_error(self) -> float:
        """Bound of the error of that work, as far as it is summed up over the samples [J]."""
        pieces = zip(self._parts, self._pieces, strict=True)
        return sum(_work_error(self.time[k], self._power[k], work) for k, work in pieces)

    @cached_property
    @_quiet
    def exchanged(self) -> float:
        """Scale: the largest change of an energy or of work during the run [J]."""
        spans = (np.ptp(np.append(x, x[:1])) for x in (self.kinetic, self.potential, self._work))
        return float(max(spans))

    @cached_property
    @_quiet
    def supplied(self) -> float:
        """Energy that may have become motion [J]: of the start, from weight and springs, by work.

        Kinetic energy at the start, the largest fall of the potential energy, and all work that
        was given; what takes energy does not count.
        """
        fallen = self.potential[0] - self.potential.min()
        h = np.diff(self.time)
        given = [np.maximum(np.diff(x), 0.0) for x in self.works]
        for power in self.powers:
            rise = np.maximum(power, 0.0)
            given.append(0.5 * h * (rise[1:] + rise[:-1]))
        return float(self.kinetic[0] + fallen + sum(x.sum() for x in given))

    @property
    def worst(self) -> int:
        """Number of the sample with the largest deviation."""
        return int(np.argmax(np.nan_to_num(np.abs(self.off), nan=np.inf)))

    @cached_property
    @_quiet
    def _power(self) -> Any:
        return sum(self.powers, np.zeros(len(self.time)))

    @cached_property
    @_quiet
    def _work(self) -> Any:
        work = _steps_joined(self._pieces) + sum(self.works)
        return work - work[0]

    @cached_property
    @_quiet
    def _pieces(self) -> list[Any]:
        """Work of the powers within each part, from its first sample on [J]."""
        return [_work(self.time[part], self._power[part]) for part in self._parts]

    @cached_property
    def _parts(self) -> list[Any]:
        """Samples between discontinuities, whose times are there twice, but for rounding."""
        same = _ROUNDING * np.abs(self.time).max(initial=0.0)
        return np.split(np.arange(len(self.time)), np.flatnonzero(np.diff(self.time) <= same) + 1)


@_quiet
def energy_balance(solution: Solution) -> EnergyBalance:
    """Audit the energy of a solution of at least one sample; NaN if it is not finite."""
    if solution.has_model:
        return balance_of(solution.trajectory, True, struck_samples(solution))
    kinetic, potential = (solution.values(f"energy.{kind}") for kind in ("kinetic", "potential"))
    kinds = ("applied", "drives", "connections")
    powers = [solution.values(f"power.{k}") for k in kinds if f"power.{k}" in solution]
    if DRIVES in solution:
        powers[1] = powers[1] - solution.values(DRIVES)  # their work is known, impacts included
    works = [solution.values(x) for x in (WORK, DRIVES_WORK) if x in solution]
    if LASTING_WORK in solution and np.isfinite(solution.values(LASTING_WORK)).all():
        powers.append(-solution.values(LASTING))
        works.append(solution.values(LASTING_WORK))
    return EnergyBalance(solution.time, kinetic, potential, powers, works)


def struck_samples(solution: Solution) -> Any:
    """Whether forces at samples (n,) hold impulses: time steps with impacts end there."""
    if not solution.statistics.method.startswith(STEPPED):
        return np.zeros(len(solution.time), dtype=bool)
    return np.isin(solution.time, [e.time for e in solution.events if e.kind == "impact"])


def calm_samples(struck: Any) -> Any:
    """For each sample (n,) the number of the next one without impacts, or the last of them."""
    calm = np.flatnonzero(~struck)
    here = np.arange(len(struck))
    return calm[np.minimum(np.searchsorted(calm, here), len(calm) - 1)] if len(calm) else here


def balance_of(run: Trajectory, is_at_work: bool, struck: Any) -> EnergyBalance:
    """Audit of samples; where nothing but weight and contacts is at work, without powers.

    Works of impacts are known. Where samples are ``struck``, forces are taken from the next one.
    """
    works = contact_works(run)
    if not is_at_work:
        return EnergyBalance(run.time, *run.energy, [], works)
    power = Power(run)
    powers = [power.applied, power.drives]
    if run.system.has_connections:
        powers.append(power.connections)
    if run.system.has_contacts:
        powers[1] = powers[1] - power.contact_drives  # their work is known, impacts included
    powers = [x[calm_samples(struck)] for x in powers]
    if (work := lasting_work(run)) is not None:
        powers = [sum(powers) - power.lasting]  # what is left: of drives of bodies
        works.append(work)
    return EnergyBalance(run.time, run.energy[0], power.potential, powers, works)


def _steps_joined(works: Iterable[Any]) -> Any:
    """Cumulative sums over parts that follow each other, each from zero on, as one."""
    joined: list[Any] = []
    for work in works:
        joined.append(work + (joined[-1][-1] if joined else 0.0))
    return np.concatenate(joined)


def _work(time: Any, power: Any) -> Any:
    """Integral of the power from the first sample to each.

    By the trapezoidal rule with its end correction, h/2 (P₀ + P₁) + h²/12 (P₀' − P₁'), of order
    four with slopes from three samples.
    """
    if len(time) < 2 or not np.any(power):
        return np.zeros(len(time))
    h = np.diff(time)
    steps = 0.5 * h * (power[1:] + power[:-1])
    if len(time) > 2:
        steps -= h**2 / 12.0 * np.diff(_slopes(h, power))
    return np.concatenate([[0.0], np.cumsum(steps)])


def _slopes(h: Any, values: Any) -> Any:
    """Slopes at samples of distances h, exact for parabolas through three of them."""
    d = np.diff(values) / h
    inner = (h[1:] * d[:-1] + h[:-1] * d[1:]) / (h[:-1] + h[1:])
    return np.concatenate([[2.0 * d[0] - inner[0]], inner, [2.0 * d[-1] - inner[-1]]])


def _work_error(time: Any, power: Any, fine: Any) -> float:
    """Bound of the error of the work ``fine`` between two discontinuities."""
    last = len(time) - 1
    if last < 1 or not np.any(power):
        return 0.0
    found = 0.0
    for first in (0, 1):  # the other half sees a jump that one half of the samples misses
        k = np.concatenate([[0], np.arange(2 - first, last, 2), [last]])
        off = np.abs(fine[k] - _work(time[k], power[k])).max(initial=0.0)
        found = max(found, float(off))
    # Smooth power has an error far below the difference; a jump between samples has as much.
    return 3.0 * found


def quaternion_error(solution: Solution) -> float | None:
    """Largest deviation of a quaternion coordinate from unit length; None without quaternions."""
    names = [c.name for c in solution.channels.values() if c.is_base and c.labels == WXYZ]
    if not names:
        return None
    lengths = (np.linalg.norm(solution.values(name), axis=-1) for name in names)
    return max(float(np.max(np.abs(x - 1.0), initial=0.0)) for x in lengths)
