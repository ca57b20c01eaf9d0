"""Random networks of 5 to 60 nodes: volume, lowest pressure, directions, order of declaration.

Each property is asked from event to event and in time steps.
"""

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(viscosity=0.1, air=0.0, bulk_modulus=1e9, vapour_pressure=0.0)
LOWEST = float(FLUID.lowest_pressure)
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)  # it would take minutes
METHODS = pytest.mark.parametrize("method", [None, jd.MoreauJean(2e-4)], ids=["events", "steps"])


def network(seed, n, *, shuffled=False, cavitates=False):
    """Circuit of n nodes: a tree of lines from a source, rings, check valves, pistons, leaks.

    Shuffled, the same circuit is declared in another order.
    """
    rng = np.random.default_rng(seed)
    model = jd.Model("network", gravity=(0, 0, 0))
    oil = model.group("oil")
    level, wave = rng.uniform(2e5, 1e6), rng.uniform(100.0, 400.0)
    kinds = ["rigid" if rng.random() < 0.6 else "elastic" for _ in range(n)]
    sizes = rng.uniform(1e-5, 1e-4, n)
    parents = [int(rng.integers(-1, k)) for k in range(n)]
    rings = [tuple(map(int, rng.choice(n, 2, replace=False))) for _ in range(max(1, n // 10))]
    valves = [int(k) for k in rng.choice(n, max(1, n // 8), replace=False)]
    pistons = [int(k) for k in rng.choice(n, max(1, n // 10), replace=False)]
    bores = rng.uniform(0.006, 0.02, n + len(rings))
    lengths = rng.uniform(0.2, 2.0, n + len(rings))
    masses = rng.uniform(0.5, 5.0, len(pistons))
    nodes = {
        "S": hy.PressureSource(FLUID, lambda t: level * jd.cos(wave * t)),
        "T": hy.Tank(FLUID),
        **{f"n{k}": _node(kind, size, cavitates) for k, (kind, size) in
           enumerate(zip(kinds, sizes, strict=True))},
    }  # fmt: skip
    order = np.random.default_rng(seed + 1)
    built = {name: oil.add(name, nodes[name]) for name in _listed(nodes, order, shuffled)}
    parts = {}
    ends = [(f"n{p}" if p >= 0 else "S", f"n{k}") for k, p in enumerate(parents)]
    ends += [(f"n{i}", f"n{j}") for i, j in rings]
    for k, (a, b) in enumerate(ends):
        size = {"length": float(lengths[k]), "diameter": float(bores[k])}
        parts[f"line{k}"] = hy.Line(built[a], built[b], **size)
    for k, j in enumerate(valves):
        size = {"length": 0.2, "section": 1e-4, "area": 5e-5}
        parts[f"valve{k}"] = hy.CheckValve(built[f"n{j}"], built["T"], **size)
    for k, j in enumerate(pistons):
        x = model.add_coordinate(f"x{k}", float(masses[k]), unit="m")
        model.add_connection(f"spring{k}", jd.Coordinate(x), jd.Spring(1e5) + jd.Damper(100.0))
        parts[f"ram{k}"] = hy.Cylinder(built[f"n{j}"], None, jd.Coordinate(x), (1e-3, 0.0))
    for name in _listed(parts, order, shuffled):
        oil.add(name, parts[name])
    joined = {f"n{k}": [] for k in range(n)}
    for name, part in parts.items():
        for end in part.ends(f"oil.{name}"):
            if end.node.name.removeprefix("oil.") in joined:
                joined[end.node.name.removeprefix("oil.")].append((float(end.factor), end.measure))
    return model, joined, kinds


def _node(kind, size, cavitates):
    if kind == "elastic":
        return hy.Volume(FLUID, float(size), start=1e2)
    return (hy.CavitatingJunction if cavitates else hy.Junction)(FLUID)


def _listed(table, rng, shuffled):
    return [list(table)[k] for k in rng.permutation(len(table))] if shuffled else list(table)


def seeds(most):
    return st.integers(0, 10_000), st.integers(5, most)


def check_volume(sol, joined, kinds, tolerance):
    """What leaves a node without volume is zero."""
    passed = {name: sol.values(name) for name in _measured(joined)}
    largest = max(np.abs(values).max() for values in passed.values())
    for k, kind in enumerate(kinds):
        name = f"n{k}"
        out = sum(factor * passed[measure.name] for factor, measure in joined[name])
        if kind == "rigid":
            np.testing.assert_allclose(out, 0.0, atol=tolerance * largest)


def _measured(joined):
    return {measure.name for ends in joined.values() for _, measure in ends}


@METHODS
@settings(max_examples=3, deadline=None, phases=NO_SHRINKING)
@given(*seeds(60))
def test_volume_and_directions(method, seed, n):
    model, joined, kinds = network(seed, n)
    sol = jd.simulate(model, 0.02, sample=2e-4, method=method)
    check_volume(sol, joined, kinds, 1e-9)
    largest = max(np.abs(sol.values(f"oil.line{k}.flow")).max() for k in range(n))
    valves = [name for name in sol.model.parts if name.startswith("oil.valve")]
    for name in valves:
        assert sol.values(f"{name}.flow").min() > -1e-9 * largest


@settings(max_examples=4, deadline=None, phases=NO_SHRINKING)
@example(14, 25)  # pushing one void apart closes others
@given(*seeds(40))
def test_pressures_stay_above_the_lowest_in_steps(seed, n):
    check_cavitation(seed, n, jd.MoreauJean(2e-4))


@settings(max_examples=2, deadline=None, phases=NO_SHRINKING)
@given(*seeds(10))
def test_pressures_stay_above_the_lowest_from_event_to_event(seed, n):
    check_cavitation(seed, n, None)


def check_cavitation(seed, n, method):
    """The source pulls as hard as it pushes: cavitating junctions tear open."""
    model, joined, kinds = network(seed, n, cavitates=True)
    sol = jd.simulate(model, 0.02, sample=2e-4, method=method)
    largest = max(np.abs(sol.values(name)).max() for name in _measured(joined))
    for k, kind in enumerate(kinds):
        if kind == "elastic":
            continue
        pressure, void = sol.values(f"oil.n{k}.pressure"), sol.values(f"oil.n{k}.void")
        assert pressure.min() > LOWEST - 1e-6 * 1e5
        assert void.min() > -1e-9 * largest
        out = sum(factor * sol.values(m.name) for factor, m in joined[f"n{k}"])
        np.testing.assert_allclose(out, void, atol=1e-9 * largest)


@METHODS
@settings(max_examples=2, deadline=None, phases=NO_SHRINKING)
@given(*seeds(40))
def test_order_of_declaration_does_not_matter(method, seed, n):
    runs = [
        jd.simulate(network(seed, n, shuffled=is_other)[0], 0.01, sample=1e-3, method=method)
        for is_other in (False, True)
    ]
    at = np.linspace(0.0, 0.01, 11)
    one, other = (
        np.array([np.interp(at, run.time, run.values(f"oil.line{k}.volume")) for k in range(n)])
        for run in runs
    )
    np.testing.assert_allclose(other, one, rtol=0.0, atol=1e-6 * np.abs(one).max())
