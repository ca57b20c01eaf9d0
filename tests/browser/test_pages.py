"""Pages of other kinds and on other screens."""

from __future__ import annotations

import io

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
            assert page.locator("img:not(.still img)").count() == 0  # but the report's picture


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


MASK = (  # where a body is seen, whatever draws
    "(name) => { const { machine, stage } = viewer, { paint } ="
    "machine.bodies.find(b => b.name === name), tint = paint.tint.clone();"
    "paint.tint.set(0, 0, 0); paint.glow.set(1, 0, 1); stage.changed = true; stage.render();"
    "const w = viewer.view.clientWidth, h = viewer.view.clientHeight;"
    "const pen = new OffscreenCanvas(w, h).getContext('2d');"
    "pen.drawImage(stage.canvas, 0, 0, w, h);"
    "paint.tint.copy(tint); paint.glow.set(0, 0, 0);"
    "const x = pen.getImageData(0, 0, w, h).data, found = [];"
    "for (let i = 0; i < x.length; i += 4)"
    "if (x[i] > 200 && x[i + 1] < 90 && x[i + 2] > 200) found.push(i / 4); return found; }"
)


@pytest.mark.slow
def test_without_a_graphics_card_the_same_is_seen(opened, written):
    with opened(written, size=(600, 400)) as page:
        page.evaluate("viewer.setLayers({ghost: false, joints: false}); viewer.seek(1.3)")
        page.evaluate("viewer.stage.look(40, -60)")  # the cart is before the rope, partly
        drawn, wide = {}, page.evaluate("viewer.view.clientWidth")
        for step in ("plain", "good"):
            page.evaluate(f"viewer.quality.fix('{step}')")
            drawn[step] = {b: set(page.evaluate(MASK, b)) for b in ("cart", "rope", "load")}
        assert page.evaluate("viewer.stage.soft !== viewer.stage.renderer")
        for own, other in zip(drawn["plain"].values(), drawn["good"].values(), strict=True):
            assert len(other) > 50
            for one, two in ((own, other), (other, own)):
                # edges differ by a point
                near = {k + i + wide * j for k in two for i in (-1, 0, 1) for j in (-1, 0, 1)}
                assert not one - near


@pytest.mark.slow
def test_bodies_too_small_to_be_seen_are_dots_with_names(opened, folder):
    model = jd.Model("away")
    start = {}
    for name, way in (("east", 40.0), ("west", -40.0)):
        model.add_body(name, jd.solid.box(1.0, (0.3, 0.2, 0.1)))
        start |= {f"{name}.position": (0.01 * way, 0, 1), f"{name}.velocity": (way, 0, 0)}
    sol = jd.simulate(model, 2.0, start=start)
    with opened(jd.animate(sol, folder / "away.html", plots=[]).path) as page:
        page.evaluate("viewer.seek(2.0)")
        page.wait_for_timeout(50)
        x, y = page.evaluate("viewer.screen('west')")
        shot = page.screenshot(clip={"x": x - 2, "y": y - 2, "width": 4, "height": 4})
        with Image.open(io.BytesIO(shot)) as image:
            colour = np.asarray(image.convert("RGB")).astype(int)[2, 2]
        assert np.ptp(colour) > 40  # not the grey of the floor
        page.mouse.move(x + 3, y)
        tip = page.locator(".tip")
        tip.wait_for()
        assert tip.text_content() == "westbody"


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
    wishes = {"t": 1.0, "size": (320, 400), "browser": chromium}
    file = jd.render(runs[0], folder / "shot.png", colours={"load": "#ff0000"}, **wishes)
    with Image.open(file) as opened:
        image = np.asarray(opened.convert("RGB")).astype(int)
    assert image.shape == (400, 320, 3)
    assert (image[..., 0] - image[..., 2]).max() > 100
    assert np.ptp(image[-40:], axis=1).max() > 10  # the floor reaches the lower edge


@pytest.mark.slow
def test_a_picture_of_a_run_that_stopped_short_is_marked(chromium, folder, monkeypatch):
    monkeypatch.setattr("jourdain.viz.pages.browser.installed", lambda: chromium)
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0.5, 0.0, 0.0)))
    model.add_joint("pin", model.world, rod, jd.Revolute("y"))
    with pytest.raises(jd.IntegrationError) as caught:
        jd.simulate(model, 1.0, inputs={"pin.angle": lambda t: jd.math.sqrt(0.5 - t)})
    file = jd.render(caught.value.solution, folder / "short.png", size=(320, 200))
    with Image.open(file) as opened:
        image = np.asarray(opened.convert("RGB")).astype(int)
    red = np.abs(image - (0xC0, 0x39, 0x2B)).max(axis=-1) < 9
    assert red[0].all()
    assert red[:, -1].all()
    assert red[5:30, 5:150].sum() > 100


@pytest.mark.slow
def test_parts_are_folded_under_their_names(opened, folder):
    model = jd.Model("many")
    plate = model.add_body("plate", jd.solid.box(mass=1.0, size=(1, 1, 0.1)))
    model.add_joint("guide", model.world, plate, jd.Prismatic("z"))
    for name, n in (("front", 2), ("rear", 12)):
        for k in range(n):
            leg = model.group(name).group("leg").group(str(k))
            body = leg.add_body("rod", jd.solid.ball(mass=0.1, radius=0.05))
            leg.add_joint("stroke", model.world.at(0.2 * k, 0, 0), body, jd.Prismatic("z"))
    spring = jd.Relative(model.world, plate, "z")
    model.add_connection("spring", spring, jd.Spring(10.0))
    made = jd.animate(jd.simulate(model, 0.1), folder / "many.html").path
    with opened(made, size=(1200, 800)) as page:
        names = page.locator(".side details.group > summary").all_inner_texts()
        assert [name.split("\n")[0] for name in names[:2]] == ["front.leg", "rear.leg"]
        groups = page.locator(".side details.group")
        assert not page.evaluate("document.querySelector('.side details.group').open")
        rows = groups.nth(1).locator("button span").all_text_contents()
        assert rows[:2] == ["0.rod", "1.rod"]
        page.evaluate("viewer.select(viewer.machine.things.find(x => x.name === 'rear.leg.3.rod'))")
        assert groups.nth(1).evaluate("box => box.open")
        heads = page.locator(".side > details > summary").all_inner_texts()
        assert [head.split("\n")[0] for head in heads] == ["Bodies", "Joints", "Connections"]
