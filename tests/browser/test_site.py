"""The site, read from the disk: search, gallery, no errors, no network. `make docs` builds it."""

from __future__ import annotations

from pathlib import Path

import pytest

SITE = Path(__file__).parents[2] / "build" / "site" / "html"

pytestmark = pytest.mark.skipif(not SITE.is_dir(), reason="make docs builds the site")


@pytest.fixture
def look(browser, wait):
    """Open a page of the site; nothing may be asked of a network, nothing may fail."""
    page, errors, asked = browser.new_page(), [], []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.on("request", lambda r: asked.append(r.url))

    def open_page(name):
        page.goto((SITE / name).as_uri() if "?" not in name else f"{SITE.as_uri()}/{name}")
        return page

    yield open_page
    page.close()
    assert not errors
    assert not [url for url in asked if url.startswith("http")]


def test_search_finds_a_name_and_a_guide(look):
    page = look("search.html?q=Coulomb")
    for name in ("Laws", "Contact, impact and friction"):  # results come one by one
        page.locator("#search-results").get_by_text(name).first.wait_for(timeout=20_000)


@pytest.mark.parametrize("page", ["index", "start", "gallery/index", "reference/laws"])
def test_a_page_opens(look, page):
    assert look(f"{page}.html").locator("h1").count() == 1


def test_formulas_have_numbers_and_links(look):
    page = look("theory/time_step.html")
    assert page.locator("#TS-5 math").count() == 1
    assert page.locator('a[href$="#TS-5"]').count() > 0


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in (SITE / "live").glob("*.html")) or ["none"]
)
def test_a_live_page_draws(look, wait, name):
    page = look(f"live/{name}.html")
    wait(
        page,
        "window.viewer ? viewer.timing.frames > 0 : document.querySelectorAll('svg *').length > 9",
    )


def test_every_machine_has_a_page(look):
    page = look("gallery/index.html")
    links = page.eval_on_selector_all(".machines a", "all => all.map(a => a.getAttribute('href'))")
    assert len(links) >= 30
    assert all((SITE / "gallery" / link).is_file() for link in links)
