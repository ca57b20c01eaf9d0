"""Linear combinations of measures: gears, junctions, differentials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check
from jourdain.spatial.annotations import Number, Takes
from jourdain.spatial.parameter import Expression


class Sum(Measure):
    """Sum of measures with factors. Made by arithmetic, ``a - 2.0 * b``, or from terms.

    Parameters
    ----------
    terms : tuple of (factor, Measure)
        The terms; all measures have the same size. The unit is that of the first term.

    Examples
    --------
    >>> import jourdain as jd
    >>> gear = 20 * jd.Coordinate("pinion.angle") + 60 * jd.Coordinate("wheel.angle")
    >>> len(gear.terms)
    2
    """

    terms: Takes[Sequence[tuple[Number, Measure]], tuple[tuple[Any, Measure], ...]]

    def __post_init__(self) -> None:
        flat: list[tuple[Any, Measure]] = []
        for factor, measure in _pairs(self.terms):
            inner = measure.terms if isinstance(measure, Sum) else ((1.0, measure),)
            flat += [(_product(factor, k), m) for k, m in inner]
        object.__setattr__(self, "terms", tuple(flat))
        sizes = {m.size for _, m in flat}
        if len(sizes) != 1:
            raise ModelError(
                f"Sum adds measures of different sizes ({', '.join(map(str, sorted(sizes)))}). "
                "Add measures with the same number of components."
            )

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Unit of the first term."""
        return self.terms[0][1].unit

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the components, those of the first measure."""
        return self.terms[0][1].labels

    @property
    def component_units(self) -> tuple[str, ...]:
        """Units of the components, those of the first measure."""
        return self.terms[0][1].component_units

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of components."""
        return self.terms[0][1].size

    def value(self, at: Any) -> Any:
        """Sum of the values; None if a term has only a rate."""
        values = [(k, m.value(at)) for k, m in self.terms]
        if any(x is None for _, x in values):
            return None
        return sum(k * x for k, x in values)

    def rate(self, at: Any) -> Any:
        """Sum of the rates, if a term has only a rate."""
        if all(m.rate(at) is None for _, m in self.terms):
            return None
        return sum(k * at.rate_of(m) for k, m in self.terms)

    def __str__(self) -> str:
        words = (f"{m}" if k == 1.0 else f"{_factor(k)} {m}" for k, m in self.terms)
        return " + ".join(words).replace("+ -", "- ")


def _pairs(terms: Any) -> list[tuple[Any, Measure]]:
    """Check the terms."""
    is_list = isinstance(terms, tuple | list) and len(terms) > 0
    for term in terms if is_list else [None]:
        if not (isinstance(term, tuple | list) and len(term) == 2 and isinstance(term[1], Measure)):
            raise ModelError(
                f"Sum has the terms {check.shown(terms)}: give pairs of a factor and a measure, or "
                "write the sum as a - 2.0 * b."
            )
    return [(check.number(k, "a factor of Sum"), m) for k, m in terms]


def _product(a: Any, b: Any) -> Any:
    """Product that leaves an expression as it is where the other factor is one."""
    return b if a == 1.0 else a if b == 1.0 else a * b


def _factor(value: Any) -> str:
    return f"({value})" if isinstance(value, Expression) else f"{value:g}"
