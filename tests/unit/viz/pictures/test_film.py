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


@pytest.fixture(scope="module")
def ffmpeg():
    found = shutil.which("ffmpeg")
    if found is None:
        coder = pytest.importorskip("imageio_ffmpeg", reason="ffmpeg is not installed")
        found = coder.get_ffmpeg_exe()
    return found


def frames(ffmpeg, file, size):
    """Pictures (n, height, width, 3) that a player would show."""
    command = [ffmpeg, "-loglevel", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, *size[::-1], 3).astype(int)


def test_an_mp4_has_its_size_its_rate_and_all_pictures(ffmpeg, solution, tmp_path):
    file = jd.render(solution, tmp_path / "film.mp4", fps=5.0, speed=4.0, size=(161, 120))
    about = subprocess.run([ffmpeg, "-i", file], capture_output=True, check=False).stderr.decode()
    assert "Video: h264" in about
    assert "160x120" in about  # even, as the coding wants it
    assert "5 fps" in about
    assert len(frames(ffmpeg, file, (160, 120))) == 5


def test_an_mp4_is_the_gif_in_another_coding(ffmpeg, solution, tmp_path):
    wishes = {"fps": 5.0, "speed": 4.0, "size": (160, 120)}
    shown = frames(ffmpeg, jd.render(solution, tmp_path / "film.mp4", **wishes), (160, 120))
    with Image.open(jd.render(solution, tmp_path / "film.gif", **wishes)) as film:
        for k in range(film.n_frames):
            film.seek(k)
            drawn = np.asarray(film.convert("RGB")).astype(int)
            assert np.abs(shown[k] - drawn).mean() < 4.0
            assert np.abs(shown[k] - drawn).mean() < 0.5 * np.abs(shown[k - 1] - drawn).mean()
