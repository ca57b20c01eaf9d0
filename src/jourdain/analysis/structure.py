"""How a machine is put together: tree, cuts, coordinates and the count of its freedoms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

from jourdain.analysis.wording import counted, kind_text, some, table, wrapped
from jourdain.errors import JourdainError
from jourdain.model.laws.equal import Equal
from jourdain.model.texts import notebook
from jourdain.topology.drawing import Line, draw
from jourdain.topology.flexible import elastic_coordinates
from jourdain.topology.freedoms import (
    constrained_modes,
    driven_coordinates,
    freedoms,
    held_rows,
    position_freedoms,
)
from jourdain.topology.spanning import build
from jourdain.topology.tree import Topology, TreeJoint

if TYPE_CHECKING:
    from jourdain.analysis.assemble import Assembly
    from jourdain.analysis.doctor.findings import Findings
    from jourdain.model.elements import JointElement
    from jourdain.model.model import Model

MOST_LOOPS = 8
MOST_JOINTS = 10  # of one loop
MOST_NAMES = 24


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A position coordinate: its full name, its unit, and whether it is a function of time."""

    name: str
    unit: str
    is_driven: bool


@dataclass(frozen=True, slots=True)
class Loop:
    """A closed loop: its joints once round, the one that is cut, and the rows of the cut."""

    joints: tuple[str, ...]
    cut: str
    rows: int


@dataclass(frozen=True, repr=False)
class Structure:
    """How a model is put together. Made by `structure`; ``str()`` gives the report.

    Parameters
    ----------
    topology : Topology
        Tree, cuts and numbering.
    joints : tuple of str
        Names of the joints of the model, in the order of adding.
    coordinates : tuple of Coordinate
        Coordinates of the tree joints by number, then the scalar coordinates of the model.
    cut_coordinates : tuple of Coordinate
        Coordinates of the cut joints, which follow from those of the tree.
    loops : tuple of Loop
        One for each cut joint.
    held : mapping of str to int
        Connections that hold a measure (`Equal`), and composites that do, with their rows.
    n_freedoms : int
        Velocities of the tree and of the scalar coordinates that are not driven.
    n_positions : int
        The same in positions; more with nonholonomic joints.
    findings : Findings, optional
        What the rank of the constraints in one position tells; None without constraints.
    why_not : str
        Why there are no findings though there are constraints.
    parts : tuple of str
        Parts of the model, which the drawing folds.
    """

    topology: Topology
    joints: tuple[str, ...]
    coordinates: tuple[Coordinate, ...]
    cut_coordinates: tuple[Coordinate, ...]
    loops: tuple[Loop, ...]
    held: Mapping[str, int]
    n_freedoms: int
    n_positions: int
    findings: Findings | None = None
    why_not: str = ""
    parts: tuple[str, ...] = ()

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies by number, without world."""
        return self.topology.names[1:]

    @property
    def free_bodies(self) -> tuple[str, ...]:
        """Bodies that got a free joint by themselves, because no joint leads to them."""
        return tuple(joint.outboard for joint in self.topology.tree if joint.automatic)

    @property
    def n_bodies(self) -> int:
        """Count of bodies, world not counted."""
        return len(self.topology.tree)

    @property
    def n_joints(self) -> int:
        """Count of joints of the model, automatic free joints not counted."""
        return len(self.joints)

    @property
    def n_loops(self) -> int:
        """Count of loops, which is that of cut joints."""
        return len(self.loops)

    @property
    def n_coordinates(self) -> int:
        """Count of position coordinates, driven ones included, those of cut joints not."""
        return len(self.coordinates)

    @property
    def n_rows(self) -> int:
        """Count of constraint rows on velocity level, of cut joints and of held measures."""
        return sum(loop.rows for loop in self.loops) + sum(self.held.values())

    @property
    def grubler(self) -> int:
        """Grübler count: freedoms minus rows. Negative in spatial models of planar loops."""
        return self.n_freedoms - self.n_rows

    @property
    def mobility_at_least(self) -> int:
        """Lower bound of the degrees of freedom; the number itself takes the rank of the rows."""
        return max(self.grubler, 0)

    def __str__(self) -> str:
        sections = (
            _head(self),
            _tree(self),
            _notes(self),
            _loops(self),
            _names(self),
            _count(self),
        )
        return "\n\n".join("\n".join(section) for section in sections if section)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Report with the tree as a table, in a notebook."""
        (title,), (head, *rows) = _head(self), _tree_rows(self)
        tree = notebook.grid(rows, head, is_tree=True) if self.n_bodies else ""
        sections = (_notes(self), _loops(self), _names(self), _count(self))
        return notebook.card(title, [tree, *map(notebook.text, sections)])


