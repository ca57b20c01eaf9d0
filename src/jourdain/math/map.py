"""Functions of two numbers given on a grid: characteristic maps of pumps, engines and valves.

A map is a sum of products, f(x, y) = Σⱼ gⱼ(x) φⱼ(y): gⱼ is the table along x at the j-th y, and φⱼ
the table along y that is 1 at the j-th y and 0 at the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from jourdain.errors import ModelError
from jourdain.math.scalar import is_symbolic
from jourdain.math.table import Outside, Table


@dataclass(frozen=True, slots=True)
class Map:
    """A function of two numbers through the points of a grid.

    Call it with two floats, two arrays or two symbols. Between the points the cubic kind has two
    continuous derivatives; beyond the grid see ``outside``, which says it for each axis.

    Parameters
    ----------
    x : (n,)
        First axis, increasing.
    y : (m,)
        Second axis, increasing.
    z : (n, m)
        Values: ``z[i][j]`` at ``x[i]``, ``y[j]``.
    kind : {"cubic", "linear"}
        Products of splines ("not-a-knot", or closed along an axis that repeats), or of straight
        lines.
    outside : {"hold", "extrapolate", "repeat"}, or two of them
        Beyond the points: keep the value at the border, where the slope jumps to zero; go on
        straight with the slope at the border, which keeps the first derivative continuous; or begin
        again, as an angle does. One word for both axes, or one for each.

    Raises
    ------
    ModelError
        If the points do not form a grid, are not finite or not in order.

    Examples
    --------
    >>> import jourdain as jd
    >>> torque = jd.Map((0.0, 100.0), (0.0, 0.5, 1.0), ((0, 50, 90), (0, 60, 110)), "linear")
    >>> float(torque(50.0, 0.5))
    55.0
    """

    x: Any
    y: Any
    z: Any
    kind: Literal["cubic", "linear"] = "cubic"
    outside: Outside | tuple[Outside, Outside] = "extrapolate"
    _along: tuple[Table, Table] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.kind not in ("cubic", "linear"):
            raise ModelError(f"no map with kind={self.kind!r}. Use 'cubic' or 'linear'.")
        words = (self.outside,) * 2 if isinstance(self.outside, str) else tuple(self.outside)
        if len(words) != 2:
            raise ModelError(
                f"outside of a map is {self.outside!r}: give one word for both axes, or two."
            )
        x, y, z = (_numbers(name, getattr(self, name)) for name in ("x", "y", "z"))
        if z.shape != (x.size, y.size):
            raise ModelError(
                f"a map has {x.size} values of x, {y.size} of y and z of the shape {z.shape}: give "
                f"z as {x.size} rows of {y.size} numbers, z[i][j] at x[i], y[j]."
            )
        one = np.eye(y.size)
        if words[1] == "repeat":  # the last point is the first one again
            closed = Table(y, z.T, "linear", "repeat")  # refuses ends that differ
            z = np.array(closed.y).T
            one[-1, 0], one[-1, -1] = 1.0, 0.0
        along = Table(x, z, self.kind, words[0]), Table(y, one, self.kind, words[1])
        object.__setattr__(self, "x", along[0].x)
        object.__setattr__(self, "y", along[1].x)
        object.__setattr__(self, "z", along[0].y)
        object.__setattr__(self, "outside", words[0] if words[0] == words[1] else words)
        object.__setattr__(self, "_along", along)

    def __call__(self, x: Any, y: Any) -> Any:
        """Value at x, y; arrays are taken point by point."""
        first, second = self._along
        if is_symbolic(x) or is_symbolic(y):
            return _on_symbols(first, second, x, y)
        x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        return np.sum(first(x) * second(y), axis=-1)[()]

    def __str__(self) -> str:
        """Short form, for reports."""
        spans = " and ".join(f"{axis[0]:g} to {axis[-1]:g}" for axis in (self.x, self.y))
        n, m = len(self.x), len(self.y)
        return f"{self.kind} map of {n} × {m} points over {spans}, outside: {self.outside}"


def _on_symbols(first: Table, second: Table, x: Any, y: Any) -> Any:
    import casadi  # noqa: PLC0415

    x, y = casadi.SX(x), casadi.SX(y)
    n = max(x.numel(), y.numel())
    columns = (casadi.repmat(a, n, 1) if a.numel() == 1 else a for a in (x, y))
    pairs = zip(*(casadi.vertsplit(a) for a in columns), strict=True)
    return casadi.vertcat(*(casadi.dot(first(a), second(b)) for a, b in pairs))


def _numbers(name: str, given: Any) -> Any:
    try:
        return np.array(given, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(
            f"{name} of a map must hold plain numbers, all rows of one length: {error}"
        ) from error
