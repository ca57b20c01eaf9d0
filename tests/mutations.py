"""Flip signs in the core, one at a time, and see that a test catches each: ``make mutations``.

The package is copied, one text in it is changed, and the tests that are named beside run on the
copy until the first fails. A change that no test catches is told at the end, with exit code 1.
A time limit counts as caught: `pytest` names the test that hangs.

    python tests/mutations.py            all of them
    python tests/mutations.py radau      those whose name has this in it
    python tests/mutations.py --check    only whether every text is there exactly once
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 300  # [s] for the tests of one change

# name: (file, text that is there once, what it becomes, tests)
MUTATIONS: dict[str, tuple[str, str, str, str]] = {
    "recursion: Coriolis acceleration": (
        "equations/recursion/articulated_body.py", "math.cross(2.0 * own.w - turn, slide)",
        "math.cross(2.0 * own.w + turn, slide)", "tests/crosscheck/test_formulations.py",
    ),
    "recursion: gyroscopic force": (
        "equations/recursion/articulated_body.py",
        "math.cross(w, own.J @ w), math.cross(w, math.cross",
        "-math.cross(w, own.J @ w), math.cross(w, math.cross",
        "tests/exact/test_free_rigid_body.py",
    ),
    "recursion: inertia carried inboard": (
        "equations/recursion/spatial_algebra.py", "J_in = J + P @ H.T - H_in @ P",
        "J_in = J - P @ H.T - H_in @ P", "tests/unit/equations/recursion/test_articulated_body.py",
    ),
    "recursion: momentum": (
        "equations/recursion/spatial_algebra.py", "own.m * v - math.cross(own.h, w)",
        "own.m * v + math.cross(own.h, w)",
        "tests/unit/equations/recursion/test_spatial_algebra.py",
    ),
    "recursion: external loads": (
        "equations/recursion/newton_euler.py", "own.F = own.F - wrench_on_link(own)",
        "own.F = own.F + wrench_on_link(own)",
        "tests/unit/equations/recursion/test_newton_euler.py "
        "tests/unit/system/questions/test_dynamics.py",
    ),
    "recursion: composite inertia": (
        "equations/recursion/composite_body.py", "np.eye(3) - mixed - mixed.T",
        "np.eye(3) + mixed - mixed.T", "tests/unit/equations/recursion/test_composite_body.py",
    ),
    "contact: sliding force": (
        "equations/contact/contact_points.py",
        "            return -force\n", "            return force\n",
        "tests/unit/testing/contacts/test_contact_check.py",
    ),
    "contact: friction of contacts that slide": (
        "simulation/contact/events/modes.py", "c = c - rows.G[:, list(x.tangents)] @ force",
        "c = c + rows.G[:, list(x.tangents)] @ force",
        "tests/exact/test_contact_friction.py -k clutch",
    ),
    "contact: Newton's impact": (
        "simulation/contact/impact.py", "c[x.normal] += e[k] * min(before[x.normal], 0.0)",
        "c[x.normal] -= e[k] * min(before[x.normal], 0.0)", "tests/exact/test_contact_impacts.py",
    ),
    "contact: Poisson's expansion": (
        "simulation/contact/impact.py", "c = rows.u + rows.G @ (first + given) - _offset",
        "c = rows.u + rows.G @ (first - given) - _offset", "tests/exact/test_contact_impacts.py",
    ),
    "contact: energy of an impact": (
        "simulation/contact/impact.py", "works = 0.5 * impulses * (after + rows.u)",
        "works = 0.5 * impulses * (after - rows.u)", "tests/exact/test_contact_ledger.py",
    ),
    "time step: rebound": (
        "solvers/timestep/begin.py", "m.e[k] * m.speeds[k] + rise",
        "0.5 * m.e[k] * m.speeds[k] + rise", "tests/crosscheck/test_time_step.py",
    ),
    "time step: implicit forces": (
        "solvers/timestep/assembly.py", "+= by_C * m.C[e] + by_K * m.K[e]",
        "+= by_C * m.C[e] - by_K * m.K[e]", "tests/crosscheck/test_time_step.py",
    ),
    "time step: velocities at the end": (
        "solvers/timestep/rounds.py", "change = m.end_u[row] - change",
        "change = change - m.end_u[row]", "tests/crosscheck/test_time_step.py",
    ),
    "time step: positions": (
        "solvers/timestep/positions/corrections.py",
        "s.c[i] = -s.c[i] - caused(m, s, s.used[i], s.x)",
        "s.c[i] = s.c[i] - caused(m, s, s.used[i], s.x)", "tests/exact/test_contact_correction.py",
    ),
    "tableau: Dormand and Prince": (
        "solvers/ode/tableau.py", "A[3, :3] = 44 / 45, -56 / 15, 32 / 9",
        "A[3, :3] = 44 / 45, 56 / 15, 32 / 9", "tests/unit/solvers/ode/test_tableau.py",
    ),
    "tableau: Tsitouras": (
        "solvers/ode/tableau.py", "A[5, 3:5] = -0.071584973281401,",
        "A[5, 3:5] = 0.071584973281401,", "tests/unit/solvers/ode/test_tableau.py",
    ),
    "radau: a weight": (
        "solvers/ode/radau.py", "[(16 - r) / 36, (16 + r) / 36, 1 / 9]",
        "[(16 - r) / 36, (16 - r) / 36, 1 / 9]", "tests/convergence/test_orders.py -k Radau",
    ),
    "radau: error estimate": (
        "solvers/ode/radau.py", "E = np.array([-13 - 7 * r, -13 + 7 * r, -1.0]) / 3",
        "E = np.array([-13 - 7 * r, -13 + 7 * r, 1.0]) / 3", "tests/unit/solvers/ode/test_radau.py",
    ),
    "radau: Jacobian of the stages": (
        "solvers/ode/radau.py", "w[at_m + size + i] = -w[at_m + i]",
        "w[at_m + size + i] = w[at_m + i]", "tests/convergence/test_orders.py -k Radau",
    ),
    "alpha: velocity of the positions": (
        "solvers/ode/alpha.py", "(0.5 - co[AT_BETA]) * old", "(0.5 + co[AT_BETA]) * old",
        "tests/exact/test_generalized_alpha.py",
    ),
    "projection: velocities": (
        "solvers/projection.py",
        "    for i in range(n_q, n):\n        w[2 * n + i] += w[at + i]",
        "    for i in range(n_q, n):\n        w[2 * n + i] -= w[at + i]",
        "tests/exact/test_simulated_parallelogram.py tests/convergence/test_loop_orders.py",
    ),
    "results: energy balance": (
        "results/audit.py", "return self.change - self.work", "return self.change + self.work",
        "tests/unit/results/test_audit.py",
    ),
    "results: work between samples": (
        "results/audit.py", "return self.total - self.total[0] - self._work",
        "return self.total - self.total[0] + self._work",
        "tests/unit/results/test_audit.py",
    ),
    "results: interpolation": (
        "results/interpolation.py", "* s0 - c * x**3 * (1.0 + 3.0 * c) * s1",
        "* s0 + c * x**3 * (1.0 + 3.0 * c) * s1", "tests/unit/results/test_interpolation.py",
    ),
    "collision: cylinders side by side": (
        "solvers/collision/cylinder_pair.py", "gap = length - shapes[g + 4] - shapes[h + 4]",
        "gap = length + shapes[g + 4] - shapes[h + 4]", "tests/unit/solvers/collision",
    ),
    "collision: crossing edges of boxes": (
        "solvers/collision/boxes.py", "gap = nx * dx + ny * dy + nz * dz",
        "gap = nx * dx + ny * dy - nz * dz", "tests/unit/solvers/collision",
    ),
}  # fmt: skip


def changed(text: str, old: str, new: str, name: str) -> str:
    """Text with one change; what is not there once was changed since."""
    if text.count(old) != 1:
        raise SystemExit(f"{name}: {text.count(old)} times in the file, wanted once: {old!r}")
    return text.replace(old, new)


def caught_by(name: str, folder: Path) -> str:
    """Run the tests of one change on a copy of the package; the test that fails, or nothing."""
    file, old, new, tests = MUTATIONS[name]
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, dirs_exist_ok=True)
    target = source / "jourdain" / file
    target.write_text(changed(target.read_text(encoding="utf-8"), old, new, name), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests.split()]
    cache = {"PYTHONPATH": str(source), "JOURDAIN_CACHE": str(folder / "cache")}
    try:
        ended = subprocess.run(command, cwd=ROOT, env=os.environ | cache, timeout=TIMEOUT,
                               capture_output=True, text=True, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT} s"
    if ended.returncode not in (0, 1):
        raise SystemExit(f"{name}: the tests did not run.\n{ended.stdout[-2000:]}{ended.stderr}")
    failed = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split()[1] if failed else ""


def main(wanted: str) -> int:
    """Run all changes whose names have a word in them; return how many were not caught."""
    for name, (file, old, new, _) in MUTATIONS.items():
        changed((ROOT / "src" / "jourdain" / file).read_text(encoding="utf-8"), old, new, name)
    missed, chosen = [], [name for name in MUTATIONS if wanted in name]
    for name in [] if wanted == "--check" else chosen:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            test = caught_by(name, Path(folder))
        missed += [] if test else [name]
        told = f"caught  {name}: {test}" if test else f"MISSED  {name}"
        sys.stdout.write(f"{time.perf_counter() - began:4.0f} s  {told}\n")
        sys.stdout.flush()
    return len(missed)


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1] if len(sys.argv) > 1 else "")))
