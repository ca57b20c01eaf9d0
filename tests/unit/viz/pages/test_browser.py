from __future__ import annotations

import subprocess

import pytest

import jourdain as jd
from jourdain.viz.pages import browser
from jourdain.viz.pages.browser import installed


@pytest.fixture
def runs(monkeypatch):
    """Commands that were run; the browser leaves the picture of a made-up page."""
    commands = []

    def run(command, **options):
        commands.append(command)
        shot = next(part for part in command if part.startswith("--screenshot="))
        address = command[-1].partition("#")[0].removeprefix("file://")
        with open(address, encoding="utf-8") as page:
            content = page.read(15)
        with open(shot.removeprefix("--screenshot="), "w", encoding="utf-8") as file:
            file.write(content)
        return subprocess.CompletedProcess(command, 0, b"", b"")

    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(subprocess, "run", run)
    return commands


def test_the_browser_gets_the_page_the_moment_and_the_size(solution, tmp_path, runs):
    file = jd.render(solution, tmp_path / "a.png", t=1.5, size=(320, 200), browser="chromium")
    assert file.read_text() == "<!DOCTYPE html>"
    assert runs[0][0] == "/bin/chromium"
    assert "--window-size=320,200" in runs[0]
    assert runs[0][-1].endswith("#play=0&bare=320x200&t=1.5")


def test_only_root_does_without_the_sandbox(solution, tmp_path, runs, monkeypatch):
    for is_root in (True, False):
        monkeypatch.setattr(browser, "_is_root", lambda own=is_root: own)
        jd.render(solution, tmp_path / "a.png", browser="chromium", size=(64, 48))
    assert ["--no-sandbox" in command for command in runs] == [True, False]


def test_the_first_browser_that_is_there_takes_the_picture(solution, tmp_path, runs, monkeypatch):
    monkeypatch.setattr(browser.shutil, "which", lambda name: name == "google-chrome")
    assert installed() == "google-chrome"
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    assert installed() is None
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(browser, "installed", installed)
    assert jd.render(solution, tmp_path / "a.png").read_text() == "<!DOCTYPE html>"
    drawn = jd.render(solution, tmp_path / "b.png", browser=False, size=(64, 48))
    assert drawn.read_bytes().startswith(b"\x89PNG")
    assert len(runs) == 1


def test_where_the_browser_fails_the_picture_is_drawn(solution, tmp_path, monkeypatch):
    def fail(command, **options):
        return subprocess.CompletedProcess(command, 1, b"", b"no display")

    monkeypatch.setattr(browser, "installed", lambda: "chromium")
    monkeypatch.setattr(browser.shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", fail)
    file = jd.render(solution, tmp_path / "a.png", size=(64, 48))
    assert file.read_bytes().startswith(b"\x89PNG")
