"""IFToMM benchmark A01: planar pendulum over 2000 s, 845 periods.

Library of Computational Benchmark Problems, A01 (mbs benchmark of the Universidade da Coruña):
point mass 1 kg, length 1 m, g = 9.81 m/s², let go at rest from the horizontal, x = −1. The table
holds exact values by elliptic functions; the solution file of the benchmark agrees with them to its
print precision of 5e-7 over all 2000 s.
"""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

EXACT = {  # time [s]: x, y [m]
    0.5: (-0.39104879155055, -0.92036994878519),
    1.0: (0.98629175113188, -0.16501085312554),
    2.5: (-0.99633440395828, -0.085543880488881),
    5.0: (-0.94230543504376, -0.334754338414),
    10.0: (-0.27508746257612, -0.96141920509913),
    100.0: (-0.18151335142703, -0.98338848033406),
    1000.0: (0.68323018855231, -0.73020306042276),
    2000.0: (0.81460306858903, -0.58001882783694),
}
PERIOD = 2.3678419475762374493


@pytest.fixture(scope="module")
def system():
    model = jd.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.add_body("bob", jd.Inertia(1.0))
    model.add_joint("hinge", model.world, bob.at(1, 0, 0), jd.Revolute("y"))
    return jd.compile(model)


@pytest.fixture(scope="module")
def run(system):
    times = np.union1d(np.arange(0.0, 2000.5, 0.5), list(EXACT))
    return jd.simulate(system, 2000.0, method=jd.Dop853(rtol=1e-13, atol=1e-14), sample=times)


def test_positions_over_2000_seconds(run):
    rows = np.searchsorted(run.time, list(EXACT))
    found = run.values("bob.position")[rows][:, [0, 2]]
    np.testing.assert_allclose(found, list(EXACT.values()), atol=1e-7)  # ten times what is asked


def test_energy_over_2000_seconds(run):
    energy = run.values("energy.total")
    assert np.abs(energy - energy[0]).max() <= 1e-9  # [J]


def test_effort(run):
    assert run.statistics.steps < 70_000


def test_period_by_events(system):
    """The bob swings through the lowest point twice in a period, to the left every other time."""
    lowest = jd.Event(lambda t, s: jd.cos(s["hinge.angle"]), direction=1)
    tight = jd.Dop853(rtol=1e-13, atol=1e-14)
    sol = jd.simulate(system, 100.0, method=tight, events={"lowest": lowest})
    times = [event.time for event in sol.events]
    assert len(times) == round(100.0 / PERIOD)
    np.testing.assert_allclose(np.diff(times), PERIOD, atol=1e-10)


def test_default_tolerances_meet_the_ten_second_version(system):
    """IFToMM's page: 10 s with an energy error below 5e-5 J."""
    sol = jd.simulate(system, 10.0)
    np.testing.assert_allclose(sol.values("bob.position")[-1, [0, 2]], EXACT[10.0], atol=1e-5)
    energy = sol.values("energy.total")
    assert np.abs(energy - energy[0]).max() < 5e-6
