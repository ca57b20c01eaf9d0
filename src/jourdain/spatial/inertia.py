"""Mass, centre of mass and moments of inertia of a rigid body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, Rows, Takes, Triple, preset, record
from jourdain.spatial.parameter import Expression, evaluate, nominal, nominal_values
from jourdain.spatial.pose import (
    IDENTITY,
    ORIGIN,
    Matrix,
    Vector,
    difference,
    dot,
    moved_point,
    product,
    times,
    total,
    transpose,
)

_TOLERANCE = 1e-9  # of the largest moment: rounding of computed or rotated moments
_PRINTED = 1e-2  # of the largest moment: what rounding to printed digits may explain at most
_NOWHERE = 1e-9  # m; a body whose radius of gyration is below this counts as a point


@record(slots=True)
class Inertia:
    """Mass properties of a rigid body, about its centre of mass and in body axes.

    Any number may be a `Parameter` or arithmetic of parameters.

    Parameters
    ----------
    mass : float [kg]
        Zero is legal: a pure rotor, or a massless body.
    com : (3,) [m]
        Centre of mass in the body frame.
    moments : (3,) or (3, 3) [kg m^2]
        Principal moments, or the symmetric inertia matrix with the products of inertia
        ``-∫ x y dm`` off the diagonal. Zero moments make a point mass. Stored as a matrix.

    Raises
    ------
    ModelError
        If no distribution of mass has these properties.

    Notes
    -----
    The moments of a thin plate or rod, where one is the sum of the others or zero, may be
    impossible by the rounding of their last printed digit: (0.00123, 0.00045, 0.00169). Up to that
    rounding, and up to 1 % of the largest, the nearest possible moments are taken in their place;
    so are the moments of a point, below mass times the square of a nanometre. Anything else is
    refused.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Inertia(mass=2.0, com=(0.1, 0, 0), moments=(0.01, 0.02, 0.02)).moments[1]
    (0.0, 0.02, 0.0)
    """

    mass: NumberField
    com: Takes[Triple, Vector] = preset(default=ORIGIN)
    moments: Takes[Triple | Rows, Any] = preset(default=ORIGIN)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", check.number(self.mass, "mass of the inertia"))
        object.__setattr__(self, "com", check.vector(self.com, "com of the inertia"))
        object.__setattr__(self, "moments", _possible(_matrix(self.moments), self.mass))
        found = problems(self)
        if found:
            raise ModelError("\n".join(f"inertia {problem}" for problem in found))
        object.__setattr__(self, "moments", _mirrored(self.moments))

    @check.arithmetic("the inertia")
    def moved(self, position: Triple = ORIGIN, rotation: Rows = IDENTITY) -> Inertia:
        """Inertia of the same matter placed at a pose in another frame.

        Parameters
        ----------
        position : (3,) [m]
            Where the origin of the present frame comes to lie in the new one.
        rotation : (3, 3) [1]
            The present axes in the new frame, as columns.
        """
        p = check.vector(position, "position of the moved inertia")
        R = check.rotation(rotation, "rotation of the moved inertia")
        moments = self.moments if R is IDENTITY else _turned(self.moments, R)
        return Inertia(self.mass, moved_point(self.com, p, R), moments)

    def __add__(self, other: Inertia) -> Inertia:
        """Inertia of two bodies made one, about their common centre of mass."""
        if not isinstance(other, Inertia):
            return NotImplemented
        return combined((self, other))


def combined(parts: Sequence[Inertia]) -> Inertia:
    """Inertia of several bodies made one, about their common centre of mass."""
    mass, com = total(part.mass for part in parts), parts[0].com
    if mass != 0.0 and any(part.com != com for part in parts):
        if nominal(mass) == 0.0:
            raise ModelError(
                f"the combined inertias have no centre of mass: their mass {mass} is zero at the "
                "nominal values of its parameters. Give a nominal value above zero."
            )
        first_moment = (dot((p.mass for p in parts), (p.com[k] for p in parts)) for k in range(3))
        x, y, z = (h / mass if h != 0.0 else 0.0 for h in first_moment)
        com = (x, y, z)
    moments = (part.moments for part in parts)
    offsets = (parallel_axis(part.mass, difference(part.com, com)) for part in parts)
    return Inertia(mass, com, _sum(*moments, *offsets))


def parallel_axis(mass: Any, d: Any) -> Matrix:
    """Moments of a point mass [kg] at d [m] about the origin: ``m (d·d 1 − d dᵀ)``."""
    x, y, z = d
    entries = (
        (dot((y, z), (y, z)), times(times(-1.0, x), y), times(times(-1.0, x), z)),
        (0.0, dot((z, x), (z, x)), times(times(-1.0, y), z)),
        (0.0, 0.0, dot((x, y), (x, y))),
    )
    return _mirrored(tuple(tuple(times(mass, entry) for entry in row) for row in entries))


def problems(inertia: Inertia) -> list[str]:
    """Say what no rigid body can have, as phrases that follow its name.

    Parameters
    ----------
    inertia : Inertia
        What to check.

    Returns
    -------
    list of str
        For example ``"has the mass -1 kg: a mass cannot be negative."``.
    """
    every = (inertia.mass, inertia.com, inertia.moments)
    used = nominal_values(every)
    try:
        mass, com, moments = evaluate(every, used)
        J = np.array(moments, dtype=float)
        finite = bool(np.isfinite([mass, *com, *J.flat]).all())
    except (ArithmeticError, TypeError):
        finite = False
    if not finite:
        return [f"cannot be evaluated: {_text(used)} gives numbers that are not finite."]
    return [text for text in (_mass_problem(mass), _moments_problem(J)) if text]


def _mass_problem(mass: float) -> str:
    return "" if mass >= 0.0 else f"has the mass {mass:g} kg: a mass cannot be negative."


def _moments_problem(J: Any) -> str:
    allowed = _TOLERANCE * float(np.abs(J).max())
    i, k = divmod(int(np.argmax(np.abs(J - J.T))), 3)
    if abs(J[i, k] - J[k, i]) > allowed:
        return (
            f"has moments that are not symmetric: {J[i, k]:g} kg m^2 in place "
            f"{'xyz'[i]}{'xyz'[k]}, {J[k, i]:g} in place {'xyz'[k]}{'xyz'[i]}.\n"
            "  Give the same product of inertia in both places."
        )
    is_diagonal = np.count_nonzero(J) == np.count_nonzero(J.diagonal())
    principal = J.diagonal() if is_diagonal else np.linalg.eigvalsh(J)
    principal = np.where(np.abs(principal) > allowed, principal, 0.0)
    impossible = (
        f"has principal moments {check.listed(principal)} kg m^2, which no rigid body can have:\n"
    )
    smallest, middle, largest = sorted(principal)
    if smallest < 0.0:
        return f"{impossible}  one is negative. Check the signs of moments and products of inertia."
    if largest > smallest + middle + allowed:
        return (
            f"{impossible}  the largest exceeds the sum of the other two. "
            "Check that the inertia is about the centre of mass and in body axes."
        )
    return ""


def _possible(moments: Matrix, mass: Any) -> Matrix:
    """Nearest moments that a body can have, if rounding of the given digits explains the step.

    Moments that are possible already, or not at all, stay as they are.
    """
    entries = [x for row in moments for x in row]
    if any(isinstance(x, Expression) for x in (mass, *entries)):
        return moments
    J = np.array(moments, dtype=float)
    largest = float(np.abs(J).max())
    if largest == 0.0 or np.abs(J - J.T).max() > _TOLERANCE * largest:
        return moments
    is_diagonal = np.count_nonzero(J) == np.count_nonzero(J.diagonal())
    values, vectors = np.linalg.eigh(J)
    if is_diagonal:  # exact, in the order of size
        order = np.argsort(J.diagonal(), kind="stable")
        values, vectors = J.diagonal()[order], np.eye(3)[:, order]
    excess = max(values[2] - values[1] - values[0], 0.0)
    if values[0] >= 0.0 and excess <= _TOLERANCE * largest:
        return moments
    if mass >= 0.0 and largest <= mass * _NOWHERE**2:
        return _matrix(ORIGIN)
    below, above = _explained(J, is_diagonal)
    if values[0] < -max(below, _TOLERANCE * largest) or excess > max(above, _TOLERANCE * largest):
        return moments
    if not is_diagonal and values[0] >= -_TOLERANCE * largest and excess <= _TOLERANCE * largest:
        return moments  # eigenvalues round
    return _mirrored(tuple(map(tuple, (vectors * _nearest(values) @ vectors.T).tolist())))


def _explained(J: Any, is_diagonal: bool) -> tuple[float, float]:
    """How far rounding of digits can take a moment below zero, and one above the sum of others.

    Numbers are printed with as many digits each, or with as many behind the point.
    """
    digits = [Decimal(repr(float(x))).normalize() for x in J.flat]
    last = [int(d.as_tuple().exponent) for d in digits if d]
    most = max(len(d.as_tuple().digits) for d in digits if d)
    by_count = [0.5 * 10.0 ** (d.adjusted() - most + 1) if d else 0.0 for d in digits]
    by_place = [0.5 * 10.0 ** min(last)] * len(digits)
    limit, found = _PRINTED * float(np.abs(J).max()), []
    for halves in (np.reshape(by_count, (3, 3)), np.reshape(by_place, (3, 3))):
        row = halves.sum(axis=1).max()
        found.append((0.0, np.trace(halves)) if is_diagonal else (row, 3.0 * row))
    below, above = (min(max(x), limit) for x in zip(*found, strict=True))
    return float(below), float(above)


def _nearest(values: Any) -> Any:
    """Nearest principal moments, smallest first, of which none exceeds the sum of the others."""
    values = np.maximum(values, 0.0)
    excess = max(values[2] - values[1] - values[0], 0.0)
    low = values[:2] + excess / 3.0
    return np.array([*low, min(values[2], low.sum())])


def _matrix(moments: Any) -> Matrix:
    rows = moments.tolist() if isinstance(moments, np.ndarray) else moments
    if not isinstance(rows, list | tuple) or len(rows) != len("xyz"):
        raise ModelError(
            f"moments of the inertia are {check.shown(moments)}: give the 3 principal moments "
            "or a 3×3 matrix [kg m^2]."
        )
    if any(isinstance(row, list | tuple | np.ndarray) for row in rows):
        what = "of the moments of the inertia"
        axes = zip("xyz", rows, strict=True)
        return tuple(check.vector(row, f"row {axis} {what}") for axis, row in axes)
    x, y, z = check.vector(rows, "moments of the inertia")
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def _turned(J: Matrix, R: Matrix) -> Matrix:
    return product(product(R, J), transpose(R))


def _mirrored(J: Matrix) -> Matrix:
    return tuple(tuple(J[min(i, k)][max(i, k)] for k in range(3)) for i in range(3))


def _sum(*matrices: Matrix) -> Matrix:
    return tuple(
        tuple(total(entries) for entries in zip(*rows, strict=True))
        for rows in zip(*matrices, strict=True)
    )


def _text(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in values.items())
