"""Bars and beams without mass, for small deformations."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.laws.coefficient import numbers
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, NumbersField, preset


class Bar(ForceLaw):
    """Elastic bar between two points, on `Distance`: a spring of stiffness ``EA / length``.

    Parameters
    ----------
    length : float [m]
        Length without load.
    axial : float [N]
        Axial rigidity EA.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Bar(length=2.0, axial=1e5).force(2.5, 0.0, None)
    -25000.0
    """

    length: NumberField
    axial: NumberField

    def __post_init__(self) -> None:
        _check_positive(self, "length", "axial")

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force against the elongation."""
        return -self.axial / self.length * (x - self.length)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the elongation."""
        return 0.5 * self.axial / self.length * (x - self.length) ** 2


class Beam(ForceLaw):
    """Slender elastic beam from one frame to another, along the x axis of the first.

    In the plane it takes the measure ``Relative(start, end, "x y rz")``; with a torsion, in space,
    ``Relative(start, end, "x y z rx ry rz")``. Without load the end lies at ``(length, 0, 0)``
    and is not turned. Bending is that of Euler and Bernoulli, for small deflections.

    Parameters
    ----------
    length : float [m]
        Length without load.
    axial : float [N]
        Axial rigidity EA.
    bending : float, or two [N m^2]
        Bending rigidity EI in the plane; in space about y and about z, or one for both.
    torsion : float [N m^2], optional
        Torsional rigidity GJ; makes a beam in space.
    damping : float [s]
        Damping matrix over stiffness matrix.

    Examples
    --------
    >>> import jourdain as jd
    >>> beam = jd.Beam(length=1.0, axial=1e6, bending=100.0)
    >>> [float(f) for f in beam.force((1.0, 0.01, 0.0), (0.0, 0.0, 0.0), None)]
    [0.0, -12.0, 6.0]

    References
    ----------
    E. J. Sol, Kinematics and dynamics of multibody systems, TH Eindhoven 1983, section 3.4.
    """

    length: NumberField
    axial: NumberField
    bending: NumbersField
    torsion: NumberOrNoneField = preset(default=None)
    damping: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        is_spatial = self.torsion is not None
        _check_positive(self, "length", "axial", *(["torsion"] if is_spatial else []))
        given = numbers(self.bending, "bending of Beam")
        wanted = "one or two numbers" if is_spatial else "one number"
        if isinstance(given, tuple) and (not is_spatial or len(given) != 2):
            raise ModelError(
                f"bending of Beam is {check.listed(given)}: give {wanted}"
                f"{'' if is_spatial else '; a beam in space has a torsion too'}."
            )
        for value in given if isinstance(given, tuple) else (given,):
            check.number(value, "bending of Beam", positive=True, unit="N m^2")
        object.__setattr__(self, "bending", given)
        damping = check.number(self.damping, "damping of Beam", nonnegative=True, unit="s")
        object.__setattr__(self, "damping", damping)

    def stiffness(self) -> Any:
        """Stiffness matrix (3×3 or 6×6) [N/m, N, N m/rad]."""
        n = self.length
        a, b, c = 12.0 / n**3, 6.0 / n**2, 4.0 / n
        along = self.axial / n
        if self.torsion is None:
            k = self.bending
            return math.matrix(((along, 0, 0), (0, a * k, -b * k), (0, -b * k, c * k)))
        y, z = self.bending if isinstance(self.bending, tuple) else (self.bending, self.bending)
        return math.matrix(
            (
                (along, 0, 0, 0, 0, 0),
                (0, a * z, 0, 0, 0, -b * z),
                (0, 0, a * y, 0, b * y, 0),
                (0, 0, 0, self.torsion / n, 0, 0),
                (0, 0, b * y, 0, c * y, 0),
                (0, -b * z, 0, 0, 0, c * z),
            )
        )

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force against the deformation."""
        return -self.stiffness() @ (self._deformation(x) + self.damping * math.vector(v))

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the deformation."""
        e = self._deformation(x)
        return 0.5 * math.dot(e, self.stiffness() @ e)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Heat of the damping."""
        return self.damping * math.dot(v, self.stiffness() @ math.vector(v))

    def _deformation(self, x: Any) -> Any:
        free = (self.length, *(0.0,) * (2 if self.torsion is None else 5))
        n = math.vector(x).shape[0]
        if n != len(free):
            where, names = ("plane", "x y rz") if len(free) == 3 else ("space", "x y z rx ry rz")
            article = "the " * (where == "plane")
            raise ModelError(
                f"a beam in {article}{where} takes a measure of {len(free)} components, "
                f"{names!r}, but the measure has {n}. Change the components of Relative, or the "
                "torsion of the beam."
            )
        return math.vector(x) - math.vector(free)


def _check_positive(law: Any, *names: str) -> None:
    for name in names:
        what = f"{name} of {type(law).__name__}"
        object.__setattr__(law, name, check.number(getattr(law, name), what, positive=True))
