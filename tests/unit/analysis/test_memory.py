"""Runs leave no memory behind."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import gc, sys
import jourdain as jd
model = jd.Model("pendulum")
rod = model.add_body("rod", jd.solid.ball(1.0, 0.1, at=(0, 0, -1)))
model.add_joint("j", model.world, rod, jd.Revolute("y"))
if "stop" in sys.argv:
    model.add_connection("stop", jd.Coordinate("j.angle"), jd.Unilateral(-2.0))
system = jd.compile(model)
def once():
    jd.simulate(
        system, 0.02, start={"j.angle": 0.1}, sample=0.01,
        inputs={"j.angle": lambda t, s: jd.sin(t) - s["j.rate"]},
        events={"e": lambda t, s: s["j.angle"]},
    )
def memory():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * 4096
n = int(sys.argv[1])
for _ in range(30):
    once()
before = memory()
for _ in range(n):
    once()
print((memory() - before) / n)
"""


def slope(n, *more):
    """Bytes that a run leaves behind, from n runs in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(n), *more], text=True, capture_output=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, timeout=1200,
    )  # fmt: skip
    return float(done.stdout)


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
@pytest.mark.parametrize("kind", ["smooth", pytest.param("stop", marks=pytest.mark.slow)])
def test_functions_that_are_traced_again_leave_no_code_behind(kind):
    assert slope(40, kind) < 8000.0


@linux
@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["smooth", "stop"])
def test_a_thousand_runs(kind):
    assert slope(1000, kind) < 2000.0
