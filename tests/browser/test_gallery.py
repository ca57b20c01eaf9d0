"""Scenes compared with stored pictures: not to the last point, for drivers differ.

``JOURDAIN_UPDATE=1`` stores new ones; look at them before they go into the repository.
"""

from __future__ import annotations

import base64
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import jourdain as jd
from jourdain.cli import demo, walker
from jourdain.model.elements import Frame
from jourdain.viz.drawables import Stretch

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


@pytest.mark.slow
@pytest.mark.parametrize("make", [arm, suspension, walking], ids=lambda make: make.__name__)
def test_scene_looks_as_it_did(make, opened, wait, folder):
    file = make().save(folder / f"{make.__name__}.html").path
    with opened(file, wishes="play=0&t=0.25&theme=light&quality=full", size=SIZE) as page:
        page.evaluate(f"viewer.view.style.height = '{SIZE[1]}px'")
        wait(page, f"viewer.stage.canvas.height === {SIZE[1]}")
        image = drawn(page)
    stored = REFERENCES / f"{make.__name__}.png"
    if os.environ.get("JOURDAIN_UPDATE") == "1":
        REFERENCES.mkdir(exist_ok=True)
        image.quantize(128).save(stored, optimize=True)
    with Image.open(stored) as opened_image:
        expected = np.asarray(opened_image.convert("RGB")).astype(int)
    found = np.asarray(image).astype(int)
    assert found.shape == expected.shape
    differing = np.abs(found - expected).max(axis=-1) > 48
    assert differing.mean() < 0.02, f"{differing.mean():.1%} of the points differ"
    assert len(np.unique(found.reshape(-1, 3), axis=0)) > 100
