"""Layouts of circuits: what must hold for every one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.viz.circuits.layout import laid_out
from jourdain.viz.circuits.netlist import netlist

SMALL = 1e-4


def random_circuit(seed, n):
    """Tree of elements from a pump and a source, some rings, valves, cylinders, returns."""
    rng = np.random.default_rng(seed)
    fluid, model = hy.Fluid(), jd.Model("random")
    model.add_coordinate("motor", 1.0)
    oil = model.group("oil")
    T = oil.add("T", hy.Tank(fluid))
    nodes = [oil.add("P", hy.Volume(fluid, 1e-3)), oil.add("S", hy.PressureSource(fluid, 1e5))]
    oil.add("pump", hy.Pump(T, nodes[0], jd.Coordinate("motor"), 1e-5))
    kinds = (
        lambda a, b: hy.Line(a, b, length=1.0, diameter=0.01),
        lambda a, b: hy.Orifice(a, b, area=1e-5),
        lambda a, b: hy.CheckValve(a, b, area=1e-5),
        lambda a, b: hy.ReliefValve(a, b, cracking=1e5, slope=1e-10),
        lambda a, b: hy.ReducingValve(a, b, T, setting=1e5, area=1e-5),
    )
    for k in range(n):
        one = nodes[rng.integers(len(nodes))]
        what = rng.integers(10)
        if what < 6:
            new = oil.add(f"n{k}", hy.Volume(fluid, 1e-4))
            oil.add(f"e{k}", kinds[rng.integers(len(kinds))](one, new))
            nodes.append(new)
        elif what == 6:
            A, B = (oil.add(f"{side}{k}", hy.Volume(fluid, 1e-4)) for side in "AB")
            oil.add(f"valve{k}", hy.DirectionalValve(one, A, B, T, area=1e-5, centre="tandem"))
            x = jd.Coordinate(model.add_coordinate(f"x{k}", 1.0, unit="m"))
            oil.add(f"ram{k}", hy.Cylinder(A, B, x, areas=(1e-3, 8e-4), limits=(0.0, 1.0)))
        elif what == 7:
            oil.add(f"r{k}", hy.Leakage(one, T, 1e-12))
        else:
            other = nodes[rng.integers(len(nodes))]
            if other is not one:
                oil.add(f"ring{k}", kinds[rng.integers(2)](one, other))
    return model


def overlap(one, other):
    """Length that two pieces of line have in common; they are level or upright."""
    (a, b), (c, d) = one, other
    for k in (0, 1):
        along = 1 - k
        if max(abs(p[k] - a[k]) for p in (b, c, d)) < SMALL:
            first, second = sorted((a[along], b[along])), sorted((c[along], d[along]))
            return min(first[1], second[1]) - max(first[0], second[0])
    return -1.0


def is_on(point, piece):
    """Whether a point lies on a piece of line."""
    (x0, y0), (x1, y1) = piece
    return (
        min(x0, x1) - SMALL <= point[0] <= max(x0, x1) + SMALL
        and min(y0, y1) - SMALL <= point[1] <= max(y0, y1) + SMALL
    )


def body(cell, y):
    """Box of the strokes of a symbol."""
    points = np.array([p for s in cell.symbol.strokes for p in s.moved(cell.x, y).points])
    return points.min(axis=0), points.max(axis=0)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 40))
def test_lines_are_straight_joined_and_apart(seed, n):
    circuit = netlist(random_circuit(seed, n))
    layout = laid_out(circuit)
    for wire in layout.wires:
        (x0, y0), (x1, y1) = wire.points
        assert abs(x0 - x1) < SMALL or abs(y0 - y1) < SMALL
    for one, other in combinations(layout.wires, 2):
        if one.node != other.node:
            assert overlap(one.points, other.points) < SMALL
    pieces = {}
    for wire in layout.wires:
        pieces.setdefault(wire.node, []).append(wire.points)
    for node, own in pieces.items():
        if not circuit.is_tank(node):
            assert is_one(own), node
    for cell, y in layout.cells:
        for pin in cell.symbol.pins:
            end = (cell.x + pin.x, y + pin.y)
            assert any(is_on(end, piece) for piece in pieces[pin.node])


def meet(one, other):
    """Whether two pieces of line, level or upright, have a point in common."""
    return all(
        min(one[0][k], one[1][k]) < max(other[0][k], other[1][k]) + SMALL
        and min(other[0][k], other[1][k]) < max(one[0][k], one[1][k]) + SMALL
        for k in (0, 1)
    )


def is_one(pieces):
    """Whether pieces of line hang together."""
    reached, left = [pieces[0]], list(pieces[1:])
    while True:
        near = [piece for piece in left if any(meet(piece, other) for other in reached)]
        if not near:
            return not left
        reached += near
        left = [piece for piece in left if piece not in near]


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 40))
def test_symbols_stand_apart(seed, n):
    layout = laid_out(netlist(random_circuit(seed, n)))
    boxes = [body(cell, y) for cell, y in layout.cells if cell.name]
    for (low, high), (other_low, other_high) in combinations(boxes, 2):
        assert np.any((low > other_high - SMALL) | (other_low > high - SMALL))


def test_what_is_fed_stands_above_what_feeds_it():
    model = random_circuit(3, 20)
    layout = laid_out(netlist(model))
    heights = {cell.name: y for cell, y in layout.cells}
    pump = heights["oil.pump"]
    assert pump == min(heights.values())
    for cell, y in layout.cells:
        assert (y > pump) or cell.row == 1


def test_tanks_are_drawn_at_every_end():
    model = random_circuit(5, 25)
    circuit = netlist(model)
    ends = sum(circuit.is_tank(p.node) for s in circuit.symbols.values() for p in s.pins)
    assert len(laid_out(circuit).tanks) == ends


def test_order_of_the_press():
    """Lines of pump, relief valve and valve meet in one dot; nothing crosses."""
    fluid, model = hy.Fluid(), jd.Model("press")
    for name in ("motor", "ram"):
        model.add_coordinate(name, 1.0)
    oil = model.group("oil")
    T = oil.add("T", hy.Tank(fluid))
    P, A, B, a = (oil.add(name, hy.Volume(fluid, 1e-4)) for name in "PABa")
    oil.add("pump", hy.Pump(T, P, jd.Coordinate("motor"), displacement=1e-5))
    oil.add("relief", hy.ReliefValve(P, T, cracking=1e7, slope=1e-10))
    oil.add("valve", hy.DirectionalValve(P, A, B, T, area=1e-5))
    oil.add("hose", hy.Line(A, a, length=2.0, diameter=0.016))
    ram = jd.Coordinate("ram")
    oil.add("cylinder", hy.Cylinder(a, B, ram, areas=(5e-3, 3e-3), limits=(0.0, 0.3)))
    layout = laid_out(netlist(model))
    assert [node for node, *_ in layout.dots] == ["oil.P"]
    rows = {cell.name: cell.row for cell, _ in layout.cells if cell.name}
    order = ("pump", "valve", "hose", "cylinder")
    assert [rows[f"oil.{name}"] for name in order] == [1, 2, 3, 4]
    level = [w.points for w in layout.wires if abs(w.points[0][1] - w.points[1][1]) < SMALL]
    upright = [w.points for w in layout.wires if abs(w.points[0][0] - w.points[1][0]) < SMALL]
    crossings = [
        (v, h) for v in upright for h in level
        if min(h[0][0], h[1][0]) + SMALL < v[0][0] < max(h[0][0], h[1][0]) - SMALL
        and min(v[0][1], v[1][1]) + SMALL < h[0][1] < max(v[0][1], v[1][1]) - SMALL
    ]  # fmt: skip
    assert all(any(is_on((v[0][0], h[0][1]), ((x, y), (x, y))) for _, x, y in layout.dots)
               for v, h in crossings)  # fmt: skip


@pytest.mark.parametrize("n", [1, 60])
def test_work_stays_small(n):
    """A network of a hundred elements is laid out at once."""
    assert laid_out(netlist(random_circuit(1, n))).cells
