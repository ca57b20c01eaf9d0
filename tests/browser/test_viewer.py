"""The page of a run, used by mouse and keyboard."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

TIMES = (0.37, 1.9, 3.61)


def picture(place):
    return np.asarray(Image.open(io.BytesIO(place.screenshot())).convert("RGB")).astype(int)


def time_of(page):
    return page.evaluate("viewer.time")


@pytest.fixture(autouse=True)
def start(page):
    page.evaluate(
        "viewer.toggle(false); viewer.setSpeed(1); viewer.seek(0); viewer.select(null);"
        "viewer.look('home');"
        "viewer.setLayers({forces: false, frames: false, ghost: true, glass: false})"
    )
    page.mouse.move(2, 300)


def test_something_is_seen_and_it_moves(page):
    canvas = page.locator("canvas")
    first = picture(canvas)
    page.evaluate("viewer.seek(1.2)")
    page.wait_for_timeout(200)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 200
    assert np.count_nonzero(np.abs(first - picture(canvas)).max(axis=-1) > 30) > 500


@pytest.mark.parametrize("t", TIMES)
def test_bodies_stand_where_the_solution_has_them(page, runs, t):
    page.evaluate(f"viewer.seek({t})")
    size = page.evaluate("viewer.data.size")
    for k, sol in enumerate(runs):
        now = sol.at(t)
        for name in ("cart", "rope", "load"):
            pose = np.array(page.evaluate(f"viewer.pose('{name}', {k})"))
            assert np.abs(pose[:3] - now.values(f"{name}.position")).max() < 1e-4 * size
            exact = now.values(f"{name}.orientation")
            assert np.abs(pose[3:] * np.sign(pose[3:] @ exact) - exact).max() < 1e-4


@pytest.mark.parametrize("t", TIMES)
def test_what_stretches_ends_at_its_places(page, runs, t):
    page.evaluate(f"viewer.seek({t})")
    now = runs[0].at(t)
    ends = page.evaluate(
        "viewer.machine.stretches.map(s => s.points.map(p => viewer.machine.place(p).toArray()))"
    )
    cart, load = now.values("cart.position"), now.values("load.position")
    expected = [
        [(-1.2, 0, 3), cart - (0.3, 0, 0)],
        [(2.4, 0, 3), cart - (-0.3, 0, 0)],
        [(0, 1, 3), load],
    ]
    np.testing.assert_allclose(ends, np.array(expected, dtype=float), atol=4e-4)


@pytest.mark.parametrize("t", TIMES)
def test_arrows_show_the_forces_in_world_axes(page, runs, t):
    page.evaluate(f"viewer.setLayers({{forces: true}}); viewer.seek({t})")
    found = page.evaluate(
        "(() => { const a = viewer.machine.arrows.find(a => a.name === 'hook');"
        "const z = a.group.position.clone().set(0, 0, 1).applyQuaternion(a.group.quaternion);"
        "return [z.toArray(), a.length, a.group.position.toArray()]; })()"
    )
    now = runs[0].at(t)
    mass, g = 20.0, np.array((0, 0, -9.81))
    force = mass * (now.values("load.acceleration") - g)  # on the load, by Newton
    np.testing.assert_allclose(np.array(found[0]) * found[1], force, atol=2e-3 * 200)
    np.testing.assert_allclose(found[2], now.values("load.position"), atol=4e-4)


def test_it_plays_and_stops_by_mouse_and_by_key(page, wait):
    page.get_by_label("play or pause").click()
    wait(page, "viewer.time > 0.1")
    page.keyboard.press("Escape")
    page.locator("canvas").focus()
    page.keyboard.press("Space")
    stopped = time_of(page)
    page.wait_for_timeout(150)
    assert time_of(page) == stopped > 0.1
    page.keyboard.press("Space")
    wait(page, f"viewer.time > {stopped}")


def test_it_loops_or_stays_at_the_end(page, wait):
    page.evaluate("viewer.setLoop(false); viewer.seek(3.95); viewer.setSpeed(5); viewer.toggle()")
    wait(page, "!viewer.playing")
    assert time_of(page) == 4.0
    page.keyboard.press("l")
    page.evaluate("viewer.seek(3.95); viewer.toggle(true)")
    wait(page, "viewer.time < 3.9")
    page.evaluate("viewer.setSpeed(1)")


def test_keys_step_and_change_the_speed(page):
    page.locator("canvas").focus()
    for key, expected in (("ArrowRight", 1), ("Shift+ArrowRight", 11), ("ArrowLeft", 10)):
        page.keyboard.press(key)
        assert time_of(page) == pytest.approx(expected * page.evaluate("viewer.data.step"))
    page.keyboard.press("End")
    assert time_of(page) == 4.0
    page.keyboard.press("Home")
    assert time_of(page) == 0.0
    page.keyboard.press("-")
    assert page.evaluate("viewer.speed") == 0.5
    page.get_by_label("speed").select_option("1")
    assert page.evaluate("viewer.speed") == 1


def cursor(page, k):
    """Place of the cursor of a chart, from the left edge to the right as 0 to 1."""
    return page.evaluate(
        f"(() => {{ const p = viewer.charts.panels[{k}], b = p.frame.getBoundingClientRect();"
        "const x = p.cursor.getBoundingClientRect().left - b.left;"
        "return (x - p.across(0)) / (p.across(4) - p.across(0)); })()"
    )


def test_the_slider_and_the_curves_are_one_clock(page):
    slider = page.get_by_label("time", exact=True)
    box = slider.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    assert time_of(page) == pytest.approx(2.0, abs=0.05)
    for k in range(2):
        assert cursor(page, k) == pytest.approx(time_of(page) / 4.0, abs=0.004)
    box = page.locator(".frame").nth(1).bounding_box()
    left, right = page.evaluate("[0, 4].map(t => viewer.charts.panels[1].across(t))")
    page.mouse.click(box["x"] + left + 0.25 * (right - left), box["y"] + 20)
    assert time_of(page) == pytest.approx(1.0, abs=0.01)
    assert float(slider.input_value()) == pytest.approx(time_of(page))
    assert cursor(page, 0) == pytest.approx(0.25, abs=0.004)


def test_curves_tell_the_values_of_both_runs(page, runs):
    page.evaluate("viewer.seek(1.5)")
    texts = page.locator(".curve").all_text_contents()
    assert texts[0].startswith("rail.position, this run ")
    assert texts[1].startswith("rail.position, other run ")
    for text, sol in zip(texts, runs, strict=False):
        value = float(text.split()[-2].replace("−", "-"))
        assert value == pytest.approx(float(sol.at(1.5).values("rail.position")), abs=1e-3)


@pytest.mark.parametrize(
    ("name", "word"), [("cart", "body"), ("load", "body"), ("spring", "spring"), ("line", "rope")]
)
def test_names_are_told_below_the_pointer(page, name, word):
    page.evaluate("viewer.seek(1.0)")
    page.wait_for_timeout(50)
    x, y = page.evaluate(f"viewer.screen('{name}')")
    page.mouse.move(x - 1, y)
    page.mouse.move(x, y)
    tip = page.locator(".tip")
    tip.wait_for()
    assert tip.text_content() == f"{name}{word}"
    page.mouse.move(4, 300)
    tip.wait_for(state="hidden")


def card(page):
    rows = page.locator(".card tr").all_text_contents()
    cells = page.locator(".card tr td:nth-child(2)").all_text_contents()
    return dict(zip((r.split(c)[0] for r, c in zip(rows, cells, strict=True)), cells, strict=True))


def number(text):
    return float(text.replace("−", "-"))


def test_a_click_selects_and_shows_live_values(page, runs):
    page.evaluate("viewer.seek(1.0)")
    page.wait_for_timeout(50)
    page.mouse.click(*page.evaluate("viewer.screen('load')"))
    assert page.locator(".card h2").text_content().startswith("load")
    for t in TIMES:
        page.evaluate(f"viewer.seek({t})")
        now, shown = runs[0].at(t), card(page)
        for k, axis in enumerate("xyz"):
            for quantity in ("position", "velocity"):
                exact = now.values(f"load.{quantity}")[k]
                assert number(shown[f"{quantity} {axis}"]) == pytest.approx(exact, abs=4e-3)
        spin = np.linalg.norm(now.values("load.angular_velocity"))
        assert number(shown["turning"]) == pytest.approx(spin, abs=4e-3)
    page.keyboard.press("Escape")
    assert page.locator(".card").is_hidden()


def test_keys_and_the_list_select(page, runs):
    page.locator("canvas").focus()
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.evaluate("viewer.selected.name") == "rope"
    page.keyboard.press("p")
    assert page.evaluate("viewer.selected.name") == "cart"
    row = page.locator(".item > button:first-child", has_text="pivot")
    row.focus()
    page.keyboard.press("Enter")
    assert row.get_attribute("aria-pressed") == "true"
    page.evaluate("viewer.seek(1.9)")
    now = runs[0].at(1.9)
    assert number(card(page)["angle 2"]) == pytest.approx(
        float(now.values("pivot.angle_2")), abs=2e-4
    )
    force = now.values("pivot.force")
    assert number(card(page)["force z"]) == pytest.approx(force[2], abs=1e-3 * abs(force[2]))


def test_events_lead_to_their_times(page, runs):
    rows = page.locator(".side button.event")
    assert rows.count() == len(runs[0].events) >= 2
    if not rows.nth(1).is_visible():  # events of one name are folded
        page.locator(".side .events .run > summary").first.click()
    rows.nth(1).click()
    assert time_of(page) == pytest.approx(runs[0].events[1].time, abs=1e-12)
    assert "now" in rows.nth(1).get_attribute("class")


def test_a_drag_turns_the_view_and_r_turns_it_back(page):
    before = page.evaluate("viewer.stage.camera.position.toArray()")
    page.mouse.move(350, 150)
    page.mouse.down()
    page.mouse.move(450, 190, steps=4)
    page.mouse.up()
    turned = page.evaluate("viewer.stage.camera.position.toArray()")
    assert np.abs(np.subtract(before, turned)).max() > 0.3
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(100)
    page.keyboard.press("r")
    back = page.evaluate("viewer.stage.camera.position.toArray()")
    np.testing.assert_allclose(back, before, atol=1e-9)


def test_a_right_drag_shifts_the_view_and_the_wheel_comes_nearer(page):
    look = "[viewer.stage.camera.position.toArray(), viewer.stage.controls.target.toArray()]"
    eye, target = (np.array(x) for x in page.evaluate(look))
    page.mouse.move(350, 150)
    page.mouse.down(button="right")
    page.mouse.move(430, 180, steps=4)
    page.mouse.up(button="right")
    page.wait_for_timeout(100)
    shifted_eye, shifted = (np.array(x) for x in page.evaluate(look))
    assert np.linalg.norm(shifted - target) > 0.05
    np.testing.assert_allclose(shifted_eye - eye, shifted - target, atol=1e-6)
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(100)
    near_eye, near = (np.array(x) for x in page.evaluate(look))
    assert np.linalg.norm(near_eye - near) < 0.95 * np.linalg.norm(shifted_eye - shifted)
    page.keyboard.press("r")


def test_the_camera_follows_what_is_selected(page, runs):
    page.evaluate("viewer.select(viewer.machine.bodies[2]); viewer.setLayers({follow: true})")
    places = [
        page.evaluate(f"viewer.seek({t}), viewer.stage.camera.position.toArray()") for t in TIMES
    ]
    load = np.array([runs[0].at(t).values("load.position") for t in TIMES])
    np.testing.assert_allclose(np.diff(places, axis=0), np.diff(load, axis=0), atol=8e-4)
    page.keyboard.press("c")
    still = page.evaluate("viewer.seek(0), viewer.stage.camera.position.toArray()")
    np.testing.assert_allclose(still, places[-1], atol=1e-9)


def test_layers_are_switched(page):
    for key, layer in {"j": "joints", "f": "frames", "x": "glass", "g": "ghost"}.items():
        before = page.evaluate(f"viewer.layers.{layer}")
        page.keyboard.press(key)
        assert page.evaluate(f"viewer.layers.{layer}") is not before
        page.keyboard.press(key)
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Forces").check()
    assert page.locator(".legend").text_content().startswith("force: 0.5 m (a square) = ")
    page.get_by_text("View", exact=True).click()


def test_light_and_dark(page):
    light = picture(page).mean()
    page.keyboard.press("d")
    page.wait_for_timeout(150)
    assert picture(page).mean() < light - 80
    page.keyboard.press("d")
