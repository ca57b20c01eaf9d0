"""A contact told by two measures: how far apart, and how it slides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check


class Touch(Measure):
    """Normal and tangential measure of one contact, for laws with friction.

    Parameters
    ----------
    normal : Measure
        Gap [m]: positive when apart; one component.
    tangential : Measure
        Its rate is the sliding velocity [m/s]; one or two components.
    """

    normal: Measure
    tangential: Measure

    def __post_init__(self) -> None:
        for name, sizes in (("normal", (1,)), ("tangential", (1, 2))):
            part = getattr(self, name)
            if not isinstance(part, Measure) or part.size not in sizes:
                wanted = " or ".join(map(str, sizes))
                raise ModelError(
                    f"Touch: the {name} measure is {check.shown(part)}; give a measure of "
                    f"{wanted} component{'s' * (sizes != (1,))}."
                )

    @property
    def size(self) -> int:  # type: ignore[override]
        """Components of both."""
        return 1 + self.tangential.size

    def contacts(self, at: Any) -> Sequence[tuple[Any, Any]]:
        """One pair: gap, and sliding velocity."""
        return [(self.normal.value(at), at.rate_of(self.tangential))]
