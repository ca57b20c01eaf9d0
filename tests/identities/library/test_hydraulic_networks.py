"""What holds for every circuit: volume, energy, directions, the limit of stiff oil."""

import numpy as np
import pytest

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
