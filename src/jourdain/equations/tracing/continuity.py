"""Friction that jumps where sliding begins, which velocities of rounding would choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi as ca

from jourdain.errors import ModelError

_SPEEDS = (0.0, 1e-12, -1e-12, 1e-7, -1e-7)  # [m/s, rad/s] at all of which friction is one
_SLOW = (1e-3, -1e-3)  # [m/s, rad/s] where friction that begins at zero has grown
_ELSE = (0.37, 1.3)  # what other symbols are, one after the other
_JUMP = 0.01  # part of the largest value that is no change with the speed


def require_continuous(function: Callable[[Any], Any], n: int, where: str, example: str) -> None:
    """Refuse friction that is not continuous at the speed zero.

    Parameters
    ----------
    function : function of a casadi.SX (n,)
        Coefficient of friction, or capacity, of the sliding velocity.
    n : int
        Components of the sliding velocity.
    where, example : str
        Who it is, and a law with static friction, for the error.

    Raises
    ------
    ModelError
        If it jumps; the text tells how to state static friction.
    """
    v = ca.SX.sym("v", n)
    found = ca.SX(function(v))
    others = ca.vertcat(*(x for x in ca.symvar(found) if not ca.depends_on(v, x)))
    values = ca.Function("friction", [v, others], [found])
    for level in _ELSE:
        at, slow = (
            [float(values(ca.DM([speed] + [0.0] * (n - 1)), level)[0]) for speed in speeds]
            for speeds in (_SPEEDS, _SLOW)
        )
        if max(at) - min(at) > _JUMP * max(map(abs, at + slow)):
            raise ModelError(
                f"{where} has friction that jumps at the speed zero, such as from {at[0]:g} at "
                f"rest to {at[3]:g} at 1e-7 and {at[4]:g} at -1e-7: velocities of rounding would "
                f"choose one. {_remedy(at[3], at[4], n, example)}"
            )


def _remedy(forward: float, backward: float, n: int, example: str) -> str:
    """What to write where friction jumps to two values at small speeds, forward and backward."""
    if abs(forward - backward) <= _JUMP * max(abs(forward), abs(backward)):
        return (
            f"Give what slides by the function and what sticks by static=, for example {example}."
        )
    if n > 1 or "Interval" not in example:
        return "Friction that depends on the direction is not known here: give one value for both."
    mean, half = 0.5 * (forward + backward), 0.5 * (backward - forward)
    return (
        "Friction that depends on the direction is that of the mean beside a constant force: two "
        f"connections of the same measure, jd.Interval({mean:g}) and jd.Force({half:g})."
    )
