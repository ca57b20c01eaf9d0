from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from jourdain.topology.graph import Parts, distances, preorder, spanning_forest

N = 6
pairs = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda e: e[0] != e[1])
weighted = st.lists(st.tuples(pairs, st.integers(0, 6)), max_size=9)


def _is_forest(edges: list[tuple[int, int]]) -> bool:
    parts = Parts(N)
    return all(parts.join(*edge) for edge in edges)


def test_parts_join_once():
    parts = Parts(4)
    assert parts.join(0, 1)
    assert parts.join(2, 1)
    assert not parts.join(0, 2)
    assert parts.find(0) == parts.find(2) != parts.find(3)


@given(weighted)
def test_forest_is_the_heaviest_of_all_largest_forests(graph):
    edges, weights = [e for e, _ in graph], [w for _, w in graph]
    kept, _ = spanning_forest(N, edges, weights)
    every = (c for n in range(len(edges) + 1) for c in combinations(range(len(edges)), n))
    forests = [c for c in every if _is_forest([edges[e] for e in c])]
    best = max((len(c), sum(weights[e] for e in c)) for c in forests)
    assert (len(kept), sum(weights[e] for e in kept)) == best
    assert _is_forest([edges[e] for e in kept])
    assert kept == sorted(kept)


def test_of_equal_edges_the_first_stays():
    kept, _ = spanning_forest(3, [(0, 1), (1, 2), (2, 0)], [5, 5, 5])
    assert kept == [0, 1]


def test_ties_decide_among_equal_edges_only():
    edges = [(0, 1), (1, 2), (2, 0)]
    assert spanning_forest(3, edges, [5, 5, 5], ties=[0, 1, 0])[0] == [0, 2]
    assert spanning_forest(3, edges, [5, 6, 5], ties=[1, 9, 0])[0] == [1, 2]


def test_distances_are_those_of_the_shortest_ways():
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (5, 4)]
    assert distances(6, edges) == [0, 1, 2, 1, 6, 6]


def test_barred_edge_stays_out_even_when_it_is_the_heaviest():
    kept, _ = spanning_forest(3, [(0, 1), (1, 2), (2, 0)], [6, 5, 5], barred=[0])
    assert kept == [1, 2]


def test_parts_are_those_of_the_forest():
    _, parts = spanning_forest(4, [(0, 1), (2, 3)], [1, 1])
    assert parts.find(0) == parts.find(1) != parts.find(2)
    assert parts.find(2) == parts.find(3)


def test_preorder_finishes_a_branch_before_the_next():
    edges = [(0, 1), (0, 2), (1, 3), (4, 3)]
    walk = preorder(5, edges, range(4))
    assert walk == [(0, 0, 1), (2, 1, 3), (3, 3, 4), (1, 0, 2)]
