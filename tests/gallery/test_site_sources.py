"""What the site is made of; the site itself is tested where it has been built, `make docs`."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import jourdain as jd

ROOT = Path(__file__).parents[2]
SITE = runpy.run_path(str(ROOT / "tools" / "site.py"), run_name="site")
SHOWN = sorted(ROOT.glob("docs/gallery/*.png"))


@pytest.mark.parametrize("module", vars(jd)["_WHERE"])
def test_every_public_name_has_a_page_in_the_reference(module):
    own = module.removeprefix("jourdain.")
    assert [t for t, words in SITE["FAMILIES"].items() if any(SITE["is_in"](own, w) for w in words)]


def test_pictures_and_live_pages_belong_to_examples_and_are_small():
    names = {path.stem for path in (ROOT / "examples").glob("*.py")}
    for path in (*SHOWN, *ROOT.glob("docs/gallery/*.html")):
        assert path.stem in names
        assert path.stat().st_size < 900_000
    with_both = [p for p in SHOWN if p.with_suffix(".html").is_file()]
    assert len(with_both) >= 30
