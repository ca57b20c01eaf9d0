"""Loops over what repeats in a graph give what the graph gives."""

import casadi as ca
import numpy as np
import pytest

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.lower import Place
from jourdain.codegen.rolling.core import Rolling
from jourdain.codegen.rolling.listing import listed
from jourdain.codegen.unrolled import unrolled_core

N = 13  # instances: no multiple of the lanes


def spring(a, b, stiffness, t):
    """Two forces of a spring between two points in a plane, one of them moved by time."""
    d = b[:2] - a[:2] + ca.vertcat(0.1 * ca.sin(t), 0.0)
    length = ca.sqrt(ca.sumsqr(d) + 1.0)
    pull = stiffness * (length - 0.3) + ca.fmax(d[0], 0.2) * ca.atan2(b[2], a[2])
    return pull * d / length


def ring(x, t, p, rng):
    """Sums of the forces on points that springs join in a ring; each spring has its stiffness."""
    total = [ca.SX.zeros(2) for _ in range(N)]
    for k in range(N):
        i, j = k, (k + 1) % N
        force = spring(x[3 * i : 3 * i + 3], x[3 * j : 3 * j + 3], rng.uniform(1.0, 9.0), t)
        total[i], total[j] = total[i] + force, total[j] - p[k % 2] * force
    return ca.vertcat(*total)


def chain(x, t, p, rng):
    """Positions on a chain of turns: each needs the one before."""
    angle, place, found = ca.SX(0), ca.SX.zeros(2), []
    for k in range(N):
        angle = angle + x[k] * rng.uniform(0.5, 1.5)
        place = place + p[0] * ca.vertcat(ca.cos(angle), ca.sin(angle)) * ca.exp(-(x[k] ** 2))
        found.append(place)
    return ca.vertcat(*found)


def hub(x, t, p, rng):
    """Forces of many on one, outputs that are inputs, numbers and functions of time alone."""
    all_forces = [spring(x[:3], x[3 * k : 3 * k + 3], 2.0 + k, t) for k in range(1, N)]
    drives = [ca.sin(3.0 * t + k) * p[1] for k in range(N)]
    return ca.vertcat(sum(all_forces), *drives, x, ca.SX(7.5), t, ca.SX(0.0), *all_forces)


def elimination(x, t, p, rng, n=N):
    """Solution of a system with three diagonals: forwards one kind of step, backwards another."""
    pivots, rights = [], []
    for k in range(n):
        d, r = 5.0 + ca.sin(x[3 * k]), x[3 * k + 1] * t
        if k:
            ratio = ca.cos(x[3 * k + 2]) / pivots[-1]
            d, r = d - ratio * ca.cos(x[3 * k + 2]), r - ratio * rights[-1] * p[0]
        pivots.append(d)
        rights.append(r)
    found = [rights[-1] / pivots[-1]]
    for k in range(n - 2, -1, -1):
        rest = rights[k] - ca.cos(x[3 * k + 5]) * found[-1]
        for _ in range(20):
            rest = ca.sin(rest + x[3 * k])
        found.append(rest / pivots[k])
    return ca.vertcat(*found)


def arms(x, t, p, rng, n=N):
    """Arms that share nothing but time: what one piece gives to the next lies side by side."""
    found = []
    for k in range(n):
        inner = x[3 * k] * rng.uniform(0.5, 1.5)
        for _ in range(20):
            inner = ca.sin(inner + x[3 * k]) * p[0]
        outer = inner * x[3 * k + 1]
        for _ in range(20):
            outer = ca.cos(outer - t) + x[3 * k + 1] * inner
        found.append(ca.vertcat(outer, ca.atan2(inner, 2.0 + x[3 * k + 2] ** 2)))
    return ca.vertcat(*found)


@pytest.fixture(params=[ring, chain, hub, elimination, arms], ids=lambda f: f.__name__)
def graph(request):
    inputs = {"x": ca.SX.sym("x", 3 * N), "t": ca.SX.sym("t"), "p": ca.SX.sym("p", 2)}
    value = ca.densify(request.param(*inputs.values(), np.random.default_rng(3)))
    return inputs, value


