from __future__ import annotations

import hashlib
import html
import re
from importlib import resources
from pathlib import Path

from jourdain.viz.pages.page import Page, filled

WEB = Path(__file__).parents[4] / "web"
ASSETS = resources.files("jourdain.viz").joinpath("assets")
HOSTILE = "</script><img src=x onerror=alert(1)><!--"


def test_the_script_is_built_from_its_sources():
    names = sorted(path.name for path in (WEB / "src").iterdir())
    digest = hashlib.sha256()
    for name in ("build.mjs", "package.json", *(f"src/{name}" for name in names)):
        digest.update(f"{name}\n{(WEB / name).read_text(encoding='utf-8')}".encode())
    first = ASSETS.joinpath("viewer.min.js").read_text("utf-8").splitlines()[0]
    assert first == f"// source {digest.hexdigest()}", "run make web"


def test_the_script_carries_the_licences_of_what_it_contains():
    text = ASSETS.joinpath("viewer.min.js").read_text("utf-8")
    for name in ("three.js authors", "Arjun Barrett"):
        assert re.search(rf"Copyright .*{name}", text)
    assert text.count("Permission is hereby granted, free of charge") == 2


def test_the_script_cannot_end_itself():
    text = ASSETS.joinpath("viewer.min.js").read_text("utf-8").lower()
    assert "</script" not in text
    assert "<!--" not in text


def test_nothing_is_fetched():
    text = filled("page.html", {"title": "a"})
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=.?(https?:)?//", text)
    assert "default-src 'none'" in text


def test_names_cannot_leave_the_data():
    text = filled("page.html", {"title": HOSTILE, "bodies": [{"name": HOSTILE}]})
    assert text.count("</script>") == 3
    assert "<img" not in text
    assert html.escape(HOSTILE) in text


def test_a_percent_sign_in_a_name_is_no_place():
    text = filled("page.html", {"title": "%%DATA%%"})
    assert text.count("%%DATA%%") == 2


def test_saving_keeps_the_text_and_tells_the_path(tmp_path):
    page = Page("<p>é</p>", "title")
    saved = page.save(tmp_path / "page.html")
    assert saved.path == tmp_path / "page.html"
    assert saved.path.read_text(encoding="utf-8") == "<p>é</p>"
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


def test_a_notebook_gets_a_frame_with_the_whole_page():
    page = Page('<p title="a&b">', "title", height=300)
    frame = page._repr_html_()
    source = re.search(r'srcdoc="([^"]*)"', frame)[1]
    assert html.unescape(source) == page.text
    assert "height:300px" in frame
