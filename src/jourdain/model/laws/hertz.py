"""Contact force of elastic bodies that press on each other."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset


class Hertz(ForceLaw):
    """Force of a compliant contact on a gap: F = K δᵖ max(0, 1 − d ẋ), δ = max(0, −x).

    Hertz' law for p = 3/2, with the damping of Hunt and Crossley, which grows with the compression
    and never pulls. For contacts whose deformation and duration matter; `Unilateral` is the rigid
    one (Pfeiffer 2.5.4, 3.5.1).

    Parameters
    ----------
    stiffness : float [N/m^p]
        K; `between` gives it for two spheres.
    damping : float [s/m]
        d; for small losses the restitution is about 1 − (2/3) d v at the speed v of approach.
    exponent : float
        p; 3/2 for points, 10/9 for lines, 1 for a linear one.

    Examples
    --------
    >>> import jourdain as jd
    >>> law = jd.Hertz.between((0.01, 0.02), modulus=2.1e11, poisson=0.3)
    >>> f"{law.stiffness:.4g}"
    '1.256e+10'
    """

    stiffness: NumberField
    damping: NumberField = preset(default=0.0)
    exponent: NumberField = preset(default=1.5)
    reach = 0.0

    def __post_init__(self) -> None:
        for name in ("stiffness", "exponent"):
            value = check.number(getattr(self, name), f"{name} of Hertz", positive=True)
            object.__setattr__(self, name, value)
        damping = check.number(self.damping, "damping of Hertz", nonnegative=True)
        object.__setattr__(self, "damping", damping)

    @staticmethod
    def between(radii: Any, modulus: Any, poisson: Any = 0.3, damping: float = 0.0) -> Hertz:
        """Law of two spheres: K = 4/3 E* √R, 1/R = Σ 1/Rᵢ, 1/E* = Σ (1 − νᵢ²)/Eᵢ.

        Parameters
        ----------
        radii : pair of float [m]
            Radii; negative where hollow, infinite for a plane.
        modulus : float or pair of float [Pa]
            Young's moduli.
        poisson : float or pair of float
            Poisson's ratios.
        damping : float [s/m]
            As of `Hertz`.
        """
        pairs = [x if isinstance(x, list | tuple) else (x, x) for x in (radii, modulus, poisson)]
        (r, s), (e, f), (n, m) = pairs
        curvature = 1.0 / r + 1.0 / s
        if not curvature > 0.0:
            raise ModelError(
                f"Hertz.between: radii {check.listed(pairs[0])} m have no point of contact. The "
                "hollow one has to be the larger one."
            )
        stiffness = 1.0 / ((1.0 - n * n) / e + (1.0 - m * m) / f)
        return Hertz(4.0 / 3.0 * stiffness / curvature**0.5, damping)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Pushes apart while there is overlap."""
        return self._elastic(x) * math.maximum(0.0, 1.0 - self.damping * v)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the compression."""
        return self._elastic(x) * math.maximum(0.0, -x) / (self.exponent + 1.0)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Loss of the damping."""
        return self._elastic(x) * v * math.minimum(1.0, self.damping * v)

    def _elastic(self, x: Any) -> Any:
        return self.stiffness * math.maximum(0.0, -x) ** self.exponent
