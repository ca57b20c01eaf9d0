"""Functions take a handful of arguments; what belongs together is a record."""

from __future__ import annotations

import ast
from functools import cache

from architecture.sources import PACKAGE, TREES

MOST = 12
# Functions from before this rule, by module: the lists may only get shorter.
LONGER: dict[str, set[str]] = {
    "analysis/simulate.py": {"simulate"},
    "viz/pages/animate.py": {"animate"},
    "results/solution.py": {"__init__"},
    "solvers/collision/boxes.py": {"face_face"},
    "solvers/collision/cylinder_hull.py": {
        "add_points",
        "add_single",
        "cylinder_hull",
        "over_end",
        "over_face",
    },
    "solvers/collision/cylinder_pair.py": {"add_pair", "cylinder_cylinder", "over_other"},
    "solvers/collision/cylinders.py": {"ball_cylinder", "plane_cylinder"},
    "solvers/collision/hulls.py": {"hull_face"},
    "solvers/collision/layout.py": {"add_contact"},
    "solvers/collision/planes.py": {"add_height"},
    "solvers/collision/rounded.py": {"add_ball", "add_balls"},
    "solvers/collision/search.py": {"search", "touch"},
    "solvers/nonsmooth/small/dense.py": {"solve_dense", "solve_quickly"},
    "solvers/nonsmooth/small/dense_newton.py": {
        "equations_into",
        "friction_rows",
        "newton_dense",
        "proximal_dense",
        "slide_rows",
    },
    "solvers/nonsmooth/small/dense_residual.py": {"report_of"},
    "solvers/nonsmooth/smoothing.py": {"equations", "follow", "smoothed"},
    "solvers/nonsmooth/sweeps.py": {"one_sweep", "swept"},
    "solvers/timestep/resting/interior.py": {
        "adjust_impulses",
        "advance",
        "direction",
        "find_impulses",
    },
    "system/contact/modal_loops.py": {
        "forces_loop",
        "indicators_loop",
        "lasting_loop",
        "projection_loop",
        "rates_loop",
        "rows_loop",
    },
}


def is_command(node: ast.FunctionDef) -> bool:
    """Tell whether a function is a command of the command line: its options are its arguments."""
    return any(ast.unparse(mark) == "app.command()" for mark in node.decorator_list)


@cache
def counts() -> dict[tuple[str, str], int]:
    """Number of arguments of every function, by module and name; commands are left out."""
    found = {}
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and not is_command(node):
                given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                own = sum(a.arg not in ("self", "cls") for a in given)
                key = path.relative_to(PACKAGE).as_posix(), node.name
                found[key] = max(own, found.get(key, 0))
    return found


def test_functions_take_few_arguments():
    wrong = [
        f"{module}: {name} takes {n} arguments"
        for (module, name), n in counts().items()
        if n > MOST and name not in LONGER.get(module, ())
    ]
    assert not wrong, "put what belongs together into a record:\n" + "\n".join(wrong)


def test_exceptions_are_needed():
    found = counts()
    needless = [
        f"{module}: {name}"
        for module, names in LONGER.items()
        for name in sorted(names)
        if found.get((module, name), 0) <= MOST
    ]
    assert not needless, "take them from the list:\n" + "\n".join(needless)
