"""Steps of a model with groups of contacts, their samples and their ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from jourdain.errors import AssemblyError, IntegrationError
from jourdain.model.elements import WORLD, with_values
from jourdain.results import Event as Found
from jourdain.results.channels import contact_groups
from jourdain.simulation.contact.articulated import Articulated
from jourdain.simulation.contact.loose import loose_bodies, loose_of, rest_of
from jourdain.simulation.contact.pile_groups import groups_of
from jourdain.simulation.contact.samples import on_grid
from jourdain.simulation.contact.sanity import OVERLAP
from jourdain.simulation.contact.singles import SingleContacts
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.simulation.methods import MoreauJean
from jourdain.solvers import Record
from jourdain.solvers.pile.pile import Pile
from jourdain.spatial.parameter import evaluate
from jourdain.system import System, compile

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
        held: Mapping[str, int], p: Any, watch: Watch,
    ) -> None:  # fmt: skip
        self.system, self.method, self.model = system, method, system.model
        self._p, self._watch, self.is_over = p, watch, False
        values = dict(zip(system.names.parameters, p.tolist(), strict=True))
        self._loose = loose_bodies(self.model, inputs)
        self.contours = [
            with_values(c, values) for g in self.model.contact_groups.values() for c in g.contours
        ]
        self.others = self._articulated(inputs, held, values)
        gravity = np.array(evaluate(self.model.gravity, values), dtype=float)
        self.pile = Pile(
            loose_of(system, self._loose, values),
            list(groups_of(self.model, self._loose, values)), gravity, self.others,
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
        singles = [] if self._singles is None else self._singles.owners
        self._elements = np.array([elements.index(name) for name in (*groups, *singles)])  # of laws
        self.works = np.zeros(len(elements) + 1)  # [J], then of drives
        self.steps, self.residual = 0, 0.0
        self.ledger: list[Found] = []
        self._samples: list[tuple[Any, ...]] = []
        self.u = np.zeros(len(held))
        self._left = method.dt  # of the present step
        self._mark: dict[str, Any] = {}  # memory before the step that the end cuts short
        self._safe: dict[str, Any] = {}  # memory before the present step

    def _articulated(
        self, inputs: Mapping[str, Any], held: Mapping[str, int], values: Mapping[str, float]
    ) -> Articulated | None:
        rest = rest_of(self.model, self._loose)
        if rest is None:
            return None
        own = compile(rest)
        full = self.system.names
        places = tuple(
            np.array([every.index(n) for n in names], dtype=np.int64)
            for every, names in ((full.q, own.names.q), (full.v, own.names.v))
        )
        contours = [
            None
            if c.frame.body in (*self._loose, WORLD)
            else (c.frame.body, np.array(c.frame.rotation), np.array(c.frame.position))
            for c in self.contours
        ]
        p = np.array([values[name] for name in own.names.parameters])
        return Articulated(
            own, (places[0], places[1]), inputs, held, p, contours, self.method.theta
        )

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
        if self.others is not None:
            self.q = self.others.found(self.q, self.v, t)
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
        if self.others is not None:
            self.others.is_stiff = record.flag("is_stiff")
        self.hold(held)

    def memory(self) -> dict[str, Any]:
        """Memory to go on from: before the step that the end cut short, or that is unfinished."""
        return self._mark or self._safe

    def _memory(self) -> dict[str, Any]:
        return {
            "t": self.t, "y": np.concatenate([self.q, self.v]), "left": self._left,
            "steps": self.steps, "works": self.works, "residual": self.residual,
            "n_events": len(self.ledger), "n_samples": len(self._samples),
            "is_stiff": self.others is not None and self.others.is_stiff, **self.pile.memory(),
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
        if self.others is not None:
            self.others.hold(self.u)

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
        if self.others is not None and self.others.is_unsettled:
            raise IntegrationError(
                "forces of springs, dampers or inputs at the end of the step are not found: its "
                f"velocities still change by {self.others.change:.2g} after many repetitions. Take "
                "a smaller step."
            )
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
        """Names of the bodies of contacts, each pair once, and of single contacts."""
        key, singles = self.pile.keys, self.pile.single_numbers
        named = (
            self.singles[singles[c]] if singles[c] >= 0
            else " - ".join(repr(self.contours[k].frame.body) for k in key[c, :2])
            for c in contacts
        )  # fmt: skip
        return list(dict.fromkeys(named))

    @property
    def singles(self) -> list[str]:
        """Names of the single contacts beside groups."""
        return [] if self._singles is None else self._singles.names

    @property
    def _singles(self) -> SingleContacts | None:
        return None if self.others is None else self.others.contacts

    def _step_works(self) -> Any:
        """Work [J] of the elements in the last step, and of drives through single contacts."""
        own = self._elements[self.pile.laws]
        works = np.bincount(own, self.pile.works, len(self.works))
        if self._singles is not None:
            own, numbers = self.pile.single_numbers >= 0, self.pile.single_numbers
            works[-1] = -float(np.sum(self.pile.impulses[own] * self._singles.drift[numbers[own]]))
        return works

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
        singles, after = pile.single_numbers, pile.rates(pile.x)
        for own in (hits[singles[hits] < 0], hits[singles[hits] >= 0]):
            if len(own):
                self._log_impact(own[np.argsort(-pile.impulses[own, 0])], h, before, after)

    def _log_impact(self, hits: Any, h: float, before: Any, after: Any) -> None:
        """Log contacts of groups, or single ones, that were hit in a step."""
        impulses, is_single = self.pile.impulses, self.pile.single_numbers >= 0
        own = is_single == is_single[hits[0]]
        energy = 0.5 * float(np.sum((impulses * (before + after))[own]))
        most = hits[:_MOST_PAIRS]
        names = tuple(self._pairs(most))
        details = {"contacts": names, "count": len(hits), "energy": energy}
        sizes = np.linalg.norm(self.pile.axes[most], axis=2)  # impulses and velocities along units
        details["impulses"] = tuple(map(tuple, (impulses[most] * sizes).tolist()))
        for word, rows in (("before", before), ("after", after)):
            details[word] = tuple(map(tuple, (rows[most] / sizes).tolist()))
        group = self._group(int(self.pile.keys[hits[0], 0]))
        name = ", ".join(names) if is_single[hits[0]] else group
        self.ledger.append(Found(name, self.t + h, self.q.copy(), self.v.copy(), "impact", details))

    def _sample(self, h: float | None, wanted: Any = ()) -> None:
        """Keep the state, at the wanted time if that differs by rounding only."""
        n = len(contact_groups.contact_columns(self.model))
        row, forces = np.zeros(n), np.zeros(3 * len(self.singles))
        row[len(row) - len(self.works) :] = self.works
        if h is not None:
            row, forces = self._row(h), self._forces(h)
        near = (float(t) for t in wanted if abs(t - self.t) <= _SAME * self.method.dt)
        state = next(near, self.t), self.q.copy(), self.v.copy(), self.u.copy()
        self._samples.append((*state, row, forces))

    def _sampled_within(self, t: float) -> tuple[Any, ...]:
        """Sample at a time within the next step, by a shorter step that is taken back."""
        h = t - self.t
        q, v = self._after(h)
        self._require_solution()
        row, forces = self._row(h), self._forces(h)
        row[len(row) - len(self.works) :] += self._step_works()
        self.pile.recall(Record(self._safe))
        if self.others is not None:
            self.others.is_stiff = self._safe["is_stiff"]
        return t, q, v, self.u.copy(), row, forces

    def _forces(self, h: float) -> Any:
        """Forces of the single contacts in a step, three for each."""
        if self._singles is None:
            return np.zeros(0)
        numbers, impulses = self.pile.single_numbers, np.zeros((len(self.singles), 3))
        own = numbers >= 0
        impulses[numbers[own]] = self.pile.impulses[own]
        return self._singles.forces(impulses, h)

    def _row(self, h: float) -> Any:
        """What the groups do in a step, and their loads on the bodies."""
        pile, numbers, first = self.pile, [], 0
        of_groups = pile.single_numbers < 0
        key, impulses = pile.keys[of_groups], pile.impulses[of_groups]
        is_led = pile.lead[of_groups] >= 0
        for group in self.model.contact_groups.values():
            own = (key[:, 0] >= first) & (key[:, 0] < first + len(group.contours)) & ~is_led
            normal = impulses[own, 0]
            count = float(np.count_nonzero(normal > 0.0))
            numbers += [count, float(normal.sum()) / h, pile.penetration, pile.residual]
            first += len(group.contours)
        forces = np.einsum("nij,ni->nj", pile.axes[of_groups], impulses) / h
        loads = np.zeros((self._n_touched + 1, 6))
        for side, sign in ((0, -1.0), (1, 1.0)):
            contour = key[:, side]
            turn = pile.poses[contour, :9].reshape(-1, 3, 3)
            place = np.einsum("nji,nj->ni", self._turns[contour], self._points[contour])
            origin = pile.poses[contour, 9:] - np.einsum("nij,nj->ni", turn, place)
            arms = pile.points[side][of_groups] - origin
            load = sign * np.hstack([np.cross(arms, forces), forces])
            load[is_led] = sign * np.hstack([forces[is_led], np.zeros_like(forces[is_led])])
            np.add.at(loads, self._owner[contour], load)
        return np.array([*numbers, *loads[:-1].ravel(), *self.works])

    def samples(self) -> tuple[Any, ...]:
        """Times, q, v, sampled inputs, contact columns and forces of single contacts."""
        is_empty = not self._samples
        if is_empty:
            self._sample(None)
        return tuple(np.array(x)[is_empty:] for x in zip(*self._samples, strict=True))
