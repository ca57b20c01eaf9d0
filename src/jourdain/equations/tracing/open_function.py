"""Functions of some symbols of an expression, in which all other symbols stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import casadi as ca


def open_function(name: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> Callable[..., Any]:
    """Function that puts arguments in the place of symbols; parameters may remain.

    Parameters
    ----------
    name : str
        Name for error texts.
    inputs : sequence of casadi.SX
        Symbols to be replaced.
    outputs : sequence of casadi.SX
        Expressions of them and of other symbols.
    """
    own = {s.element_hash() for s in ca.symvar(ca.veccat(*inputs))}
    rest = [s for s in ca.symvar(ca.veccat(*outputs)) if s.element_hash() not in own]
    function = ca.Function(name, [*inputs, *rest], list(outputs))

    def replaced(*arguments: Any) -> Any:
        return function(*arguments, *rest)

    return replaced
