"""Impacts by Poisson's law, in two phases before a step: compression and expansion (CT-5).

    x_C = x⁻ + B Λ_C with e = 0;   x_E = x_C + B Λ_E,   Λ_NE ≥ e Λ_NC,   |Λ_TE| ≤ μ Λ_NE

Both are sweeps over the closed contacts of the islands in which such contacts meet. The step then
starts from x_E, and keeps the velocities of the normals that they leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.native import native
from jourdain.solvers.pile.contact import push
from jourdain.solvers.pile.solution import largest_error
from jourdain.solvers.pile.sweeps import DEPTH, OPEN, SCRATCH, prepare, roots_into, solve_island

_MORE = 10  # times as many sweeps as in a step: what is left would be a wrong rebound
if TYPE_CHECKING:
    from jourdain.solvers.pile.pile import Pile


@native("iaappppappppppdiiapppp", is_unrolled=True)
def sweep_phase(
    n_islands, first, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w, tol, most,
    depth, state, y, root, memory, report,
):  # fmt: skip
    """Impulses of one phase from given ones, which act first; ``report`` gets the residual."""
    for i in range(first[n_islands]):
        if c[i] < OPEN and r[3 * i] > 0.0:
            push(i, sides, arms, middle, blocks, r[3 * i], r[3 * i + 1], r[3 * i + 2], x)
    error = 0.0
    for island in range(n_islands):
        start, end = first[island], first[island + 1]
        roots_into(start, end, A, root)
        solve_island(
            start, end, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w, tol, most,
            depth, state, y, root, memory,
        )  # fmt: skip
        own = largest_error(start, end, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w)
        error = max(error, own)
    report[0] = error
    return 0


@dataclass(frozen=True)
class Hit:
    """What an impact has done before a step.

    Parameters
    ----------
    impulses : (n, 3) [N s]
        Of all contacts.
    change : (n_columns,)
        Of the velocities of the units.
    wanted : (n,) [m/s]
        Velocities of normals that are kept; −1 for contacts that had no impulse.
    islands : (n_islands,) of bool
        Where contacts have met.
    residual : float [m/s]
        Of the contact equations.
    """

    impulses: Any
    change: Any
    wanted: Any
    islands: Any
    residual: float


def _swept(pile: Pile) -> float:
    """Sweep over one phase; return the residual [m/s]."""
    c, report, state = pile.contacts.at, np.zeros(1), np.zeros(DEPTH + 4, dtype=np.int64)
    scratch = np.zeros(SCRATCH)
    sweep_phase(
        pile.n_islands, c["first"], *pile.algebra, c["mu"], c["lead"], c["low"], c["A"], c["c"],
        c["r"], address(pile.x), address(scratch), pile.tolerance, _MORE * pile.iterations, DEPTH,
        address(state), c["y"], c["root"], c["memory"], address(report),
    )  # fmt: skip
    return float(report[0])


def hit_of(pile: Pile, is_poisson: Any) -> Hit | None:
    """Impacts of closed contacts, if some that follow Poisson's law approach."""
    n, contacts, is_led = pile.count, pile.contacts, pile.lead >= 0
    is_closed = pile.found.gap[pile.order] <= pile.touches
    before = pile.rates(pile.old)
    meets = is_poisson & is_closed & ~is_led & (before[:, 0] < -pile.tolerance)
    if not meets.any():
        return None
    first = contacts["first"][: pile.n_islands + 1]
    island = np.repeat(np.arange(pile.n_islands), np.diff(first))
    islands = np.zeros(pile.n_islands, dtype=bool)
    islands[island[meets]] = True
    takes_part = is_closed & islands[island]
    takes_part[is_led] = takes_part[pile.lead[is_led]]
    r, c, low = contacts["r"][: 3 * n].reshape(n, 3), contacts["c"][:n], contacts["low"][:n]
    r[:] = 0.0
    pile.x[:] = pile.old
    at, scratch = contacts.at, np.zeros(SCRATCH)
    prepare(
        n, at["order"], *pile.algebra, at["mu"], at["lead"], at["e"], at["gap"], address(pile.old),
        at["r"], address(pile.x), at["A"], at["c"], address(scratch), pile.touches, 0.0, 0.0,
    )  # fmt: skip
    c[:] = np.where(takes_part, 0.0, OPEN)
    residual = _swept(pile)
    compression = r.copy()
    low[:] = np.where(is_led, 0.0, contacts["e"][:n] * compression[:, 0])
    r[:] = 0.0
    r[:, 0] = low
    residual = max(residual, _swept(pile))
    impulses, after = compression + r, pile.rates(pile.x)[:, 0]
    wanted = np.where((impulses[:, 0] > 0.0) & ~is_led, np.maximum(after, 0.0), -1.0)
    low[:] = 0.0
    return Hit(impulses, pile.x - pile.old, wanted, islands, residual)
