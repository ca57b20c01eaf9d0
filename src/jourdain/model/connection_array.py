"""The array of connections: many of one kind under one name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.connection import Connection, connect
from jourdain.model.elements import CoordinateElement, JointElement
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check


@dataclass(frozen=True)
class ConnectionArray:
    """Connections of one kind: equal measures at several places, one law. Counted from 0.

    Made by `Model.add_connections`. Its members are connections of the model with the names
    ``name.0``, ``name.1``, …

    Parameters
    ----------
    name : str
        Name in the model.
    measures : tuple of Measure
        What is measured, in the order of the members.
    law : ForceLaw, Equal or SetValued
        How each force answers.
    """

    name: str
    measures: tuple[Measure, ...]
    law: Any

    @property
    def member_names(self) -> tuple[str, ...]:
        """Names of the members among the connections of the model."""
        return tuple(f"{self.name}.{k}" for k in range(len(self.measures)))

    def __len__(self) -> int:
        return len(self.measures)


def connection_array(
    name: str,
    measures: Any,
    law: Any,
    joints: Mapping[str, JointElement],
    coordinates: Mapping[str, CoordinateElement],
) -> tuple[ConnectionArray, dict[str, Connection]]:
    """Check the members of an array and put them together; they come by their names too.

    Raises
    ------
    ModelError
        If there are none, if one is no connection, or if they are of several kinds.
    """
    what = f"connections {name!r}"
    if isinstance(measures, Measure) or not isinstance(measures, Iterable):
        raise ModelError(
            f"{what}: the measures are {check.shown(measures)}. Give several of one kind, such as "
            "[jd.Distance(a, b) for a, b in pairs]."
        )
    given = list(measures)
    if not given:
        raise ModelError(f"{what} has no measures: give one or more.")
    made = {
        f"{name}.{k}": connect(f"{name}.{k}", m, law, joints, coordinates)
        for k, m in enumerate(given)
    }
    kinds = [_kind(c.measure) for c in made.values()]
    for k, kind in enumerate(kinds):
        if kind != kinds[0]:
            words = [f"{cls} of {n} number{'s' * (n > 1)} [{unit}]" for cls, n, unit in kinds]
            raise ModelError(
                f"{what}: measure {k} is a {words[k]}, measure 0 a {words[0]}. An array has "
                "measures of one kind: make two arrays."
            )
    first = next(iter(made.values()))
    return ConnectionArray(name, tuple(c.measure for c in made.values()), first.law), made


def _kind(measure: Measure) -> tuple[str, int, str]:
    return type(measure).__name__, measure.size, measure.unit
