from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

import jourdain as jd


def image(path):
    with Image.open(path) as opened:
        return np.asarray(opened.convert("RGB")).astype(int)


@pytest.fixture(scope="module")
def at_times(solution, tmp_path_factory):
    folder = tmp_path_factory.mktemp("film")
    files = [jd.render(solution, folder / f"{t}.png", t=t, size=(80, 60)) for t in (0.0, 1.0)]
    return [image(file) for file in files]


def test_a_picture_has_the_size_and_shows_the_moment(at_times):
    assert at_times[0].shape == (60, 80, 3)
    assert np.abs(at_times[0] - at_times[1]).max() > 50


def test_the_end_is_shown_by_default(solution, tmp_path):
    end, late = (
        image(jd.render(solution, tmp_path / f"{k}.png", t=t, size=(80, 60)))
        for k, t in enumerate((None, 4.0))
    )
    np.testing.assert_array_equal(end, late)


def test_colours_and_ways_are_drawn(solution, tmp_path):
    wishes = {"t": 2.0, "size": (80, 60), "colours": {"load": "#ff0000"}}
    plain = image(jd.render(solution, tmp_path / "a.png", **wishes))
    traced = image(jd.render(solution, tmp_path / "b.png", traces=["load"], **wishes))
    assert (plain[..., 0] - plain[..., 2]).max() > 100
    assert np.count_nonzero(plain != traced) > 100


def test_a_gif_has_all_pictures_and_moves(solution, tmp_path):
    file = jd.render(solution, tmp_path / "film.gif", fps=5.0, speed=4.0, size=(64, 48))
    with Image.open(file) as film:
        assert (film.n_frames, film.size, film.info["duration"]) == (5, (64, 48), 200)
        film.seek(4)
        last = np.asarray(film.convert("RGB")).astype(int)
    assert np.abs(last - image(file)).max() > 50


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_an_mp4_has_all_pictures(solution, tmp_path):
    file = jd.render(solution, tmp_path / "film.mp4", fps=5.0, speed=4.0, size=(65, 48))
    assert file.read_bytes()[4:8] == b"ftyp"


def test_the_pictures_go_to_ffmpeg_as_they_are(solution, tmp_path, monkeypatch):
    calls = []

    def run(command, **options):
        calls.append((command, options["input"]))
        return subprocess.CompletedProcess(command, 0, b"", b"")

    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(subprocess, "run", run)
    jd.render(solution, tmp_path / "film.mp4", fps=5.0, speed=4.0, size=(65, 48))
    ((command, pictures),) = calls
    assert command[0] == "/bin/ffmpeg"
    assert command[command.index("-video_size") + 1] == "64x48"  # even, as the coding wants it
    assert len(pictures) == 5 * 64 * 48 * 3
