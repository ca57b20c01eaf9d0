"""From a model to a tree: which joints it keeps, which it cuts, and how bodies are numbered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from jourdain.errors import TopologyError, unknown_name
from jourdain.model.elements import WORLD, Frame, JointElement
from jourdain.model.joints import Free
from jourdain.topology.freedoms import constrained_modes
from jourdain.topology.graph import Edge, Parts, distances, preorder, spanning_forest
from jourdain.topology.tree import Topology, TreeJoint

if TYPE_CHECKING:
    from jourdain.model.model import Model

_KEPT = 7  # weight of an armature: more than any joint has by itself
_MANY_LOOPS = 10  # beyond which the choice among equal joints matters for the time a step takes


def build(model: Model, cut: str | Iterable[str] = ()) -> Topology:
    """Choose the tree of a model and number its bodies.

    The tree keeps the joints with the most constrained modes (spanning forest of maximum weight
    ``6 - freedoms``, Sol F37), so that the cut joints give the fewest constraint rows. Of equal
    joints the one added first stays; in a machine of more than ten loops the one that is nearest to
    the world, so that loops share few joints. Joints with an armature come first of all: it can act
    in the tree only. Every part without a joint to world gets a free joint
    to its first body, named after that body. Numbering is depth first in the order of adding.

    Parameters
    ----------
    model : Model
        The machine.
    cut : str or iterable of str
        Joints that must be cut.

    Returns
    -------
    Topology

    Raises
    ------
    UnknownNameError
        If ``cut`` names a joint that is not there.
    TopologyError
        If a joint joins a body to itself, if a joint in ``cut`` is part of no loop, or if a joint
        with an armature would have to be cut.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.topology import build
    >>> model = jd.Model("two")
    >>> arm = model.add_body("arm", jd.Inertia(mass=1.0))
    >>> ball = model.add_body("ball", jd.Inertia(mass=1.0))
    >>> hinge = model.add_joint("hinge", model.world, arm, jd.Revolute("y"))
    >>> [joint.name for joint in build(model).tree]
    ['hinge', 'ball']
    """
    joints, names = list(model.joints.values()), [WORLD, *model.bodies]
    _refuse_self_joints(joints)
    index = {name: i for i, name in enumerate(names)}
    edges = [(index[j.parent.body], index[j.child.body]) for j in joints]
    weights = [constrained_modes(joint) + _KEPT * bool(joint.armature) for joint in joints]
    barred = _positions(model, (cut,) if isinstance(cut, str) else cut)
    ties = _ties(len(names), edges)
    kept, parts = spanning_forest(len(names), edges, weights, barred, ties)
    _refuse_loose(model, names, edges, barred, parts)
    cuts = tuple(joints[e] for e in sorted(set(range(len(joints))).difference(kept)))
    _refuse_rotors(cuts, {joints[e].name for e in barred})
    n_written = len(joints)
    for body in range(1, len(names)):
        if parts.join(0, body):
            _refuse_taken(model, names[body])
            kept.append(len(joints))
            joints.append(JointElement(names[body], Frame(WORLD), Frame(names[body]), Free()))
            edges.append((0, body))
    return Topology(model.name, _number(joints, names, edges, kept, n_written), cuts)


def _refuse_taken(model: Model, body: str) -> None:
    """Refuse an automatic free joint where another joint has the name of its body."""
    if body in model.joints:
        own = body.rpartition(".")[2]
        raise TopologyError(
            f"body {body!r} has no joint that leads to the world, and the automatic free one would "
            f"have its name, which another joint has. Give the body one of its own: "
            f'model.add_joint("{own}_free", model.world, "{body}", jd.Free()).'
        )


def _ties(n_vertices: int, edges: Sequence[Edge]) -> list[int] | None:
    """Distances of the joints from the world, if there are many loops: then paths must be short.

    The rows of a loop have entries for all joints between its bodies and the world, and two loops
    meet in the joints they share.
    """
    if len(edges) - n_vertices < _MANY_LOOPS:
        return None
    far = distances(n_vertices, edges)
    return [min(far[one], far[other]) for one, other in edges]


def _number(
    joints: Sequence[JointElement],
    names: Sequence[str],
    edges: Sequence[Edge],
    kept: Sequence[int],
    n_written: int,
) -> tuple[TreeJoint, ...]:
    """Tree joints in regular numbering; joints from position ``n_written`` on are automatic."""
    number, tree = [0] * len(names), []
    for k, (edge, inboard, outboard) in enumerate(preorder(len(names), edges, kept), 1):
        number[outboard] = k
        joint = joints[edge]
        tree.append(
            TreeJoint(
                number=k,
                name=joint.name,
                joint=joint,
                inboard=number[inboard],
                outboard=names[outboard],
                reversed=edges[edge][0] == outboard,
                automatic=edge >= n_written,
            )
        )
    return tuple(tree)


def _refuse_self_joints(joints: Iterable[JointElement]) -> None:
    for joint in joints:
        if joint.parent.body == joint.child.body:
            raise TopologyError(
                f"joint {joint.name!r} has both ends on {joint.parent.body!r}, so it can move "
                "nothing. Put one end on another body, or remove the joint."
            )


def _refuse_rotors(cuts: Iterable[JointElement], barred: set[str]) -> None:
    """Refuse to cut a joint with an armature."""
    for joint in cuts:
        if not joint.armature:
            continue
        rotor = f"{joint.name}_rotor"
        why = "all joints of its loop have one" if joint.name not in barred else "cut=(...) asks so"
        where = f"jd.Coordinate({rotor!r}) - jd.Coordinate('{joint.name}.{_first(joint)}')"
        raise TopologyError(
            f"joint {joint.name!r} has an armature, but it closes a loop and is cut, because {why}."
            " An armature acts in joints of the tree.\n"
            + "  Cut another joint of the loop, or make the rotor a coordinate of its own that "
            f"turns with {joint.name!r}:\n"
            f"  model.add_coordinate({rotor!r}, inertia) and "
            f"model.add_connection('{joint.name}_shaft', {where}, jd.Equal())."
        )


def _first(joint: JointElement) -> str:
    return str(next(iter(joint.kind.coordinates)))


def _positions(model: Model, cut: Iterable[str]) -> list[int]:
    """Positions of the named joints in the order of adding."""
    position = {name: e for e, name in enumerate(model.joints)}
    for name in (cut := tuple(cut)):
        if name not in position:
            raise unknown_name("joint", name, position, f"model {model.name!r}")
    return sorted({position[name] for name in cut})


def _refuse_loose(
    model: Model, names: Sequence[str], edges: Sequence[Edge], barred: Sequence[int], parts: Parts
) -> None:
    """Refuse cuts that leave bodies without a path they had before."""
    torn = [e for e in barred if parts.find(edges[e][0]) != parts.find(edges[e][1])]
    if not torn:
        return
    whole = Parts(len(names))
    for vertex in range(len(names)):
        whole.join(vertex, parts.find(vertex))
    for e in torn:
        whole.join(*edges[e])
    first: dict[int, int] = {}
    loose = []
    for vertex, name in enumerate(names):
        home = first.setdefault(whole.find(vertex), vertex)
        if parts.find(vertex) != parts.find(home):
            loose.append((name, names[home]))
    raise _loose_error(model, [list(model.joints)[e] for e in torn], loose)


def _loose_error(model: Model, torn: list[str], loose: list[tuple[str, str]]) -> TopologyError:
    body, home = loose[0]
    bodies = _listed([name for name, _ in loose])
    many, several = len(loose) > 1, len(torn) > 1
    return TopologyError(
        f"cutting joint{'s' * several} {_listed(torn)} of model {model.name!r} would leave "
        f"{'bodies' if many else 'body'} {bodies} loose:\n"
        f"  no other joint path leads there from {home!r}, so the cut opens no loop. Either take "
        f"{_listed(torn)} out of cut=(...),\n"
        f"  or let the {'bodies' if many else 'body'} float and keep the cut as a constraint: "
        f'model.add_joint("{body}_free", model.world, "{body}", jd.Free()).'
    )


def _listed(names: Sequence[str]) -> str:
    """Write ``'a', 'b' and 'c'``, at most eight names."""
    words = [repr(name) for name in names[:8]]
    if len(names) > len(words):
        words.append(f"{len(names) - len(words)} more")
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
