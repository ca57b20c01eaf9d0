"""Interfaces of a mesh: nodes that move with one frame."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.nodes.mesh import Mesh
from jourdain.spatial import check

_NEAR = 1e-6  # of the size of the mesh: nodes this near to a plane are on it
_PLANE = re.compile(r"\s*([xyz])\s*=\s*([-+0-9.eE]+|min|max)\s*")


@dataclass(frozen=True, eq=False)
class Interface:
    """Nodes that follow a frame as a rigid face does.

    Parameters
    ----------
    name : str
        Its name.
    nodes : (k,)
        Numbers of the nodes.
    position : (3,) [m]
        Origin of the frame: the middle of the face.
    """

    name: str
    nodes: Any
    position: Any

    def fields(self, x: Any) -> Any:
        """Displacements (N, 3, 6) of nodes (N, 3) that turn and move with the frame."""
        turned = np.cross(np.eye(3), (x - self.position)[:, None, :]).transpose(0, 2, 1)
        return np.concatenate([turned, np.broadcast_to(np.eye(3), (len(x), 3, 3))], axis=2)


def interfaces_of(given: Mapping[str, Any], mesh: Mesh, nodes: Any, faces: Any) -> list[Interface]:
    """Interfaces that a user asks for, by planes, functions, groups of the mesh or node numbers.

    Parameters
    ----------
    given : mapping of str
        What they are, by names.
    mesh : Mesh
        The mesh, whose groups have names.
    nodes : (N, 3) [m]
        All nodes of the elements; those of the mesh come first.
    faces : (F, 3)
        Triangles of the surface.
    """
    found, owner = [], dict[int, str]()
    for name, what in given.items():
        own = _nodes_of(str(name), what, mesh, nodes)
        for k in own.tolist():
            if k in owner:
                raise ModelError(
                    f"interfaces {owner[k]!r} and {name!r} share node {k} at "
                    f"{check.listed(nodes[k].tolist())} m: a node follows one frame only. Leave it "
                    "out of one of them."
                )
            owner[k] = str(name)
        found.append(Interface(str(name), own, _middle(own, nodes, faces)))
    return found


def _nodes_of(name: str, what: Any, mesh: Mesh, nodes: Any) -> Any:
    if isinstance(what, str):
        own = _nodes_by_word(name, what, mesh, nodes)
    elif callable(what):
        chosen = np.asarray(what(*nodes.T))
        if chosen.shape != (len(nodes),):
            raise ModelError(
                f"the function of interface {name!r} gives the shape {chosen.shape}: it gets "
                f"arrays x, y, z of {len(nodes)} nodes and tells whether each is in the interface, "
                "for example lambda x, y, z: x < 1e-9."
            )
        own = np.flatnonzero(chosen)
    else:
        own = _whole(name, what, len(nodes))
    own = _with_edges(own, mesh, nodes)
    r = nodes[own] - nodes[own].mean(axis=0) if len(own) else np.zeros((0, 3))
    spread = np.linalg.svd(r, compute_uv=False) if len(own) > 2 else np.zeros(3)
    if not len(own):
        low, high = nodes.min(axis=0).tolist(), nodes.max(axis=0).tolist()
        raise ModelError(
            f"interface {name!r} has no nodes: {check.shown(what)}. The mesh reaches from "
            f"{check.listed(low)} to {check.listed(high)} m."
        )
    if spread[1] <= _NEAR * spread[0] or spread[0] == 0.0:
        raise ModelError(
            f"interface {name!r} has {len(own)} nodes on a line: a frame that turns needs three "
            "that are not. Take a face."
        )
    return own


def _nodes_by_word(name: str, what: str, mesh: Mesh, nodes: Any) -> Any:
    if what in mesh.groups:
        return _whole(name, mesh.groups[what], len(nodes))
    plane = _PLANE.fullmatch(what)
    if plane is None:
        groups = f", or a group of the mesh: {', '.join(mesh.groups)}" if mesh.groups else ""
        raise ModelError(
            f"interface {name!r} is {what!r}: give a plane such as 'x = 0.5' or 'x = max', node "
            f"numbers, or a function of x, y, z{groups}."
        )
    axis, value = "xyz".index(plane[1]), plane[2]
    along = nodes[:, axis]
    ends = {"min": along.min(), "max": along.max()}
    try:
        at = float(ends[value]) if value in ends else float(value)
    except ValueError:
        raise ModelError(f"interface {name!r} is {what!r}: {value!r} is no number.") from None
    return np.flatnonzero(np.abs(along - at) <= _NEAR * np.ptp(nodes, axis=0).max())


def _whole(name: str, what: Any, N: int) -> Any:
    try:
        own = np.unique(np.asarray(what, dtype=float).ravel())
    except (TypeError, ValueError):
        raise ModelError(
            f"interface {name!r} is {check.shown(what)}: give a plane such as 'x = 0.5', node "
            "numbers, or a function of x, y, z."
        ) from None
    if own.size and (not 0 <= own.min() <= own.max() < N or np.any(own % 1.0)):
        raise ModelError(f"interface {name!r} has nodes that are not there: give 0 to {N - 1}.")
    return own.astype(int)


def _with_edges(own: Any, mesh: Mesh, nodes: Any) -> Any:
    """Nodes, with those in the middle between two of them."""
    count = len(mesh.nodes)
    if len(nodes) == count or not len(own):
        return own
    from scipy.spatial import cKDTree  # noqa: PLC0415

    inside = np.zeros(count, dtype=bool)
    inside[own[own < count]] = True
    pairs = np.concatenate([mesh.cells[:, [i, j]] for i in range(4) for j in range(i)])
    pairs = np.unique(np.sort(pairs[inside[pairs].all(axis=1)], axis=1), axis=0)
    if not len(pairs):
        return own
    middles = cKDTree(nodes[count:]).query(nodes[pairs].mean(axis=1))[1] + count
    return np.unique(np.concatenate([own, middles]))


def _middle(own: Any, nodes: Any, faces: Any) -> Any:
    """Centre of the area of a face; of nodes without an area their mean."""
    inside = np.zeros(len(nodes), dtype=bool)
    inside[own] = True
    corners = nodes[faces[inside[faces].all(axis=1)]]
    if not len(corners):
        return nodes[own].mean(axis=0)
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    middle = (areas @ corners.mean(axis=1)) / areas.sum()
    rounding = 1e-12 * np.abs(nodes).max()
    return np.where(np.abs(middle) < rounding, 0.0, middle)
