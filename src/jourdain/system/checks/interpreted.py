"""Functions for a few evaluations: interpreted, so that nothing is compiled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import as_columns
from jourdain.equations.quantities import MechanismQuantity


class Interpreted:
    """Quantities of a mechanism at one state.

    Machine code pays when a quantity is evaluated thousands of times or for many states at once;
    for large machines it takes seconds to make.

    Parameters
    ----------
    symbols : mapping of str to casadi.SX
        Symbols of all that the quantities depend on.
    graph : Mechanism
        The expressions.
    """

    def __init__(self, symbols: dict[str, Any], graph: Any) -> None:
        self._symbols, self._graph = symbols, graph
        self._functions: dict[MechanismQuantity, InterpretedFunction] = {}
        self._slopes: dict[tuple[MechanismQuantity, str], InterpretedSlopes] = {}

    def __call__(self, quantity: MechanismQuantity, **given: Any) -> Any:
        """Value of a quantity at one state.

        Parameters
        ----------
        quantity : MechanismQuantity
            For example ``Mechanism.vdot``.
        **given : arrays
            Values by the names of the symbols: q, v, t, p, …; those left out are zero.
        """
        found = self._function(quantity)(given)
        return found if quantity.is_matrix else found.reshape(-1)

    def _function(self, quantity: MechanismQuantity) -> InterpretedFunction:
        if quantity not in self._functions:
            value = quantity.of(self._graph)
            self._functions[quantity] = InterpretedFunction(self._symbols, value)
        return self._functions[quantity]

    def slopes(self, quantity: MechanismQuantity, by: str, **given: Any) -> Any:
        """Derivatives of a column by a symbol, ``"q"`` for example, at one state."""
        key = quantity, by
        if key not in self._slopes:
            value = quantity.of(self._graph)
            self._slopes[key] = InterpretedSlopes(self._symbols, value, self._symbols[by])
        still = {name: np.zeros(x.numel()) for name, x in self._symbols.items()}
        return self._slopes[key]((still | given).values())

    def rows(self, quantity: MechanismQuantity, columns: Sequence[Any]) -> Any:
        """A quantity of one state or of many, for values of all symbols in their order."""
        found = self._function(quantity).rows(columns)
        n = math.prod(found.shape[-2:])
        return found if quantity.is_matrix else found.reshape(*found.shape[:-2], n)


class InterpretedFunction:
    """A matrix as a function of columns, with memory for its arguments and its result.

    Parameters
    ----------
    symbols : mapping of str to casadi.SX
        Symbols of all that it depends on.
    value : casadi.SX
        The matrix.
    """

    def __init__(self, symbols: dict[str, Any], value: Any) -> None:
        value = ca.densify(value)
        self.shape: tuple[int, int] = value.shape
        self._lock = Lock()  # there is one memory for all threads
        f = ca.Function("quantity", list(symbols.values()), [value])
        self._arguments: dict[str, Any] = {n: np.zeros(s.numel()) for n, s in symbols.items()}
        self._result: Any = np.zeros((value.shape[1], value.shape[0]))  # column by column
        self._buffer, self._run = f.buffer()
        for k, array in enumerate(self._arguments.values()):
            if array.size:
                self._buffer.set_arg(k, memoryview(array))
        if self._result.size:
            flat: Any = self._result.reshape(-1)
            self._buffer.set_res(0, memoryview(flat))

    def __call__(self, given: Mapping[str, Any]) -> Any:
        """Matrix for values of symbols by name; those left out are zero."""
        with self._lock:
            for name, array in self._arguments.items():
                array[:] = given.get(name, 0.0)
            if self._result.size:
                self._run()
            return self._result.T.copy()

    def rows(self, columns: Sequence[Any]) -> Any:
        """Matrices of one state or of many, for values of all symbols in their order."""
        sizes = [(name, array.size) for name, array in self._arguments.items()]
        arrays, lead = as_columns(columns, sizes)
        n = math.prod(lead)
        found = np.empty((n, *self._result.shape))
        wide = [np.broadcast_to(a, (*lead, a.shape[-1])).reshape(n, a.shape[-1]) for a in arrays]
        pairs = [p for p in zip(self._arguments.values(), wide, strict=True) if p[0].size]
        with self._lock:
            for k in range(n):
                for array, rows in pairs:
                    array[:] = rows[k]
                if self._result.size:
                    self._run()
                found[k] = self._result
        return np.swapaxes(found, -1, -2).reshape(*lead, *self.shape)


class InterpretedSlopes:
    """Derivatives of a column by another one: products with directions, one for each colour.

    Columns of one colour share no row of the pattern. The graph is twice to three times that of
    the column; expressions of all entries would be that for each colour.

    Parameters
    ----------
    symbols : mapping of str to casadi.SX
        Symbols of all that the column depends on.
    value : casadi.SX
        The column.
    by : casadi.SX
        Symbols by which it is differentiated.
    """

    def __init__(self, symbols: Mapping[str, Any], value: Any, by: Any) -> None:
        self.shape = value.numel(), by.numel()
        pattern = ca.jacobian_sparsity(ca.SX(value), by)
        colours = pattern.uni_coloring(pattern.T)  # one column for each
        self._directions = np.array(ca.DM(colours, 1.0))
        self._rows, self._columns = (np.array(k, dtype=int) for k in pattern.get_triplet())
        colour_of = dict(zip(*colours.get_triplet(), strict=True))
        self._colours = np.array([colour_of[k] for k in self._columns], dtype=int)
        step = ca.SX.sym("step", by.numel())
        rate = ca.densify(ca.jtimes(value, by, step))
        self._rate = ca.Function("rate", [*symbols.values(), step], [rate])

    def __call__(self, columns: Iterable[Any]) -> Any:
        """Matrix for values of all symbols in their order."""
        found = np.zeros(self.shape)
        if len(self._rows):
            rates = np.array(self._rate(*columns, self._directions))
            found[self._rows, self._columns] = rates[self._rows, self._colours]
        return found
