"""Functions given by points: piecewise linear, cubic spline or shape-keeping cubic.

All kinds are stored as polynomial pieces and evaluated by one formula: on numbers the piece is
searched, on symbols its coefficients are selected by a balanced tree of `where`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from jourdain.errors import ModelError, did_you_mean
from jourdain.math.scalar import as_symbol, floor, is_symbolic, where

Kind = Literal["linear", "cubic", "monotone"]
Outside = Literal["hold", "extrapolate", "repeat"]

_FEWEST = {"hold": 2, "extrapolate": 2, "repeat": 3}
_CLOSED = 1e-12  # how far the ends of a repeating table may differ, relative to the largest |y|


@dataclass(frozen=True, slots=True)
class Table:
    """A function through given points, for joints, drives and laws.

    Call it with a float, an array or a symbol. At a corner the derivative is that of the piece
    to the right.

    Parameters
    ----------
    x : (n,)
        Where the points are, increasing.
    y : (n,) or (n, m)
        Values there; or vectors of m components, which make a curve.
    kind : {"linear", "cubic", "monotone"}
        Straight from point to point; a spline with two continuous derivatives ("not-a-knot", or
        closed if the table repeats); or a curve with one continuous derivative that does not
        overshoot the points (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 1984).
    outside : {"hold", "extrapolate", "repeat"}
        Beyond the points: keep the end value; go on straight with the end slope; or begin
        again, as a cam does, which needs the same y at both ends.

    Raises
    ------
    ModelError
        If the points are too few, not finite or not in order, or if the ends of a repeating
        table differ.

    Examples
    --------
    >>> from jourdain.math import Table
    >>> lift = Table((0.0, 1.0, 2.0, 4.0), (0.0, 3.0, 4.0, 0.0), outside="repeat")
    >>> float(lift(0.5)), float(lift(4.5))
    (1.5, 1.5)
    >>> curve = Table((0, 1, 2), ((0, 0, 0), (1, 0, 0), (1, 2, 0)))
    >>> curve(1.5).tolist()
    [1.0, 1.0, 0.0]
    """

    x: Any
    y: Any
    kind: Kind = "linear"
    outside: Outside = "hold"
    _pieces: _Pieces = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_word("kind", self.kind, get_args(Kind))
        _check_word("outside", self.outside, get_args(Outside))
        x, y = _array("x", self.x), _array("y", self.y)
        _check_shapes(x, y, _FEWEST[self.outside])
        _check_numbers(x, y)
        if self.outside == "repeat":
            y = _closed(x, y)
        rows = y.tolist() if y.ndim == 1 else map(tuple, y.tolist())
        object.__setattr__(self, "x", tuple(x.tolist()))
        object.__setattr__(self, "y", tuple(rows))
        object.__setattr__(self, "_pieces", _pieces(x, y, self.kind, self.outside))

    def __call__(self, x: Any) -> Any:
        """Value at x, in the shape of x followed by the shape of one y."""
        return self._evaluated(self._pieces, x)

    def integral(self, x: Any) -> Any:
        """Integral from the first point to x, exact for the curve; shaped as the value is."""
        pieces = self._pieces.integrated(self.x)
        inner = self._evaluated(pieces, x)
        if self.outside != "repeat":
            return inner
        whole = pieces.on_numbers(np.asarray(self.x[-1]))
        turns = floor((x - self.x[0]) / (self.x[-1] - self.x[0]))
        if not isinstance(self.y[0], tuple):
            return inner + turns * whole[0]
        return inner + (turns * whole if is_symbolic(x) else np.multiply.outer(turns, whole))

    def _evaluated(self, pieces: _Pieces, x: Any) -> Any:
        if is_symbolic(x):
            return self._on_symbols(pieces, as_symbol(x))
        value = pieces.on_numbers(self._wrapped(np.asarray(x, dtype=float)))
        return value if isinstance(self.y[0], tuple) else value[..., 0][()]

    def _on_symbols(self, pieces: _Pieces, x: Any) -> Any:
        import casadi  # noqa: PLC0415

        values = [pieces.on_symbol(self._wrapped(x[i])) for i in range(x.numel())]
        if len(values) == 1:
            return values[0]
        stacked = casadi.vertcat(*(v.T for v in values))
        return stacked if isinstance(self.y[0], tuple) else stacked.reshape(x.shape)

    def _wrapped(self, x: Any) -> Any:
        if self.outside != "repeat":
            return x
        period = self.x[-1] - self.x[0]
        return x - period * floor((x - self.x[0]) / period)

    def __str__(self) -> str:
        """Short form, for reports."""
        span = f"from {self.x[0]:g} to {self.x[-1]:g}"
        return f"{self.kind} table of {len(self.x)} points {span}, outside: {self.outside}"


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """Polynomials of ``x − starts[i]``, the i-th one valid from ``breaks[i-1]`` to ``breaks[i]``.

    ``coefficients`` has the axes power (highest first), piece, component.
    """

    breaks: Any
    starts: Any
    coefficients: Any

    def on_numbers(self, x: Any) -> Any:
        i = np.searchsorted(self.breaks, x, side="right")
        return _horner((x - self.starts[i])[..., None], self.coefficients[:, i])

    def on_symbol(self, x: Any) -> Any:
        powers, n_pieces, m = self.coefficients.shape
        flat = self.coefficients.transpose(1, 0, 2).reshape(n_pieces, -1)
        rows = np.column_stack([self.starts, flat])
        varying = np.ptp(rows, axis=0) > 0.0
        selected = _selected(x, self.breaks, rows[:, varying])
        row: list[Any] = list(rows[0])
        for k, j in enumerate(np.flatnonzero(varying)):
            row[j] = selected[k]
        parts = [as_symbol(row[1 + m * k : 1 + m * (k + 1)]) for k in range(powers)]
        return _horner(x - row[0], parts)

    def integrated(self, x: Any) -> _Pieces:
        """Pieces of the integral from the first of the points x on."""
        powers = np.arange(len(self.coefficients), 0, -1)[:, None, None]
        rising = np.concatenate([self.coefficients / powers, 0.0 * self.coefficients[:1]])
        first = max(len(self.starts) - len(x), 0)  # piece between points: 0 if the table repeats
        for i in range(first + 1, len(self.starts)):
            rising[-1, i] = _horner(self.starts[i] - self.starts[i - 1], rising[:, i - 1])
        return _Pieces(self.breaks, self.starts, rising)


def _horner(u: Any, coefficients: Any) -> Any:
    value = coefficients[0]
    for c in coefficients[1:]:
        value = value * u + c
    return value


def _selected(x: Any, breaks: Any, rows: Any) -> Any:
    if len(rows) == 1:
        return rows[0]
    k = len(rows) // 2
    left, right = _selected(x, breaks[: k - 1], rows[:k]), _selected(x, breaks[k:], rows[k:])
    return where(x < breaks[k - 1], left, right)


def _pieces(x: Any, y: Any, kind: Kind, outside: Outside) -> _Pieces:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # of nearly singular matrices
            inner = _coefficients(x, y.reshape(len(x), -1), kind, closed=outside == "repeat")
    except (RuntimeWarning, ValueError):
        raise _too_steep(x) from None
    if not np.isfinite(inner).all():
        raise _too_steep(x)
    if outside == "repeat":
        return _Pieces(x[1:-1], x[:-1], inner)
    degree = len(inner) - 1
    powers = np.arange(degree, 0, -1)
    end_slope = (powers * (x[-1] - x[-2]) ** (powers - 1)) @ inner[:-1, -1]
    left, right = np.zeros_like(inner[:, :1]), np.zeros_like(inner[:, :1])
    left[-1, 0], right[-1, 0] = y[0], y[-1]
    if outside == "extrapolate":
        left[-2, 0], right[-2, 0] = inner[-2, 0], end_slope
    return _Pieces(x, np.concatenate([x[:1], x]), np.concatenate([left, inner, right], axis=1))


def _coefficients(x: Any, y: Any, kind: Kind, *, closed: bool) -> Any:
    if kind == "linear":
        return np.stack([np.diff(y, axis=0) / np.diff(x)[:, None], y[:-1]])
    from scipy.interpolate import CubicSpline, PchipInterpolator  # noqa: PLC0415

    if kind == "cubic":
        return CubicSpline(x, y, bc_type="periodic" if closed else "not-a-knot").c
    if closed:
        period = x[-1] - x[0]
        x = np.concatenate([x[-2:-1] - period, x, x[1:2] + period])
        y = np.concatenate([y[-2:-1], y, y[1:2]])
    coefficients = PchipInterpolator(x, y).c  # overflows where slopes are almost zero
    return coefficients[:, 1:-1] if closed else coefficients


def _too_steep(x: Any) -> ModelError:
    i = int(np.argmin(np.diff(x)))
    return ModelError(
        f"the curve through the points of a table has no finite slopes: x[{i}] = {x[i]:g} and "
        f"x[{i + 1}] = {x[i + 1]:g} lie too close together, or the y are too far apart. "
        "Remove points, or use other units."
    )


def _check_word(name: str, word: Any, known: tuple[str, ...]) -> None:
    if word not in known:
        listed = ", ".join(map(repr, known))
        hint = did_you_mean(str(word), known)
        raise ModelError(f"no table with {name}={word!r}. Use one of {listed}.{hint}")


def _array(name: str, values: Any) -> Any:
    try:
        return np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(
            f"{name} of a table must hold plain numbers, all rows of one length: {error}"
        ) from error


def _check_shapes(x: Any, y: Any, fewest: int) -> None:
    if x.ndim != 1 or y.ndim not in (1, 2):
        raise ModelError(
            f"x of a table has the shape {x.shape} and y the shape {y.shape}: give x as (n,) and "
            "y as (n,), or as (n, m) for a curve. A function of two numbers is jd.Map(x, y, z)."
        )
    if len(x) != len(y):
        raise ModelError(
            f"a table has {len(x)} values of x but {len(y)} of y: give one y for each x."
        )
    if len(x) < fewest or y.size == 0:
        raise ModelError(
            f"a table has {len(x)} points, at least {fewest} are needed here. "
            "Add points, or use a constant."
        )


def _check_numbers(x: Any, y: Any) -> None:
    for name, values in (("x", x), ("y", y)):
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            index = "".join(f"[{i}]" for i in bad[0])
            value = values[tuple(bad[0])]
            raise ModelError(f"{name}{index} of a table is {value}: give finite numbers only.")
    falling = np.flatnonzero(np.diff(x) <= 0.0)
    if len(falling):
        i = int(falling[0])
        raise ModelError(
            f"x of a table must increase, but x[{i + 1}] = {x[i + 1]:g} follows "
            f"x[{i}] = {x[i]:g}. Sort the points by x and remove double ones."
        )


def _closed(x: Any, y: Any) -> Any:
    first, last = y[0], y[-1]
    if np.any(np.abs(last - first) > _CLOSED * np.abs(y).max()):
        raise ModelError(
            f"a repeating table must end with the y it begins with, but y = {first.tolist()} at "
            f"x = {x[0]:g} and y = {last.tolist()} at x = {x[-1]:g}. Add the closing point: "
            "its x is the first x plus the period."
        )
    return np.concatenate([y[:-1], y[:1]])
