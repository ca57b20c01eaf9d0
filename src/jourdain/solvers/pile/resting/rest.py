"""Rest that is proven: slow bodies are set to rest where impulses exist that hold them.

Sweeps leave velocities of the size of their errors. For the slow bodies of an island, impulses
that hold them at rest are looked for (`equilibrium`); those of contacts with bodies that move are
given. Bodies that no impulses hold are left as they are. What is held stays held while its
contacts stay as they are: then the factors of the last solution serve again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.pile.resting.equilibrium import CERTAIN, Equilibrium, add_transposed
from jourdain.solvers.pile.resting.interior import CompiledEquilibrium
from jourdain.solvers.pile.resting.scene import Scene
from jourdain.solvers.pile.resting.sharing import Sharing
from jourdain.solvers.pile.resting.terms import momenta_into
from jourdain.solvers.pile.sweeps import OPEN
from jourdain.solvers.record import MOST, Record, refused

SLOW = 1e-3
"""Velocity [m/s] up to which it is asked whether a body rests."""
_PASSES = 6  # times that bodies which move are taken out
_MOVES = 1e-3  # part of the fastest motion that is one
_LONGEST = 64  # steps until it is asked again
_LASTING = 32  # steps of rest after which it is asked at once


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


class _Held:
    """Units that rest, and what the contacts looked like that hold them."""

    def __init__(
        self, question: _Question, equilibrium: Equilibrium | CompiledEquilibrium, now: int
    ) -> None:
        self.units, self._equilibrium, self.since = question.units, equilibrium, now
        self._looks = self._look(question)

    @staticmethod
    def _look(question: _Question) -> tuple[Any, ...]:
        scene, own = question.scene, np.concatenate([question.own, question.turning])
        return scene.key[own], scene.axes[own], scene.arms[own], scene.mu[own]

    def holds(self, question: _Question) -> bool:
        """Keep the units at rest, if that is possible still."""
        same = zip(self._looks, self._look(question), strict=True)
        if len(question.units) < len(self.units) or not all(np.array_equal(a, b) for a, b in same):
            return False
        p, limit = question.momenta(), question.limit()
        z = self._equilibrium.adjust(p, limit)
        if z is None and self._equilibrium.find(p, self._equilibrium.z, limit):
            z = self._equilibrium.z
        if z is not None:
            question.rest(z)
        return z is not None


class Rest:
    """What rests in a pile, and when it is asked next.

    Parameters
    ----------
    n : int
        Number of loose bodies.
    """

    def __init__(self, n: int) -> None:
        self._held: dict[int, _Held] = {}
        self._holder = np.full(n, -1)
        self._due, self._patience = np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.int64)
        self._now = self._number = 0
        self._told: Any = None

    def memory(self) -> Any:
        """When it is asked next: the present step, and for each body its due step and patience.

        What holds bodies at rest is not told; it is found anew, so that they are asked at once.
        """
        if self._told is None:  # it is asked in every step, and changes with an answer only
            due = np.where(self._holder >= 0, 0, self._due)
            self._told = np.concatenate([[0], due, self._patience])
        memory = self._told.copy()
        memory[0] = self._now
        return memory

    def recall(self, record: Record) -> None:
        """Go on from the `memory` of an earlier run."""
        n = len(self._due)
        memory = record.whole("rest", 1 + 2 * n, 0, MOST)
        now, due, patience = int(memory[0]), memory[1 : n + 1], memory[n + 1 :]
        if np.any(due > now + _LONGEST) or np.any((patience < 1) | (patience > _LONGEST)):
            raise refused("'rest' has bodies that are never asked whether they rest")
        self._told, self._now, self._due, self._patience = None, now, due, patience

    def due(self, speeds: Any, islands: Iterable[tuple[int, Any]]) -> list[tuple[int, Any, int]]:
        """Islands of which it is asked in this step: number, slow bodies, and the first body.

        Those are where bodies are held, or the time has come. Islands come as numbers with loose
        bodies, whose ``speeds`` [m/s] are the largest ones before the step or after.
        """
        self._now += 1
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
        self._told = None
        for contacts, slow, lead in islands:
            kept = self._kept(scene, contacts, slow, lead)
            if len(kept) < len(slow) and self._now >= self._due[lead]:
                found = self._found(scene, contacts, slow, self._now)
                self._wait(lead, is_longer=len(found) <= len(kept))

    def _wait(self, lead: int, is_longer: bool) -> None:
        """Ask again after some steps."""
        if is_longer:
            self._patience[lead] = min(2 * self._patience[lead], _LONGEST)
        self._due[lead] = self._now + self._patience[lead]

    def _kept(self, scene: Scene, contacts: Any, slow: Any, lead: int) -> Any:
        """Units that were held and still are."""
        kept = []
        for number in set(self._holder[slow].tolist()) - {-1}:
            held = self._held[number]
            if np.isin(held.units, slow).all():
                if held.holds(_Question(scene, contacts, held.units)):
                    kept.append(held.units)
                    continue
                if self._now - held.since == 1:  # the first poses without motion
                    kept.append(self._found(scene, contacts, held.units, held.since))
                    if len(kept[-1]):
                        continue
            self._forget(number)
            if self._now - held.since > _LASTING:
                self._patience[lead], self._due[lead] = 1, self._now
            else:
                self._wait(lead, is_longer=True)
        return np.concatenate(kept) if kept else slow[:0]

    def _found(self, scene: Scene, contacts: Any, units: Any, since: int) -> Any:
        """Units that rest, of some that may; those that move are taken out."""
        for _ in range(_PASSES):
            question = _Question(scene, contacts, units)
            if not len(question.own):
                break
            equilibrium = question.equilibrium()
            if equilibrium.find(question.momenta(), question.guess(), question.limit()):
                question.rest(equilibrium.z)
                self._hold(_Held(question, equilibrium, since))
                return question.units
            left = equilibrium.x[: 6 * len(question.units)].reshape(-1, 6)
            speed = np.abs(left * question.radius).max(axis=1)
            units = question.units[speed <= _MOVES * speed.max()]
        return units[:0]

    def _hold(self, held: _Held) -> None:
        for number in set(self._holder[held.units].tolist()) - {-1}:
            self._forget(number)
        self._number += 1
        self._held[self._number] = held
        self._holder[held.units] = self._number

    def _forget(self, number: int) -> None:
        self._holder[self._held.pop(number).units] = -1
