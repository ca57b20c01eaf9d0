"""Impacts, modes and steps against trying out all modes: open, stick, slide to either side."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.errors import IntegrationError
from jourdain.simulation.contact.events.modes import decide
from jourdain.simulation.contact.impact import impact
from jourdain.simulation.contact.rows import Rows, Touch

seeds = st.integers(0, 2**32 - 1)


class Given:
    """Contacts with one tangent each, without a model."""

    def __init__(self, laws):
        self.touches = [
            Touch(f"c{k}", 2 * k, (2 * k + 1,), law, has_gap=True) for k, law in enumerate(laws)
        ]

    def restitutions(self, rows):
        return np.array([x.restitution(max(0.0, -rows.u[x.normal]), {}) for x in self.touches])

    def together(self, k):
        return [k]


def solutions(G, c, mu, given=None, sliding=None):
    """All modes that satisfy the laws: rows r, rates u = c + G r, and the words of the modes.

    ``given`` are normal impulses that act at least (Poisson's expansion); ``sliding`` are contacts
    that slide already, with a sign, and do so in any mode but open.
    """
    n = len(mu)
    given, sliding = np.zeros(n) if given is None else given, sliding or {}
    tol, found = 1e-9 * (1.0 + np.abs(c).max()), []
    for words in product(("open", "closed"), repeat=n):
        for ways in product((0, 1, -1), repeat=n):
            if any(s != ways[k] for k, s in sliding.items()):
                continue
            no_friction = [w == "open" and not g > 0.0 for w, g in zip(words, given, strict=True)]
            if any(x and ways[k] and k not in sliding for k, x in enumerate(no_friction)):
                continue
            r = _linear(G, c, mu, given, words, ways)
            if r is None:
                continue
            u = c + G @ r
            more, reserve = r[::2] - given, mu * r[::2] - np.abs(r[1::2])
            fits = more.min() >= -tol and u[::2].min() >= -tol and reserve.min() >= -tol
            slips = all(
                u[2 * k + 1] * s >= -tol for k, s in enumerate(ways) if s and k not in sliding
            )
            if fits and slips:
                found.append((r, u, words, ways))
    return found


def _linear(G, c, mu, given, words, ways):
    """Forces of one choice of modes, or none where it has no unique ones."""
    n = len(mu)
    A, b = np.zeros((2 * n, 2 * n)), np.zeros(2 * n)
    for k in range(n):
        N, T = 2 * k, 2 * k + 1
        if words[k] == "open":
            A[N, N], b[N] = 1.0, given[k]
        else:
            A[N], b[N] = G[N], -c[N]
        if words[k] == "open" and not given[k] > 0.0:
            A[T, T] = 1.0
        elif ways[k]:
            A[T, T], A[T, N] = 1.0, ways[k] * mu[k]
        else:
            A[T], b[T] = G[T], -c[T]
    if np.linalg.cond(A) > 1e10:
        return None
    return np.linalg.solve(A, b)


def drawn(seed, n, most=0.4):
    """Response, velocities and friction of n contacts of a machine with enough freedoms."""
    rng = np.random.default_rng(seed)
    n_v = 2 * n + 1
    W, v = rng.standard_normal((2 * n, n_v)), rng.standard_normal(n_v)
    M = np.diag(rng.uniform(0.5, 2.0, n_v))
    return rng, W, np.linalg.solve(M, W.T).T, v, rng.uniform(0.05, most, n)


def rows_of(W, B, v, mu, vdot=None):
    vdot = 0.0 * v if vdot is None else vdot
    capacity, none = np.column_stack([mu, mu]), np.zeros(len(W))
    return Rows(np.zeros(len(mu)), W @ v, none, capacity, W, B, vdot)


def closest(found, wanted):
    return min(np.abs(u - wanted).max() for _, u, *_ in found)


@settings(max_examples=30)
@given(seed=seeds, n=st.integers(1, 3))
def test_impacts_of_newton(seed, n):
    rng, W, B, v, mu = drawn(seed, n)
    e = rng.uniform(0.0, 1.0, n)
    laws = [jd.Coulomb(float(m), float(x)) for m, x in zip(mu, e, strict=True)]
    rows = rows_of(W, B, v, mu)
    hit = impact(Given(laws), rows, range(n), 0.0)
    c = rows.u.copy()
    c[::2] += e * np.minimum(c[::2], 0.0)
    found = [(r, rows.u + rows.G @ r) for r, *_ in solutions(rows.G, c, mu)]
    assert found
    assert closest(found, hit.after) <= 1e-8 * (1.0 + np.abs(hit.after).max())


@settings(max_examples=30)
@given(seed=seeds, n=st.integers(1, 3))
def test_impacts_of_poisson(seed, n):
    rng, W, B, v, mu = drawn(seed, n)
    e = rng.uniform(0.0, 1.0, n)
    laws = [jd.Coulomb(float(m), float(x), impact=jd.Poisson()) for m, x in zip(mu, e, strict=True)]
    rows = rows_of(W, B, v, mu)
    hit = impact(Given(laws), rows, range(n), 0.0)
    found = []
    for first, middle, *_ in solutions(rows.G, rows.u, mu):
        found += solutions(rows.G, middle, mu, given=np.maximum(e * first[::2], 0.0))
    assert found
    assert closest(found, hit.after) <= 1e-8 * (1.0 + np.abs(hit.after).max())


@settings(max_examples=60)
@given(seed=seeds, n=st.integers(1, 3))
def test_modes_of_closed_contacts(seed, n):
    """Some slide already, the others rest; accelerations are drawn."""
    rng, W, B, v, mu = drawn(seed, n)
    slips = rng.choice([0.0, 1.0, -1.0], n)
    v = np.linalg.lstsq(W, np.column_stack([np.zeros(n), slips]).ravel(), rcond=None)[0]
    rows = rows_of(W, B, v, mu, rng.standard_normal(len(v)) * 5.0)
    contacts = Given([jd.Coulomb(float(m)) for m in mu])
    sliding = {k: int(s) for k, s in enumerate(slips) if s}
    found = solutions(rows.G, rows.acceleration, mu, sliding=sliding)
    if not found:  # Painlevé: what slides may leave no solution at all
        with pytest.raises(IntegrationError, match="find no solution"):
            decide(contacts, rows, range(n), 0.0)
        return
    modes = decide(contacts, rows, range(n), 0.0).modes
    words = [modes.word(k) for k in range(n)]
    wanted = [
        ["open" if w == "open" else "slip" if s else "stick" for w, s in zip(ws, ways, strict=True)]
        for *_, ws, ways in found
    ]
    assert words in wanted


@pytest.fixture(scope="module")
def machine():
    """Five masses; three contacts with friction along random combinations of them."""
    rng = np.random.default_rng(4)
    masses, W, mu = rng.uniform(0.5, 2.0, 7), rng.standard_normal((6, 7)), (0.2, 0.3, 0.4)
    model = jd.Model("random", gravity=(0.0, 0.0, 0.0))
    for k, mass in enumerate(masses):
        model.add_coordinate(f"q{k}", mass, unit="m")
        force = jd.Force(jd.Parameter(f"force_{k}", 0.0))
        model.add_connection(f"force_{k}", jd.Coordinate(f"q{k}"), force)

    def along(row):
        return jd.Formula(lambda at: sum(w * at.coordinate(f"q{k}") for k, w in enumerate(row)))

    for k in range(3):
        touch = jd.Touch(along(W[2 * k]), along(W[2 * k + 1]))
        model.add_connection(f"c{k}", touch, jd.Coulomb(mu[k], jd.Parameter(f"e_{k}", 0.0)))
    return jd.compile(model), masses, W, np.array(mu)


@pytest.mark.parametrize("seed", range(6))
def test_one_step_of_moreau(machine, seed):
    """All contacts are closed and meet at once, with forces in the same step."""
    system, masses, W, mu = machine
    rng, h = np.random.default_rng(seed), 0.1
    force, e = 10.0 * rng.standard_normal(7), rng.uniform(0.0, 1.0, 3)
    u = np.column_stack([-rng.uniform(0.1, 1.0, 3), rng.standard_normal(3)]).ravel()
    v = np.linalg.lstsq(W, u, rcond=None)[0]
    values = {f"force_{k}": x for k, x in enumerate(force)} | {f"e_{k}": x for k, x in enumerate(e)}
    sol = jd.simulate(
        system,
        h,
        start=(np.zeros(7), v),
        parameters=values,
        method=jd.MoreauJean(h, corrects_positions=False),
        sample=h,
    )
    c = u + h * W @ (force / masses)
    c[::2] += e * u[::2]
    found = solutions(W @ np.diag(1.0 / masses) @ W.T, c, mu)
    ends = [v + (h * force + W.T @ r) / masses for r, *_ in found]
    assert min(np.abs(sol.v[-1] - end).max() for end in ends) <= 1e-10


@pytest.mark.parametrize(
    "method", [jd.EventDriven(), jd.NonsmoothAlpha(1e-3)], ids=["event", "alpha"]
)
@pytest.mark.parametrize("seed", range(3))
def test_forces_of_closed_contacts(machine, method, seed):
    system, masses, W, mu = machine
    rng = np.random.default_rng(seed)
    force = 10.0 * rng.standard_normal(7) - 3.0 * W[::2].sum(axis=0)
    values = {f"force_{k}": x for k, x in enumerate(force)}
    sol = jd.simulate(system, 1e-3, parameters=values, method=method, sample=1e-3)
    at = 0 if isinstance(method, jd.EventDriven) else -1  # means of the step from rest
    forces = np.array([
        [sol.values(f"c{k}.normal_force")[at], sol.values(f"c{k}.friction_force")[at, 0]]
        for k in range(3)
    ]).ravel()  # fmt: skip
    found = solutions(W @ np.diag(1.0 / masses) @ W.T, W @ (force / masses), mu)
    assert min(np.abs(r - forces).max() for r, *_ in found) <= 1e-9
