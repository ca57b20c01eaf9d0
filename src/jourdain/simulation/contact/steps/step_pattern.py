"""Pattern of the matrix of a step: where the entries of its terms lie, and what rows fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.solvers.timestep.factor import entry_places, factor_fields
from jourdain.solvers.timestep.ordering import order
from jourdain.solvers.timestep.records import Machine
from jourdain.system.contact.step_kernels import StepKernels


def step_pattern(
    kernels: StepKernels, n_v: int, n_c: int, n_rows: int, *, with_tangent: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fields of the record of the factors, and those of the machine that belong to the pattern."""
    tangent = kernels.tangent.places if with_tangent else []
    P = [(n_v + i, j) for i, j in kernels.constraint_rows.places]
    entries = {*kernels.mass.places, *tangent, *P}
    ordering = order(n_v, n_v + n_c, entries)
    factor = factor_fields(ordering, n_v, entries)
    rows: list[list[int]] = [[] for _ in range(n_rows)]
    for i, j in kernels.contact_rows.places:
        rows[i].append(j)
    reach = [ordering.reach(int(ordering.place[j]) for j in row) for row in rows]
    parents, root = ordering.parents, np.arange(n_v + n_c)
    for i in range(n_v + n_c - 1, -1, -1):
        root[i] = root[parents[i]] if parents[i] >= 0 else i
    fields: dict[str, Any] = {
        "place": integers(ordering.place.tolist()), "root": integers(root.tolist()),
        "n_mass": len(kernels.mass.places), "n_tangent": len(tangent),
        "n_constraint_entries": len(P),
        "mass_place": entry_places(factor, ordering, kernels.mass.places),
        "mass_row": integers([i for i, _ in kernels.mass.places]),
        "mass_column": integers([j for _, j in kernels.mass.places]),
        "tangent_place": entry_places(factor, ordering, tangent),
        "tangent_row": integers([i for i, _ in tangent]),
        "tangent_column": integers([j for _, j in tangent]),
        "P_place": entry_places(factor, ordering, P),
        "P_row": integers([i - n_v for i, _ in P]), "P_column": integers([j for _, j in P]),
    }  # fmt: skip
    fields["W_start"], fields["W_column"] = listed(rows)
    fields["reach_start"], fields["reach"] = listed(reach)
    return factor, fields


def inertia_pattern(kernels: StepKernels, n_v: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same for the factors of the masses alone."""
    ordering = order(n_v, n_v, set(kernels.mass.places))
    factor = factor_fields(ordering, n_v, set(kernels.mass.places))
    fields = {
        "inertia_place": integers(ordering.place.tolist()),
        "inertia_entry": entry_places(factor, ordering, kernels.mass.places),
    }
    return factor, fields


def state_pattern(kernels: StepKernels) -> dict[str, Any]:
    """States of laws on which rates of such states depend, in blocks that do not see each other.

    A chamber on which only columns of oil act is a block of one; chambers that orifices join are
    one block.
    """
    own, entries, _ = kernels.state_coupling
    asked = sorted({j for _, j in entries})
    blocks = {j: [j] for j in asked}
    for i, j in entries:
        if i in blocks and blocks[i] is not blocks[j]:
            blocks[i] += blocks[j]
            blocks |= dict.fromkeys(blocks[j], blocks[i])
    listed_blocks = list({id(block): block for block in blocks.values()}.values())
    order = [j for block in listed_blocks for j in block]
    rank, sizes = {j: k for k, j in enumerate(order)}, [len(block) for block in listed_blocks]
    first = np.cumsum([0, *sizes]).astype(np.int64)
    start = np.cumsum([0, *(n * (n + 1) for n in sizes)]).astype(np.int64)
    block_of = [b for b, n in enumerate(sizes) for _ in range(n)]
    places = []
    for i, j in entries:
        b = block_of[rank[j]]
        is_held = i in rank
        at = (rank[i] - first[b]) * sizes[b] + rank[j] - first[b] if is_held else 0
        places.append(int(start[b] + at) if is_held else -1)
    kept = [k for k, place in enumerate(places) if place >= 0]
    followers = sorted({i for i, _ in entries} - set(asked))
    return {
        "n_implicit": len(order), "implicit": integers([own[j] for j in order]),
        "n_followers": len(followers), "followers": integers([own[i] for i in followers]),
        "n_blocks": len(sizes), "block_first": integers(first.tolist()),
        "block_start": integers(start.tolist()), "n_by_state": len(kept),
        "by_state_entry": integers(kept), "by_state_place": integers([places[k] for k in kept]),
    }  # fmt: skip


def state_room(m: Machine) -> dict[str, int]:
    """Sizes of what a step works on for these states."""
    names = (
        "state_begin", "state_middle", "state_known", "first_rate", "state_scale", "state_unit",
        "state_left", "state_step", "state_old", "state_pivots",
    )  # fmt: skip
    room = dict.fromkeys(names, m.n_implicit + 1)
    room |= {"guess": 2 * m.n_implicit + 1, "follower_rate": m.n_followers + 1}
    return room | {"state_matrix": int(m.block_start[m.n_blocks]) + 1}


def take_fields(m: Machine, fields: dict[str, Any]) -> None:
    """Write fields of a record."""
    for name, value in fields.items():
        setattr(m, name, value)


def integers(values: Sequence[int]) -> Any:
    """Array of whole numbers, never empty."""
    return np.array([*values, 0], dtype=np.int64)


def listed(lists: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Where each list begins, and all of them one behind the other."""
    starts = np.cumsum([0, *(len(x) for x in lists)])
    return starts.astype(np.int64), integers([i for x in lists for i in x])
