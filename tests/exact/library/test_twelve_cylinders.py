"""Timing gears of a twelve-cylinder diesel engine whose camshaft twists: tendencies (5.V3).

Its loads (5.V2) are what the example checks.
"""

import functools
import runpy
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).parents[3] / "examples" / "twisting_camshaft.py"


@functools.cache
def example():
    return runpy.run_path(str(EXAMPLE))


@functools.cache
def run(**changed):
    """Largest and smallest force of each mesh [kN], and how far the cam wheel swings [rad]."""
    own = example()
    sol = own["simulated"](**changed) if changed else own["solution"]
    forces, late = own["forces"](sol), sol.time > 0.3 * own["TURN"]
    return forces.max(axis=1), forces.min(axis=1), np.ptp(sol.values("w4.angle")[late])


def test_what_makes_forces_large():
    """5.V3: each tendency that is told, of the largest of all forces."""
    force, lowest, swing = run()
    most = force.max()
    soft, stiff = (run(shaft=c)[0].max() for c in (1.2e5, 1e6))
    assert soft > 1.1 * most
    assert most > 1.1 * stiff
    assert run(high=0.5 * example()["HIGHEST"])[0].max() < 0.75 * most  # injection dominates
    assert run(stiffness=6e8, lehr=0.4)[0].max() < most
    assert run(lehr=0.4)[0].max() < most
    assert abs(run(uneven=0.005)[0].max() / most - 1.0) < 0.15
    assert abs(run(heavy=1.2)[0].max() / most - 1.0) < 0.15
    more, _, further = run(play=1e-4)
    assert more.max() > most
    assert further > 1.2 * swing
    calm, gone = run(ring=1.0)[:2]  # camshaft damper: forces fall, most of all those backward
    assert calm.max() < 0.9 * most
    assert gone.min() > 0.6 * lowest.min()
