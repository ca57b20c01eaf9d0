"""The connection: a measure and a law under one name."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from jourdain.errors import ModelError, unknown_name
from jourdain.model.composites.composite import Composite, CompositeElement
from jourdain.model.composites.inside import Inside
from jourdain.model.elements import CoordinateElement, JointElement
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw, Law
from jourdain.model.laws.unilateral import SetValued
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.rate import Rate
from jourdain.model.measures.sum import Sum
from jourdain.model.measures.touch import Touch
from jourdain.model.names import owned
from jourdain.spatial import check

Tables = tuple[Mapping[str, JointElement], Mapping[str, CoordinateElement], Mapping[str, str]]


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
    if isinstance(measure, CoordinateElement | JointElement):
        own = Coordinate(measure).name
        raise ModelError(
            f"{what}: the measure is {measure.name!r} itself. Give jd.Coordinate({own!r})."
        )
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
    return Connection(name, _with_units(measure, (joints, coordinates, {}), what), law)


def members_of(
    element: CompositeElement,
    law: Any,
    bodies: Collection[str],
    joints: Mapping[str, JointElement],
    coordinates: Mapping[str, CoordinateElement],
) -> dict[str, Connection]:
    """Connections that the members of a composite are, by name.

    Raises
    ------
    ModelError
        If there is a law besides, a node has the name of a body or hangs on a later node, or a
        measure names a coordinate that is not there.
    """
    composite, what = element.composite, f"connection {element.name!r}"
    if law is not None:
        raise ModelError(
            f"{what} has a composite and the law {check.shown(law)}. The members of a composite "
            "have the laws: leave it out."
        )
    behind = [node.name for node in composite.nodes]
    for node in composite.nodes:
        if node.name in bodies:
            raise ModelError(
                f"{what} has a node {node.name!r}, but the model has a body of that name. Give the "
                "node another name, so that measures can tell them apart."
            )
        if node.on.body in behind:
            raise ModelError(
                f"{what}: node {node.name!r} hangs on node {node.on.body!r}, which does not stand "
                "before it. Change the order of the nodes, so that they form a tree."
            )
        behind.remove(node.name)
    inner = (element.name, composite.nodes, tuple(composite.units))
    tables = (joints, coordinates, composite.units)
    found = {}
    for full, member in zip(element.member_names, composite.members.values(), strict=True):
        measure, answering = member
        if isinstance(answering, SetValued):
            _require_outside(full, measure, composite)
            outside = _with_units(measure, (joints, coordinates, {}), f"connection {full!r}")
            found[full] = Connection(full, outside, answering)
            continue
        own = Inside(_with_units(measure, tables, f"connection {full!r}"), *inner)
        found[full] = Connection(full, own, answering)
    return found


def with_inner_units(
    composite: Composite,
    joints: Mapping[str, JointElement],
    coordinates: Mapping[str, CoordinateElement],
    what: str,
) -> Composite:
    """Composite whose internal coordinates along coordinates of the model have their unit."""
    if all(composite.coordinates.values()):
        return composite
    whole = next(iter(composite.members.values()))[0]
    first = whole.terms[0][1] if isinstance(whole, Sum) else whole
    unit = _with_units(first, (joints, coordinates, composite.units), what).unit
    units = {name: own or unit for name, own in composite.coordinates.items()}
    return dataclasses.replace(composite, coordinates=units)


def _require_outside(name: str, measure: Measure, composite: Composite) -> None:
    """Refuse a contact, a stop or dry friction on what has no mass."""
    inner = {node.name for node in composite.nodes}
    seen = [frame.body for frame in measure.frames if frame.body in inner]
    terms = [m for _, m in measure.terms] if isinstance(measure, Sum) else [measure]
    seen += [m.name for m in terms if isinstance(m, Coordinate) and m.name in composite.units]
    if seen:
        raise ModelError(
            f"connection {name!r} is a contact, a stop or dry friction at {seen[0]!r}, which has "
            "no mass: it would jump. Next: jd.Jenkins(stiffness, limit) is a spring and a dry "
            "slider in series, jd.Hertz(...) a contact that yields; or make it a body or a "
            "coordinate with a small mass."
        )


def _with_units(measure: Measure, tables: Tables, what: str) -> Measure:
    """Measure with the units of its coordinates looked up."""
    if isinstance(measure, Touch):
        return Touch(*(_with_units(m, tables, what) for m in (measure.normal, measure.tangential)))
    if isinstance(measure, Rate):
        return Rate(_with_units(measure.measure, tables, what))
    if isinstance(measure, Sum):
        terms = tuple((k, _with_units(m, tables, what)) for k, m in measure.terms)
        return dataclasses.replace(measure, terms=terms)
    if not isinstance(measure, Coordinate):
        return measure
    return dataclasses.replace(measure, unit=_unit(measure.name, tables, what))


def _unit(name: str, tables: Tables, what: str) -> str:
    """Unit of a coordinate of a joint or of the model."""
    joints, coordinates, inner = tables
    joint, own = owned(name, joints)
    if name in inner:
        return inner[name]
    if name in coordinates:
        return coordinates[name].unit
    if joint in joints and own in joints[joint].kind.coordinates:
        return str(joints[joint].kind.coordinates[own])
    known = [f"{j.name}.{own}" for j in joints.values() for own in j.kind.coordinates]
    raise unknown_name("coordinate", name, [*inner, *known, *coordinates], what)
