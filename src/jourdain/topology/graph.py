"""Spanning forests and their numbering, on vertices and edges given by numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Edge = tuple[int, int]


class Parts:
    """Disjoint parts of a set of vertices, joined one pair at a time (union-find)."""

    def __init__(self, n_vertices: int) -> None:
        self._above = list(range(n_vertices))
        self._size = [1] * n_vertices

    def find(self, vertex: int) -> int:
        """Vertex that stands for the part; paths are halved on the way."""
        above = self._above
        while above[vertex] != vertex:
            above[vertex] = above[above[vertex]]
            vertex = above[vertex]
        return vertex

    def join(self, one: int, other: int) -> bool:
        """Join the parts of two vertices; False when they are one part already."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return False
        if self._size[one] < self._size[other]:
            one, other = other, one
        self._above[other] = one
        self._size[one] += self._size[other]
        return True


def spanning_forest(
    n_vertices: int,
    edges: Sequence[Edge],
    weights: Sequence[int],
    barred: Iterable[int] = (),
    ties: Sequence[int] | None = None,
) -> tuple[list[int], Parts]:
    """Spanning forest of the largest total weight (Kruskal's algorithm).

    Parameters
    ----------
    n_vertices : int
        Vertices are 0 … n_vertices - 1.
    edges : sequence of (int, int)
        Ends of the edges.
    weights : sequence of int
        Weight of each edge; of equal ones the first wins.
    barred : iterable of int
        Edges that must stay out of the forest.
    ties : sequence of int
        Of edges of equal weight, those with the smallest number here win.

    Returns
    -------
    kept : list of int
        Edges of the forest, in their order in ``edges``.
    parts : Parts
        Connected parts of the forest.
    """
    parts, barred = Parts(n_vertices), set(barred)
    second = [0] * len(edges) if ties is None else ties
    heaviest_first = sorted(range(len(edges)), key=lambda e: (-weights[e], second[e]))
    kept = [e for e in heaviest_first if e not in barred and parts.join(*edges[e])]
    return sorted(kept), parts


def distances(n_vertices: int, edges: Sequence[Edge]) -> list[int]:
    """Count the edges from vertex 0 to each vertex; n_vertices where none lead."""
    neighbours: list[list[int]] = [[] for _ in range(n_vertices)]
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    far, front = [n_vertices] * n_vertices, [0]
    far[0] = 0
    while front:
        reached = dict.fromkeys(
            v for here in front for v in neighbours[here] if far[v] == n_vertices
        )
        for vertex in reached:
            far[vertex] = far[front[0]] + 1
        front = list(reached)
    return far


def preorder(
    n_vertices: int, edges: Sequence[Edge], kept: Iterable[int]
) -> list[tuple[int, int, int]]:
    """Walk a tree depth first from vertex 0, branches in the order of ``kept``.

    Returns
    -------
    list of (edge, from, to)
        Position k - 1 belongs to the vertex that gets the regular number k (Sol F38).
    """
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(n_vertices)]
    for edge in kept:
        one, other = edges[edge]
        neighbours[one].append((edge, other))
        neighbours[other].append((edge, one))
    walk: list[tuple[int, int, int]] = []
    waiting = [(edge, 0, other) for edge, other in reversed(neighbours[0])]
    while waiting:
        step = waiting.pop()
        walk.append(step)
        arrived_by, _, here = step
        waiting += [(e, here, v) for e, v in reversed(neighbours[here]) if e != arrived_by]
    return walk
