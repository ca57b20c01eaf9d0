"""A muscle: active along its length, by a signal that it follows."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.source import Source, check_source, source_value
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal


class Muscle(ForceLaw):
    """Hill's muscle on a measure of length (`Distance`, `PathLength`), which it can only shorten.

        F = −F₀ (a f_L(l) f_V(l̇) + f_P(l)),   l = x / optimal                 (after Sol 3.4)
        f_L = exp(−((l − 1)/w)²),   f_P = passive · max(0, l − 1)²
        f_V = (1 + u)/(1 − u/h) while it shortens, u = l̇/fastest < 0; up to 1.5 if it is stretched
        ȧ = (signal − a)/τ,   τ = ``rise`` or ``fall``

    f_V has a continuous slope at rest. The signal, 0 to 1, is an input unless it is given.

    Parameters
    ----------
    strength : float [N]
        Force F₀ at the optimal length, active and at rest.
    optimal : float [m]
        Length of the greatest force.
    fastest : float [1/s]
        Optimal lengths per second at which it shortens without force.
    width : float
        w, in optimal lengths.
    passive : float
        Force of the stretched tissue, in F₀ per squared stretch.
    curvature : float
        h of Hill's hyperbola.
    rise, fall : float [s]
        Times in which activation follows a growing and a falling signal.
    signal : number or function of time, optional
        Excitation; without it an input ``signal``.

    Examples
    --------
    >>> import jourdain as jd
    >>> biceps = jd.Muscle(strength=600.0, optimal=0.12)
    >>> dict(biceps.states), dict(biceps.inputs)
    ({'activation': '1'}, {'signal': '1'})
    """

    strength: NumberField
    optimal: NumberField
    fastest: NumberField = preset(default=10.0)
    width: NumberField = preset(default=0.45)
    passive: NumberField = preset(default=2.0)
    curvature: NumberField = preset(default=0.25)
    rise: NumberField = preset(default=0.015)
    fall: NumberField = preset(default=0.05)
    signal: Source = preset(default=None)

    states = {"activation": "1"}

    def __post_init__(self) -> None:
        for name in ("strength", "optimal", "fastest", "width", "curvature", "rise", "fall"):
            value = check.number(getattr(self, name), f"{name} of Muscle", positive=True)
            object.__setattr__(self, name, value)
        passive = check.number(self.passive, "passive of Muscle", nonnegative=True)
        object.__setattr__(self, "passive", passive)
        check_source(self, "signal")
        if not callable(self.signal) and self.signal is not None:
            level = float(nominal(self.signal))
            if not 0.0 <= level <= 1.0:
                raise ModelError(f"signal of Muscle is {level:g}: give 0 (idle) to 1 (all of it).")

    @property
    def inputs(self) -> Any:  # type: ignore[override]
        """The signal, unless it is given."""
        return {"signal": "1"} if self.signal is None else {}

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Pull: negative, as it shortens the measure."""
        stretch = x / self.optimal - 1.0
        length = math.exp(-((stretch / self.width) ** 2))
        active = at.state("activation") * length * self._speed(v)
        return -self.strength * (active + self.passive * math.maximum(0.0, stretch) ** 2)

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Activation follows the signal."""
        left = source_value(self.signal, "signal", at) - at.state("activation")
        return (math.where(left > 0.0, left / self.rise, left / self.fall),)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the stretched tissue."""
        stretch = math.maximum(0.0, x / self.optimal - 1.0)
        return self.strength * self.passive * self.optimal * stretch**3 / 3.0

    def _speed(self, v: Any) -> Any:
        """Factor f_V: Hill's hyperbola, and one with the same slope at rest beyond it."""
        u, h = v / (self.optimal * self.fastest), self.curvature
        shortens = math.minimum(0.0, math.maximum(-1.0, u))
        lengthens = math.maximum(0.0, u)
        slope = 2.0 * (1.0 + 1.0 / h)  # of the second hyperbola, which ends at 1.5
        return (1.0 + shortens) / (1.0 - shortens / h) + 0.5 * slope * lengthens / (
            1.0 + slope * lengthens
        )