def rolling(inputs, value, groups=None):
    function = ca.Function("graph", [ca.vertcat(*inputs.values())], [value])
    places = [Place(name, k) for name, x in inputs.items() for k in range(x.numel())]
    targets = [Place("y", k) for k in range(value.numel())]
    n = inputs["x"].numel()
    own = [*range(n)] if groups is None else groups
    return Rolling(listed(function), places, targets, [*own, *[-1] * (len(places) - n)])


@pytest.mark.parametrize("groups", [None, [k // 3 for k in range(3 * N)]])
def test_numbers_are_those_of_the_graph(graph, groups):
    inputs, value = graph
    sizes = [(name, x.numel()) for name, x in inputs.items()]
    found = rolling(inputs, value, groups)
    outputs = [("y", (value.numel(),))]
    kernel = Kernel(lambda w: found.core([*inputs, "y"], w), 4, sizes, outputs)
    plain = ca.Function("plain", list(inputs.values()), [value])
    rng = np.random.default_rng(1)
    for _ in range(3):
        x, t, p = rng.normal(size=3 * N), rng.normal(), rng.uniform(1, 2, 2)
        expected = np.array(plain(x, t, p)).ravel()
        np.testing.assert_allclose(kernel(x, t, p)[0], expected, rtol=1e-13, atol=1e-14)
    many = rng.normal(size=(7, 3 * N))
    expected = [np.array(plain(x, 0.3, p)).ravel() for x in many]
    np.testing.assert_allclose(kernel(many, 0.3, p)[0], expected, rtol=1e-13, atol=1e-14)


def test_a_ring_has_one_kind_of_spring_whatever_its_size():
    rng = np.random.default_rng(0)
    inputs = {"x": ca.SX.sym("x", 3 * N), "t": ca.SX.sym("t"), "p": ca.SX.sym("p", 2)}
    groups = [k // 3 for k in range(3 * N)]
    found = rolling(inputs, ring(*inputs.values(), rng), groups)
    assert found.pays
    large = [piece for piece in found.pieces.all if len(piece.values) > 8]
    assert len(large) == N
    assert len({piece.key for piece in large}) == 1


def test_every_value_belongs_to_one_piece(graph):
    inputs, value = graph
    found = rolling(inputs, value).pieces
    listing = found.listing
    values = sorted(k for piece in found.all for k in piece.values)
    leaves = (ca.OP_INPUT, ca.OP_CONST)
    operations = [k for k, op in enumerate(listing.operations) if op not in leaves]
    assert values == operations


def test_a_graph_without_repeats_stays_straight():
    x = ca.SX.sym("x", 3)
    value = ca.vertcat(ca.sin(x[0]) * x[1], ca.exp(x[2]) + x[1])
    assert not rolling({"x": x}, value).pays


def test_small_graphs_are_straight_line_code_and_large_ones_loops(monkeypatch):
    x = ca.SX.sym("x", 3 * N)
    outputs = {"y": ring(x, ca.SX(0.2), ca.SX([1.0, 2.0]), np.random.default_rng(0))}
    assert "loop0" not in unrolled_core({"x": x}, outputs, 1).text
    monkeypatch.setattr("jourdain.codegen.unrolled.ROLLED_FROM", 0)
    assert "loop0" in unrolled_core({"x": x}, outputs, 1).text


def test_code_of_an_elimination_does_not_grow_with_its_length():
    texts = []
    for n in (60, 120):
        inputs = {"x": ca.SX.sym("x", 3 * n), "t": ca.SX.sym("t"), "p": ca.SX.sym("p", 2)}
        value = ca.densify(elimination(*inputs.values(), None, n))
        found = rolling(inputs, value, [k // 3 for k in range(3 * n)])
        assert found.pays
        core = found.core([*inputs, "y"], 1).text
        texts.append([line for line in core.splitlines() if not line.startswith("@")])
    assert len(texts[1]) < 1.05 * len(texts[0])


def test_what_pieces_give_to_the_next_lies_side_by_side():
    inputs = {"x": ca.SX.sym("x", 3 * N), "t": ca.SX.sym("t"), "p": ca.SX.sym("p", 2)}
    value = arms(*inputs.values(), np.random.default_rng(5))
    text = rolling(inputs, value).core([*inputs, "y"], 1).text
    assert "load <4 x double>" in text
    assert "store <4 x double>" in text
