"""Pattern of the matrix of a step: where the entries of its terms lie, and what rows fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.solvers.timestep.factor import entry_places, factor_fields
from jourdain.solvers.timestep.ordering import order
from jourdain.system.contact.step_kernels import StepKernels


def step_pattern(
    kernels: StepKernels, n_v: int, n_c: int, n_rows: int, *, with_tangent: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fields of the record of the factors, and those of the machine that belong to the pattern."""
    tangent = kernels.tangent[0] if with_tangent else []
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


def integers(values: Sequence[int]) -> Any:
    """Array of whole numbers, never empty."""
    return np.array([*values, 0], dtype=np.int64)


def listed(lists: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Where each list begins, and all of them one behind the other."""
    starts = np.cumsum([0, *(len(x) for x in lists)])
    return starts.astype(np.int64), integers([i for x in lists for i in x])
