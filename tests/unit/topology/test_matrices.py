from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from jourdain.model.joints import Cylindrical, Planar, Prismatic, Revolute, Spherical
from jourdain.topology.matrices import from_beta
from jourdain.topology.spanning import build

TEN_BODIES = [0, 1, 2, 3, 3, 5, 6, 4, 8, 4]  # Slaats 1991, body connection array
R, P = Revolute("z"), Prismatic("x")


def matrix(text: str) -> np.ndarray:
    return np.array([[int(x) for x in row.split()] for row in text.split(";")])


@pytest.fixture(scope="session")
def chain(make):
    """Issa & Arczewski 1998, first system: ground-1-2-3-4 with R, R, P, R."""
    joints = [("a", "world", "1", R), ("b", "1", "2", R), ("c", "2", "3", P), ("d", "3", "4", R)]
    return build(make_numbered(make, 4, joints)).matrices


@pytest.fixture(scope="session")
def floating(make):
    """Issa & Arczewski 1998, second system: floating body 1, branches 2-3-4 and 5."""
    joints = [("b", "1", "2", R), ("c", "2", "3", P), ("d", "3", "4", R), ("e", "1", "5", R)]
    return build(make_numbered(make, 5, joints)).matrices


def make_numbered(make, n, joints):
    """Model with the numbers of a book as names ``body_1``, ``body_2`` ..."""
    name = {"world": "world", **{str(k): f"body_{k}" for k in range(1, n + 1)}}
    bodies = [name[str(k)] for k in range(1, n + 1)]
    return make(bodies, [(j, name[a], name[b], kind) for j, a, b, kind in joints])


def test_path_matrices_of_the_chain(chain):
    assert_array_equal(chain.pi, matrix("-1 1 0 0; 0 -1 1 0; 0 0 -1 1; 0 0 0 -1"))
    assert_array_equal(chain.pi_star, matrix("-1 0 0 0; -2 -1 0 0; -3 -2 -1 0; -4 -3 -2 -1"))


def test_path_matrices_of_the_floating_base(floating):
    assert_array_equal(
        floating.pi, matrix("-1 1 0 0 1; 0 -1 1 0 0; 0 0 -1 1 0; 0 0 0 -1 0; 0 0 0 0 -1")
    )
    assert_array_equal(
        floating.pi_star,
        matrix("-1 0 0 0 0; -2 -1 0 0 0; -3 -2 -1 0 0; -4 -3 -2 -1 0; -2 0 0 0 -1"),
    )


def test_body_connection_array_of_the_ten_body_tree(make):
    names = ["world", *(f"body_{k}" for k in range(1, 11))]
    joints = [(f"j{k}", names[i], names[k], R) for k, i in enumerate(TEN_BODIES, 1)]
    topology = build(make(names[1:], joints))
    assert_array_equal(topology.matrices_in(names[1:]).beta, TEN_BODIES)
    # the printed numbers are regular but not depth first; ours finish the branch at body 4
    assert topology.names[5:8] == ("body_8", "body_9", "body_10")
    assert_array_equal(topology.matrices.beta, [0, 1, 2, 3, 4, 5, 4, 3, 8, 9])


def test_location_and_tree_matrices_of_sols_graph(make):
    # Sol, figures 4.1 to 4.6: the ball joint is cut, body 5 floats, bodies are renumbered
    model = make_numbered(
        make,
        5,
        [
            ("A1", "world", "1", Spherical()),
            ("A2", "1", "2", R),
            ("A3", "3", "2", R),
            ("A4", "3", "4", P),
            ("A5", "world", "3", P),
        ],
    )
    topology = build(model)
    new = {int(name[-1]): k for name, k in topology.number.items() if name != "world"}
    assert new == {3: 1, 2: 2, 1: 3, 4: 4, 5: 5}
    found = topology.matrices
    assert_array_equal(found.beta, [0, 1, 2, 1, 0])
    assert_array_equal(found.S0, [-1, 0, 0, 0, -1])
    assert_array_equal(found.S, matrix("1 -1 0 -1 0; 0 1 -1 0 0; 0 0 1 0 0; 0 0 0 1 0; 0 0 0 0 1"))
    assert_array_equal(found.T, matrix("1 1 1 1 0; 0 1 1 0 0; 0 0 1 0 0; 0 0 0 1 0; 0 0 0 0 1"))
    assert_array_equal(found.Sc0, [-1])
    # printed (4.3.4) has the old number of the body: +1 in row 1
    assert_array_equal(found.Sc, matrix("0; 0; 1; 0; 0"))
    assert_array_equal(found.loops, matrix("1; 1; 1; 0; 0"))
    assert sum(len(branch.joint.kind.velocities) for branch in topology.tree) == 10
    assert len(topology.children(0)) == 2


