"""Springs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from jourdain import math
from jourdain.errors import ModelError
from jourdain.math import Polynomial, Table
from jourdain.math.left import Course, end_left
from jourdain.model.laws.coefficient import coefficient, column, matching, numbers, scaled
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial import check
from jourdain.spatial.annotations import Coefficients, Function, NumbersField, Takes, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.part import Samples

Characteristic: TypeAlias = Takes[Coefficients | Function, Any]
"""A number, numbers, a square matrix, or a function of one variable."""


class Spring(ForceLaw):
    """Spring: force ``-stiffness (x - free) - preload``.

    A matrix as stiffness makes a bushing, on `Relative` with as many components. A function of
    the elongation makes a nonlinear spring: it gives the pull, positive when stretched.

    Parameters
    ----------
    stiffness : number, numbers, matrix, or function [N/m, N m/rad; N, N m]
        Stiffness: one for all components of the measure, one for each, or a square matrix; or
        the pull as a function of the elongation, for example `jourdain.Table`.
    free : number or numbers [m, rad]
        Value of the measure at which the spring is slack.
    preload : number or numbers [N, N m]
        Pull at that value.
    potential : function, optional
        Stored energy [J] of a nonlinear spring as a function of the elongation. Tables and
        polynomials need none; without it other functions store no energy.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Spring(100.0, free=0.2).force(0.3, 0.0, None)
    -9.999999999999998
    >>> stop = jd.Spring(jd.Table((-0.1, 0.0, 0.1), (-50.0, 0.0, 10.0), outside="extrapolate"))
    >>> float(stop.force(-0.05, 0.0, None)), float(stop.energy(-0.05, None))
    (25.0, 0.625)
    """

    stiffness: Characteristic
    free: NumbersField = preset(default=0.0)
    preload: NumbersField = preset(default=0.0)
    potential: Callable[[Any], Any] | None = None

    def __post_init__(self) -> None:
        if not is_function(self.stiffness):
            checked = coefficient(self.stiffness, "stiffness of Spring")
            object.__setattr__(self, "stiffness", checked)
        for name in ("free", "preload"):
            object.__setattr__(self, name, numbers(getattr(self, name), f"{name} of Spring"))
        if self.potential is not None and not is_function(self.stiffness):
            raise ModelError(
                f"Spring has a potential, but the stiffness {check.shown(self.stiffness)}, of "
                "which the energy is known. Leave out the potential."
            )

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force against the elongation."""
        return -self._pull(self._elongation(x)) - column(self.preload)

    def energy(self, x: Any, at: Any) -> Any:
        """Work done on the spring from its free length on."""
        e = self._elongation(x)
        held = math.dot(e, 0.0 * e + column(self.preload))
        if is_function(self.stiffness):
            integral = self.potential or integral_of(self.stiffness)
            return held + (0.0 if integral is None else integral(e))
        return held + 0.5 * math.dot(e, self._pull(e))

    def doubts(self, name: str, unit: str, values: Samples) -> Iterable[str]:
        """A table that was left."""
        if not isinstance(self.stiffness, Table):
            return ()
        asked = f"{name}.value"
        free = nominal(self.free[0] if isinstance(self.free, tuple) else self.free)
        course = Course("elongation", unit, values(asked) - free, values.time(asked))
        return end_left(f"pull of the spring {name!r}", self.stiffness, course)

    def _elongation(self, x: Any) -> Any:
        for name in ("free", "preload"):
            matching(getattr(self, name), x, f"{name} of Spring")
        return x - column(self.free)

    def _pull(self, e: Any) -> Any:
        if is_function(self.stiffness):
            return self.stiffness(e)
        return scaled(self.stiffness, e, "stiffness of Spring")


def is_function(value: Any) -> bool:
    """Tell a function from a number."""
    return callable(value) and not isinstance(value, type)


def integral_of(function: Any) -> Callable[[Any], Any] | None:
    """Integral from zero of a built-in function; None for others."""
    if isinstance(function, Polynomial):
        terms = (c / (k + 1) for k, c in enumerate(function.coefficients))
        return Polynomial((0.0, *terms))
    if isinstance(function, Table):
        return lambda x: function.integral(x) - function.integral(0.0)
    return None
