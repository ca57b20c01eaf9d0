"""Care of drawing: it follows the time that frames take, and the motion does not depend on it."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

pytestmark = pytest.mark.slow
STEPS = ["full", "good", "plain", "quick", "least"]


@pytest.fixture(scope="module")
def swarm(folder):
    """Fifty bodies, each with a joint."""
    model = jd.Model("swarm")
    for k in range(50):
        bob = jd.solid.rod(1.0, (0, 0, -0.3)) + jd.solid.ball(1.0, 0.03, at=(0, 0, -0.3))
        body = model.add_body(f"bob_{k}", bob)
        model.add_joint(f"pivot_{k}", model.world.at(0.2 * (k % 10), 0.2 * (k // 10), 1), body,
                        jd.Revolute("y"))  # fmt: skip
    sol = jd.simulate(model, 1.0, start={f"pivot_{k}.angle": 0.02 * k for k in range(50)})
    return sol, jd.animate(sol, folder / "swarm.html", plots=[]).path


@pytest.fixture(scope="module")
def page(opened, swarm):
    with opened(swarm[1], size=(600, 400)) as made:
        yield made


def pace(page, start, intervals):
    """Names of the steps that a series of times between frames [ms] leads to."""
    return page.evaluate(
        "([start, intervals]) => { const names = [];"
        "const own = new viewer.quality.constructor((s) => names.push(s.name), start);"
        "for (const x of intervals) own.tick(x);"
        "return names; }",
        [start, intervals],
    )


def test_slow_frames_cost_care_and_quick_ones_give_it_back(page):
    assert pace(page, 0, [30.0] * 24) == ["good"]
    assert pace(page, 0, [30.0] * 24 + [16.7] * 200) == ["good"]
    assert pace(page, 0, [30.0] * 24 + [16.7] * 280) == ["good", "full"]
    assert pace(page, 0, [400.0] * 6) == ["plain"]
    assert pace(page, 0, [16.7] * 1000) == []
    assert pace(page, 0, ([900.0] + [16.7] * 23) * 3) == []  # something else took a moment


def test_what_was_too_much_is_not_tried_soon_again(page):
    good, bad = [16.7] * 264, [30.0] * 24
    assert pace(page, 3, good + bad + 5 * good) == ["plain", "quick"]
    assert pace(page, 3, good + bad + 9 * good) == ["plain", "quick", "plain"]


def test_care_comes_back_where_its_loss_does_not_help(page):
    assert pace(page, 0, [33.3] * 400) == [*STEPS[1:], "full"]  # a screen of 30 frames a second
    assert pace(page, 0, [60.0] * 24 + [40.0] * 24 + [20.0] * 24) == ["good", "plain"]
    assert pace(page, 3, [30.0] * 24 + [26.0] * 200) == ["least"]  # it helps a little


def test_without_a_graphics_card_it_begins_quickly(page):
    found = page.evaluate("[viewer.stage.isSlow, viewer.stage.isSmooth, viewer.quality.step.name]")
    assert found == [True, False, "plain"]


def test_bodies_stand_there_with_any_care(page, swarm):
    sol, _ = swarm
    exact = sol.at(0.6).values("bob_20.position"), sol.at(0.6).values("bob_49.orientation")
    triangles = {}
    for step in STEPS:
        page.evaluate(f"viewer.quality.fix('{step}'); viewer.seek(0.6); viewer.stage.render()")
        np.testing.assert_allclose(page.evaluate("viewer.pose('bob_20')")[:3], exact[0], atol=4e-4)
        np.testing.assert_allclose(page.evaluate("viewer.pose('bob_49')")[3:], exact[1], atol=4e-4)
        triangles[step] = page.evaluate("viewer.stage.renderer.info.render.triangles")
    assert triangles["quick"] < 7000
    assert triangles["full"] > 70_000
    assert triangles["least"] <= triangles["quick"] < triangles["plain"] < triangles["good"]
    page.evaluate("viewer.quality.fix('auto')")


def test_a_choice_of_the_menu_stays(page):
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Quality").select_option("least")
    assert page.evaluate("[viewer.quality.step.name, viewer.quality.fixed]") == ["least", True]
    assert page.evaluate("viewer.stage.canvas.width / viewer.view.clientWidth") == pytest.approx(
        0.6, abs=0.01
    )
    page.get_by_label("Quality").select_option("auto")
    assert not page.evaluate("viewer.quality.fixed")
    page.get_by_text("View", exact=True).click()


def test_nothing_is_drawn_while_nothing_happens(page, wait):
    page.evaluate("viewer.quality.fix('quick'); viewer.quality.fix('auto'); viewer.seek(0.5)")
    wait(page, "viewer.isResting && viewer.asked === undefined")
    assert page.evaluate("viewer.stage.canvas.width >= 2 * viewer.view.clientWidth")
    frames = page.evaluate("viewer.timing.frames")
    page.wait_for_timeout(200)
    assert page.evaluate("viewer.timing.frames") == frames
    page.evaluate("viewer.seek(0.7)")
    wait(page, f"viewer.timing.frames > {frames}")
    assert page.evaluate("viewer.stage.canvas.width <= viewer.view.clientWidth")


COUNT = (
    "() => new Promise((done) => { let n = 0, begin; const before = viewer.timing.frames;"
    "const frame = (now) => { begin ??= now; n++;"
    "if (now - begin > 500) done([n - 1, viewer.timing.frames - before]);"
    "else requestAnimationFrame(frame); }; requestAnimationFrame(frame); })"
)


def test_fifty_bodies_are_drawn_in_every_frame_of_the_browser(opened, swarm):
    """How many frames there are in a second is measured in the benchmark of the page."""
    with opened(swarm[1], wishes="play=1", size=(1280, 800)) as page:
        offered, drawn = page.evaluate(COUNT)
    assert offered > 1
    assert abs(drawn - offered) <= 1


def test_what_is_not_asked_for_is_not_made(opened, swarm):
    with opened(swarm[1], size=(600, 400)) as page:
        made = "[viewer.machine.arrows.length, Boolean(viewer.machine.quantities)]"
        assert page.evaluate(made) == [0, False]
        page.evaluate("viewer.setLayers({forces: true})")
        assert page.evaluate(made) == [50, True]


def test_a_wish_in_the_address_is_obeyed(opened, swarm):
    with opened(swarm[1], wishes="play=0&quality=good", size=(600, 400)) as page:
        assert page.evaluate("[viewer.quality.step.name, viewer.quality.fixed]") == ["good", True]
        assert page.evaluate("viewer.stage.isSmooth")


def test_a_fine_mesh_becomes_coarse_but_stays_in_place(opened, folder):
    trimesh = pytest.importorskip("trimesh")
    ring = trimesh.creation.torus(0.4, 0.1, 160, 60)
    ring.export(folder / "ring.stl")
    model = jd.Model("ring")
    model.add_body("ring", jd.solid.mesh(folder / "ring.stl", density=1000.0))
    look = (
        "(name) => { viewer.quality.fix(name);"
        "const g = viewer.machine.bodies[0].meshes[0].geometry;"
        "g.computeBoundingBox();"
        "const { min, max } = g.boundingBox;"
        "return [g.index.count / 3, [...min.toArray(), ...max.toArray()]]; }"
    )
    with opened(jd.show(model, folder / "ring.html").path) as page:
        (many, whole), (few, coarse) = (page.evaluate(look, name) for name in ("good", "least"))
    assert many == len(ring.faces) == 19_200
    assert 100 < few < 3000
    np.testing.assert_allclose(coarse, whole, atol=0.02)
