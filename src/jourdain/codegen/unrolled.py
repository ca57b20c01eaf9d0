"""Whole expression graphs as straight-line code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca

from jourdain.codegen.lower import Place, lower
from jourdain.codegen.module import Core
from jourdain.codegen.rolling.core import ROLLED_FROM, Groups, rolled_core


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
        Which inputs belong together, see `rolling.core.rolled_core`.
    """
    symbols = ca.vertcat(*inputs.values())
    values = ca.densify(ca.vertcat(*outputs.values()))
    graph = ca.Function("graph", [symbols], [values])
    return _core(inputs, outputs, graph, _places(outputs), lanes, groups)


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
    symbols = ca.vertcat(*inputs.values())
    values = ca.vertcat(*(ca.vertcat(*x.nonzeros()) for x in outputs.values() if x.nnz()))
    places = [Place(name, k) for name, x in outputs.items() for k in x.sparsity().row()]
    graph = ca.Function("graph", [symbols], [ca.densify(values)])
    return _core(inputs, outputs, graph, places, lanes, groups)


def _core(
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    graph: Any,
    targets: Sequence[Place],
    lanes: int,
    groups: Groups | None,
) -> Core:
    """Straight-line code, or loops where a large graph repeats itself."""
    if graph.n_instructions() >= ROLLED_FROM:
        found = rolled_core(inputs, outputs, graph, targets, lanes, groups)
        if found is not None:
            return found
    names = [*inputs, *outputs]
    text, functions = lower("core", graph, _places(inputs), targets, names, lanes)
    return Core(text, frozenset(functions), lanes)


def _places(columns: Mapping[str, Any]) -> Sequence[Place]:
    return [Place(name, k) for name, column in columns.items() for k in range(column.numel())]
