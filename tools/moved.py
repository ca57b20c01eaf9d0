"""Move modules into sub-folders, and rewrite every import and every path that names them.

``python tools/moved.py --move`` moves files; without it only old names are rewritten, as after a
rebase of work that still uses them. Removed once no branch needs it.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

MOVES = """
equations/tracing: on_symbols open_function traced_values simplify known gauss kinks continuity
equations/recursion: recursion=sweeps articulated_body composite_body newton_euler kinematics links
equations/recursion: spatial_algebra joint_vectors tree_motion carried balance
equations/joints: motion modes drives
equations/connections: answer asked_forces connected eliminated inner law_view scene
equations/contact: touching=contact_points touched=contact_terms contact_parameters
equations/contact: differential_geometry step_terms
equations/constraints: constrained constraints=multipliers closing=cut_joints held partitioned
equations/constraints: row_kinds
system/contact: contact=kernels modal modal_loops convex_phase narrow_phase switching step_kernels
system/looped: looped_answers=answers looped_constraints=constraints looped_state=state_equation
system/looped: state_loops row_blocks row_cells entry_cells dense dense_loops
system/checks: faults singular insides interpreted
simulation/checks: blame finish limits trust
simulation/contact/events: event_driven phase notes user_events limits modes deciding sharing
simulation/contact/events: resting following
simulation/contact/steps: one_step step_pattern many_steps time_stepping stepped watch
simulation/contact/steps: nonsmooth_alpha smooth_alpha
solvers/ode: alpha direct dop853 euler explicit first_step gauss implicit integrators radau
solvers/ode: sundials tableau stepping problem
solvers/collision: broad_phase
solvers/nonsmooth/small: dense dense_newton dense_residual dense_solver held
solvers/nonsmooth/interior: cone_loops cones interior_point
analysis/assembly: closure_search contact_search settle open_loops
analysis/doctor: findings mobility self_stress shaky
analysis/proof: bodies case comparisons identities loop_checks
model/parts: group grouped part replacing registry
model/checks: validation connection_check recheck snapshot
model/composites: composite inside node
model/texts: summary notebook phrases
model/contours/geometry: choice convex convex_mesh direction nearest poles rim
results/channels: arrays body_motion connection_motion contact_groups driven energetics
results/channels: joint_motion channel catalogue listing naming
results/files: contents file stored
viz/pictures: camera film png raster render
viz/pages: animate browser content keyframes packing page tracks watch
viz/shapes: arms bodies connections drawables framing furniture glyphs mesh outlines scene things
io/text: arithmetic form layout lines nesting readers section values
io/elements: bodies connections frames groups joint_kinds part_fields parts shapes
io/elements: time_functions
testing/joints: joint_check joint_laws joint_subject joint_terms kinds differences
testing/contacts: contact_check contact_energy contact_overlap contact_samples
codegen/elementary: arctangent error_function exponential functions routine sincos
codegen/translator: loops loop_records loop_values
"""

MOVED = {}
for line in MOVES.split("\n"):
    if line:
        folder, members = line.split(": ")
        for member in members.split():
            old, _, new = member.partition("=")
            above = folder.rsplit("/", 1)[0]
            MOVED[f"{above}/{old}"] = f"{folder}/{new or old}"

DOTTED = {
    "jourdain." + old.replace("/", "."): "jourdain." + new.replace("/", ".")
    for old, new in MOVED.items()
}


def move() -> None:
    """Move sources and the unit tests that mirror them."""
    for old, new in MOVED.items():
        pairs = [(f"src/jourdain/{old}.py", f"src/jourdain/{new}.py")]
        above, name = old.rsplit("/", 1)
        below, fresh = new.rsplit("/", 1)
        pairs.append((f"tests/unit/{above}/test_{name}.py", f"tests/unit/{below}/test_{fresh}.py"))
        for source, target in pairs:
            if (ROOT / source).exists():
                (ROOT / target).parent.mkdir(parents=True, exist_ok=True)
                subprocess.run(["git", "mv", source, target], cwd=ROOT, check=True)


def imports(text: str) -> str:
    """The text with imports from where modules are now."""
    lines = text.split("\n")
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)]
    for node in sorted(nodes, key=lambda n: -n.lineno):
        module = node.module or ""
        if module in DOTTED and not _is_folder(module, node):
            row = lines[node.lineno - 1]
            lines[node.lineno - 1] = row.replace(f"from {module} ", f"from {DOTTED[module]} ", 1)
            continue
        gone = [
            a for a in node.names if f"{module}.{a.name}" in DOTTED and module != "jourdain.viz"
        ]
        if not gone:
            continue
        indent = " " * node.col_offset
        fresh = []
        kept = [a for a in node.names if a not in gone]
        if kept:
            fresh.append(f"{indent}from {module} import {', '.join(map(_alias, kept))}")
        for alias in gone:
            place, _, name = DOTTED[f"{module}.{alias.name}"].rpartition(".")
            label = alias.asname or alias.name
            tail = f"{name} as {label}" if label != name else name
            fresh.append(f"{indent}from {place} import {tail}")
        lines[node.lineno - 1 : node.end_lineno] = fresh
    return "\n".join(lines)


def _is_folder(module: str, node: ast.ImportFrom) -> bool:
    """Whether an import takes modules of a folder that has the name of a module of old."""
    return all(f"{module}.{alias.name}" in DOTTED.values() for alias in node.names)


def _alias(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def mentions(text: str) -> str:
    """The text with paths and dotted names of where modules are now."""

    def dotted(match: re.Match[str]) -> str:
        return DOTTED.get(match[0], match[0])

    def path(match: re.Match[str]) -> str:
        return MOVED.get(match[1], match[1]) + ".py"

    def quoted(match: re.Match[str]) -> str:
        new = DOTTED.get("jourdain." + match[1])
        return f"`{new.removeprefix('jourdain.')}`" if new else match[0]

    def tested(match: re.Match[str]) -> str:
        new = MOVED.get(f"{match[1]}/{match[2]}")
        return (
            f"unit/{new.rpartition('/')[0]}/test_{new.rpartition('/')[2]}.py" if new else match[0]
        )

    for old, new in sorted(DOTTED.items(), key=lambda pair: -len(pair[0])):
        text = re.sub(rf"(?<![\w.]){re.escape(old)}(?!\w){_not_inside(old)}", new, text)
    text = re.sub(r"(?<=jourdain/)([\w/]+)\.py\b", path, text)
    text = re.sub(r"(?<![\w/])([\w/]+)\.py\b", path, text)
    text = re.sub(r"unit/([\w/]+)/test_(\w+)\.py", tested, text)
    return re.sub(r"`([\w.]+)`", quoted, text)


def _not_inside(old: str) -> str:
    """What must not follow where a folder has the name of a module of old."""
    inside = [new.removeprefix(old) for new in DOTTED.values() if new.startswith(f"{old}.")]
    return f"(?! import)(?!{'|'.join(map(re.escape, inside))})" if inside else ""


_SUFFIXES = {".py", ".md", ".toml", ".pyi", ".txt", ".mk"}


def main() -> None:
    """Move if asked to, then rewrite."""
    if "--move" in sys.argv:
        move()
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    for name in listed:
        file = ROOT / name
        if file.suffix not in _SUFFIXES or not file.exists() or file == Path(__file__):
            continue
        text = fresh = file.read_text(encoding="utf-8")
        if file.suffix == ".py":
            fresh = imports(fresh)
        fresh = mentions(fresh)
        if fresh != text:
            file.write_text(fresh, encoding="utf-8")


main()
