"""Inertias on shafts with dry friction, freewheels and stops: motion by trying out all modes.

Loads and capacities are pieces of straight lines in time, so that accelerations are linear,
velocities quadratic and positions cubic between events: nothing is integrated numerically. How long
everything that rests can stay at rest is one linear programme, for any redundancy.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.optimize import linprog

AFTER = 1e-6  # [s] after an instant, where its right-hand limits are looked at
REST = 1e-9  # speeds and gaps below this are none
MOVES = 1e-9  # accelerations below this are none
EXACT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True)
class Line:
    """``level + slope t``, from ``time`` on with ``jump`` and ``bend`` (t - time) more."""

    level: float = 0.0
    slope: float = 0.0
    time: float = 0.0
    jump: float = 0.0
    bend: float = 0.0

    def __call__(self, t):
        after = t >= self.time
        return self.level + self.slope * t + after * (self.jump + self.bend * (t - self.time))


@dataclass(frozen=True)
class Element:
    """Friction ("dry"), freewheel ("free") or stop ("stop") on one row.

    ``row`` are the coefficients of the speeds; ``capacity`` is that of friction that slides, what
    sticks holds ``ratio`` times that and ``extra``; a stop keeps ``row q`` above ``limit`` and
    gives back the part ``e`` of a speed.
    """

    kind: str
    row: tuple[float, ...]
    capacity: Line = Line()
    limit: float = 0.0
    e: float = 0.0
    ratio: float = 1.0
    extra: float = 0.0

    def static(self, t):
        return self.ratio * self.capacity(t) + self.extra

    @property
    def has_static(self):
        return self.kind == "dry" and (self.ratio > 1.0 or self.extra > 0.0)


class Network:
    """Inertias with loads and elements."""

    def __init__(self, inertias, loads, elements, rest_speed=1e-7):
        self.M, self.loads, self.elements = np.array(inertias, float), loads, elements
        self.W = np.array([x.row for x in elements], float).reshape(len(elements), len(inertias))
        self.rest_speed = rest_speed
        self.friction = [k for k, x in enumerate(elements) if x.kind == "dry"]
        self.one_sided = [k for k, x in enumerate(elements) if x.kind != "dry"]
        self.breaks = sorted(
            {x.time for x in loads} | {elements[k].capacity.time for k in self.friction}
        )

    # -- one instant -------------------------------------------------------------------------------

    def free(self, t):
        return np.array([f(t) for f in self.loads])

    def accelerations(self, t, held, slides, static=()):
        """With rows that are held, and friction against directions, static of some."""
        f = self.free(t)
        for k, way in slides.items():
            f = f - way * self._capacity(k, t, static) * self.W[k]
        W = self.W[sorted(held)]
        if not len(W):
            return f / self.M
        B = W / self.M
        forces = np.linalg.lstsq(B @ W.T, -B @ f, rcond=1e-11)[0]
        return (f + W.T @ forces) / self.M

    def _capacity(self, k, t, static):
        return (self.elements[k].static if k in static else self.elements[k].capacity)(t)

    def forces(self, t, held, slides, static=None):
        """Forces within their limits that keep rows at rest, or None; False if not unique.

        ``static`` are the elements that have static friction: by default those that are held.
        """
        held = sorted(held)
        static = held if static is None else static
        f = self.M * self.accelerations(t, held, slides, static) - self.free(t)
        for k, way in slides.items():
            f = f + way * self._capacity(k, t, static) * self.W[k]
        bounds = [self._bounds(k, t, static) for k in held]
        if not held:
            return {}, True
        W = self.W[held]
        unique = np.linalg.matrix_rank(W, tol=1e-9) == len(held)
        if unique:
            x = np.linalg.lstsq(W.T, f, rcond=None)[0]
            fits = all(lo - MOVES <= r <= hi + MOVES for r, (lo, hi) in zip(x, bounds, strict=True))
            return (dict(zip(held, x, strict=True)), True) if fits else None
        wide = [(lo - MOVES, hi + MOVES) for lo, hi in bounds]
        found = linprog(
            np.zeros(len(held)), A_eq=W.T, b_eq=f, bounds=wide, method="highs", options=EXACT
        )
        return (dict(zip(held, found.x, strict=True)), False) if found.status == 0 else None

    def _bounds(self, k, t, static):
        most = self._capacity(k, t, static)
        return (-most, most) if self.elements[k].kind == "dry" else (0.0, np.inf)

    def modes(self, t, q, v):
        """Rows that stay at rest, and directions of friction that slides, just after t."""
        u, t = self.W @ v, t + AFTER
        slides = {k: np.sign(u[k]) for k in self.friction if abs(u[k]) > REST}
        resting = [k for k in self.friction if k not in slides]
        touching = [k for k in self.one_sided if u[k] <= REST and self._gap(k, q) <= REST]
        static = {k for k in resting if self.elements[k].has_static}
        while True:  # what leaves rest in spite of static friction has broken away
            held, now, a = self._tried(t, resting, touching, slides, static)
            own = self.W**2 @ (1.0 / self.M)
            over = {
                k: abs(a[k]) / max(own[k] * self.elements[k].static(t), 1e-300)
                for k in static if k in now and abs(a[k]) > MOVES
            }  # fmt: skip
            if not over:
                return held, now
            static -= {k for k, part in over.items() if part >= (1.0 - 1e-6) * max(over.values())}

    def _tried(self, t, resting, touching, slides, static):
        """Rows that stay at rest, directions of friction that slides, and accelerations of rows."""
        choices = [(0, 1, -1)] * len(resting) + [(0, 1)] * len(touching)
        for ways in sorted(product(*choices), key=np.count_nonzero):
            by = dict(zip(resting + touching, ways, strict=True))
            held = [k for k, way in by.items() if way == 0]
            now = slides | {k: by[k] for k in resting if by[k]}
            a = self.W @ self.accelerations(t, held, now, static)
            if any(way and way * a[k] < -MOVES for k, way in by.items()):
                continue
            if self.forces(t, held, now, static) is not None:
                return held, now, a
        raise AssertionError(f"no modes at {t}")

    def _gap(self, k, q):
        x = self.elements[k]
        return self.W[k] @ q - x.limit if x.kind == "stop" else 0.0

    def impact(self, q, v):
        """Velocities after an impact; the same where nothing approaches (Newton's law)."""
        u = self.W @ v
        touching = [k for k in self.one_sided if self._gap(k, q) <= REST]
        if not any(u[k] < -REST for k in touching):
            return v
        wanted = {k: -self._restitution(k, u[k]) * min(u[k], 0.0) for k in touching}
        for closed in product((True, False), repeat=len(touching)):
            used = [k for k, is_closed in zip(touching, closed, strict=True) if is_closed]
            W = self.W[used]
            B = W / self.M
            right = np.array([wanted[k] for k in used]) - W @ v
            impulses = np.linalg.lstsq(B @ W.T, right, rcond=1e-11)[0] if used else np.zeros(0)
            after = v + B.T @ impulses
            if np.abs(W @ after - [wanted[k] for k in used]).max(initial=0.0) > REST:
                continue
            if any(self.W[k] @ after < wanted[k] - REST for k in touching):
                continue
            if self._pushes(used, self.M * (after - v)):
                return after
        raise AssertionError("no impact")

    def _restitution(self, k, speed):
        slow = abs(speed) * self.elements[k].e <= self.rest_speed
        return 0.0 if slow else self.elements[k].e

    def _pushes(self, used, momentum):
        """Whether impulses that only push make a change of momentum."""
        if not used:
            return True
        found = linprog(
            np.zeros(len(used)), A_eq=self.W[used].T, b_eq=momentum,
            bounds=[(-MOVES, None)] * len(used), method="highs", options=EXACT,
        )  # fmt: skip
        return found.status == 0

    # -- between events ----------------------------------------------------------------------------

    def run(self, end, q=None, v=None, times=()):
        """States at the end and at times; events as times at which modes changed."""
        n = len(self.M)
        q = np.zeros(n) if q is None else np.array(q, float)
        v = np.zeros(n) if v is None else np.array(v, float)
        t, samples, events = 0.0, {}, []
        for _ in range(2000):
            v = self.impact(q, v)
            held, slides = self.modes(t, q, v)
            v = self._at_rest(held, v)
            events.append((t, tuple(sorted(held)), tuple(sorted(slides.items()))))
            stop = min([b for b in self.breaks if b > t + 1e-12] + [end])
            stop = self._until(t, stop, q, v, held, slides)
            for s in times:
                if t <= s <= stop:
                    samples[s] = (*self._moved(t, stop, s - t, q, v, held, slides), held, slides)
            q, v = self._moved(t, stop, stop - t, q, v, held, slides)
            t = stop
            if t >= end:
                return q, v, samples, events
        raise AssertionError("too many events")

    def _at_rest(self, held, v):
        if not held:
            return v
        W = self.W[held]
        B = W / self.M
        return v - B.T @ np.linalg.lstsq(B @ W.T, W @ v, rcond=1e-11)[0]

    def _slope(self, t, stop, held, slides):
        """Acceleration at t and its rate, from two times inside."""
        a, b = t + 0.25 * (stop - t), t + 0.75 * (stop - t)
        one, two = (self.accelerations(s, held, slides) for s in (a, b))
        rate = (two - one) / (b - a)
        return one - rate * (a - t), rate

    def _moved(self, t, stop, x, q, v, held, slides):
        if stop <= t:
            return q, v
        a, rate = self._slope(t, stop, held, slides)
        q = q + v * x + a * x**2 / 2 + rate * x**3 / 6
        return q, v + a * x + rate * x**2 / 2

    def _until(self, t, stop, q, v, held, slides):
        """First time at which modes change."""
        first = min(stop, t + self._rest_lasts(t, stop, held, slides))
        a, rate = self._slope(t, stop, held, slides)
        for k, x in enumerate(self.elements):
            if k in held:
                continue
            w, way = self.W[k], slides.get(k, 1.0)
            speed = way * np.array([w @ rate / 2, w @ a, w @ v])
            line = speed if x.kind != "stop" else np.array(
                [w @ rate / 6, w @ a / 2, w @ v, self._gap(k, q)])  # fmt: skip
            first = min(first, t + _falls(line, stop - t))
        return first

    def _rest_lasts(self, t, stop, held, slides):
        """Largest x such that forces keep rows at rest up to t + x (linear programme)."""
        if not held or stop <= t:
            return np.inf
        held = sorted(held)
        a, b = t + 0.25 * (stop - t), t + 0.75 * (stop - t)

        def needed(s):
            f = self.M * self.accelerations(s, held, slides) - self.free(s)
            for k, way in slides.items():
                f = f + way * self.elements[k].capacity(s) * self.W[k]
            return f

        def line(function):
            one, two = function(a), function(b)
            rate = (two - one) / (b - a)
            return one - rate * (a - t), rate

        f, f_rate = line(needed)
        A_eq = np.hstack([self.W[held].T, -f_rate[:, None]])
        rows, right = [], []
        for j, k in enumerate(held):
            x = self.elements[k]
            for sign in (1.0, -1.0) if x.kind == "dry" else (-1.0,):
                level, rate = line(x.static) if x.kind == "dry" else (0.0, 0.0)
                row = np.zeros(len(held) + 1)
                row[j], row[-1] = sign, -rate
                rows.append(row)
                right.append(level + MOVES * 1e-2)
        cost = np.zeros(len(held) + 1)
        cost[-1] = -1.0
        bounds = [(None, None)] * len(held) + [(0.0, stop - t)]
        found = linprog(cost, np.array(rows), right, A_eq, f, bounds, method="highs", options=EXACT)
        lasts = found.x[-1] if found.status == 0 else 0.0
        return lasts if lasts < (stop - t) * (1.0 - 1e-12) else np.inf


def _falls(line, end):
    """First x in (0, end] at which a polynomial falls through zero, from where it is above."""
    roots = np.roots(line)
    real = sorted(r.real for r in roots if abs(r.imag) < 1e-9 and 1e-9 < r.real <= end)
    slope = np.polyder(line)
    return next((x for x in real if np.polyval(slope, x) < 0.0), np.inf)