def test_location_and_tree_matrices_of_the_fuel_injection_pump(make):
    # Sol 9.2: shaft with cam, roller, plunger; the polar hinge H2 is planar motion
    joints = [
        ("H1", "world", "1", R),
        ("H2", "1", "2", Planar("y")),
        ("H3", "world", "3", P),
        ("C1", "1", "2", Cylindrical("y")),
        ("C2", "2", "3", Revolute("y")),
    ]
    topology = build(make_numbered(make, 3, joints), cut=("C2", "C1"))
    found = topology.matrices
    assert [cut.name for cut in topology.cuts] == ["C1", "C2"]
    assert_array_equal(found.beta, [0, 1, 0])
    assert_array_equal(found.S0, [-1, 0, -1])
    assert_array_equal(found.S, matrix("1 -1 0; 0 1 0; 0 0 1"))
    assert_array_equal(found.T, matrix("1 1 0; 0 1 0; 0 0 1"))
    assert_array_equal(found.Sc0, [0, 0])
    assert_array_equal(found.Sc, matrix("-1 0; 1 -1; 0 1"))


@st.composite
def trees(draw):
    n = draw(st.integers(1, 30))
    beta = [draw(st.integers(0, k)) for k in range(n)]
    ends = st.tuples(st.integers(0, n), st.integers(0, n)).filter(lambda e: e[0] != e[1])
    return from_beta(beta, draw(st.lists(ends, max_size=6)))


@given(trees())
def test_identities_of_the_matrices(m):
    n = len(m.beta)
    one = np.eye(n, dtype=int)
    assert_array_equal(m.S @ m.T, one)
    assert_array_equal(m.T @ m.S, one)
    assert_array_equal(m.S0 @ m.T, -np.ones(n))
    assert_array_equal(np.tril(m.S, -1), 0)
    assert_array_equal(m.pi, -m.S)
    assert_array_equal(m.pi_star, -m.T.T @ m.T.T)  # (Tᵀ)² counts the joints between j and i
    assert_array_equal(m.loops, m.T @ m.Sc)
    assert_array_equal(m.S @ m.loops, m.Sc)  # what goes round a loop adds up to zero
    assert_array_equal(m.Sc0, -m.Sc.sum(axis=0))
    assert_array_equal(m.S0, -m.S.sum(axis=0))


def test_a_chord_to_world_has_the_opposite_sign():
    to_world, from_world = from_beta([0, 1], [(2, 0), (0, 2)]).loops.T
    assert_array_equal(to_world, [-1, -1])
    assert_array_equal(from_world, [1, 1])


def test_without_chords_the_chord_matrices_are_empty():
    m = from_beta([0, 1])
    assert m.Sc0.shape == (0,)
    assert m.Sc.shape == m.loops.shape == (2, 0)


def test_without_bodies_all_matrices_are_empty():
    m = from_beta([])
    assert m.T.shape == m.pi_star.shape == (0, 0)
    assert m.loops.shape == (0, 0)


@pytest.mark.parametrize("name", ["beta", "pi", "pi_star", "S0", "S", "T", "Sc0", "Sc", "loops"])
def test_matrices_hold_integers_and_cannot_be_changed(name):
    array = getattr(from_beta([0, 1], [(0, 2)]), name)
    assert array.dtype == np.int64
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0