def structure(
    model: Model,
    *,
    cut: str | Iterable[str] = (),
    at: Assembly | Mapping[str, Any] | bool | None = None,
    driven: str | Iterable[str] = (),
    parameters: Mapping[str, float] | None = None,
) -> Structure:
    """Tell how a model is put together and how it can move: ``print(jd.structure(model))``.

    A model with loops or constraints is examined in one position: degrees of freedom by rank,
    rows that repeat others and the joints that cause them, loads that are therefore not unique,
    contradictions, change points and dead points, and which coordinates are good to drive.

    Parameters
    ----------
    model : Model
        The machine.
    cut : str or iterable of str
        Joints that must be cut; the others are chosen (see `jourdain.topology.build`).
    at : Assembly or mapping
        Position to examine, ``jd.assemble(...)`` or coordinates by name; by default near the
        reference. ``False`` examines none: only Grübler's count bounds the freedoms then.
    driven : str or iterable of str
        Coordinates that are to be driven: is it a suitable choice in this position?
    parameters : mapping
        Values of parameters that differ from the nominal ones.

    Returns
    -------
    Structure

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> hinge = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> print(jd.structure(model))
    pendulum: 1 body, 1 joint, no loops
    <BLANKLINE>
      body     joint   kind            coordinates
      world
      └─ rod   hinge   Revolute("y")   angle [rad]
    <BLANKLINE>
    coordinates (1): hinge.angle [rad]
    <BLANKLINE>
    degrees of freedom: 1
    """
    topology = build(model, cut)
    scalars = model.coordinates.values()
    of_tree = chain.from_iterable(_coordinates(branch.joint) for branch in topology.tree)
    of_cuts = chain.from_iterable(map(_coordinates, topology.cuts))
    of_model = (Coordinate(c.name, c.unit, c.driven is not None) for c in scalars)
    own = elastic_coordinates(model, topology).items()
    elastic = [Coordinate(x, unit, False) for x, unit in own]
    n_scalars = sum(c.driven is None for c in scalars) + len(elastic)
    names = (driven,) if isinstance(driven, str) else tuple(driven)
    findings, why_not = _examined(model, topology, at, names, parameters)
    return Structure(
        topology=topology,
        joints=tuple(model.joints),
        coordinates=(*of_tree, *elastic, *of_model),
        cut_coordinates=tuple(of_cuts),
        loops=tuple(
            Loop(topology.loop(j.name), j.name, constrained_modes(j)) for j in topology.cuts
        ),
        held=held_rows(model),
        n_freedoms=sum(freedoms(branch.joint) for branch in topology.tree) + n_scalars,
        n_positions=sum(position_freedoms(branch.joint) for branch in topology.tree) + n_scalars,
        findings=findings,
        why_not=why_not,
        parts=tuple(model.parts),
    )


def _examined(
    model: Model, topology: Topology, at: Any, driven: tuple[str, ...], parameters: Any
) -> tuple[Findings | None, str]:
    """Findings, or why there are none: without a position asked for, failures are told only."""
    is_held = topology.cuts or any(isinstance(c.law, Equal) for c in model.connections.values())
    is_asked = bool(driven) or (at is not None and at is not True)
    if at is False or not (is_held or is_asked):
        return None, ""
    from jourdain.analysis.doctor.findings import examine  # noqa: PLC0415
    from jourdain.system import compile  # noqa: PLC0415

    try:
        return examine(compile(model), None if at is True else at, driven, parameters), ""
    except JourdainError as error:
        if is_asked:
            raise
        return None, str(error)


def _coordinates(joint: JointElement) -> Iterator[Coordinate]:
    driven = driven_coordinates(joint)
    for name, unit in joint.kind.coordinates.items():
        yield Coordinate(f"{joint.name}.{name}", unit, name in driven)


def _head(report: Structure) -> list[str]:
    counts = (
        counted(report.n_bodies, "body", "bodies"),
        counted(report.n_joints, "joint"),
        counted(report.n_loops, "loop"),
    )
    return [f"{report.topology.model_name}: {', '.join(counts)}"]


def _tree(report: Structure) -> list[str]:
    return table(_tree_rows(report)) if report.n_bodies else []


def _tree_rows(report: Structure) -> list[tuple[str, ...]]:
    lines = draw(report.topology, report.parts)
    return [("body", "joint", "kind", "coordinates"), *(_row(report, line) for line in lines)]


def _row(report: Structure, line: Line) -> tuple[str, ...]:
    branches = [report.topology.tree[k - 1] for k in line.bodies if k]
    kinds = list(dict.fromkeys(kind_text(branch.joint.kind) for branch in branches))
    kind = f"{len(kinds)} kinds" if len(kinds) > 1 else "".join(kinds)
    if len(branches) > 1:
        first, last = _mark(branches[0]), _mark(branches[-1])
        n_coordinates = sum(len(branch.joint.kind.coordinates) for branch in branches)
        joints = first if first == last else f"{first} … {last}"
        return (line.text, joints, kind, counted(n_coordinates, "coordinate"))
    joints = "".join(map(_mark, branches))
    return (line.text, joints, kind, "; ".join(_grouped(chain(*map(_own, branches)))))


