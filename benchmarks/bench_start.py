"""Cold start: a fresh process imports, builds a double pendulum, simulates 1 s, reads a value.

Then the same of a crane and of a Stewart platform, whole processes.

Warm is with the compiled code on disk, cold with an empty cache as on a machine's first run. The
breakdown adds up the own times of imported modules by package (``python -X importtime``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

RUNS = 7
PROGRAM = """
import json, time
t0 = time.perf_counter()
import jourdain as jd
t1 = time.perf_counter()
model = jd.Model("double_pendulum")
upper = model.add_body("upper", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
lower = model.add_body("lower", jd.solid.rod(mass=0.6, end=(0, 0, -0.4)))
model.add_joint("shoulder", model.world, upper, jd.Revolute("y"))
model.add_joint("elbow", upper.at(0, 0, -0.5), lower, jd.Revolute("y"))
t2 = time.perf_counter()
sol = jd.simulate(model, 1.0, start={"shoulder.angle": 1.0})
t3 = time.perf_counter()
value = READ
t4 = time.perf_counter()
print(json.dumps([t1 - t0, t2 - t1, t3 - t2, t4 - t3]))
"""
CRANE = """
import json, jourdain as jd
sol = jd.simulate(jd.read_model("FOLDER/examples/crane.toml"), 1.0)
print(json.dumps([0, 0, 0, 0]))
"""
STEWART = """
import json, numpy as np, jourdain as jd
model = jd.Model("stewart")
plate = model.add_body("plate", jd.solid.cylinder(mass=5.0, radius=0.5, length=0.05))
for k in range(6):
    side = 0.25 if k % 2 else -0.25
    a, b = np.pi / 3 * (k // 2 * 2 + 1) + side, np.pi / 3 * ((k + 1) // 2 * 2) - side
    low, high = np.array([np.cos(a), np.sin(a), 0]), 0.5 * np.array([np.cos(b), np.sin(b), 2.0])
    half = 0.5 * (high - low)
    leg = model.add_body(f"leg_{k}", jd.solid.rod(mass=1.0, end=tuple(half)))
    rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=0.5, end=tuple(half)))
    model.add_joint(f"foot_{k}", model.world.at(*low), leg, jd.Universal("x", "y"))
    axis = tuple(half / np.linalg.norm(half))
    model.add_joint(f"slide_{k}", leg.at(*half), rod, jd.Prismatic(axis))
    model.add_joint(f"head_{k}", rod.at(*half), plate.at(*(high - [0, 0, 1])), jd.Spherical())
    law = jd.Spring(1e4) + jd.Damper(100.0)
    model.add_connection(f"drive_{k}", jd.Coordinate(f"slide_{k}.position"), law)
sol = jd.simulate(model, 0.5)
print(json.dumps([0, 0, 0, 0]))
"""
READS = {
    'sol.final["elbow.angle"]': "plain number",
    'float(sol["elbow.angle"][-1])': "labelled array (xarray)",
}
BYTECODE = tempfile.TemporaryDirectory()  # an installed package has its modules compiled
PHASES = ("import", "build", "simulate", "read")


def measure(program: str, cache: str, *options: str) -> tuple[float, float, list[float], str]:
    """Wall time and processor time [s] of a process, its phases, and what it said besides."""
    environment = {**os.environ, "JOURDAIN_CACHE": cache, "PYTHONPYCACHEPREFIX": BYTECODE.name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, began = os.times(), time.perf_counter()
    ran = subprocess.run(
        [sys.executable, *options, "-c", program],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    wall, after = time.perf_counter() - began, os.times()
    busy = after.children_user + after.children_system
    busy -= before.children_user + before.children_system
    return wall, busy, json.loads(ran.stdout), ran.stderr


def report(name: str, found: list[tuple[float, float, list[float], str]]) -> None:
    wall, busy = min(x[0] for x in found), min(x[1] for x in found)
    phases = [min(x[2][k] for x in found) for k in range(len(PHASES))]
    parts = "  ".join(f"{p} {s:.3f}" for p, s in zip(PHASES, phases, strict=True))
    print(f"  {name:<12} {wall:6.3f} s wall {busy:6.3f} s processor   {parts}")


def imports(text: str) -> Counter[str]:
    """Own import time [ms] by package."""
    times: Counter[str] = Counter()
    for line in text.splitlines():
        if line.startswith("import time:") and "|" in line:
            own, _, name = line.removeprefix("import time:").split("|")
            if own.strip().isdigit():
                times[name.strip().partition(".")[0]] += int(own) / 1e3
    return times


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for read, words in READS.items():
            program = PROGRAM.replace("READ", read)
            print(f"double pendulum, 1 s, value read as a {words}")
            measure(program, f"{folder}/first")
            cold = [measure(program, f"{folder}/{hash(read)}{k}") for k in range(3)]
            report("cold cache", cold)
            warm = [measure(program, f"{folder}/{hash(read)}0") for _ in range(RUNS)]
            report("warm cache", warm)
            tables = [
                imports(measure(program, f"{folder}/{hash(read)}0", "-X", "importtime")[3])
                for _ in range(3)
            ]
            least = {name: min(table[name] for table in tables) for name in tables[0]}
            top = sorted(least.items(), key=lambda item: -item[1])[:10]
            print(f"  imports [ms] {', '.join(f'{name} {ms:.0f}' for name, ms in top)}")
            print(f"  imports in all {sum(least.values()):.0f} ms\n")
        place = str(Path(__file__).parents[1])
        for name, program in (("crane", CRANE.replace("FOLDER", place)), ("Stewart", STEWART)):
            measure(program, f"{folder}/{name}")
            cold = min(measure(program, f"{folder}/{name}{k}")[1] for k in range(3))
            warm = min(measure(program, f"{folder}/{name}")[1] for _ in range(RUNS))
            print(f"{name}: cold cache {cold:.2f} s, warm {warm:.2f} s of processor time")
    empty = min(measure("print('[0,0,0,0]')", "")[0] for _ in range(RUNS))
    print(f"an empty process takes {empty:.3f} s")


if __name__ == "__main__":
    main()
