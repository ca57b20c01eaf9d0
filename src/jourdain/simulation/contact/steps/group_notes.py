"""What steps with groups of contacts note: impacts, and islands without a solution."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.simulation.contact.steps.group_points import GroupPoints
from jourdain.simulation.methods import MoreauJean
from jourdain.solvers.timestep.records import CONNECTION, NORMAL, POINT, Machine, Step

_MOST_PAIRS = 8  # named in an event or an error


def group_impacts(
    groups: GroupPoints, m: Machine, s: Step, v: Any
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Contacts of groups that were met in the last step: names of groups, and details.

    ``v`` are velocities before the step.
    """
    hit = m.fixed_points + np.flatnonzero(s.struck[m.fixed_points : m.n_points])
    table = m.points[: POINT * m.n_points].reshape(-1, POINT)[hit]
    order = np.argsort(-s.impulses[table[:, NORMAL]], kind="stable")
    hit, table = hit[order], table[order]
    after = tuple((v + s.delta[: m.n_v]).tolist())
    for group in dict.fromkeys(table[:, CONNECTION].tolist()):
        own = np.flatnonzero(table[:, CONNECTION] == group)
        most = own[:_MOST_PAIRS]
        names = [groups.pair_of(groups.contact_of(k)) for k in hit[most].tolist()]
        numbers = [_of_rows(m, s, groups.rows_of(k, m)) for k in hit[most].tolist()]
        yield groups.names[group], {
            "contacts": tuple(dict.fromkeys(names)), "count": len(own),
            "energy": float(s.sums[m.fixed_rows + group]), "v_after": after,
            **{
                word: tuple(x[i] for x in numbers)
                for i, word in enumerate(("impulses", "before", "after"))
            },
        }  # fmt: skip


def _of_rows(m: Machine, s: Step, rows: slice) -> tuple[tuple[float, ...], ...]:
    """Impulses, velocities before and after along the rows of a contact."""
    ends = m.W_start[rows.start : rows.stop + 1].tolist()
    change = [float(m.W[a:b] @ s.delta[m.W_column[a:b]]) for a, b in pairwise(ends)]
    before = m.u[rows].tolist()
    after = tuple(x + y for x, y in zip(before, change, strict=True))
    return tuple(s.impulses[rows].tolist()), tuple(before), after


def unsolved(groups: GroupPoints, m: Machine, s: Step, method: MoreauJean) -> str:
    """Why a step is given up: the contact equations of a large island."""
    first, end = s.island_first[s.at_fault : s.at_fault + 2].tolist()
    points = [k for k in s.island_points[first:end].tolist() if k >= m.fixed_points]
    pairs = dict.fromkeys(groups.pair_of(groups.contact_of(k)) for k in points)
    named = ", ".join([*pairs][:_MOST_PAIRS]) or "the contacts"
    dt, most = method.dt, max(method.iterations, s.sweeps)
    return (
        f"the contact equations of {named} find no solution: residual {s.error:.2g} m/s after "
        f"{s.sweeps} sweeps. Take a smaller step, jd.MoreauJean({0.5 * dt:g}), or more sweeps, "
        f"jd.MoreauJean({dt:g}, iterations={2 * most})."
    )


def unsettled(s: Step, h: float) -> str:
    """Why a step of a length h is given up: forces, or states of laws, do not settle."""
    if s.state_fails:
        return (
            f"the states of laws, such as pressures, find no values at the end of a step of "
            f"{h:.3g} s. Likely cause: a rate that jumps. Next: let it change steeply instead, or "
            "take jd.EventDriven()."
        )
    return (
        f"forces at the end of a step of {h:.3g} s do not settle: they still change by "
        f"{s.change:.2g} of the momentum after {s.rounds} rounds. Likely cause: a law that is "
        "very stiff, jumps, or depends strongly on forces of contacts or constraints. Next: "
        "a smaller step, or jd.EventDriven()."
    )
