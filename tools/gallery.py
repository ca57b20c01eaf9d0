"""Makes the pictures and live pages of the gallery: ``make gallery``, or of some by name.

Each example is run in an empty folder. Its page, or else the page of the last run among its
variables, is kept without the viewer, which all pages share; its picture is the one it writes, or
one of the page.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import jourdain as jd
from jourdain.model.model import Model
from jourdain.results import Solution
from jourdain.viz.circuits.netlist import is_circuit
from jourdain.viz.pages.browser import moment, screenshot

ROOT = Path(__file__).parents[1]
PICTURES, EXAMPLES = ROOT / "docs" / "gallery", ROOT / "examples"
VIEWER = ROOT / "src" / "jourdain" / "viz" / "assets" / "viewer.min.js"
SHARED = '<script src="viewer.min.js"></script>'
SIZE, LARGEST = (960, 540), 900_000  # [points], [bytes] of a page


def main(names: list[str]) -> None:
    """Make what is asked for; everything by default."""
    PICTURES.mkdir(exist_ok=True)
    files = sorted(EXAMPLES.glob("*.py"))
    if not names:  # one process each, so that memory is given back
        for file in files:
            subprocess.run([sys.executable, __file__, file.stem], check=True)
        return
    for file in files:
        if file.stem in names:
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                make(file)
            sys.stdout.write(f"{file.stem}\n")


def make(file: Path) -> None:
    """Make the picture and the page of one example, in the present folder."""
    sys.argv = [str(file)]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        variables = runpy.run_path(str(file), run_name="__main__")
    page, run = next(iter(sorted(Path().glob("*.html"))), None), last_run(variables)
    models = [x for x in variables.values() if isinstance(x, Model) and x.bodies]
    if page is None and (run is not None or models):
        page = Path("page.html")
        _ = jd.animate(run, page) if run is not None else jd.show(models[-1], page)
    if page is not None:
        keep_page(page, PICTURES / f"{file.stem}.html")
    pictures = [*sorted(Path().glob("*.svg")), *sorted(Path().glob("*.png"))]
    preferred = [p for p in pictures if p.stem == file.stem] or pictures
    if not preferred and page is None:  # coordinates only: what they do
        jd.plot(variables["run"]())[0].figure.savefig("run.png")
        preferred = [Path("run.png")]
    if preferred:
        keep_picture(preferred[0], PICTURES / f"{file.stem}.png")
    elif page is not None:
        t = 0.4 * float(run.data["time"][-1]) if run is not None else 0.5
        target = PICTURES / f"{file.stem}.png"
        keep_picture(screenshot(page, Path("page.png"), SIZE, end=moment(t, SIZE)), target)


def last_run(variables: dict[str, Any]) -> Solution | None:
    """Last run with something to see among the variables, or what a function of them returns."""
    found = [x for x in variables.values() if isinstance(x, Solution)]
    for name in ("run", "standing", "simulate", "up"):
        if not found and callable(variables.get(name)):
            made = variables[name]()
            parts = made if isinstance(made, tuple) else (made,)
            found = [x for x in parts if isinstance(x, Solution)]
    seen = [
        x for x in found if isinstance(x.model, Model) and (x.model.bodies or is_circuit(x.model))
    ]
    return seen[-1] if seen else None


def keep_page(page: Path, target: Path) -> None:
    """Keep a page with the viewer outside, unless it is too large."""
    inline = f"<script>{VIEWER.read_text(encoding='utf-8')}</script>"
    text = page.read_text(encoding="utf-8").replace(inline, SHARED)
    text = text.replace("script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'self' file:")
    is_circuit_page = "JourdainViewer" not in text  # which needs no viewer
    if (SHARED in text or is_circuit_page) and len(text) < LARGEST:
        target.write_text(text, encoding="utf-8")


def keep_picture(picture: Path, target: Path) -> None:
    """Keep a picture as points, no wider than needed."""
    from PIL import Image, ImageOps  # noqa: PLC0415

    if picture.suffix == ".svg":
        picture = screenshot(picture, Path("drawing.png"), SIZE)
    with Image.open(picture) as opened:
        image = opened.convert("RGB")
        if picture.name == "drawing.png":  # without the empty paper around
            image = ImageOps.expand(image.crop(ImageOps.invert(image).getbbox()), 20, "white")
        image.thumbnail((SIZE[0], 2 * SIZE[1]))
        image.quantize(160).save(target, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
