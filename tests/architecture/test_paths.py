"""Paths that the pages for contributors name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ROOT / "src" / "jourdain", ROOT
PAGES = ("docs/architecture.md", "CONTRIBUTING.md")


def paths(text: str) -> list[str]:
    """Paths in backticks of files and folders; not those of members to come, as <kind>.py."""
    return re.findall(r"`([\w./]+(?:\.py|/))`", text)


def test_paths_are_found_in_a_text():
    text = "`a/b.py`, `c/`, `model/<kind>.py`, `jd.simulate`, a/d.py, `dq/dt`"
    assert paths(text) == ["a/b.py", "c/"]


@pytest.mark.parametrize("page", PAGES)
def test_named_paths_exist(page):
    found = paths((ROOT / page).read_text(encoding="utf-8"))
    missing = [path for path in found if not any((place / path).exists() for place in PLACES)]
    assert len(found) > 5
    assert not missing, f"{page} names {missing}, which do not exist: tell where they are now"


def test_all_layers_are_on_the_page():
    """Every folder of the package is in the table of layers."""
    found = paths((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    folders = {p.parent.name for p in (ROOT / "src" / "jourdain").glob("*/__init__.py")}
    assert folders <= {path.removesuffix("/") for path in found}
