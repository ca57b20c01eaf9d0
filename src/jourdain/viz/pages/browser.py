"""Pictures of pages, taken by a browser without a window."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from jourdain.errors import FormatError, MissingExtraError
from jourdain.results import Solution
from jourdain.viz.pages.content import Wishes, content
from jourdain.viz.pages.page import Page, filled

_FLAGS = (
    "--headless", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--virtual-time-budget=3000",
)  # fmt: skip
_PATIENCE = 60.0  # [s]
_NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)  # fmt: skip


def installed() -> str | None:
    """Name of a browser that is on this computer; None where there is none."""
    return next((name for name in _NAMES if shutil.which(name)), None)


def photograph(
    solution: Solution,
    file: Path,
    t: float,
    size: tuple[int, int],
    browser: str,
    wishes: Wishes,
) -> Path:
    """Take a picture of a moment [s] as the page shows it, without its controls.

    Raises
    ------
    MissingExtraError
        If the browser is not there.
    FormatError
        If it leaves no picture.
    """
    data = content({"": solution}, wishes)
    with tempfile.TemporaryDirectory() as folder:
        page = Page(filled("page.html", data), data["title"]).save(Path(folder) / "page.html")
        return screenshot(page.path or file, file, size, browser, moment(t, size))


def moment(t: float, size: tuple[int, int]) -> str:
    """End of the address of a page that stands still at a time [s], without its controls."""
    return f"#play=0&bare={size[0]}x{size[1]}&t={t!r}"


def screenshot(
    page: Path, file: Path, size: tuple[int, int], browser: str = "chromium", end: str = ""
) -> Path:
    """Take a picture of a page or a drawing.

    Parameters
    ----------
    page, file : Path
        What to look at, and where the picture goes.
    size : (int, int)
        Width and height [points].
    browser : str
        Name of the program.
    end : str
        End of the address.

    Raises
    ------
    MissingExtraError
        If the browser is not there.
    FormatError
        If it leaves no picture.
    """
    program = shutil.which(browser)
    if program is None:
        raise MissingExtraError(
            f"there is no program {browser!r} to take the picture with. Next: install Chromium "
            "(Debian: apt install chromium), or leave out browser."
        )
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "shot.png"
        command = [
            program, *_FLAGS, *(["--no-sandbox"] if _is_root() else []),
            f"--user-data-dir={folder}/profile", f"--window-size={size[0]},{size[1]}",
            f"--screenshot={shot}", f"{page.resolve().as_uri()}{end}",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
            why = done.stderr.decode(errors="replace").strip()[-300:]
        except subprocess.TimeoutExpired:
            why = f"it took longer than {_PATIENCE:g} s"
        if not shot.is_file():
            raise FormatError(f"{browser!r} took no picture for '{file}': {why}")
        try:
            shutil.copyfile(shot, file)
        except OSError as error:
            raise FormatError(f"cannot write '{file}': {error.strerror or error}.") from error
    return file


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
