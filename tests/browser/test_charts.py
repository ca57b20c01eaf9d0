"""Curves of a page and the looks of its bodies, by mouse and keyboard."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def run():
    """A spring pendulum in a plane, with small sideways motion: ranges differ."""
    model = jd.Model("bob")
    bob = model.add_body("bob", jd.solid.ball(200.0, 0.1), colour="#aa3377", opacity=0.5)
    stand = model.add_body("stand", jd.solid.box(0.0, (0.1, 0.1, 0.1)))
    model.add_joint("foot", model.world, stand, jd.Fixed())
    line = jd.Distance(model.world.at(0, 0, 2), bob)
    model.add_connection("spring", line, jd.Spring(4e4, free=1.0))
    start = {"bob.position": (0.2, 0, 0.9), "bob.velocity": (0, 1e-3, 0)}
    turns = {"turn": lambda t, s: s["bob.velocity.x"]}
    return jd.simulate(model, 8.0, start=start, events=turns, sample=0.002)


@pytest.fixture(scope="module")
def page(run, opened, folder):
    plots = ["bob.position", "spring.force"]
    with opened(jd.animate(run, folder / "bob.html", plots=plots).path, size=(1100, 800)) as made:
        yield made


@pytest.fixture(autouse=True)
def start(page):
    page.evaluate("viewer.seek(0); viewer.select(null); viewer.charts.look(0, 8)")
    page.mouse.move(3, 3)


def titles(page):
    return page.locator(".chart .axis").all_text_contents()


def window(page):
    return page.evaluate("viewer.charts.window")


def test_components_of_unlike_size_are_apart_and_units_suit(page):
    assert titles(page) == ["bob.position x, z [m]", "bob.position y [mm]", "spring.force [kN]"]
    value = page.locator(".chart").nth(2).locator("b").text_content()
    assert value.endswith(" kN")


def test_a_drag_with_shift_comes_nearer_and_a_double_click_shows_all(page):
    frame = page.locator(".frame").first
    box = frame.bounding_box()
    left, right = page.evaluate("[0, 8].map(t => viewer.charts.panels[0].across(t))")
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + left + 0.25 * (right - left), box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + left + 0.5 * (right - left), box["y"] + 25, steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    np.testing.assert_allclose(window(page), (2.0, 4.0), atol=0.02)
    frame.dblclick(position={"x": 300, "y": 20})
    assert window(page) == [0, 8]


def test_keys_and_the_wheel_come_nearer(page):
    page.evaluate("viewer.seek(2)")
    page.keyboard.press("z")
    np.testing.assert_allclose(window(page), (1.0, 5.0))
    page.keyboard.press("u")
    assert window(page) == [0, 8]
    box = page.locator(".frame").first.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 20)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_timeout(50)
    begin, end = window(page)
    assert end - begin == pytest.approx(8.0 / 1.2, rel=1e-6)


def test_a_spectrum_has_its_peak_where_the_mass_swings_on_the_spring(page):
    page.get_by_role("button", name="spectrum: spring.force").click()
    found = page.evaluate(
        "(() => { const [{xs, ys}] = viewer.charts.panels[2].lines; let k = 0;"
        "ys.forEach((y, i) => { if (y > ys[k]) k = i; }); return [xs[k], xs[1]]; })()"
    )
    peak, step = found
    exact = np.sqrt(4e4 / 200.0) / (2.0 * np.pi)
    assert peak == pytest.approx(exact, abs=1.5 * step)
    assert titles(page)[2] == "spring.force [kN], amplitudes"
    page.keyboard.press("s")
    page.keyboard.press("s")
    page.get_by_role("button", name="spectrum: spring.force").click()
    assert titles(page)[2] == "spring.force [kN]"


def test_the_amplitude_of_a_spectrum_is_that_of_the_sine(page):
    found = page.evaluate(
        "(() => { const xs = Float64Array.from({length: 4001}, (_, k) => k / 500);"
        "const curve = {xs, ys: xs.map(t => 5 + 3 * Math.sin(2 * Math.PI * 16 * t)), label: 's'};"
        "const c = viewer.charts, p = c.panels[0]; const kept = p.curves; p.curves = [curve];"
        "p.isSpectrum = true; const [{xs: f, ys}] = c.lines(p); p.isSpectrum = false;"
        "p.curves = kept; let k = 0; ys.forEach((y, i) => { if (y > ys[k]) k = i; });"
        "return [f[k], ys[k]]; })()"
    )
    np.testing.assert_allclose(found, (16.0, 3.0), rtol=0.02)


def saved(page, press):
    with page.expect_download() as found:
        press()
    return found.value


def test_numbers_and_pictures_are_saved(page, run):
    file = saved(page, page.get_by_role("button", name="save the numbers: spring.force").click)
    assert file.suggested_filename == "spring.force.csv"
    with open(file.path(), encoding="utf-8", newline="") as text:
        rows = list(csv.reader(text))
    assert rows[0] == ["time [s]", "spring.force [N]"]
    table = np.array(rows[1:], dtype=float)
    np.testing.assert_array_equal(table[:, 0], run.time)
    np.testing.assert_allclose(table[:, 1], run.values("spring.force"), rtol=1e-6)
    button = page.get_by_role("button", name="save the picture: spring.force")
    with open(saved(page, button.click).path(), encoding="utf-8") as text:
        drawing = text.read()
    assert drawing.startswith("<svg")
    assert "stroke" in drawing
    from PIL import Image

    file = saved(page, page.get_by_role("button", name="save a picture", exact=True).click)
    with open(file.path(), "rb") as data, Image.open(io.BytesIO(data.read())) as image:
        assert image.size[0] > 500


def test_charts_are_chosen_on_the_page_and_taken_away(page):
    page.locator(".item > button:first-child", has_text="spring").first.click()
    page.get_by_role("button", name="chart of spring.value").click()
    assert titles(page)[-1] == "spring.value [m]"
    page.locator(".item > button:first-child", has_text="bob").click()
    page.get_by_role("button", name="chart of bob.position.z").click()
    assert len(titles(page)) == 5
    page.get_by_role("button", name="remove: bob.position.z").click()
    page.get_by_role("button", name="remove: spring.value").click()
    assert len(titles(page)) == 3


def test_where_points_are_dense_an_envelope_is_drawn(page):
    assert page.locator(".envelope").count() == 0
    page.evaluate(
        "(() => { const n = 60000, xs = Float64Array.from({length: n}, (_, k) => (8 * k) / n);"
        "viewer.charts.toggle('a', 'dense', 'm', {xs, ys: xs.map(t => Math.sin(500 * t))}); })()"
    )
    assert page.locator(".envelope").count() == 1
    page.evaluate("viewer.charts.look(1, 1.2)")
    assert page.locator(".envelope").count() == 0
    page.evaluate("viewer.charts.toggle('a', 'dense', 'm', {})")


def visible(page, name):
    return page.evaluate(
        f"viewer.machine.things.find(x => x.name === '{name}').meshes.every(m => m.visible)"
    )


def test_eyes_hide_and_show(page):
    eye = page.get_by_role("button", name="eye of bob")
    eye.click()
    assert not visible(page, "bob")
    assert visible(page, "stand")
    assert eye.get_attribute("aria-pressed") == "false"
    page.evaluate("viewer.select(viewer.machine.bodies[0])")
    page.keyboard.press("h")
    assert visible(page, "bob")
    both = page.get_by_role("button", name="eye of 2 parts").first
    both.click()
    assert not visible(page, "bob")
    assert not visible(page, "stand")
    both.click()
    assert visible(page, "bob")


def test_colour_and_opacity_come_from_the_model_and_are_changed_on_the_page(page):
    look = (
        "(() => { const p = viewer.machine.bodies[0].paint;"
        "return [p.tint.getHexString(), p.opacity]; })()"
    )
    assert page.evaluate(look) == ["aa3377", 0.5]
    page.evaluate("viewer.select(viewer.machine.bodies[0])")
    page.get_by_label("opacity", exact=True).fill("0.8")
    page.get_by_label("colour", exact=True).fill("#118833")
    assert page.evaluate(look) == ["118833", 0.8]
    page.keyboard.press("Escape")


def test_the_list_gives_colours_to_bodies_and_to_all_of_a_part(page):
    looks = (
        "viewer.machine.bodies.map(b => [b.paint.tint.getHexString(), b.paint.opacity,"
        "viewer.panel.rows.get(b).querySelector('.dot').style.background])"
    )
    page.get_by_role("button", name="colour of 2 bodies").click()
    page.get_by_label("colour of 2 bodies").and_(page.locator("input")).fill("#224466")
    page.get_by_label("opacity of 2 bodies").fill("0.4")
    assert page.evaluate(looks) == [["224466", 0.4, "rgb(34, 68, 102)"]] * 2
    page.get_by_role("button", name="colour of stand").click()
    page.get_by_label("opacity of stand").fill("1")
    assert [own[1] for own in page.evaluate(looks)] == [0.4, 1.0]
    page.get_by_role("button", name="colour of stand").click()
    assert page.get_by_label("opacity of stand").is_hidden()


def test_runs_of_events_are_folded_below_the_bodies(page, run):
    heads = page.locator(".side > details > summary").all_inner_texts()
    assert [head.split("\n")[0] for head in heads] == ["Bodies", "Joints", "Connections", "Events"]
    folded = page.locator(".side .events .run > summary")
    assert folded.count() == 1
    assert folded.inner_text().startswith(f"turn × {len(run.events)}")


@pytest.mark.parametrize("shape", ["cylinder", "tube", "cone"])
def test_nothing_round_has_fewer_than_twelve_sides(page, shape):
    size = {"cylinder": [1, 2], "tube": [0.5, 1, 2], "cone": [1, 2]}[shape]
    given = {"kind": shape, "size": size, "position": [0, 0, 0], "rotation": [0, 0, 0, 1]}
    found = page.evaluate(
        "(own) => { const { solids } = JourdainViewer;"
        "const made = solids.withDetail(0.1, () => solids.shape(own, []));"
        "return [...made.toNonIndexed().attributes.position.array]; }",
        given,
    )
    points = np.array(found).reshape(-1, 3)
    rim = points[np.hypot(points[:, 0], points[:, 1]) > 0.99]
    angles = np.round(np.degrees(np.arctan2(rim[:, 1], rim[:, 0])) % 359.99, 2)
    assert len(np.unique(angles)) >= 12


def test_a_machine_that_travels_is_seen_from_near_if_the_camera_follows(opened, folder):
    model = jd.Model("cart")
    cart = model.add_body("cart", jd.solid.box(1.0, (1.0, 0.5, 0.3)))
    model.add_joint("road", model.world, cart, jd.Prismatic("x"))
    sol = jd.simulate(model, 10.0, start={"road.velocity": 10.0})
    file = jd.animate(sol, folder / "cart.html", show=["follow"], plots=[]).path
    with opened(file, wishes="play=0&t=7") as own:
        eye = np.array(own.evaluate("viewer.stage.camera.position.toArray()"))
        assert np.linalg.norm(eye - (70.0, 0.0, 0.0)) < 6.0
        x, y = own.evaluate("viewer.screen('cart')")
        assert 100 < x < 800
        own.keyboard.press("c")
        own.keyboard.press("r")
        eye = np.array(own.evaluate("viewer.stage.camera.position.toArray()"))
        assert np.linalg.norm(eye - (50.0, 0.0, 0.0)) > 50.0


def test_labels_stand_where_the_bodies_are(page):
    page.keyboard.press("b")
    page.evaluate("viewer.seek(1.0)")
    page.wait_for_timeout(150)
    box = page.locator(".label", has_text="bob").bounding_box()
    x, y = page.evaluate("viewer.screen('bob')")
    assert abs(box["x"] + 0.5 * box["width"] - x) < 3
    assert abs(box["y"] + 0.5 * box["height"] - y) < 3
    page.keyboard.press("b")
    page.wait_for_timeout(150)
    assert page.locator(".label", has_text="bob").is_hidden()
