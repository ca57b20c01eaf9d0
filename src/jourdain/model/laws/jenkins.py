"""Springs with dry sliders in series: hysteresis of press fits, screws and leaf springs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.laws.coefficient import numbers
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumbersField, preset
from jourdain.spatial.parameter import nominal

_BEYOND = 1e-9  # part of the limit by which a force exceeds it, so that sliding does not chatter


class Jenkins(ForceLaw):
    """Springs with dry sliders in series, side by side (Jenkins, Masing; Pfeiffer 2.6.3).

    A branch is a spring as long as its force kᵢ (x − free − sᵢ) is within ±Fᵢ; at the limit its
    slider follows the measure. Many branches make the rounded loops of press fits and screws: the
    stiffness falls and the loss grows with the amplitude. The force depends on the way alone, not
    on the speed. The limit is kept to one part in 10⁹.

    Parameters
    ----------
    stiffness : number or numbers [N/m, N m/rad]
        Stiffness kᵢ of each branch.
    limit : number or numbers [N, N m]
        Force Fᵢ at which its slider gives way.
    free : float [m, rad]
        Value of the measure at which all springs are free at the start.
    unit : str
        Unit of the measure, which the states have too.

    Examples
    --------
    >>> import jourdain as jd
    >>> fit = jd.Jenkins((1e6, 5e5), limit=(100.0, 200.0))
    >>> list(fit.states)
    ['slip_1', 'slip_2']
    >>> round(fit.loss(1e-3), 6), round(fit.equivalent(1e-3)[0])
    (0.84, 238809)
    """

    stiffness: NumbersField
    limit: NumbersField
    free: NumberField = preset(default=0.0)
    unit: str = "m"

    def __post_init__(self) -> None:
        stiffness, limit = (_listed(getattr(self, n), n) for n in ("stiffness", "limit"))
        if len(stiffness) != len(limit) or not stiffness:
            raise ModelError(
                f"Jenkins has {len(stiffness)} stiffness and {len(limit)} limit: give one of each "
                "for every branch."
            )
        object.__setattr__(self, "stiffness", stiffness)
        object.__setattr__(self, "limit", limit)
        object.__setattr__(self, "free", check.number(self.free, "free of Jenkins"))

    @property
    def states(self) -> Mapping[str, str]:  # type: ignore[override]
        """Way of each slider."""
        return {f"slip_{k}": self.unit for k, _ in enumerate(self.stiffness, 1)}

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Sum of the branches."""
        return -sum(k * e for k, _, e in self._branches(x, at))

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Sliders that are at their limits and pushed on follow; the others rest."""
        return tuple(self._slip(v, limit / k, e) for k, limit, e in self._branches(x, at))

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the springs."""
        return sum(0.5 * k * e * e for k, _, e in self._branches(x, at))

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Work of the springs on the sliders."""
        branches = zip(self._branches(x, at), self.rates(x, v, at), strict=True)
        return sum(k * e * rate for (k, _, e), rate in branches)

    def loss(self, amplitude: float) -> float:
        """Loss [J] in a cycle between ±amplitude [m, rad]: Σ 4 F (X − F/k) where it slides."""
        return sum(4.0 * f * max(0.0, amplitude - f / k) for k, f in self._plain())

    def equivalent(self, amplitude: float, frequency: float = 1.0) -> tuple[float, float]:
        """Stiffness and damping of the ellipse of equal loss at an amplitude [m, rad].

        The stiffness is that of the first harmonic (describing function); the damping [N s/m] is
        loss / (π ω X²) for a frequency ω/2π [Hz].
        """
        X, stiffness = float(amplitude), 0.0
        for k, f in self._plain():
            s = f / (k * X)
            if s >= 1.0:
                stiffness += k
                continue
            angle = math.acos(1.0 - 2.0 * s)
            stiffness += k / math.pi * (angle - 0.5 * math.sin(2.0 * angle))
        omega = 2.0 * math.pi * frequency
        return float(stiffness), self.loss(X) / (math.pi * omega * X * X)

    def _plain(self) -> list[tuple[float, float]]:
        pairs = zip(self.stiffness, self.limit, strict=True)
        return [(float(nominal(k)), float(nominal(f))) for k, f in pairs]

    def _slip(self, v: Any, reach: Any, e: Any) -> Any:
        """Rate of a slider: all of v, less what takes the stretch to just above its limit."""
        goal = reach * (1.0 + _BEYOND)
        up = math.both(e >= reach, v > 0.0)
        down = math.both(e <= -reach, v < 0.0)
        on = v * (1.0 - (goal - e) / reach)
        back = v * (1.0 - (goal + e) / reach)
        return math.where(up, on, math.where(down, back, 0.0 * v))

    def _branches(self, x: Any, at: Any) -> list[tuple[Any, Any, Any]]:
        """Stiffness, limit and stretch of the spring of each branch."""
        branches = zip(self.stiffness, self.limit, self.states, strict=True)
        return [(k, limit, x - self.free - at.state(name)) for k, limit, name in branches]


def _listed(value: Any, name: str) -> tuple[Any, ...]:
    checked = numbers(value, f"{name} of Jenkins")
    listed = checked if isinstance(checked, tuple) else (checked,)
    return tuple(check.number(x, f"{name} of Jenkins", positive=True) for x in listed)
