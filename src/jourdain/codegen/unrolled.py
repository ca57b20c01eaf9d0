"""Whole expression graphs as straight-line code."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import casadi as ca

from jourdain.codegen.lower import Place, written
from jourdain.codegen.module import Core
from jourdain.codegen.rolling.core import ROLLED_FROM, Groups, Rolling, group_numbers
from jourdain.codegen.rolling.listing import Listing, listed


def unrolled_core(
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    lanes: int,
    groups: Groups | None = None,
) -> Core:
    """Core function of an expression graph.

    Parameters
    ----------
    inputs : mapping of str to casadi.SX
        Columns of symbols.
    outputs : mapping of str to casadi.SX
        Columns of expressions.
    lanes : int
        Systems at a time.
    groups : mapping of str to sequence of int, optional
        Which inputs belong together, see `rolling.core.group_numbers`.
    """
    return _core(inputs, outputs, lanes, groups, is_sparse=False)


def sparse_core(
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    lanes: int,
    groups: Groups | None = None,
) -> Core:
    """Core function of an expression graph that writes what is not always zero.

    Parameters
    ----------
    inputs, outputs, lanes, groups
        As of `unrolled_core`; outputs are sparse columns.
    """
    return _core(inputs, outputs, lanes, groups, is_sparse=True)


@dataclass(frozen=True)
class _Graph:
    """A graph as a list, and what repeats in it.

    A kernel is written for one lane and then for several: the last graph is kept for that.
    """

    key: tuple[Any, ...]
    listing: Listing
    targets: Sequence[Place]
    rolling: Rolling | None

    def core(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any], lanes: int) -> Core:
        """Straight-line code, or loops where a large graph repeats itself."""
        names = [*inputs, *outputs]
        if self.rolling is not None:
            return self.rolling.core(names, lanes)
        text = written("core", self.listing, _places(inputs), self.targets, names, lanes)
        return Core(text[0], frozenset(text[1]), lanes)


_LAST: list[_Graph] = []


def _core(
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    lanes: int,
    groups: Groups | None,
    *,
    is_sparse: bool,
) -> Core:
    key = inputs, outputs, groups, ROLLED_FROM
    if not (_LAST and all(a is b for a, b in zip(_LAST[0].key, key, strict=True))):
        _LAST[:] = [_listed(inputs, outputs, groups, key, is_sparse)]
    return _LAST[0].core(inputs, outputs, lanes)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles among the parts of graphs: they have none, and it takes an eighth."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_uncollected()
def _listed(
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    groups: Groups | None,
    key: tuple[Any, ...],
    is_sparse: bool,
) -> _Graph:
    """Graph of the outputs; of sparse ones what is not always zero."""
    symbols = ca.vertcat(*inputs.values())
    if is_sparse:
        values = ca.vertcat(*(ca.vertcat(*x.nonzeros()) for x in outputs.values() if x.nnz()))
        targets = [Place(name, k) for name, x in outputs.items() for k in x.sparsity().row()]
    else:
        values, targets = ca.vertcat(*outputs.values()), _places(outputs)
    listing = listed(ca.Function("graph", [symbols], [ca.densify(values)]))
    rolling = None
    if len(listing) + len(listing.outputs) >= ROLLED_FROM:
        found = Rolling(listing, _places(inputs), targets, group_numbers(inputs, groups))
        rolling = found if found.pays else None
    return _Graph(key, listing, targets, rolling)


def _places(columns: Mapping[str, Any]) -> list[Place]:
    return [Place(name, k) for name, column in columns.items() for k in range(column.numel())]
