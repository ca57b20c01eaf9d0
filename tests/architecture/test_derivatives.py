"""Where derivatives are written down entry by entry, and how small what is differentiated is.

The Jacobian of a whole mechanism as expressions has as many graphs as colours: derivatives of
whole mechanisms are rates along directions (`ca.jtimes`), or put together from those of kinds.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2] / "src" / "jourdain"
OF = {
    "math/derivatives.py": "one function of a user",
    "equations/flexible": "one section of a body",
    "equations/joints": "one kind of joint, drives by time",
    "equations/constraints/cut_joints.py": "one kind of joint, drives by time",
    "equations/constraints/held.py": "one value by time",
    "equations/constraints/constrained.py": "residuals by the multipliers that laws ask for",
    "equations/constraints/partitioned.py": "rates of coordinates, joint by joint",
    "equations/connections": "one connection on symbols of its own bodies, one composite",
    "equations/contact/contact_parameters.py": "one pair of contours",
    "equations/contact/differential_geometry.py": "one contour",
    "equations/recursion/tree_motion.py": "the rate of one coordinate",
    "system/contact/modal.py": "rates of coordinates, joint by joint",
    "system/contact/step_kernels.py": "rates of the states of laws by these states",
    "system/contact/step_tangent.py": "up to `ENTRIES_COST` operations; linear forces",
    "system/linear/joint_rows.py": "one joint",
    "system/linear/connection_blocks.py": "one connection",
    "system/linear/rest_form.py": "scalar coordinates alone, or up to `ENTRIES_UP_TO` velocities",
    "system/questions/derivatives.py": "up to `UNROLLED_UP_TO` links and connections",
}


def callers() -> set[str]:
    """Modules that take the Jacobian of an expression."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) in ("ca.jacobian", "casadi.jacobian", "ca.hessian", "casadi.hessian")
    }


def test_nothing_takes_the_jacobian_of_a_whole_mechanism():
    found = callers()
    allowed = {path for path in found if path in OF or str(Path(path).parent) in OF}
    assert found == allowed, "take rates along directions, see `system.checks.interpreted`"
    unused = {own for own in OF if not any(path.startswith(own) for path in found)}
    assert not unused, "these take none any more"
