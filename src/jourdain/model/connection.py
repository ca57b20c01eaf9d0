"""The connection: a measure and a law under one name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jourdain.errors import ModelError, unknown_name
from jourdain.model.elements import CoordinateElement, JointElement
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw, Law
from jourdain.model.laws.unilateral import SetValued
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.sum import Sum
from jourdain.model.measures.touch import Touch
from jourdain.spatial import check

Tables = tuple[Mapping[str, JointElement], Mapping[str, CoordinateElement]]


@dataclass(frozen=True, slots=True)
class Connection:
    """What two or more bodies exert on each other. Made by `Model.add_connection`.

    Parameters
    ----------
    name : str
        Name in the model.
    measure : Measure
        What is measured.
    law : ForceLaw, Equal or SetValued
        How the force answers.
    """

    name: str
    measure: Measure
    law: ForceLaw | Equal | SetValued


def connect(
    name: str,
    measure: Any,
    law: Any,
    joints: Mapping[str, JointElement],
    coordinates: Mapping[str, CoordinateElement],
) -> Connection:
    """Check the parts of a connection and put them together.

    Raises
    ------
    ModelError
        If one of them is none, or if the measure names a coordinate that is not there.
    """
    what = f"connection {name!r}"
    if not isinstance(measure, Measure):
        raise ModelError(
            f"{what}: the measure is {check.shown(measure)}. Give one, for example "
            "jd.Distance(body.at(0.1, 0, 0), model.world) or jd.Coordinate('main.angle')."
        )
    if callable(law) and not isinstance(law, type):
        law = Law(law)
    if not isinstance(law, ForceLaw | Equal | SetValued):
        raise ModelError(
            f"{what}: the law is {check.shown(law)}. Give one, for example jd.Spring(1e3), "
            "jd.Equal(0.3), or a function such as lambda x, v: -1e3 * x."
        )
    tables = (joints, coordinates)
    return Connection(name, _with_units(measure, tables, what), law)


def _with_units(measure: Measure, tables: Tables, what: str) -> Measure:
    """Measure with the units of its coordinates looked up."""
    if isinstance(measure, Touch):
        return Touch(*(_with_units(m, tables, what) for m in (measure.normal, measure.tangential)))
    if isinstance(measure, Sum):
        terms = tuple((k, _with_units(m, tables, what)) for k, m in measure.terms)
        return dataclasses.replace(measure, terms=terms)
    if not isinstance(measure, Coordinate):
        return measure
    return dataclasses.replace(measure, unit=_unit(measure.name, tables, what))


def _unit(name: str, tables: Tables, what: str) -> str:
    """Unit of a coordinate of a joint or of the model."""
    joints, coordinates = tables
    joint, _, own = name.partition(".")  # names of elements hold no dots
    if name in coordinates:
        return coordinates[name].unit
    if joint in joints and own in joints[joint].kind.coordinates:
        return joints[joint].kind.coordinates[own]
    known = [f"{j.name}.{own}" for j in joints.values() for own in j.kind.coordinates]
    raise unknown_name("coordinate", name, [*known, *coordinates], what)
