"""Pages of other kinds and on other screens."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import jourdain as jd

HOSTILE = '</script><img src=x onerror="hacked=1"><!--'


@pytest.mark.slow
def test_it_fits_a_phone_and_follows_its_theme(opened, written, runs, folder):
    page_file = jd.animate(runs[0], folder / "phone.html", traces=["load"]).path
    phone = {"has_touch": True, "is_mobile": True, "color_scheme": "dark"}
    with opened(page_file, size=(390, 844), **phone) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate("viewer.theme") == "dark"
        order = [page.locator(c).bounding_box()["y"] for c in (".view", ".bar", ".charts", ".side")]
        assert order == sorted(order)
        assert page.locator(".charts").bounding_box()["height"] > 250
        x, y = page.evaluate("viewer.screen('load')")
        page.touchscreen.tap(x, y)
        assert page.evaluate("viewer.selected.name") == "load"


@pytest.mark.slow
def test_names_do_no_harm(opened, folder):
    model = jd.Model(HOSTILE)
    body = model.add_body(HOSTILE, jd.solid.ball(1.0, 0.1))
    model.add_joint(HOSTILE + "j", model.world, body, jd.Revolute("x"))
    model.add_frame(HOSTILE + "f", body.at(0, 0, 0.1))
    events = {HOSTILE + "e": lambda t, s: t - 0.5}
    sol = jd.simulate(model, 1.0, events=events)
    make = {"animate": jd.animate, "report": jd.report}
    for what, function in make.items():
        file = function(sol, folder / f"{what}.html", traces=[HOSTILE]).path
        with opened(file) as page:
            page.evaluate("viewer.select(viewer.machine.things[0])")
            assert page.locator(".card h2").text_content().startswith(HOSTILE)
            assert page.title() == HOSTILE
            assert page.evaluate("window.hacked") is None
            assert page.locator("img").count() == 0


@pytest.fixture(scope="module")
def flat(opened, written):
    """The page in a browser that has no WebGL."""
    without = (
        "const own = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        "return kind.startsWith('webgl') ? null : own.call(this, kind, ...more); };"
    )
    with opened(written, before=without) as page:
        yield page


def seen(page, name):
    """Number of points that a body has on the canvas, and their centre on the screen."""
    return page.evaluate(
        "(name) => { const body = viewer.machine.bodies.find(b => b.name === name);"
        "const tint = body.paint.tint.clone(), c = viewer.stage.canvas, w = c.width;"
        "body.paint.tint.set(0, 0, 0); body.paint.glow.set(1, 0, 1); viewer.stage.render();"
        "body.paint.tint.copy(tint); body.paint.glow.set(0, 0, 0);"
        "const x = c.getContext('2d').getImageData(0, 0, w, c.height).data;"
        "let n = 0, u = 0, v = 0; for (let i = 0; i < x.length; i += 4)"
        "if (x[i] > 250 && x[i + 1] < 5 && x[i + 2] > 250)"
        "{ n++; u += (i / 4) % w; v += Math.floor(i / 4 / w); }"
        "const b = c.getBoundingClientRect(), s = b.width / w;"
        "return [n, b.left + s * (u / n + 0.5), b.top + s * (v / n + 0.5)]; }",
        name,
    )


@pytest.mark.slow
def test_without_webgl_it_is_drawn_on_a_plain_canvas(flat, runs):
    assert flat.evaluate("viewer.stage.isFlat")
    flat.evaluate("viewer.setLayers({joints: false, ghost: false})")
    for t in (1.0, 3.0):
        flat.evaluate(f"viewer.seek({t})")
        now = runs[0].at(t).values("load.position")
        np.testing.assert_allclose(flat.evaluate("viewer.pose('load')")[:3], now, atol=4e-4)
        number, x, y = seen(flat, "load")
        assert number > 100
        np.testing.assert_allclose((x, y), flat.evaluate("viewer.screen('load')"), atol=2.0)
        flat.mouse.click(x, y)
        assert flat.evaluate("viewer.selected.name") == "load"


def test_a_still_has_no_clock(opened, crane, folder):
    file = jd.show(crane, folder / "still.html", start={"rail.position": 0.25}).path
    with opened(file) as page:
        assert page.locator(".bar").count() == 0
        assert page.evaluate("viewer.pose('cart')")[0] == pytest.approx(0.25, abs=1e-4)


def test_a_notebook_shows_it(opened, runs, folder):
    frame = jd.animate(runs[0], plots=[])._repr_html_()
    file = folder / "notebook.html"
    script = (
        "<script>addEventListener('load', () => { window.viewer = frames[0].viewer; })</script>"
    )
    file.write_text(f"<!DOCTYPE html><body>{frame}{script}", encoding="utf-8")
    with opened(file) as page:
        assert page.evaluate("viewer.pose('cart')")[2] == pytest.approx(3.0, abs=1e-4)


@pytest.mark.slow
def test_a_report_has_the_view_and_the_curves(opened, runs, folder):
    file = jd.report(runs[0], folder / "report.html", text="Ten words.").path
    with opened(file) as page:
        assert page.locator("#charts .chart").count() == 3
        page.evaluate("viewer.seek(2.0)")
        now = runs[0].at(2.0).values("cart.position")
        np.testing.assert_allclose(page.evaluate("viewer.pose('cart')")[:3], now, atol=4e-4)
        assert page.locator("canvas").bounding_box()["width"] > 300


@pytest.mark.slow
def test_up_is_against_gravity(opened, folder):
    model = jd.Model("sideways", gravity=(0, -9.81, 0))
    model.add_body("ball", jd.solid.ball(1.0, 0.1))
    sol = jd.simulate(model, 0.5, start={"ball.position": (1.0, 2.0, 0.0)})
    with opened(jd.animate(sol, folder / "sideways.html").path) as page:
        drop = page.evaluate(
            "[0, 0.5].map(t => { viewer.seek(t); const b = viewer.machine.bodies[0].object;"
            "b.updateWorldMatrix(true, false); return b.matrixWorld.elements.slice(12, 15); })"
        )
        np.testing.assert_allclose(
            np.subtract(drop[1], drop[0]), (0, 0, -0.5 * 9.81 * 0.25), atol=1e-3
        )


@pytest.mark.slow
def test_a_picture_is_taken_without_controls(chromium, runs, folder):
    wishes = {"t": 1.0, "size": (320, 200), "browser": chromium}
    file = jd.render(runs[0], folder / "shot.png", colours={"load": "#ff0000"}, **wishes)
    with Image.open(file) as opened:
        image = np.asarray(opened.convert("RGB")).astype(int)
    assert image.shape == (200, 320, 3)
    assert (image[..., 0] - image[..., 2]).max() > 100
