"""Steps of a model with groups of contacts, their samples and their ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from jourdain.errors import AssemblyError, IntegrationError
from jourdain.model.elements import WORLD, with_values
from jourdain.results import Event as Found
from jourdain.results.channels import contact_groups
from jourdain.simulation.contact.loose import loose_bodies, loose_of
from jourdain.simulation.contact.pile_groups import groups_of
from jourdain.simulation.contact.samples import on_grid
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.simulation.methods import MoreauJean
from jourdain.simulation.tolerances import OVERLAP
from jourdain.solvers import Record
from jourdain.solvers.pile.pile import Pile
from jourdain.spatial.parameter import evaluate
from jourdain.system import System
from jourdain.system.held_inputs import Places

_SAME, _SHORTEST = 1e-9, 1e-6  # part of a step between two times that are one; that is no step
_MOST_NUMBERS = 1_000_000  # in the ledger
_MOST_PAIRS = 8  # named in an event or an error


class PileRun:
    """One simulation in equal steps.

    Parameters
    ----------
    system : System
        The compiled machine.
    method : MoreauJean
        Step.
    inputs : mapping
        Inputs by name.
    held : mapping of str to int
        Places of sampled inputs.
    p : (n_p,)
        Parameters.
    watch : Watch
        Events to find.
    """

    hits_times = False  # whether samples within steps are at the times that were asked for
    look: Callable[[], None] = staticmethod(lambda: None)  # called where it can be interrupted

    def __init__(
        self, system: System, method: MoreauJean, inputs: Mapping[str, Any],
        held: Places, p: Any, watch: Watch,
    ) -> None:  # fmt: skip
        self.system, self.method, self.model = system, method, system.model
        self._p, self._watch, self.is_over = p, watch, False
        values = dict(zip(system.names.parameters, p.tolist(), strict=True))
        self._loose = loose_bodies(self.model, inputs)
        self.contours = [
            with_values(c, values) for g in self.model.contact_groups.values() for c in g.contours
        ]
        gravity = np.array(evaluate(self.model.gravity, values), dtype=float)
        self.pile = Pile(
            loose_of(system, self._loose, values),
            list(groups_of(self.model, self._loose, values)), gravity,
            tolerance=method.tolerance, iterations=method.iterations,
        )  # fmt: skip
        self._names = list(self.model.bodies)
        touched = contact_groups.touched_bodies(self.model)
        owners = [c.frame.body for c in self.contours]
        self._owner = np.array([touched.index(b) if b != WORLD else -1 for b in owners])
        self._turns = np.array([c.frame.rotation for c in self.contours], dtype=float)
        self._points = np.array([c.frame.position for c in self.contours], dtype=float)
        self._n_touched = len(touched)
        elements = contact_groups.working_elements(self.model)
        groups = [name for name, g in self.model.contact_groups.items() for _ in g.laws]
        self._elements = np.array([elements.index(name) for name in groups])  # of laws
        self.works = np.zeros(len(elements) + 1)  # [J], then of drives
        self.steps, self.residual = 0, 0.0
        self.ledger: list[Found] = []
        self._samples: list[tuple[Any, ...]] = []
        self.u = np.zeros(len(held))
        self._left = method.dt  # of the present step
        self._mark: dict[str, Any] = {}  # memory before the step that the end cuts short
        self._safe: dict[str, Any] = {}  # memory before the present step

    def begin(self, y: Any, t: float) -> None:
        """Take the start.

        Raises
        ------
        AssemblyError
            If bodies overlap.
        """
        n = len(self.system.names.q)
        self.q, self.v, self.t = np.array(y[:n]), np.array(y[n:]), t
        self._t_begin = t
        deepest, pair = self.pile.deepest(self.q, self.v, t)
        if deepest > OVERLAP:
            a, b = (self.contours[k].frame.body for k in pair)
            raise AssemblyError(
                f"contacts {self._group(pair[0])!r}: bodies {a!r} and {b!r} overlap by "
                f"{deepest:.3g} m at the start. Move the bodies apart, or give start values at "
                "which they only touch."
            )
        self._sample(None)

    def resume(self, record: Record, held: Any, ledger: Iterable[Found]) -> None:
        """Go on from the memory of an earlier run, with its events."""
        n, n_v, dt = len(self.system.names.q), len(self.system.names.v), self.method.dt
        self.q, self.v = np.split(record.array("y", n + n_v), [n])
        self.t, self._left = record.number("t"), record.number("left", _SHORTEST * dt, dt)
        self.steps, self.works = record.count("steps"), record.array("works", len(self.works))
        self.residual = record.number("residual", 0.0)
        self.ledger, self._t_begin = list(ledger), record.number("begin")
        self.pile.recall(record)
        self.hold(held)

    def memory(self) -> dict[str, Any]:
        """Memory to go on from: before the step that the end cut short, or that is unfinished."""
        return self._mark or self._safe

    def _memory(self) -> dict[str, Any]:
        return {
            "t": self.t, "y": np.concatenate([self.q, self.v]), "left": self._left,
            "steps": self.steps, "works": self.works, "residual": self.residual,
            "n_events": len(self.ledger), "n_samples": len(self._samples),
            **self.pile.memory(),
        }  # fmt: skip

    def go_back(self) -> None:
        """Take back what an unfinished step has noted."""
        if self._safe:
            n, memory = len(self.q), self._safe
            self.q, self.v, self.t = memory["y"][:n], memory["y"][n:], memory["t"]
            self.steps, self.works = memory["steps"], memory["works"]
            self.residual = memory["residual"]
            del self.ledger[memory["n_events"] :], self._samples[memory["n_samples"] :]

    def hold(self, held: Any) -> None:
        """Take new sampled inputs."""
        self.u = np.array(held)

    def advance_to(
        self, t_end: float, times: Any, progress: Callable[..., None] | None, *, is_end: bool = True
    ) -> None:
        """Advance in equal steps; the last one before a stop is as long as is left."""
        h = self.method.dt
        next_sample = int(np.searchsorted(times, self.t + _SAME * h, side="right"))
        self._watch.begin(self._looked_at(self.q, self.v, self.t))
        while self.t < t_end - _SHORTEST * h:
            self._safe, left = self._memory(), self._left
            self.look()
            if is_end and t_end - self.t < left and not self._mark:
                self._mark = self._safe
            step = min(left, t_end - self.t)
            ahead = np.asarray(times[next_sample:])
            within = ahead[ahead < self.t + step - _SAME * h] if self.hits_times else ()
            sampled = [self._sampled_within(float(t)) for t in within]
            step = self._step(step)
            if not self.is_over:
                self.t = on_grid(self.t, self._t_begin, h)
            self._left = left - step if step < left - _SHORTEST * h else h  # to the same times on
            sampled = [x for x in sampled if x[0] < self.t - _SAME * h]  # or an event came first
            self._samples += sampled
            next_sample += len(sampled)
            is_due = next_sample < len(times) and self.t >= times[next_sample] - _SAME * h
            if is_due or self.is_over:
                self._sample(step, times[next_sample : next_sample + 1])
                next_sample = int(np.searchsorted(times, self.t + _SAME * h, side="right"))
            if self.is_over:
                return
            if progress is not None and self.steps % 200 == 0:
                progress(self.t, step)
        if is_end and not self._mark:
            self._mark = self._memory()
        self.t, self._left = t_end, h
        self._safe = self._memory()

    def _step(self, h: float) -> float:
        """Take a step, which ends at the first event within; return its length."""
        q, v = self._after(h)
        values = self._looked_at(q, v, self.t + h)
        if self._watch.passed(values):
            h = self._watch.first(lambda x: self._looked_at(*self._after(x), self.t + x), h, values)
            q, v = self._after(h)
            values = self._looked_at(q, v, self.t + h)
        self._require_solution()
        self._note_impacts(h)
        self.q, self.v = q, v
        self.t += h
        self.steps += 1
        self.works = self.works + self._step_works()
        self.residual = max(self.residual, self.pile.residual)
        self._note_events(values)
        return h

    def _after(self, h: float) -> tuple[Any, Any]:
        """State after a step."""
        q, v = self.q.copy(), self.v.copy()
        self.pile.step(
            q, v, self.t, h, theta=self.method.theta, is_corrected=self.method.corrects_positions
        )
        return q, v

    def _looked_at(self, q: Any, v: Any, t: float) -> Any:
        """Event functions at a state."""
        return self._watch.values(q, v, self.u, t, self._p)

    def _note_events(self, values: Any) -> None:
        """Log the events at the present state, from which the next ones are looked for."""
        passed = self._watch.passed(values)
        for k in passed:
            self.ledger.append(Found(self._watch.names[k], self.t, self.q.copy(), self.v.copy()))
        self.is_over |= self._watch.ends(passed)
        self._watch.begin(values)

    def _require_solution(self) -> None:
        pile = self.pile
        if pile.is_unsolved:
            worst = int(np.argmax(np.nan_to_num(pile.islands[:, 1], nan=np.inf)))
            first = pile.contacts["first"]
            named = ", ".join(self._pairs(range(first[worst], first[worst + 1]))[:_MOST_PAIRS])
            raise IntegrationError(
                f"the contact equations of {named} find no solution: residual "
                f"{pile.residual:.2g} m/s after {pile.sweeps} sweeps. Take a smaller step, "
                f"jd.MoreauJean({0.5 * self.method.dt:g}), or more sweeps, "
                f"jd.MoreauJean({self.method.dt:g}, iterations={2 * pile.sweeps})."
            )

    def _group(self, contour: int) -> str:
        for name, group in self.model.contact_groups.items():
            if contour < len(group.contours):
                return name
            contour -= len(group.contours)
        return ""

    def _pairs(self, contacts: Any) -> list[str]:
        """Names of the bodies of contacts, each pair once."""
        key = self.pile.keys
        named = (
            " - ".join(repr(self.contours[k].frame.body) for k in key[c, :2]) for c in contacts
        )
        return list(dict.fromkeys(named))

    def _step_works(self) -> Any:
        """Work [J] of the elements in the last step."""
        return np.bincount(self._elements[self.pile.laws], self.pile.works, len(self.works))

    def _note_impacts(self, h: float) -> None:
        """Log contacts that were met with a velocity that one step of forces does not explain."""
        pile = self.pile
        if not pile.hits or len(self.ledger) * (len(self.q) + len(self.v)) > _MOST_NUMBERS:
            return
        before = pile.rates(pile.old)
        slow = 2.0 * h * (1.0 + np.abs(pile.rates(pile.free)[:, 0] - before[:, 0]) / h)
        is_hit = (pile.impulses[:, 0] > 0.0) & (before[:, 0] < -slow) & (pile.lead < 0)
        hits = np.flatnonzero(is_hit)
        if not len(hits):
            return
        own = hits[np.argsort(-pile.impulses[hits, 0])]
        self._log_impact(own, h, before, pile.rates(pile.x))

    def _log_impact(self, hits: Any, h: float, before: Any, after: Any) -> None:
        """Log contacts that were hit in a step."""
        impulses = self.pile.impulses
        energy = 0.5 * float(np.sum(impulses * (before + after)))
        most = hits[:_MOST_PAIRS]
        names = tuple(self._pairs(most))
        details = {"contacts": names, "count": len(hits), "energy": energy}
        sizes = np.linalg.norm(self.pile.axes[most], axis=2)  # impulses and velocities along units
        details["impulses"] = tuple(map(tuple, (impulses[most] * sizes).tolist()))
        for word, rows in (("before", before), ("after", after)):
            details[word] = tuple(map(tuple, (rows[most] / sizes).tolist()))
        name = self._group(int(self.pile.keys[hits[0], 0]))
        self.ledger.append(Found(name, self.t + h, self.q.copy(), self.v.copy(), "impact", details))

    def _sample(self, h: float | None, wanted: Any = ()) -> None:
        """Keep the state, at the wanted time if that differs by rounding only."""
        n = len(contact_groups.contact_columns(self.model))
        row = np.zeros(n)
        row[len(row) - len(self.works) :] = self.works
        if h is not None:
            row = self._row(h)
        near = (float(t) for t in wanted if abs(t - self.t) <= _SAME * self.method.dt)
        state = next(near, self.t), self.q.copy(), self.v.copy(), self.u.copy()
        self._samples.append((*state, row))

    def _sampled_within(self, t: float) -> tuple[Any, ...]:
        """Sample at a time within the next step, by a shorter step that is taken back."""
        h = t - self.t
        q, v = self._after(h)
        self._require_solution()
        row = self._row(h)
        row[len(row) - len(self.works) :] += self._step_works()
        self.pile.recall(Record(self._safe))
        return t, q, v, self.u.copy(), row

    def _row(self, h: float) -> Any:
        """What the groups do in a step, and their loads on the bodies."""
        pile, numbers, first = self.pile, [], 0
        key, impulses, is_led = pile.keys, pile.impulses, pile.lead >= 0
        for group in self.model.contact_groups.values():
            own = (key[:, 0] >= first) & (key[:, 0] < first + len(group.contours)) & ~is_led
            normal = impulses[own, 0]
            count = float(np.count_nonzero(normal > 0.0))
            numbers += [count, float(normal.sum()) / h, pile.penetration, pile.residual]
            first += len(group.contours)
        forces = np.einsum("nij,ni->nj", pile.axes, impulses) / h
        loads = np.zeros((self._n_touched + 1, 6))
        for side, sign in ((0, -1.0), (1, 1.0)):
            contour = key[:, side]
            turn = pile.poses[contour, :9].reshape(-1, 3, 3)
            place = np.einsum("nji,nj->ni", self._turns[contour], self._points[contour])
            origin = pile.poses[contour, 9:] - np.einsum("nij,nj->ni", turn, place)
            arms = pile.points[side] - origin
            load = sign * np.hstack([np.cross(arms, forces), forces])
            load[is_led] = sign * np.hstack([forces[is_led], np.zeros_like(forces[is_led])])
            np.add.at(loads, self._owner[contour], load)
        return np.array([*numbers, *loads[:-1].ravel(), *self.works])

    def samples(self) -> tuple[Any, ...]:
        """Times, q, v, sampled inputs and contact columns."""
        is_empty = not self._samples
        if is_empty:
            self._sample(None)
        return tuple(np.array(x)[is_empty:] for x in zip(*self._samples, strict=True))
