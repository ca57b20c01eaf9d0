"""Tetrahedra of first and second order: matrices of the whole mesh, gradients in its elements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.model.flexible.nodes.mesh import Mesh, boundary, volumes
from jourdain.model.flexible.section import Material

_EDGES = np.array([(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)])  # with a node in the middle
_PIECES = (  # eight tetrahedra with corners at the ten nodes of one
    (0, 4, 6, 7), (4, 1, 5, 8), (6, 5, 2, 9), (7, 8, 9, 3),
    (4, 5, 6, 8), (4, 6, 7, 8), (6, 7, 8, 9), (5, 6, 8, 9),
)  # fmt: skip
_A, _B = 0.58541019662496852, 0.1381966011250105
_POINTS = np.full((4, 4), _B) + (_A - _B) * np.eye(4)  # quadrature, exact to second degree
_CORNERS = np.eye(4)
_NODES = np.concatenate([_CORNERS, 0.5 * (_CORNERS[_EDGES[:, 0]] + _CORNERS[_EDGES[:, 1]])])


@dataclass(frozen=True, eq=False)
class Elements:
    """A mesh as finite elements.

    Parameters
    ----------
    mesh : Mesh
        Nodes and tetrahedra, fit for it.
    material : Material
        What it consists of.
    order : int
        1 for straight displacements in each tetrahedron, 2 for parabolas.
    """

    mesh: Mesh
    material: Material
    order: int

    @cached_property
    def _edges(self) -> tuple[Any, Any]:
        """Ends (n, 2) of all edges, and the edges (E, 6) of each element."""
        pairs = np.sort(self.mesh.cells[:, _EDGES], axis=2).reshape(-1, 2)
        ends, number = np.unique(pairs, axis=0, return_inverse=True)
        return ends, number.reshape(-1, 6)

    @cached_property
    def nodes(self) -> Any:
        """All nodes (N, 3) [m]: those of the mesh, then those in the middle of edges."""
        if self.order == 1:
            return self.mesh.nodes
        middles = self.mesh.nodes[self._edges[0]].mean(axis=1)
        return np.concatenate([self.mesh.nodes, middles])

    @cached_property
    def members(self) -> Any:
        """Nodes (E, 4 or 10) of each element."""
        if self.order == 1:
            return self.mesh.cells
        return np.hstack([self.mesh.cells, len(self.mesh.nodes) + self._edges[1]])

    @cached_property
    def pieces(self) -> Any:
        """Tetrahedra with straight edges between all nodes, of positive volume."""
        if self.order == 1:
            cells = self.members.copy()
        else:
            cells = np.concatenate([self.members[:, list(own)] for own in _PIECES])
        turned = volumes(self.nodes, cells) < 0.0
        cells[turned] = cells[turned][:, [0, 2, 1, 3]]
        return cells

    @property
    def faces(self) -> Any:
        """Triangles of the surface between all nodes."""
        return boundary(self.nodes, self.pieces)

    @cached_property
    def matrices(self) -> tuple[Any, Any]:
        """Stiffness matrix (3N, 3N) and mass matrix (N, N) of one direction, sparse."""
        slopes, (shear, bulk) = self._shape_slopes(_POINTS), self._moduli
        E, points, n, _ = slopes.shape
        flat = slopes.reshape(E, points, 3 * n)
        weights = 0.25 * self._slopes[1]
        H = (flat.transpose(0, 2, 1) @ flat * weights[:, None, None]).reshape(E, n, 3, n, 3)
        both = np.einsum("kicjc->kij", H)
        own = bulk * H + shear * H.transpose(0, 1, 4, 3, 2)
        for axis in range(3):
            own[:, :, axis, :, axis] += shear * both
        places = (3 * self.members[:, :, None] + np.arange(3)).reshape(E, 3 * n)
        K = _assembled(own.reshape(E, 3 * n, 3 * n), places, 3 * len(self.nodes))
        masses = self.material.density * self._slopes[1][:, None, None] * _masses(self.order)
        return K, _assembled(masses, self.members, len(self.nodes))

    @property
    def _moduli(self) -> tuple[float, float]:
        """Lamé's constants, shear first [Pa]."""
        E, nu = self.material.youngs_modulus, self.material.poisson_ratio
        return E / (2.0 * (1.0 + nu)), E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))

    @cached_property
    def _slopes(self) -> tuple[Any, Any]:
        """Gradients (E, 4, 3) of the barycentric coordinates, and volumes (E,)."""
        corners = self.nodes[self.members[:, :4]]
        edges = corners[:, 1:] - corners[:, :1]
        inverse = np.linalg.inv(edges)  # columns: gradients of the last three
        slopes = np.concatenate([-inverse.sum(axis=2)[:, :, None], inverse], axis=2)
        return slopes.transpose(0, 2, 1), np.abs(np.linalg.det(edges)) / 6.0

    def _shape_slopes(self, at: Any) -> Any:
        """Gradients (E, points, nodes, 3) of the shape functions at barycentric points."""
        return _derivatives(at, self.order)[None] @ self._slopes[0][:, None]

    def gradients(self, fields: Any, at: Any) -> Any:
        """Gradients ∂u_a/∂x_b (E, points, 3, n, 3) of displacements (N, 3, n)."""
        n = fields.shape[2]
        own = fields[self.members].reshape(len(self.members), -1, 3 * n).transpose(0, 2, 1)
        found = own[:, None] @ self._shape_slopes(at)
        return found.reshape(*found.shape[:2], 3, n, 3)

    def at_points(self, fields: Any) -> Any:
        """Gradients (4E, 3, n, 3) of displacements (N, 3, n) at the points of quadrature."""
        found = self.gradients(fields, _POINTS)
        return found.reshape(-1, *found.shape[2:])

    @property
    def weights(self) -> Any:
        """Volumes (4E,) [m^3] of the points of quadrature."""
        return np.repeat(0.25 * self._slopes[1], 4)

    def at_nodes(self, fields: Any) -> Any:
        """Gradients (N, 3, n, 3) of displacements at the nodes, the mean of their elements."""
        own = self.gradients(fields, _NODES[: self.members.shape[1]])
        E, points = own.shape[:2]
        weights = np.repeat(self._slopes[1], points)
        places, N = self.members.ravel(), len(self.nodes)
        total = np.bincount(places, weights, N)
        from scipy.sparse import csr_array  # noqa: PLC0415

        mean = csr_array((weights / total[places], (places, np.arange(E * points))))
        return (mean @ own.reshape(E * points, -1)).reshape(N, *own.shape[2:])

    def stress(self, gradients: Any) -> Any:
        """Stresses (..., 3, 3) [Pa] of gradients (..., 3, 3) of displacements, linear."""
        shear, bulk = self._moduli
        trace = np.trace(gradients, axis1=-2, axis2=-1)[..., None, None]
        return shear * (gradients + np.swapaxes(gradients, -1, -2)) + bulk * trace * np.eye(3)


