"""What an object can do is told by its class: nobody tries names with getattr or hasattr."""

from __future__ import annotations

import ast
from functools import cache

from architecture.sources import PACKAGE, TREES

ALWAYS = {"strerror", "geteuid", "O_NOFOLLOW", "get_ipython", "__name__", "__SX__", "__deferred__"}
# Names that were tried before this rule, by module: the lists may only get shorter.
TRIED: dict[str, set[str]] = {
    "analysis/linear/equilibrium.py": {"q"},
    "analysis/linear/point.py": {"point", "q", "t", "v"},
    "analysis/vibration/eigenmodes.py": {"point", "t"},
    "codegen/translator/loop_values.py": {"lineno", "value"},
    "equations/contact/contact_points.py": {"contacts"},
    "equations/recursion/sweeps.py": {"v"},
    "equations/tracing/on_symbols.py": {"getNumpyMode"},
    "io/elements/time_functions.py": {"__qualname__"},
    "library/hydraulics/machines/cylinder.py": {"volume"},
    "math/functions.py": {"tolist"},
    "model/adding.py": {"body", "frame"},
    "model/checks/connection_check.py": {"contacts"},
    "model/measures/gap.py": {"contact"},
    "model/measures/rate.py": {"contacts"},
    "simulation/checks/limits.py": {"dt", "integrator", "max_step"},
    "simulation/checks/trust.py": {"atol", "dt", "integrator", "rtol"},
    "simulation/contact/simulation.py": {"run"},
    "simulation/contact/steps/one_step.py": {"corrects_positions", "iterations", "tolerance"},
    "simulation/smooth.py": {"run"},
    "solvers/advice.py": {"dt", "rtol"},
    "system/compiled.py": {"nominal_call"},
    "system/contact/convex_phase.py": {"axis"},
    "system/user_functions.py": {"__len__"},
    "viz/shapes/connections.py": {"over"},
}


@cache
def tried() -> dict[str, set[str]]:
    """Names that getattr with a default, or hasattr, asks for, by module."""
    found: dict[str, set[str]] = {}
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            is_asked = node.func.id == "hasattr" or (node.func.id == "getattr" and node.args[2:])
            if is_asked and isinstance(node.args[1], ast.Constant):
                name = str(node.args[1].value)
                if name not in ALWAYS:
                    found.setdefault(path.relative_to(PACKAGE).as_posix(), set()).add(name)
    return found


def test_names_are_not_tried():
    wrong = {m: sorted(names - TRIED.get(m, set())) for m, names in tried().items()}
    lines = [f"{module}: {', '.join(names)}" for module, names in wrong.items() if names]
    assert not lines, "give the class a default:\n" + "\n".join(lines)


def test_exceptions_are_needed():
    found = tried()
    needless = {m: sorted(names - found.get(m, set())) for m, names in TRIED.items()}
    lines = [f"{module}: {', '.join(names)}" for module, names in needless.items() if names]
    assert not lines, "take them from the list:\n" + "\n".join(lines)
