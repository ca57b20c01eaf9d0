"""Composite connections: members that meet in massless nodes inside (Sol, chapter 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.composites.node import Node, start_number
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw, Law
from jourdain.model.laws.unilateral import SetValued
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check
from jourdain.spatial.annotations import Takes, preset, record

Member = tuple[Measure, ForceLaw | Equal | SetValued]


@record()
class Composite:
    """A connection made of members, with massless nodes and internal coordinates between them.

    Each member is a measure and a law, as in a connection of its own; measures may also refer to
    the nodes and, by `Coordinate`, to the internal coordinates. These follow from the members: held
    measures (`Equal`) place them, and the forces of all members are in equilibrium at them.
    Internal coordinates that dampers act on creep; the others follow at once.

    Given to `Model.add_connection`. Results are named ``connection.member.force``,
    ``connection.node.position``, and so on.

    Parameters
    ----------
    members : mapping of str to (Measure, law)
        The members by name. Contacts, stops and dry friction look at bodies and coordinates of the
        model alone: what has no mass cannot slide or lift off by itself.
    nodes : tuple of Node
        Massless points and frames; a node that hangs on another one stands behind it.
    coordinates : mapping of str to str
        Names and units of internal coordinates that belong to no node.
    start : mapping of str to float
        Values of these at which the search for them begins, default zero; if they creep, their
        start values.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("star", gravity=(0, 0, 0))
    >>> knot = jd.Node("knot", start=(0.4, 0.5, 0.0))
    >>> feet = [model.world.at(*r) for r in ((0, 0, 0), (1, 0, 0), (0.2, 0.9, 0))]
    >>> legs = {f"leg_{k}": (jd.Distance(foot, knot), jd.Spring(100.0, free=0.3))
    ...         for k, foot in enumerate(feet)}
    >>> star = model.add_connection("star", jd.Composite(legs, nodes=[knot]))
    >>> list(model.connections)
    ['star.leg_0', 'star.leg_1', 'star.leg_2']

    References
    ----------
    E. J. Sol, Kinematics and dynamics of multibody systems, TH Eindhoven 1983, chapter 7.
    """

    members: Takes[Mapping[str, tuple[Measure, Any]], Mapping[str, Any]] = field(hash=False)
    nodes: Takes[Node | Sequence[Node], tuple[Node, ...]] = preset(default=())
    coordinates: Mapping[str, str] = field(default_factory=dict, hash=False)
    start: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        given = self.nodes if isinstance(self.nodes, tuple | list) else (self.nodes,)
        object.__setattr__(self, "nodes", tuple(given))
        object.__setattr__(self, "coordinates", dict(self.coordinates))
        if not isinstance(self.members, Mapping) or not self.members:
            raise ModelError(
                f"Composite has the members {check.shown(self.members)}: name them, as in "
                '{"leg": (jd.Distance(body, node), jd.Spring(1e3))}.'
            )
        members = {name: _member(name, member) for name, member in self.members.items()}
        object.__setattr__(self, "members", members)
        self._check_names()
        start = {name: self.start.get(name, 0.0) for name in self.coordinates}
        unknown = [name for name in self.start if name not in self.coordinates]
        if unknown:
            raise ModelError(
                f"Composite has a start value of {unknown[0]!r}, which is none of its coordinates "
                f"({', '.join(self.coordinates) or 'none'}). Nodes have start values of their own."
            )
        checked = {k: start_number(x, f"start of coordinate {k!r}") for k, x in start.items()}
        object.__setattr__(self, "start", checked)

    def _check_names(self) -> None:
        known: list[str] = []
        for node in self.nodes:
            if not isinstance(node, Node):
                raise ModelError(
                    f"Composite has {check.shown(node)} among its nodes: give "
                    'jd.Node("name", start=(x, y, z)).'
                )
            known.append(node.name)
        for name in self.coordinates:
            known.append(check.name(name, "coordinate"))
        known += self.members
        twice = sorted({name for name in known if known.count(name) > 1})
        if twice:
            raise ModelError(
                f"Composite has {twice[0]!r} twice: nodes, coordinates and members have different "
                "names, because results are addressed by them."
            )
        if not self.units:
            raise ModelError(
                "Composite has no nodes and no coordinates between its members: add the members as "
                "connections of their own."
            )

    @property
    def units(self) -> Mapping[str, str]:
        """Names and units of all internal coordinates, by the names they have inside."""
        found = {name: unit for node in self.nodes for name, unit in node.coordinates.items()}
        return {**found, **self.coordinates}

    @property
    def start_values(self) -> tuple[float, ...]:
        """Start values of all internal coordinates."""
        return (*(x for node in self.nodes for x in node.start), *self.start.values())

    def __str__(self) -> str:
        inner = [*map(str, self.nodes), *self.coordinates]
        return f"Composite of {', '.join(self.members)} with {', '.join(inner)} inside"


@dataclass(frozen=True)
class CompositeElement:
    """A composite connection of a model. Made by `Model.add_connection`.

    Its members are connections of the model with the names ``name.member``.

    Parameters
    ----------
    name : str
        Name in the model.
    composite : Composite
        Members and nodes.
    """

    name: str
    composite: Composite

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Names and units of the internal coordinates, as results have them."""
        return {f"{self.name}.{name}": unit for name, unit in self.composite.units.items()}

    @property
    def member_names(self) -> tuple[str, ...]:
        """Names of the members among the connections of the model."""
        return tuple(f"{self.name}.{member}" for member in self.composite.members)

    @property
    def inner_names(self) -> tuple[str, ...]:
        """Names of the members that may meet inside: all but contacts, stops and dry friction."""
        members = zip(self.member_names, self.composite.members.values(), strict=True)
        return tuple(name for name, (_, law) in members if not isinstance(law, SetValued))

    @property
    def n_held(self) -> int:
        """Number of rows of the held members."""
        return sum(m.size for m, law in self.composite.members.values() if isinstance(law, Equal))

    @property
    def is_kinematic(self) -> bool:
        """Whether held members alone place all internal coordinates; what is left holds bodies."""
        return self.n_held >= len(self.composite.units)


