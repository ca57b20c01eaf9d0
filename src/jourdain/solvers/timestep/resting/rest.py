"""Rest that is proven: slow bodies are set to rest where impulses exist that hold them.

Sweeps leave velocities of the size of their errors. For the slow bodies of an island, impulses
that hold them at rest are looked for (`equilibrium`); those of contacts with bodies that move are
given. Bodies that no impulses hold are left as they are. What is held is asked again in every step,
together, from the impulses of the step.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.record import MOST, Record, refused
from jourdain.solvers.timestep.resting.equilibrium import CERTAIN, Equilibrium, add_transposed
from jourdain.solvers.timestep.resting.interior import CompiledEquilibrium
from jourdain.solvers.timestep.resting.scene import OPEN, Scene
from jourdain.solvers.timestep.resting.sharing import Sharing
from jourdain.solvers.timestep.resting.terms import momenta_into

SLOW = 1e-3
"""Velocity [m/s] up to which it is asked whether a body rests."""
_PASSES = 6  # times that bodies which move are taken out
_MOVES = 1e-3  # part of the fastest motion that is one
_LONGEST = 64  # steps until it is asked again
_LASTING = 32  # steps of rest after which it is asked at once
OF_BODY = 5
"""Numbers of each body: its next question, how long it waits for the one behind, with whom it is
held (0: not), since when, and when that was proven last."""


class _Question:
    """Whether some units rest: contacts that can hold them, and momenta without those."""

    def __init__(self, scene: Scene, contacts: Any, units: Any) -> None:
        local = np.full(len(scene.middle) + 2, -1)
        hits = contacts[scene.c[contacts] < -scene.tolerance]
        self.units = np.setdiff1d(units, scene.pairs[hits]) if len(hits) else units
        local[self.units] = np.arange(len(self.units))
        pairs = scene.pairs[contacts]
        is_in = local[pairs] >= 0
        touches = is_in[:, 0] | is_in[:, 1]
        is_done = is_in | (pairs < 0)
        inner = touches & is_done[:, 0] & is_done[:, 1]
        asked = scene.c[contacts]
        self.scene, self._local = scene, local
        self.own = contacts[inner & (asked <= scene.tolerance)]
        self.shut = contacts[inner & (asked > scene.tolerance)]
        self.given = contacts[touches & ~inner & (asked < OPEN)]
        is_led = scene.lead[self.own] >= 0
        self.own, self.turning = self.own[~is_led], self.own[is_led]
        self.lead = np.searchsorted(self.own, scene.lead[self.turning])
        both = np.concatenate([self.own, self.turning, self.turning])
        self.pairs = np.ascontiguousarray(local[scene.pairs[both]])
        self.radius = scene.radius.reshape(-1, 6)[self.units]

    def momenta(self) -> Any:
        """Momenta (6 n) without the contacts that can hold.

        Velocities within the tolerance do not count: a ball rolls on with errors of sweeps, though
        it would rest if it did not roll already.
        """
        scene, n = self.scene, len(self.units)
        p = np.empty(6 * n)
        columns = (self.masses[0], scene.radius, scene.free, scene.old, p)
        momenta_into(
            n, address(self.units), *map(address, columns), scene.tolerance, address(np.empty(6))
        )
        if len(self.given):
            pairs, S = self._local[scene.pairs[self.given]], scene.rows(self.given)
            z = self.scaled(self.given)
            add_transposed(len(z), address(pairs), address(S), address(z), address(p))
        return p

    @cached_property
    def masses(self) -> tuple[Any, Any]:
        """Mass matrices of the units and their inverses."""
        return self.scene.masses(self.units)

    def scaled(self, contacts: Any) -> Any:
        """Impulses over their limits for a normal impulse of one."""
        limits = self.scene.limits(contacts)
        return np.where(limits > 0.0, self.scene.r[contacts] / np.where(limits > 0.0, limits, 1), 0)

    def guess(self) -> Any:
        """Impulses of all cones."""
        z, turning = self.scaled(self.own), self.scaled(self.turning)
        normal = z[self.lead, 0]
        rolling, drilling = turning.copy(), np.zeros_like(turning)
        rolling[:, 0], drilling[:, 0], drilling[:, 1] = normal, normal, turning[:, 0]
        return np.concatenate([z, rolling, drilling])

    def limit(self) -> float:
        """Velocity [m/s] that is rounding."""
        free = self.scene.free.reshape(-1, 6)[self.units]
        return CERTAIN * float(np.abs(free * self.radius).max(initial=0.0))

    def equilibrium(self) -> Equilibrium | CompiledEquilibrium:
        """What can hold the units."""
        S, turning = self.scene.rows(self.own), self.turning
        if not len(turning):
            return CompiledEquilibrium(*self.masses, S, self.pairs, self.radius)
        rolling = self.scene.rows(turning)
        drilling = np.zeros_like(rolling)
        drilling[:, :, 1] = rolling[:, :, 0]
        rolling[:, :, 0] = 0.0
        S = np.concatenate([S, rolling, drilling])
        sharing = Sharing(len(self.own), self.lead)
        return Equilibrium(*self.masses, S, self.pairs, self.radius, sharing)

    def rest(self, z: Any) -> None:
        """Set the units to rest with impulses z."""
        scene = self.scene
        old = np.abs(scene.old.reshape(-1, 6)[self.units] * self.radius)
        lost = np.where(old <= scene.tolerance, old, 0.0).max(initial=0.0)
        scene.lost[0] = max(scene.lost[0], lost)
        m, t = len(self.own), len(self.turning)
        scene.r[self.own] = z[:m] * scene.limits(self.own)
        turns = np.column_stack([z[m + t :, 1], z[m : m + t, 1:]])
        scene.r[self.turning] = turns * scene.limits(self.turning)
        scene.r[self.shut] = 0.0
        scene.x.reshape(-1, 6)[self.units] = 0.0


class Rest:
    """What rests, and when it is asked next.

    Parameters
    ----------
    n : int
        Number of free bodies.
    """

    def __init__(self, n: int) -> None:
        self.numbers = np.zeros(1 + OF_BODY * n, dtype=np.int64)
        """The present step, then `OF_BODY` numbers of all bodies, shared with machine code."""
        own = self.numbers[1:].reshape(OF_BODY, n)
        self._due, self._patience, self._held, self._since, self._proven = own
        self._patience[:] = 1

    @property
    def _now(self) -> int:
        return int(self.numbers[0])

    @property
    def _holder(self) -> Any:
        """First of the bodies that are held together with each, −1: it is not held."""
        return self._held - 1

    def memory(self) -> Any:
        """All that is known."""
        return self.numbers.copy()

    @property
    def told(self) -> dict[str, Any]:
        """The `memory` by its name."""
        return {"rest": self.memory()}

    def checked(self, record: Record) -> dict[str, Any]:
        """The same of an earlier run, its numbers in their ranges."""
        return {"rest": record.whole("rest", len(self.numbers), 0, MOST)}

    def recall(self, record: Record) -> None:
        """Go on from the `memory` of an earlier run."""
        n, memory = len(self._due), self.checked(record)["rest"]
        now = int(memory[0])
        due, patience, held, since, proven = memory[1:].reshape(OF_BODY, n)
        if np.any(due > now + _LONGEST) or np.any((patience < 1) | (patience > _LONGEST)):
            raise refused("'rest' has bodies that are never asked whether they rest")
        if np.any(held > n) or np.any(since > now) or np.any(proven > now):
            raise refused("'rest' has bodies that are held by others that are not there")
        self.numbers[:] = memory

    def due(self, speeds: Any, islands: Iterable[tuple[int, Any]]) -> list[tuple[int, Any, int]]:
        """Islands of which it is asked in this step: number, slow bodies, and the first body.

        Those are where bodies are held, or the time has come. Islands come as numbers with free
        bodies, whose ``speeds`` [m/s] are the largest ones before the step or after.
        """
        found = []
        for number, units in islands:
            slow, lead = units[speeds[units] <= SLOW], units[0]
            if len(slow) and (self._holder[slow].max() >= 0 or self._now >= self._due[lead]):
                found.append((number, slow, lead))
        return found

    def settle(self, scene: Scene, islands: Iterable[tuple[Any, Any, int]]) -> None:
        """Set to rest what rests in islands that are due, given by contacts and slow bodies.

        Where that does not last, or nothing new is found, it is asked half as often.
        """
        for contacts, slow, lead in islands:
            kept = self._kept(scene, contacts, slow, lead)
            if len(kept) < len(slow) and self._now >= self._due[lead]:
                found = self._found(scene, contacts, slow, self._now, _PASSES)
                self._wait(lead, is_longer=len(found) <= len(kept))

    def _wait(self, lead: int, is_longer: bool) -> None:
        """Ask again after some steps."""
        if is_longer:
            self._patience[lead] = min(2 * self._patience[lead], _LONGEST)
        self._due[lead] = self._now + self._patience[lead]

    def _kept(self, scene: Scene, contacts: Any, slow: Any, lead: int) -> Any:
        """Units that were held and still are."""
        kept = []
        for first in np.unique(self._holder[slow]).tolist():
            units = np.flatnonzero(self._holder == first)
            if first < 0:
                continue
            since = int(self._since[first])
            if np.isin(units, slow).all():
                is_new = self._now - since == 1  # the first poses without motion
                found = self._found(scene, contacts, units, since, _PASSES if is_new else 1)
                if len(found):
                    kept.append(found)
                    continue
            self._held[units] = 0
            if self._now - since > _LASTING:
                self._patience[lead], self._due[lead] = 1, self._now
            else:
                self._wait(lead, is_longer=True)
        return np.concatenate(kept) if kept else slow[:0]

    def _found(self, scene: Scene, contacts: Any, units: Any, since: int, passes: int) -> Any:
        """Units that rest, of some that may; those that move are taken out."""
        for _ in range(passes):
            question = _Question(scene, contacts, units)
            if not len(question.own):
                break
            equilibrium = question.equilibrium()
            if equilibrium.find(question.momenta(), question.guess(), question.limit()):
                question.rest(equilibrium.z)
                self._hold(question.units, since)
                return question.units
            left = equilibrium.x[: 6 * len(question.units)].reshape(-1, 6)
            speed = np.abs(left * question.radius).max(axis=1)
            units = question.units[speed <= _MOVES * speed.max()]
        return units[:0]

    def _hold(self, units: Any, since: int) -> None:
        """Hold units together, and with nobody else."""
        before = np.unique(self._holder[units])
        self._held[np.isin(self._holder, before[before >= 0])] = 0
        self._held[units], self._since[units] = units.min() + 1, since
        self._proven[units] = self._now
