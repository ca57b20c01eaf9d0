"""Functions of users, of time or of time and state, as expression graphs.

A function is traced for every run, because what it refers to may have changed. Its graph is the key
by which kernels of earlier runs are found: equal graphs have equal kernels.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.errors import UnknownNameError
from jourdain.model.names import components
from jourdain.spatial.parameter import evaluate, values_in_force
from jourdain.system.held_inputs import Places
from jourdain.system.names import Names
from jourdain.system.system import System

_PYTHON = "decide with jd.where(condition, yes, no), or call plain Python by jd.Sampled"
_NAMES = ("q", "v", "t", "p")


class StateView(Mapping[str, Any]):
    """State by names: ``s["main.angle"]``, or groups such as ``s["ball.position"]``."""

    def __init__(
        self, names: Names, q: Any, v: Any, where: str, cut: Mapping[str, Any] | None = None
    ) -> None:
        self._names, self._q, self._v, self._where = names, q, v, where
        self._cut = cut or {}  # velocities of cut joints

    def __getitem__(self, name: str) -> Any:
        try:
            index = self._names.index(name, self._where)
        except UnknownNameError:
            if name in self._cut:
                return self._cut[name]
            own = components(name, self._cut, self._names.elements)
            if not own:
                raise
            return ca.vertcat(*(self._cut[each] for each in own))
        is_position = self._names.is_position(name)
        column = self._q if is_position else self._v
        if hasattr(index, "__len__"):
            return column[index[0] : index[-1] + 1]
        return column[index]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._names.q, *self._names.v))

    def __len__(self) -> int:
        return len(self._names.q) + len(self._names.v)


def takes_state(function: Callable[..., Any]) -> bool:
    """Tell whether a function takes ``(t, s)`` or only ``(t)``."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind != p.VAR_KEYWORD]
    return len(needed) > 1


@dataclass(frozen=True)
class TracedFunction:
    """A user's function as a graph.

    Parameters
    ----------
    value : casadi.SX
        Expression on the symbols of its system.
    key : hashable
        Equal for equal graphs.
    """

    value: Any
    key: Hashable

    def __call__(self, system: System, x: Mapping[str, Any]) -> Any:
        """Value as an expression of other symbols or expressions q, v, t and p."""
        own = system.description.user_symbols
        cut = own["cut"]
        given = {name: x[name] for name in _NAMES}
        if cut.numel() and ca.depends_on(self.value, cut):
            (velocities,) = system.expressions(Mechanism.cut_velocities, **given)
        else:
            velocities = ca.SX.zeros(cut.numel())
        symbols = [own[name] for name in (*_NAMES, "cut")]
        return ca.Function("user", symbols, [self.value])(*given.values(), velocities)


def traced(system: System, function: Any, what: str) -> TracedFunction:
    """Graph of a user's function; ``what`` names it in errors."""
    if isinstance(function, TracedFunction):
        return function
    x, names = system.description.user_symbols, system.names.parameters
    values = dict(zip(names, ca.vertsplit(x["p"]), strict=True)) if names else {}
    cut_names = system.description.parts.cut_velocities
    cut = dict(zip(cut_names, ca.vertsplit(x["cut"]), strict=True)) if cut_names else {}
    view = StateView(system.names, x["q"], x["v"], f"model {system.model.name!r}", cut)
    with values_in_force(values), on_symbols(what, _PYTHON):
        result = function(x["t"], view) if takes_state(function) else function(x["t"])
        value = ca.SX(evaluate(result, values))
    return TracedFunction(value, _key(system, value))


def _key(system: System, value: Any) -> Hashable:
    """Symbols that an expression has, and what it does with them."""
    symbols = ca.symvar(value)
    places = tuple(system.description.user_symbol_places[s.element_hash()] for s in symbols)
    return places, ca.Function("user", symbols, [value]).serialize()


def traced_function(system: System, x: Mapping[str, Any], function: Any, what: str) -> Any:
    """Value of a user's function as an expression of q, v, t and p."""
    return traced(system, function, what)(system, x)


def traced_inputs(system: System, inputs: Mapping[str, Any], held: Places) -> dict[str, Any]:
    """Inputs with graphs in the place of functions; held ones and numbers stay."""
    return {
        name: traced(system, x, f"input {name!r}") if callable(x) and name not in held else x
        for name, x in inputs.items()
    }