def in_series(measure: Measure, **laws: Any) -> Composite:
    """Laws in series along one measure: its members add up to it, and all forces are equal.

    Parameters
    ----------
    measure : Measure
        What the whole spans, one number.
    **laws : law
        Two or more laws by names of their own: ``spring=jd.Spring(1e3), oil=jd.Damper(20.0)``.
        The elongation of each but the first is an internal coordinate, ``oil_elongation``.

    Returns
    -------
    Composite
        For `Model.add_connection`.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("strut")
    >>> load = model.add_body("load", jd.solid.ball(mass=1.0, radius=0.1))
    >>> line = jd.Distance(model.world, load)
    >>> soft = jd.in_series(line, coil=jd.Spring(1e3, free=0.1), rubber=jd.Spring(4e3, free=0.02))
    >>> strut = model.add_connection("strut", soft)
    """
    if not isinstance(measure, Measure) or measure.size != 1:
        raise ModelError(
            f"in_series has the measure {check.shown(measure)}: give one with a single component, "
            "such as jd.Distance(a, b) or jd.Relative(a, b, 'x')."
        )
    if len(laws) < 2:
        raise ModelError(
            f"in_series has {len(laws)} laws: give two or more by name, such as "
            "spring=jd.Spring(1e3), oil=jd.Damper(20.0)."
        )
    first, *others = laws
    own = {name: f"{name}_elongation" for name in others}
    rest = measure
    for name in own.values():
        rest = rest - Coordinate(name)
    members = {first: (rest, laws[first])}
    members |= {name: (Coordinate(own[name]), laws[name]) for name in others}
    return Composite(members, coordinates=dict.fromkeys(own.values(), measure.unit))


def _member(name: Any, member: Any) -> Member:
    check.name(name, "member")
    if not (
        isinstance(member, tuple | list) and len(member) == 2 and isinstance(member[0], Measure)
    ):
        raise ModelError(
            f"member {name!r} of a composite is {check.shown(member)}: give a measure and a law, "
            "such as (jd.Distance(body, node), jd.Spring(1e3))."
        )
    measure, law = member
    if callable(law) and not isinstance(law, type):
        law = Law(law)
    if not isinstance(law, ForceLaw | Equal | SetValued):
        raise ModelError(
            f"member {name!r} of a composite has the law {check.shown(law)}: give one such as "
            "jd.Spring(1e3), jd.Equal(...) or jd.Interval(10.0)."
        )
    return measure, law
