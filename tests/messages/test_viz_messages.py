"""Texts of errors about pictures, pages and films."""

from __future__ import annotations

import builtins
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.viz.pages import browser


@pytest.fixture(scope="module")
def sol():
    model = jd.Model("fall")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    system = jd.compile(model, execution=jd.Plain())
    q, v = system.state({})
    return Solution(system, [0.0, 1.0], [q, q], [v, v])


def says(kind, text):
    return pytest.raises(kind, match="^" + re.escape(text))


def test_nothing_to_show():
    with says(jd.ModelError, "there is no solution to show. Give one, or a mapping of some."):
        jd.animate({})


def test_a_solution_without_samples(sol):
    empty = Solution(sol.system, [], np.zeros((0, 7)), np.zeros((0, 6)))
    with says(jd.ModelError, "the solution 'late' of model 'fall' has no samples to show."):
        jd.animate({"now": sol, "late": empty})


def test_a_solution_whose_model_is_lost(tmp_path):
    model = jd.Model("driven")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("hub", model.world, rod, jd.Revolute("z"), driven={"angle": lambda t: t * t})
    jd.simulate(model, 0.1).save(tmp_path / "run.nc")
    text = "The solution of model 'driven' was loaded from a file without its model"
    with says(jd.ModelError, text):
        jd.animate(jd.load(tmp_path / "run.nc"))


def test_a_layer_that_is_not_there(sol):
    text = (
        "show has no 'force'; there are frames, forces, torques, weights, glass, follow, labels. "
        "Did you mean 'forces'?"
    )
    with says(jd.ModelError, text):
        jd.animate(sol, show=["force"])


def test_a_theme_that_is_not_there(sol):
    with says(jd.ModelError, "the theme is 'grey': give one of auto, light, dark."):
        jd.animate(sol, theme="grey")


def test_a_speed_of_zero(sol):
    with says(jd.ModelError, "the speed is 0.0: give a number above zero, such as 0.5."):
        jd.animate(sol, speed=0.0)


def test_a_trace_of_nothing_known(sol):
    text = "no body 'bal' in model 'fall'. Bodies: ball. Did you mean 'ball'?"
    with says(jd.UnknownNameError, text):
        jd.animate(sol, traces=["bal"])


def test_a_trace_of_something_else(sol):
    text = (
        "cannot trace 3. Give a body or a frame of model 'fall' or its name, for example "
        "body.at(0.3, 0, 0)."
    )
    with says(jd.ModelError, text):
        jd.animate(sol, traces=[3])


def test_a_page_that_cannot_be_written(sol, tmp_path):
    file = tmp_path / "none" / "page.html"
    with says(jd.FormatError, f"cannot write '{file}': No such file or directory. Give a folder"):
        jd.animate(sol, file)


def test_a_picture_of_unknown_kind(sol):
    text = "cannot draw 'a.bmp': its ending tells what to draw, one of .png, .gif and .mp4."
    with says(jd.ModelError, text):
        jd.render(sol, "a.bmp")


def test_a_moment_outside_the_run(sol):
    text = "t = 2 s lies outside the solution of model 'fall', which covers 0 s to 1 s."
    with says(jd.ModelError, text):
        jd.render(sol, "a.png", t=2.0)


def test_a_film_of_one_moment(sol):
    with says(jd.ModelError, "t = 0.5 s is one moment, but 'a.gif' is a film. Leave out t."):
        jd.render(sol, "a.gif", t=0.5)


def test_a_film_by_a_browser(sol):
    with says(jd.ModelError, "a browser takes pictures only, not 'a.gif'. Leave out browser."):
        jd.render(sol, "a.gif", browser="chromium")


def test_a_film_without_pictures(sol):
    with says(jd.ModelError, "fps is 0 and speed is None: give numbers above zero."):
        jd.render(sol, "a.gif", fps=0)


def test_a_picture_that_cannot_be_written(sol, tmp_path):
    file = tmp_path / "none" / "a.png"
    with says(jd.FormatError, f"cannot write '{file}': No such file or directory."):
        jd.render(sol, file, size=(16, 16))


def test_a_gif_without_pillow(sol, monkeypatch):
    original = builtins.__import__

    def without(name, *arguments):
        if name == "PIL":
            raise ImportError(name)
        return original(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    text = "GIF films need Pillow, which is not installed. Next: pip install 'jourdain[plot]'"
    with says(jd.MissingExtraError, text):
        jd.render(sol, "a.gif")


def test_an_mp4_without_ffmpeg(sol, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    text = (
        "MP4 films need ffmpeg, which is neither on the path nor installed with Python. Next: "
        "pip install 'jourdain[film]', or write a film that ends in .gif."
    )
    with says(jd.MissingExtraError, text):
        jd.render(sol, "a.mp4")


def test_an_mp4_that_ffmpeg_refuses(sol, monkeypatch, tmp_path):
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho no space left >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(program))
    with says(jd.FormatError, "cannot write 'a.mp4': ffmpeg says no space left."):
        jd.render(sol, "a.mp4", fps=2, size=(16, 16))


def test_a_browser_that_is_not_there(sol, monkeypatch):
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    text = (
        "there is no program 'lynx' to take the picture with. Next: install Chromium (Debian: "
        "apt install chromium), or leave out browser."
    )
    with says(jd.MissingExtraError, text):
        jd.render(sol, "a.png", browser="lynx")


@pytest.mark.parametrize("is_slow", [False, True])
def test_a_browser_that_takes_no_picture(sol, monkeypatch, is_slow):
    def run(command, **options):
        if is_slow:
            raise subprocess.TimeoutExpired(command, 60.0)
        return subprocess.CompletedProcess(command, 1, b"", b"no display")

    monkeypatch.setattr(browser.shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", run)
    why = "it took longer than 60 s" if is_slow else "no display"
    with says(jd.FormatError, f"'chromium' took no picture for 'a.png': {why}"):
        jd.render(sol, "a.png", browser="chromium")


def test_a_picture_of_a_browser_that_cannot_be_written(sol, monkeypatch, tmp_path):
    def run(command, **options):
        shot = next(part for part in command if part.startswith("--screenshot="))
        with open(shot.removeprefix("--screenshot="), "wb") as file:
            file.write(b"png")
        return subprocess.CompletedProcess(command, 0, b"", b"")

    monkeypatch.setattr(browser.shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", run)
    file = tmp_path / "none" / "a.png"
    with says(jd.FormatError, f"cannot write '{file}': No such file or directory."):
        jd.render(sol, file, browser="chromium")
