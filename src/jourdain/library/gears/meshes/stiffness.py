"""Stiffness and damping of meshes over the path of contact (5.F16, 5.F17, 4.F49)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.gears.geometry.teeth import Teeth
from jourdain.spatial import check
from jourdain.spatial.annotations import (
    NumberField,
    NumbersField,
    SpanField,
    Takes,
    preset,
    record,
)


@record()
class ToothStiffness:
    """Stiffness of all pairs of teeth in contact, c(x) = Σ c₁(x + k) (5.F16).

    One pair carries for 0 ≤ x < ε, x in base pitches from the start of contact on, with a parabola:
    c₁ in the middle of its path and ``edge`` c₁ at both ends, where it comes and goes with a jump.

    Parameters
    ----------
    single : float [N/m]
        Stiffness c₁ of one pair in the middle of its path.
    contact_ratio : float or Teeth
        Contact ratio ε, at least one.
    edge : float
        Part of c₁ that a pair has at the ends of its path, 0 to 1.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> c = gears.ToothStiffness(1e8, contact_ratio=2.75, edge=1.0)  # three pairs, then two
    >>> [float(c(x)) for x in (0.1, 0.7, 0.8, 1.1)]
    [300000000.0, 300000000.0, 200000000.0, 300000000.0]
    """

    single: NumberField
    contact_ratio: Takes[float | Teeth, Any]
    edge: NumberField = preset(default=0.7)

    def __post_init__(self) -> None:
        check.number(self.single, "single of ToothStiffness", positive=True, unit="N/m")
        given = self.contact_ratio
        ratio = given.contact_ratio if isinstance(given, Teeth) else given
        ratio = check.number(ratio, "contact_ratio of ToothStiffness", positive=True)
        if ratio < 1.0:
            raise ModelError(
                f"contact_ratio of ToothStiffness is {ratio:g}: below 1 there are times at which "
                "no tooth carries. Give that of the pair, teeth.contact_ratio."
            )
        object.__setattr__(self, "contact_ratio", ratio)
        if not 0.0 <= check.number(self.edge, "edge of ToothStiffness") <= 1.0:
            raise ModelError(f"edge of ToothStiffness is {self.edge:g}: give a part, 0 to 1.")

    @property
    def mean(self) -> float:
        """Mean stiffness c₁ ε (2 + edge)/3 [N/m]."""
        return float(self.single * self.contact_ratio * (2.0 + self.edge) / 3.0)

    def __call__(self, x: Any) -> Any:
        """Stiffness at x [N/m]."""
        place, pairs = x - math.floor(x), int(np.ceil(self.contact_ratio))
        whole = sum(self._pair(place + k) for k in range(pairs - 1))
        last = place + (pairs - 1)
        return whole + math.where(last < self.contact_ratio, self._pair(last), 0.0)

    def _pair(self, u: Any) -> Any:
        return self.single * (1.0 - (1.0 - self.edge) * (2.0 * u / self.contact_ratio - 1.0) ** 2)

    def fourier(self, orders: int = 5) -> FourierStiffness:
        """The same without jumps: the mean and the first mesh orders (4.F49)."""
        if isinstance(orders, bool) or not isinstance(orders, int) or not 1 <= orders <= 50:
            raise ModelError(f"orders of fourier is {check.shown(orders)}: give 1 to 50.")
        n = 1 << 14
        x = (np.arange(n) + 0.5) / n
        lines = np.fft.rfft(self(x)) / n * np.exp(-1j * np.pi * np.arange(n // 2 + 1) / n)
        first = lines[1 : orders + 1]
        amplitudes, phases = 2.0 * np.abs(first), np.angle(first) + 0.5 * np.pi
        return FourierStiffness(self.mean, tuple(amplitudes.tolist()), tuple(phases.tolist()))


@record()
class FourierStiffness:
    """Stiffness of a mesh by its mesh orders (4.F49).

        c(x) = c₀ + Σ c_i sin(2π i x + φ_i)

    What it has no order for is absent from all results.

    Parameters
    ----------
    mean : float [N/m]
        Mean c₀.
    amplitudes : sequence of float [N/m]
        Amplitudes c_i of the orders 1, 2, …
    phases : sequence of float [rad]
        Phases φ_i, zero by default.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> c = gears.FourierStiffness(3e8, (1e7, 0.0, 5e6))
    >>> f"{float(c(0.25)):.4g}"
    '3.05e+08'
    """

    mean: NumberField
    amplitudes: NumbersField
    phases: Takes[Sequence[float] | None, Any] = preset(default=None)

    def __post_init__(self) -> None:
        c = check.number(self.mean, "mean of FourierStiffness", positive=True, unit="N/m")
        rows: list[tuple[Any, ...]] = []
        for name in ("amplitudes", "phases"):
            given = getattr(self, name)
            given = (0.0,) * len(rows[0]) if given is None else given
            if not isinstance(given, tuple | list):
                raise ModelError(
                    f"{name} of FourierStiffness is {check.shown(given)}: give one for each order."
                )
            rows.append(tuple(check.number(v, f"{name} of FourierStiffness") for v in given))
            object.__setattr__(self, name, rows[-1])
        if len(rows[0]) != len(rows[1]):
            raise ModelError(
                f"FourierStiffness has {len(rows[0])} amplitudes and {len(rows[1])} phases: give "
                "one of each for every order."
            )
        if sum(map(abs, rows[0])) >= c:
            least = float(np.min(self(np.linspace(0.0, 1.0, 2001))))
            if least <= 0.0:
                raise ModelError(
                    f"FourierStiffness falls to {least:.3g} N/m: a mesh always has some stiffness. "
                    "Give smaller amplitudes."
                )

    def __call__(self, x: Any) -> Any:
        """Stiffness at x [N/m]."""
        terms = zip(self.amplitudes, self.phases, strict=True)
        return self.mean + sum(
            c * math.sin(2.0 * math.pi * (i + 1) * x + p) for i, (c, p) in enumerate(terms)
        )


@record()
class Lehr:
    """Damping of a mesh by Lehr's measure D, 0.15 to 0.25 for teeth (5.F17).

        d = 2 D √(c m),   1/m = r_a²/I_a + r_b²/I_b,   r the base radii

    Parameters
    ----------
    measure : float
        Lehr's measure D.
    inertias : (float, float) [kg m^2]
        Moments of inertia of both wheels; ``math.inf`` for one whose motion is given.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> teeth = gears.Teeth((37, 33), 2.85e-3)
    >>> f"{gears.Lehr(0.2, (22.78e-4, 9.54e-4)).damping(3e8, teeth):.0f} N s/m"
    '3920 N s/m'
    """

    measure: NumberField
    inertias: SpanField

    def __post_init__(self) -> None:
        check.number(self.measure, "measure of Lehr", nonnegative=True)
        given = self.inertias
        if not isinstance(given, tuple | list) or len(given) != 2 or list(given) == [inf, inf]:
            raise ModelError(
                f"inertias of Lehr is {check.shown(given)}: give those of both wheels, math.inf "
                "for one whose motion is given."
            )
        for inertia in given:
            if inertia != inf:
                check.number(inertia, "an inertia of Lehr", positive=True, unit="kg m^2")
        object.__setattr__(self, "inertias", tuple(given))

    def damping(self, stiffness: Any, teeth: Teeth) -> Any:
        """Damping d at a stiffness of the mesh [N s/m]."""
        pairs = zip(teeth.base_radii, self.inertias, strict=True)
        mobility = sum(r**2 / inertia for r, inertia in pairs)
        return 2.0 * self.measure * math.sqrt(stiffness / mobility)
