"""Thresholds of the simulation layer lie in one place."""

import re
from pathlib import Path

import jourdain
from jourdain.simulation import tolerances

ROOT = Path(jourdain.__file__).parent / "simulation"
THRESHOLD = re.compile(r"^_?[A-Z][A-Z_]* = [\d.]+e-\d+", re.MULTILINE)
# Choices of methods, audits of whole runs, and steps, whose thresholds are parts of a step.
ELSEWHERE = {
    "tolerances.py", "plan.py", "choice.py", "smooth.py", "trust.py", "checks/limits.py",
    "contact/simulation.py", "contact/events/limits.py",
}  # fmt: skip


def test_no_module_has_thresholds_of_its_own():
    own = {
        str(path.relative_to(ROOT)): THRESHOLD.findall(path.read_text())
        for path in ROOT.rglob("*.py")
        if "contact/steps" not in path.as_posix()
        and str(path.relative_to(ROOT)) not in ELSEWHERE
        and path.name not in ELSEWHERE
    }
    assert {path: found for path, found in own.items() if found} == {}


def test_each_tolerance_is_explained_and_used():
    text = Path(tolerances.__file__).read_text()
    names = re.findall(r"^([A-Z_]+) = .*\n\"\"\"", text, re.MULTILINE)
    assert set(names) == {name for name in dir(tolerances) if name.isupper()}
    sources = "\n".join(path.read_text() for path in ROOT.rglob("*.py"))
    for name in names:
        assert len(re.findall(rf"\b{name}\b", sources)) > 1, name
