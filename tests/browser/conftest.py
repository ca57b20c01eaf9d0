"""Pages in Chromium without a window and without a network; left out where there is none."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import jourdain as jd
from jourdain.model.elements import Frame
from jourdain.viz.shapes.drawables import Line, Marker, Stretch

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
FLAGS = [
    "--headless", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    return CHROMIUM


@pytest.fixture(scope="session")
def browser(chromium):
    reason = "playwright is not installed"
    sync_api = pytest.importorskip("playwright.sync_api", reason=reason)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(
            executable_path=chromium, args=[*FLAGS, *(["--no-sandbox"] if root else [])]
        )
        yield made
        made.close()


def until(page, expression: str, patience: float = 20.0) -> None:
    """Wait until an expression is true; the page itself forbids scripts that wait for it."""
    end = time.monotonic() + patience
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(20)


@pytest.fixture(scope="session")
def wait():
    return until


@pytest.fixture(scope="session")
def opened(browser):
    """Context that opens a file and, at the end, asserts that nothing went wrong in it."""

    @contextmanager
    def open_file(path: Path, wishes: str = "play=0", size=(900, 600), before="", **options):
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, **options
        )
        context.add_init_script(before)
        page, troubles = context.new_page(), []
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        page.on("dialog", lambda dialog: troubles.append(f"dialog {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("file:", "data:", "blob:", "about:"))
                else troubles.append(request.url)
            ),
        )
        page.goto(f"{path.as_uri()}#{wishes}")
        until(page, "Boolean(window.viewer?.ready)")
        yield page
        assert troubles == []
        context.close()

    return open_file


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def crane():
    model = jd.Model("crane")
    cart = model.add_body("cart", jd.solid.box(mass=50.0, size=(0.6, 0.4, 0.2)))
    rope = model.add_body("rope", jd.solid.rod(mass=1.0, end=(0, 0, -2)))
    load = model.add_body("load", jd.solid.ball(mass=20.0, radius=0.2))
    model.add_joint("rail", model.world.at(0, 0, 3), cart, jd.Prismatic("x"))
    model.add_joint("pivot", cart, rope, jd.Universal("x", "y"))
    model.add_joint("hook", rope.at(0, 0, -2), load, jd.Spherical())
    return model


@pytest.fixture(scope="session")
def runs(crane):
    """A run with events, and another one to compare with."""
    start = {"pivot.angle_2": 0.5, "pivot.angle_1": 0.3, "rail.velocity": 0.5}
    events = {"turn": lambda t, s: s["pivot.rate_2"]}
    first = jd.simulate(crane, 4.0, start=start, events=events)
    return first, jd.simulate(crane, 4.0, start=start | {"pivot.angle_2": 0.3})


@pytest.fixture(scope="session")
def written(runs, folder):
    """Page with all there is to draw."""
    extras = [
        Stretch("spring", "spring", (Frame("world", (-1.2, 0, 3)), Frame("cart", (-0.3, 0, 0)))),
        Stretch("damper", "damper", (Frame("world", (2.4, 0, 3)), Frame("cart", (0.3, 0, 0)))),
        Stretch("line", "rope", (Frame("world", (0, 1, 3)), "load.position")),
        Line("edge", [(-1, 1, 0), (2, 1, 0), (2, -1, 0)]),
        Marker("spot", Frame("load", (0, 0, -0.2)), active="rail.position"),
    ]
    plots = ["rail.position", "pivot.angle_1", "pivot.angle_2"]
    return jd.animate(
        runs[0], folder / "crane.html", ghost=runs[1], plots=plots, traces=["load"], extras=extras,
        theme="light",
    ).path  # fmt: skip


@pytest.fixture(scope="module")
def page(opened, written):
    with opened(written) as made:
        yield made
