"""What the site is made of; the site itself is tested where it has been built, `make docs`."""

from __future__ import annotations

import runpy
from pathlib import Path

import jourdain as jd

ROOT = Path(__file__).parents[2]
SITE = runpy.run_path(str(ROOT / "tools" / "site.py"), run_name="site")


def test_every_public_name_has_a_page_in_the_reference():
    words = [word for own in SITE["FAMILIES"].values() for word in own]
    modules = [name.removeprefix("jourdain.") for name in vars(jd)["_WHERE"]]
    assert len(modules) > 40
    assert [own for own in modules if not any(SITE["is_in"](own, w) for w in words)] == []


def test_every_machine_has_a_picture_and_a_live_page_and_they_are_small():
    names = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert len(names) >= 30
    for ending, largest in ((".png", 200_000), (".html", 500_000)):
        made = {path.stem: path for path in (ROOT / "docs" / "gallery").glob(f"*{ending}")}
        assert set(made) == names, f"run make gallery NAMES=... for what has no {ending}"
        sizes = {name: path.stat().st_size for name, path in made.items()}
        assert {name: size for name, size in sizes.items() if size > largest} == {}
