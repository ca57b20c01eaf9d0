"""Meshes of nodes and tetrahedra."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError

_FLAT = 1e-9  # volume of a tetrahedron in the cube of its longest edge


@dataclass(frozen=True, eq=False)
class Mesh:
    """Nodes, with the tetrahedra and surface triangles between them.

    Parameters
    ----------
    nodes : (N, 3) [m]
        Positions.
    cells : (E, 4)
        Corners of tetrahedra: numbers of nodes, from 0. May be empty.
    faces : (F, 3)
        Triangles of the surface, counter-clockwise seen from outside. Left out, they are those of
        the tetrahedra.
    groups : mapping of str to (k,)
        Numbers of nodes by names, for interfaces.
    """

    nodes: Any
    cells: Any = ()
    faces: Any = ()
    groups: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        """How many of each."""
        counts = (
            f"{len(self.nodes)} nodes, {len(self.cells)} tetrahedra, {len(self.faces)} triangles"
        )
        named = f", groups {', '.join(self.groups)}" if self.groups else ""
        return f"<Mesh of {counts}{named}>"

    def __post_init__(self) -> None:
        nodes = np.asarray(self.nodes, dtype=float)
        if nodes.ndim != 2 or nodes.shape[1] != 3 or not len(nodes):
            raise ModelError(f"nodes of a mesh have the shape {nodes.shape}: (N, 3) is needed.")
        if not np.isfinite(nodes).all():
            k = int(np.flatnonzero(~np.isfinite(nodes).all(axis=1))[0])
            raise ModelError(f"node {k} of a mesh is at {nodes[k].tolist()}: give finite numbers.")
        object.__setattr__(self, "nodes", nodes)
        for name, width in (("cells", 4), ("faces", 3)):
            given = np.asarray(getattr(self, name))
            found = given if given.size else np.zeros((0, width), dtype=int)
            is_whole = found.ndim == 2 and found.shape[1] == width
            if not is_whole or np.any(found != np.asarray(found, dtype=float).astype(int)):
                raise ModelError(f"{name} of a mesh need {width} whole numbers of nodes each.")
            if found.size and not 0 <= found.min() <= found.max() < len(nodes):
                raise ModelError(
                    f"{name} of a mesh name the node {int(found.max())}: there are 0 to "
                    f"{len(nodes) - 1}."
                )
            object.__setattr__(self, name, found.astype(int))
        if len(self.cells) and not len(self.faces):
            object.__setattr__(self, "faces", boundary(nodes, self.cells))

    @cached_property
    def volumes(self) -> Any:
        """Volume (E,) [m^3] of each tetrahedron, below zero where its nodes run the other way."""
        return volumes(self.nodes, self.cells)

    def oriented(self) -> Mesh:
        """The mesh with all tetrahedra in one sense, once it is fit for finite elements.

        Raises
        ------
        ModelError
            If a tetrahedron is flat or turned inside out, or if there are loose nodes or parts.
        """
        if not len(self.cells):
            raise ModelError("the mesh has no tetrahedra: finite elements need a volume mesh.")
        corners = self.nodes[self.cells]
        pairs = [(i, j) for i in range(4) for j in range(i)]
        edges = np.stack([np.linalg.norm(corners[:, i] - corners[:, j], axis=1) for i, j in pairs])
        sizes = self.volumes / np.maximum(edges.max(axis=0), 1e-300) ** 3
        flat = np.flatnonzero(np.abs(sizes) <= _FLAT)
        if flat.size:
            raise ModelError(
                f"{flat.size} of {len(sizes)} tetrahedra of the mesh are flat, for example number "
                f"{flat[0]} with the nodes {self.cells[flat[0]].tolist()}. Mesh the body again, or "
                "leave them out."
            )
        turned = np.flatnonzero(sizes < 0.0)
        if 0 < turned.size < len(sizes):
            fewer = turned if 2 * turned.size <= len(sizes) else np.flatnonzero(sizes > 0.0)
            raise ModelError(
                f"{fewer.size} of {len(sizes)} tetrahedra of the mesh are turned inside out, for "
                f"example number {fewer[0]} with the nodes {self.cells[fewer[0]].tolist()}: they "
                "overlap others, or their nodes are listed in another sense. Mesh the body again."
            )
        self._require_whole()
        if not turned.size:
            return self
        return Mesh(self.nodes, self.cells[:, [0, 2, 1, 3]], self.faces, self.groups)

    def _require_whole(self) -> None:
        from scipy.sparse import coo_array  # noqa: PLC0415
        from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

        N = len(self.nodes)
        used = np.zeros(N, dtype=bool)
        used[self.cells] = True
        if not used.all():
            raise ModelError(
                f"{int((~used).sum())} nodes of the mesh belong to no tetrahedron, for example "
                f"node {int(np.flatnonzero(~used)[0])}. Leave them out."
            )
        ends = np.concatenate([self.cells[:, [0, k]] for k in (1, 2, 3)])
        links = coo_array((np.ones(len(ends)), ends.T), shape=(N, N))
        count, parts = connected_components(links, directed=False)
        if count > 1:
            sizes = np.bincount(parts)
            raise ModelError(
                f"the mesh has {count} parts that are not connected, of "
                f"{', '.join(map(str, sorted(sizes.tolist(), reverse=True)[:5]))} nodes: give one "
                "body for each, or merge nodes that lie at the same place."
            )


def volumes(nodes: Any, cells: Any) -> Any:
    """Volumes (E,) [m^3] of tetrahedra."""
    a, b, c, d = (nodes[cells[:, k]] for k in range(4))
    return np.einsum("ki,ki->k", np.cross(b - a, c - a), d - a) / 6.0


def boundary(nodes: Any, cells: Any) -> Any:
    """Triangles (F, 3) on the surface of tetrahedra, counter-clockwise seen from outside."""
    sides = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])  # of a positive tetrahedron
    faces = cells[:, sides]
    turned = volumes(nodes, cells) < 0.0
    faces[turned] = faces[turned][:, :, ::-1]
    faces = faces.reshape(-1, 3)
    _, first, count = np.unique(
        np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
    )
    return faces[np.sort(first[count == 1])]
