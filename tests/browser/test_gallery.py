"""Scenes compared with stored pictures: not to the last point, for drivers differ.

``JOURDAIN_UPDATE=1`` stores new ones; look at them before they go into the repository.
"""

from __future__ import annotations

import base64
import io
import os
import runpy
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import jourdain as jd
from jourdain.cli import demo, walker
from jourdain.model.elements import Frame
from jourdain.results import Solution
from jourdain.viz.shapes.drawables import Stretch

REFERENCES = Path(__file__).with_name("references")
SIZE = (420, 280)


def arm():
    """Bodies without shapes, all kinds of joints between."""
    model = jd.Model("arm")
    last = model.world.at(0, 0, 0.6)
    kinds = (
        jd.Revolute("z"), jd.Revolute("y"), jd.Prismatic("x"), jd.Universal("y", "z"),
        jd.Screw("x", 0.1), jd.Spherical(),
    )  # fmt: skip
    for k, kind in enumerate(kinds):
        link = model.add_body(f"link_{k}", jd.Inertia(1.0, com=(0.2, 0, 0)))
        model.add_joint(f"joint_{k}", last, link, kind)
        last = link.at(0.4, 0, 0)
    start = {"joint_1.angle": -0.5, "joint_2.position": 0.1, "joint_3.angle_1": 0.7}
    return jd.show(model, start=start)


def suspension():
    """Springs, dampers and ropes; forces and weights."""
    model = jd.Model("suspension")
    car = model.add_body("car", jd.solid.box(300.0, (1.2, 0.8, 0.2)))
    wheel = model.add_body("wheel", jd.solid.tube(20.0, 0.18, 0.3, 0.2, "y"))
    model.add_joint("lift", model.world.at(0, 0, 1.1), car, jd.Prismatic("z"))
    model.add_joint("axle", model.world.at(0, 0, 0.3), wheel, jd.Revolute("y"))
    hold = {"lift.position": 320.0 * 9.81}
    sol = jd.simulate(model, 0.3, start={"axle.rate": 3.0}, inputs=hold)
    ground, top = Frame("world", (-1, 0, 0)), Frame("world", (-1, 0, 1.5))
    extras = [
        Stretch("spring", "spring", (Frame("world", (0.4, -0.3, 0)), Frame("car", (0.4, -0.3, 0)))),
        Stretch("damper", "damper", (Frame("world", (-0.4, -0.3, 0)), Frame("car", (-0.4, 0, 0)))),
        Stretch("rope", "rope", (ground, top, "car.position")),
    ]
    return jd.animate(sol, extras=extras, show=["forces", "weights"], plots=[])


def walking():
    """Machine of the demonstration."""
    sol = demo._walk(jd.compile(walker.make_walker()), 0.0, 2.0)
    feet = [f"{leg.name}_foot" for leg in walker.legs()]
    return jd.animate(sol, traces=feet, colours=walker.colours(), plots=[])


def drawn(page):
    """The scene alone, on white."""
    text = page.evaluate("viewer.stage.render(), viewer.stage.canvas.toDataURL('image/png')")
    layer = Image.open(io.BytesIO(base64.b64decode(text.partition(",")[2]))).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer).convert("RGB")


def photograph(opened, wait, file, size, t):
    with opened(file, wishes=f"play=0&t={t!r}&theme=light&quality=full", size=size) as page:
        page.evaluate(f"viewer.view.style.height = '{size[1]}px'")
        wait(page, f"viewer.stage.canvas.height === {size[1]}")
        return drawn(page)


def compare(image, name):
    """Assert that a picture is like the stored one, up to what drivers and edges differ in."""
    stored = REFERENCES / f"{name}.png"
    if os.environ.get("JOURDAIN_UPDATE") == "1":
        REFERENCES.mkdir(exist_ok=True)
        image.quantize(128).save(stored, optimize=True)
    found = np.asarray(image).astype(int)
    assert len(np.unique(found.reshape(-1, 3), axis=0)) > 100
    if not stored.exists():
        pytest.skip(f"no picture of {name!r} is stored; JOURDAIN_UPDATE=1 stores one")
    with Image.open(stored) as opened_image:
        expected = np.asarray(opened_image.convert("RGB")).astype(int)
    assert found.shape == expected.shape
    differing = np.abs(found - expected).max(axis=-1) > 48
    assert differing.mean() < 0.02, f"{differing.mean():.1%} of the points differ"


@pytest.mark.slow
@pytest.mark.parametrize("make", [arm, suspension, walking], ids=lambda make: make.__name__)
def test_scene_looks_as_it_did(make, opened, wait, folder):
    file = make().save(folder / f"{make.__name__}.html").path
    compare(photograph(opened, wait, file, SIZE, 0.25), make.__name__)


STORED = sorted(REFERENCES.glob("example_*.png"))
EXAMPLES = [Path(__file__).parents[2] / "examples" / f"{p.stem[8:]}.py" for p in STORED]
CHOSEN = {
    "pile": lambda variables: variables["standing"](),
    "slider_crank": lambda variables: variables["run"]()[1],
    "stick_and_slip": lambda variables: variables["thrown_ball"](),
}


def page_of(path):
    """Page of the first run of an example, or of its model; None where it has nothing to draw."""
    variables = runpy.run_path(str(path))
    kept = [CHOSEN[path.stem](variables)] if path.stem in CHOSEN else list(variables.values())
    for run in kept:
        if isinstance(run, Solution) and run.model.bodies:
            return jd.animate(run, plots=[]), 0.4 * float(run.time[-1])
    models = (own for own in kept if isinstance(own, jd.Model) and own.bodies)
    return next(((jd.show(model), 0.0) for model in models), None)


def test_ten_machines_of_the_gallery_are_compared():
    assert len(EXAMPLES) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_page_of_an_example_looks_as_it_did(path, opened, wait, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write where they are run
    made = page_of(path)
    if made is None:
        pytest.skip("it has no bodies to draw")
    file = made[0].save(folder / f"{path.stem}.html").path
    compare(photograph(opened, wait, file, (360, 280), made[1]), f"example_{path.stem}")
