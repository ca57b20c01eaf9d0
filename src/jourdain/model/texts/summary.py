"""Text of a model: what it holds, in a screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jourdain.model.connection_array import ConnectionArray
from jourdain.model.names import is_inside, outermost
from jourdain.model.texts import notebook
from jourdain.spatial import check
from jourdain.spatial.parameter import Expression, nominal

if TYPE_CHECKING:
    from jourdain.model.model import Model

_ROWS = 20


def headline(model: Model) -> str:
    """One line: name and counts."""
    tables = {"body": model.bodies, "joint": model.joints}
    tables |= {"coordinate": model.coordinates, "connection": model.connections}
    tables |= {"state element": model.states}
    tables |= {"contact group": model.contact_groups, "frame": model.frames}
    always = ("body", "joint")
    counts = [_count(len(t), word) for word, t in tables.items() if t or word in always]
    return f"model {model.name!r}: {', '.join(counts)}"


def summary(model: Model) -> str:
    """Headline, total mass, gravity, and one line for each element."""
    lines = [headline(model), f"  {_matter(model)}"]
    for word, rows in _elements(model):
        width = max((len(name) for name, _ in rows[:_ROWS]), default=0)
        lines += [f"  {word:5} {name:{width}}  {text}" for name, text in rows[:_ROWS]]
        lines += [f"  {_more(word, rows)}"] if len(rows) > _ROWS else []
    return "\n".join(lines)


def html(model: Model) -> str:
    """The same as HTML, for notebooks."""
    cells: list[tuple[str, str, str]] = []
    for word, rows in _elements(model):
        cells += [(word if not k else "", *row) for k, row in enumerate(rows[:_ROWS])]
        cells += [("", _more(word, rows), "")] if len(rows) > _ROWS else []
    return notebook.card(
        headline(model), [notebook.text([_matter(model)]), notebook.grid(cells) if cells else ""]
    )


def _matter(model: Model) -> str:
    mass = sum(nominal(body.inertia.mass) for body in model.bodies.values())
    return f"mass {mass:g} kg, gravity {check.listed(model.gravity)} m/s^2"


def _elements(model: Model) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Names of elements and words about them, by kind; a part stands for what it holds."""
    folded = outermost(model.parts)
    bodies = ((b.name, f"{_amount(b.inertia.mass)} kg") for b in model.bodies.values())
    joints = ((j.name, _joint(j)) for j in model.joints.values())
    scalars = ((c.name, _coordinate(c)) for c in model.coordinates.values())
    arrays = {member: array for array in model.arrays.values() for member in array.member_names}
    wholes = [arrays.get(c.name, c) for c in model.connections.values()]
    connections = ((c.name, _connection(c)) for c in {c.name: c for c in wholes}.values())
    states = ((c.name, str(c.law)) for c in model.states.values())
    groups = ((g.name, str(g)) for g in model.contact_groups.values())
    frames = ((name, str(frame)) for name, frame in model.frames.items())
    for word, rows in (
        ("body", bodies),
        ("joint", joints),
        ("coordinate", scalars),
        ("connection", connections),
        ("states", states),
        ("contact group", groups),
        ("frame", frames),
    ):
        yield word, [row for row in rows if not any(is_inside(row[0], part) for part in folded)]
    yield "part", [(name, _part(model, name)) for name in folded]


def _part(model: Model, name: str) -> str:
    tables = {"body": model.bodies, "joint": model.joints, "coordinate": model.coordinates}
    tables |= {"connection": model.connections, "state element": model.states}
    tables |= {"contact group": model.contact_groups}
    counts = {word: sum(is_inside(x, name) for x in table) for word, table in tables.items()}
    words = [_count(n, word) for word, n in counts.items() if n]
    return ", ".join([type(model.parts[name].part).__name__, *words])


def _more(word: str, rows: list[tuple[str, str]]) -> str:
    return f"… {_count(len(rows) - _ROWS, 'more ' + word)}"


def _joint(joint: Any) -> str:
    drives = f", driven: {', '.join(joint.driven)}" if joint.driven else ""
    armature = ", armature" if joint.armature else ""
    return f"{joint.parent} → {joint.child}, {joint.kind}{drives}{armature}"


def _connection(connection: Any) -> str:
    if isinstance(connection, ConnectionArray):
        return f"{len(connection)} × {connection.measures[0]}, …; {connection.law}"
    return f"{connection.measure}, {connection.law}"


def _coordinate(coordinate: Any) -> str:
    drive = ", driven" if coordinate.driven else ""
    return f"[{coordinate.unit}], inertia {_amount(coordinate.inertia)}{drive}"


def _amount(value: Any) -> str:
    return f"{value} = {nominal(value):g}" if isinstance(value, Expression) else f"{value:g}"


def _count(n: int, word: str) -> str:
    plural = word[:-1] + "ies" if word.endswith("y") else word + "s"
    return f"{n} {word if n == 1 else plural}"
