"""Mark of runs that have stopped short."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.pictures.stamp import stamped

RED = np.array([0xC0, 0x39, 0x2B]) / 255.0


def ink(image):
    return np.all(np.abs(image - RED) < 2e-3, axis=-1)


def test_the_mark_is_a_frame_and_a_word():
    plain = np.ones((180, 320, 3))
    image = stamped(plain)
    assert (plain == 1.0).all()
    found = ink(image)
    assert found[0].all() and found[-1].all() and found[:, 0].all() and found[:, -1].all()  # noqa: PT018
    word = found[3:10, 3:63]
    assert word.sum() == found[1:-1, 1:-1].sum()
    rows = ["".join(".#"[int(x)] for x in row[:11]) for row in word]
    assert rows == [
        "#####.#...#", "..#...##..#", "..#...#.#.#", "..#...#.#.#", "..#...#..##", "..#...#...#",
        "#####.#...#",
    ]  # fmt: skip


def test_a_picture_too_small_for_the_word_has_the_frame():
    assert ink(stamped(np.ones((8, 8, 3)))).sum() == 28


def test_pictures_of_runs_that_stopped_short_are_marked(tmp_path):
    image = pytest.importorskip("PIL.Image")
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0.5, 0.0, 0.0)))
    model.add_joint("pin", model.world, rod, jd.Revolute("y"))
    with pytest.raises(jd.IntegrationError) as caught:
        jd.simulate(model, 1.0, inputs={"pin.angle": lambda t: jd.math.sqrt(0.5 - t)})
    whole = jd.simulate(model, 0.2)
    for name, sol, marked in (("short", caught.value.solution, True), ("whole", whole, False)):
        jd.render(sol, tmp_path / f"{name}.png", size=(320, 180))
        pixels = np.asarray(image.open(tmp_path / f"{name}.png").convert("RGB")) / 255.0
        assert ink(pixels)[0].all() == marked
