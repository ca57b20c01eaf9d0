from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

import jourdain as jd
from jourdain.cli import demo, walker


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Files and text of one run, with fewer positions."""
    folder = tmp_path_factory.mktemp("demo") / "new"
    text = io.StringIO()
    patch = pytest.MonkeyPatch()
    patch.setattr(demo, "N_CONFIGURATIONS", 2_000)
    files = demo.run(folder, Console(file=text, width=80))
    patch.undo()
    return files, text.getvalue()


def test_it_leaves_a_picture_and_a_page(ran):
    (picture, page), _ = ran
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_it_tells_structure_timings_and_files(ran):
    files, text = ran
    assert "walker: 20 bodies, 20 joints, no loops" in text
    assert "degrees of freedom: 1" in text
    assert "2,000 positions" in text
    assert all(file.name in text for file in files)


def test_no_line_is_wider_than_the_terminal_but_paths(ran):
    _, text = ran
    assert all(len(line) <= 80 for line in text.splitlines() if "walker." not in line)


def test_feet_on_the_ground_do_not_slip():
    system = jd.compile(walker.make_walker())
    times = np.linspace(0.0, walker.ROUND, 501)
    _, velocities = demo.feet_motion(system, *demo.motion(system, times))
    assert demo.slip(times, velocities) < 1e-13  # swinging feet reach 1.7 m/s
    assert np.linalg.norm(velocities, axis=-1).max() > 1.0


def test_stopwatch_keeps_the_order():
    watch = demo.Stopwatch()
    for name in ("second", "first"):
        with watch(name):
            pass
    assert list(watch.durations) == ["second", "first"]
    assert min(watch.durations.values()) >= 0.0
