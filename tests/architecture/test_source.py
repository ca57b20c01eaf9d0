"""Habits of the source that no linter checks."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from architecture.sources import PACKAGE, SOURCES, TREES

ROOT = Path(__file__).parents[2]
TEXTS = [
    path
    for folder in ("src", "tests", "examples", "benchmarks", "docs", ".ci")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.is_file() and path.suffix in ("", ".py", ".md", ".toml", ".txt")
] + sorted(p for p in ROOT.glob("*") if p.suffix in (".md", ".toml") or p.name == "Makefile")

LONGEST = 400
LONGER: set[str] = set()  # tables of numbers may be longer: path below src/jourdain
MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:home|root|tmp|work|Users)/\w")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_source_is_found():
    assert len(SOURCES) > 10
    assert any(p.name == "pyproject.toml" for p in TEXTS)


def test_modules_are_short():
    longest = {path: len(text.splitlines()) for path, text in SOURCES.items()}
    wrong = [
        f"{name(path)} has {lines} lines"
        for path, lines in longest.items()
        if lines > LONGEST and path.relative_to(PACKAGE).as_posix() not in LONGER
    ]
    assert not wrong, "split by concept:\n" + "\n".join(wrong)


def test_no_layer_reaches_into_another():
    """A name with an underscore is used in the layer that has it."""
    owners: dict[str, set[str]] = {}
    used: list[tuple[str, str, str]] = []
    for path, tree in TREES.items():
        layer = path.relative_to(PACKAGE).parts[0]
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names = [node.name]
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
                names = [node.id if isinstance(node, ast.Name) else node.attr]
            elif isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr):
                text = ast.unparse(node)
                if text not in (f"self.{node.attr}", f"cls.{node.attr}"):
                    used.append((layer, node.attr, f"{name(path)}:{node.lineno} {text}"))
            for own in names:
                owners.setdefault(own, set()).add(layer)
    allowed = {"_as_parameter_", "_fields", "_replace"}  # of the standard library
    wrong = []
    for layer, own, text in used:
        holder = re.search(r"\b(system|model)\._", text)  # whoever else has the name, it is theirs
        known = owners.get(own, set()) if holder is None else {holder[1]}
        if own not in allowed and layer not in known:
            wrong.append(text)
    assert not wrong, "\n".join(wrong)


FOLDERS = sorted({path.parent for path in SOURCES})
MOST_MODULES = 16
FAMILIES = {"joints", "laws", "measures"}  # of model: one module for each member


def test_folders_are_small():
    """A newcomer sees what a folder holds at a glance."""
    wrong = []
    for folder in FOLDERS:
        modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
        is_family = folder.parent.name == "model" and folder.name in FAMILIES
        if len(modules) > MOST_MODULES and not is_family:
            wrong.append(f"{name(folder)} has {len(modules)} modules")
    assert not wrong, "use sub-folders:\n" + "\n".join(wrong)


def prints_or_asserts(tree):
    """Lines of a module that print or assert."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Name) and node.id == "print")
    ]


def test_nothing_prints_or_asserts():
    assert prints_or_asserts(ast.parse("assert True\nx = 1\nprint(x)")) == [1, 3]
    found = {name(path): prints_or_asserts(tree) for path, tree in TREES.items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_modules_are_named_by_what_they_hold():
    nameless = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [name(path) for path in SOURCES if path.stem in nameless] == []


def test_modules_have_no_open_ends():
    open_end = re.compile(r"\b(TODO|FIXME|XXX)\b")
    assert [name(path) for path, text in SOURCES.items() if open_end.search(text)] == []


def test_no_file_names_a_path_of_one_machine():
    found = {name(path): MACHINE_PATH.search(path.read_text(encoding="utf-8")) for path in TEXTS}
    assert {path: match[0] for path, match in found.items() if match} == {}


UNIT_TESTS = sorted((ROOT / "tests" / "unit").rglob("test_*.py"))
# Tests of several modules of a folder together.
THEMES = {
    "simulation/contact/test_contact_methods.py",
    "simulation/contact/test_contact_resume.py",
    "simulation/contact/test_contact_rows.py",
    "simulation/contact/test_contact_simulation.py",
    "analysis/test_cut_velocities.py",
    "analysis/test_driven_kinematics.py",
    "analysis/test_memory.py",
    "io/test_toml_fuzz.py",
    "library/test_woodpecker_model.py",
    "model/contours/pairs/test_closest.py",
    "model/contours/test_contour_registry.py",
    "model/laws/test_every_law.py",
    "model/measures/test_every_measure.py",
    "results/test_component_units.py",
    "results/test_units.py",
    "solvers/collision/test_collision_search.py",
    "spatial/test_inertia_digits.py",
    "solvers/collision/test_hull_tables.py",
    "system/test_contact_kernels.py",
}


def module_of(path: Path) -> Path:
    """Module that a unit test has the name of."""
    below = path.relative_to(ROOT / "tests" / "unit")
    return ROOT / "src" / "jourdain" / below.parent / below.name.removeprefix("test_")


def test_unit_tests_lie_beside_their_modules():
    wrong = []
    for path in UNIT_TESTS:
        below = path.relative_to(ROOT / "tests" / "unit").as_posix()
        if not module_of(path).parent.is_dir():
            wrong.append(f"src/jourdain has no folder for {below}")
        elif module_of(path).is_file() == (below in THEMES):
            wrong.append(f"{below}: name it after a module")
    assert not wrong, "\n".join(wrong)


def test_most_modules_have_a_unit_test():
    """CONTRIBUTING says two of three."""
    modules = {path for path in SOURCES if path.stem not in ("__init__", "__main__")}
    tested = modules & {module_of(path) for path in UNIT_TESTS}
    assert len(tested) >= 0.62 * len(modules)


def test_texts_to_flip_are_there():
    """`make mutations` changes the source as it is now."""
    command = [sys.executable, str(ROOT / "tests" / "mutations.py"), "--check"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
