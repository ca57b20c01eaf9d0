"""Equations that the source cites are on a theory page."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from architecture.sources import SOURCES

ROOT = Path(__file__).parents[2]
LABEL = re.compile(r"\b[A-Z]{2}-\d+\b")
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs" / "theory").glob("*.md"))
}
CITED = {
    path.relative_to(ROOT).as_posix(): set(LABEL.findall(text)) for path, text in SOURCES.items()
}


def test_citations_are_found():
    assert any("recursive_kinematics" in page for page in PAGES)
    assert any("kinematics.py" in path for path, labels in CITED.items() if labels)


def test_cited_labels_are_on_a_theory_page():
    known = {label for text in PAGES.values() for label in LABEL.findall(text)}
    missing = {path: sorted(labels - known) for path, labels in CITED.items() if labels - known}
    assert not missing, f"no page in docs/theory has {missing}"


def test_no_equation_is_numbered_twice():
    numbered = Counter(re.findall(r"\\tag\{([^}]*)\}", "\n".join(PAGES.values())))
    assert [label for label, count in numbered.items() if count > 1] == []


def test_the_labels_of_recursive_kinematics_are_complete():
    tags = re.findall(r"\\tag\{([^}]*)\}", PAGES["docs/theory/recursive_kinematics.md"])
    assert tags == [f"RK-{k}" for k in range(1, len(tags) + 1)]
