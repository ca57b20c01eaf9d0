"""What holds for every circuit: volume, energy, directions, the limit of stiff oil."""

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

SEEDS = range(6)


def network(seed, node, n=8):
    """Random circuit: a tree of lines from a source, some rings, check valves to a tank."""
    rng = np.random.default_rng(seed)
    fluid = hy.Fluid(viscosity=0.1, air=0.0, bulk_modulus=1e9)
    model = jd.Model("network")
    oil = model.group("oil")
    wave, level = rng.uniform(50.0, 200.0), rng.uniform(1e5, 4e5)
    places = [oil.add("S", hy.PressureSource(fluid, lambda t: level * jd.sin(wave * t)))]
    places += [oil.add(f"n{k}", node(fluid)) for k in range(n)]
    tank = oil.add("T", hy.Tank(fluid))
    pairs = [(int(rng.integers(0, k + 1)), k + 1) for k in range(n)]
    pairs += [tuple(map(int, rng.choice(n + 1, 2, replace=False))) for _ in range(2)]
    for k, (i, j) in enumerate(pairs):
        sizes = {"length": rng.uniform(0.2, 2.0), "diameter": rng.uniform(0.006, 0.02)}
        oil.add(f"line{k}", hy.Line(places[i], places[j], **sizes))
    for k, j in enumerate((1, n // 2, n)):
        size = {"length": rng.uniform(0.1, 0.4), "section": 1e-4, "area": 5e-5}
        oil.add(f"valve{k}", hy.CheckValve(places[j], tank, **size))
    return model, pairs


@pytest.mark.parametrize("seed", SEEDS)
def test_volume_energy_and_directions(seed):
    model, pairs = network(seed, hy.Junction)
    sol = jd.simulate(model, 0.05, sample=5e-4)
    flows = [sol.values(f"oil.line{k}.flow") for k in range(len(pairs))]
    largest = max(np.abs(flow).max() for flow in flows)
    order = {j: k for k, j in enumerate((1, 4, 8))}
    for node in range(1, 9):
        total = sum((j == node) * f for (_, j), f in zip(pairs, flows, strict=True))
        total = total - sum((i == node) * f for (i, _), f in zip(pairs, flows, strict=True))
        if node in order:
            total = total - sol.values(f"oil.valve{order[node]}.flow")
        np.testing.assert_allclose(total, 0.0, atol=1e-9 * largest)
    for k in range(3):
        assert sol.values(f"oil.valve{k}.flow").min() > -1e-12
        assert sol.values(f"oil.valve{k}.loss").min() >= -1e-9
    balance = energy_balance(sol)
    assert balance.largest < 1e-3 * balance.exchanged


def test_the_audit_closes_where_samples_resolve_the_powers():
    """Its error is that of the quadrature over samples: 4e-6 with ten times longer ones."""
    sol = jd.simulate(network(0, hy.Junction)[0], 0.05, sample=5e-5)
    balance = energy_balance(sol)
    assert balance.largest < 1e-9 * balance.exchanged


def passed(model, time):
    """Volumes that have passed through the lines at given times."""
    sol = jd.simulate(model, float(time[-1]), sample=time)
    names = (f"oil.line{k}.volume" for k in range(10))
    return np.array([np.interp(time, sol.time, sol.values(name)) for name in names])


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_rigid_nodes_are_the_limit_of_small_volumes(seed):
    """With some pressure at the start: a check valve between none and none could go either way."""
    time = np.linspace(0.0, 0.02, 21)
    rigid = passed(network(seed, hy.Junction)[0], time)
    offs = []
    for size in (1e-5, 1e-7):
        model = network(seed, lambda fluid, size=size: hy.Volume(fluid, size, start=1e2))[0]
        offs.append(np.abs(passed(model, time) - rigid).max())
    assert offs[0] < 0.1 * np.abs(rigid).max()
    assert offs[1] < 0.1 * offs[0]


def volumes_at_rest(seed):
    """Volumes without pressure, check valves and lines among them; a pump that begins smoothly."""
    rng = np.random.default_rng(seed)
    fluid, model = hy.Fluid(density=850.0, bulk_modulus=1.2e9, viscosity=0.03), jd.Model("rest")
    oil, n = model.group("oil"), int(rng.integers(2, 6))
    nodes = [oil.add(f"v{k}", hy.Volume(fluid, 10 ** rng.uniform(-5, -3))) for k in range(n)]
    nodes.append(tank := oil.add("T", hy.Tank(fluid)))
    for k in range(int(rng.integers(1, 6))):
        a, b = rng.choice(n + 1, 2, replace=False)
        area = 5e-5 if rng.random() < 0.5 else None
        cracking = 0.0 if rng.random() < 0.8 else 1e4
        size = {"length": 0.1, "section": 1e-4, "area": area, "cracking": cracking}
        oil.add(f"valve{k}", hy.CheckValve(nodes[a], nodes[b], **size))
    for k in range(int(rng.integers(0, 4))):
        a, b = rng.choice(n + 1, 2, replace=False)
        oil.add(f"line{k}", hy.Line(nodes[a], nodes[b], length=1.0, diameter=0.01))
    kind, w, at = int(rng.integers(4)), float(rng.uniform(10, 300)), int(rng.integers(n))
    flow = [
        lambda t: 1e-5 * jd.sin(w * t), lambda t: 1e-4 * t * t * w,
        lambda t: 1e-5 * jd.sin(w * t) ** 2, lambda t: 1e-5 * (1 - jd.cos(w * t)),
    ][kind]  # fmt: skip
    oil.add("pump", hy.FlowSource(tank, nodes[at], flow))
    return model


@settings(max_examples=4, deadline=None, phases=(Phase.explicit, Phase.generate))
@example(0)
@example(48)
@given(st.integers(0, 1_000_000))
def test_valves_begin_at_exactly_zero_force(seed):
    """No force tells what is next to nothing: events do not crowd, and steps agree.

    Steps are off by their first order, 1e-6 of the largest flow and a little more in some circuits;
    where the pump reaches nothing, flows are rounding.
    """
    model, time = volumes_at_rest(seed), np.linspace(0.0, 0.03, 31)
    events = jd.simulate(model, 0.03, method=jd.EventDriven(), sample=time)
    steps = jd.simulate(model, 0.03, method=jd.MoreauJean(2e-6), sample=time)
    assert len(events.events) < 40
    near = 1e-5 * np.abs(events.v).max() + 1e-20
    np.testing.assert_allclose(steps.v, events.v, rtol=0, atol=near)