def _derivatives(at: Any, order: int) -> Any:
    """Derivatives (points, nodes, 4) of the shape functions by the barycentric coordinates."""
    if order == 1:
        return np.broadcast_to(np.eye(4), (len(at), 4, 4))
    found = np.zeros((len(at), 10, 4))
    for k in range(4):
        found[:, k, k] = 4.0 * at[:, k] - 1.0
    for k, (i, j) in enumerate(_EDGES.tolist(), 4):
        found[:, k, i], found[:, k, j] = 4.0 * at[:, j], 4.0 * at[:, i]
    return found


def _masses(order: int) -> Any:
    """Mass matrix of an element of volume and density one."""
    if order == 1:
        return (1.0 + np.eye(4)) / 20.0
    found = np.zeros((10, 10))
    found[:4, :4] = (6.0 * np.eye(4) + np.ones((4, 4)) - np.eye(4)) / 420.0
    for k, edge in enumerate(_EDGES, 4):
        for i in range(4):
            found[i, k] = found[k, i] = (-4.0 if i in edge else -6.0) / 420.0
        for other, ends in enumerate(_EDGES, 4):
            shared = len(set(edge.tolist()) & set(ends.tolist()))
            found[k, other] = (8.0, 16.0, 32.0)[shared] / 420.0
    return found


def _assembled(own: Any, places: Any, size: int) -> Any:
    """Sparse matrix of those of all elements."""
    from scipy.sparse import coo_array  # noqa: PLC0415

    n = places.shape[1]
    rows, columns = np.repeat(places, n, axis=1), np.tile(places, (1, n))
    entries = (own.ravel(), (rows.ravel(), columns.ravel()))
    return coo_array(entries, shape=(size, size)).tocsc()