def _own(branch: TreeJoint) -> list[Coordinate]:
    """Coordinates without the name of the joint."""
    own = _coordinates(branch.joint)
    return [replace(c, name=c.name.removeprefix(branch.name + ".")) for c in own]


def _mark(branch: TreeJoint) -> str:
    if branch.automatic:
        return "(automatic)"
    return branch.name + (" ↑" if branch.reversed else "")


def _notes(report: Structure) -> list[str]:
    notes = []
    if report.free_bodies:
        notes += wrapped(
            "(automatic): a Free joint, because no other joint leads there from world; it has the "
            f"name of the body: {report.free_bodies[0]}.position.x."
        )
    if any(branch.reversed for branch in report.topology.tree):
        notes.append("↑: written from the outer body to the inner one; signs stay as written.")
    return notes


def _loops(report: Structure) -> list[str]:
    lines = []
    for loop, cut in list(zip(report.loops, report.topology.cuts, strict=True))[:MOST_LOOPS]:
        lines += wrapped(f"loop: {some(loop.joints, ' - ', MOST_JOINTS)}, cut: {loop.cut}")
        lines += wrapped(
            f"  {loop.cut}: {kind_text(cut.kind)} from {cut.parent.body} to {cut.child.body}, "
            f"{counted(loop.rows, 'constraint row')}"
        )
    if report.n_loops > MOST_LOOPS:
        cuts = some([loop.cut for loop in report.loops[MOST_LOOPS:]], ", ", MOST_NAMES)
        lines += wrapped(f"and {report.n_loops - MOST_LOOPS} more, cut: {cuts}")
    if report.held:
        rows = counted(sum(report.held.values()), "constraint row")
        lines += wrapped(f"held measures: {some(list(report.held), ', ', MOST_NAMES)}; {rows}")
    return lines


def _names(report: Structure) -> list[str]:
    driven = [replace(c, is_driven=False) for c in report.coordinates if c.is_driven]
    return [
        *_named("coordinates", [c for c in report.coordinates if not c.is_driven]),
        *_named("driven coordinates", driven),
        *_named("coordinates of cut joints", report.cut_coordinates),
    ]


def _named(title: str, coordinates: Sequence[Coordinate]) -> list[str]:
    if not coordinates:
        return []
    is_cut_short = len(coordinates) > MOST_NAMES
    shown = [*_grouped(coordinates[:MOST_NAMES]), *(["…"] if is_cut_short else [])]
    return wrapped(f"{title} ({len(coordinates)}): {'; '.join(shown)}")


def _count(report: Structure) -> list[str]:
    grubler = (
        f"Grübler: {report.n_freedoms} of the tree - {counted(report.n_rows, 'constraint row')}"
    )
    if report.findings is not None:
        lines = str(report.findings).splitlines()
        if report.n_rows:
            lines.insert(1, f"  {grubler} = {report.grubler}")
        return lines
    if not report.n_rows:
        return _freedoms(report)
    lines = [
        f"degrees of freedom: at least {report.mobility_at_least} ({grubler} = {report.grubler})"
    ]
    if report.grubler < 0:
        lines.append(f"  Redundant rows: at least {-report.grubler} of {report.n_rows}.")
    lines.append("  The exact number takes the rank of the rows in a position of the machine.")
    if report.why_not:
        lines += wrapped(f"  None was examined: {report.why_not}")
    return lines


def _freedoms(report: Structure) -> list[str]:
    if not report.coordinates:
        return []
    more = ""
    if report.n_positions != report.n_freedoms:
        more = f" of velocities, {report.n_positions} of positions (nonholonomic)"
    return [f"degrees of freedom: {report.n_freedoms}{more}"]


def _grouped(coordinates: Iterable[Coordinate]) -> Iterator[str]:
    """Coordinates with one unit for neighbours of the same: ``a, b [rad]``, ``c [m] driven``."""
    for (unit, is_driven), group in groupby(coordinates, key=lambda c: (c.unit, c.is_driven)):
        names = ", ".join(_joined([c.name for c in group]))
        yield f"{names} [{unit}]" + (" driven" if is_driven else "")


def _joined(names: Sequence[str]) -> Iterator[str]:
    """Components of a vector in one word: ``position.x/y/z``."""
    for stem, group in groupby(names, key=_stem):
        components = [name.removeprefix(stem) for name in group]
        yield stem + "/".join(components)


def _stem(name: str) -> str:
    head, dot, tail = name.rpartition(".")
    return head + dot if head and len(tail) == 1 else name
