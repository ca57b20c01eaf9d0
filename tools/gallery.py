"""Makes the pictures and live pages of the gallery: ``make gallery``, or of some by name.

Each example is run in an empty folder. Its page, or else the page of the last run among its
variables, is kept without the viewer, which all pages share; its picture is one of the page. Some
have curves in their guides, too, drawn by `curves`.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import curves
import numpy as np

import jourdain as jd
from jourdain.model.model import Model
from jourdain.results import Solution
from jourdain.viz.circuits.netlist import is_circuit
from jourdain.viz.pages.browser import moment, screenshot
from jourdain.viz.pages.wheels import has_wheels

ROOT = Path(__file__).parents[1]
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
PICTURES = DOCS / "gallery"
VIEWER = ROOT / "src" / "jourdain" / "viz" / "assets" / "viewer.min.js"
SHARED = '<script src="viewer.min.js"></script>'
SIZE, LARGEST = (960, 540), 450_000  # [points], [bytes] of a page
CHOSEN: dict[str, Any] = {  # where the last run is no picture
    "pile": lambda variables: variables["knocked_over"](),
    "tower_brake": lambda variables: variables["runs"][0],
    "tractor": lambda variables: jd.simulate(variables["tractor"](), 1.0, start={"crank.speed": 9}),
}
SHORTEST = 64  # parts of a run, of which one is shown at least
FIT = "width:920px;height:500px;padding:20px;object-fit:contain"


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
    page = next(iter(sorted(Path().glob("*.html"))), None)
    run = CHOSEN[file.stem](variables) if file.stem in CHOSEN else last_run(variables)
    models = [x for x in variables.values() if isinstance(x, Model) and x.bodies]
    if page is None and (run is not None or models):
        page = Path("page.html")
        _ = jd.animate(run, page) if run is not None else jd.show(models[-1], page)
    part = 1
    while page is not None and not keep_page(page, PICTURES / f"{file.stem}.html"):
        if run is None or part > SHORTEST:
            raise SystemExit(f"the page of {file.stem} is larger than {LARGEST} bytes")
        part *= 2  # what turns fast needs many moments: its beginning is enough
        _ = jd.animate(run.at(beginning(run, part)), page)
    if file.stem in curves.PICTURES:  # the guide has it, too
        figure = curves.PICTURES[file.stem](SimpleNamespace(**variables))
        figure.savefig("curves.png", dpi=110)
        keep_picture(
            Path("curves.png"), DOCS / f"{file.stem}.png", figure.get_size_inches()[0] * 110
        )
    keep_picture(picture_of(page, run, file.stem), PICTURES / f"{file.stem}.png")


def beginning(run: Solution, part: int) -> Any:
    """Times of the samples in the first half, quarter, … of a run."""
    end = run.time[0] + (run.time[-1] - run.time[0]) / part
    return np.unique(run.time[run.time <= end])


def picture_of(page: Path | None, run: Solution | None, name: str) -> Path:
    """Picture of the machine; curves where there is no machine to see."""
    if run is not None and is_circuit(run.model):
        drawing, middle = Path("drawing.svg"), 0.4 * float(run.time[-1])
        jd.show(run.model, drawing, run=run, at=middle)
        frame = f'<body style="margin:0"><img src="{drawing}" style="{FIT}">'
        Path("drawing.html").write_text(frame, encoding="utf-8")
        return screenshot(Path("drawing.html"), Path("picture.png"), SIZE)
    if page is not None:
        t = 0.4 * float(run.time[-1]) if run is not None else 0.5
        return screenshot(page, Path("picture.png"), SIZE, end=moment(t, SIZE))
    pictures = sorted(Path().glob("*.png"))
    return next((p for p in pictures if p.stem in (name, "curves")), pictures[0])


def last_run(variables: dict[str, Any]) -> Solution | None:
    """Last run with something to see among the variables, or what a function of them returns."""
    found = [x for x in variables.values() if isinstance(x, Solution)]
    for name in ("run", "standing", "simulate", "up"):
        if not found and callable(variables.get(name)):
            made = variables[name]()
            parts = made if isinstance(made, tuple) else (made,)
            found = [x for x in parts if isinstance(x, Solution)]
    seen = [x for x in found if isinstance(x.model, Model) and is_seen(x.model)]
    return seen[-1] if seen else None


def is_seen(model: Model) -> bool:
    """Whether a page of a model has something to see."""
    return bool(model.bodies) or is_circuit(model) or has_wheels(model)


def keep_page(page: Path, target: Path) -> bool:
    """Keep a page with the viewer outside, and tell so; one that is too large is not kept."""
    inline = f"<script>{VIEWER.read_text(encoding='utf-8')}</script>"
    text = page.read_text(encoding="utf-8").replace(inline, SHARED)
    text = text.replace("script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'self' file:")
    is_circuit_page = "JourdainViewer" not in text  # which needs no viewer
    if not (SHARED in text or is_circuit_page):
        raise SystemExit(f"'{page}' has no viewer that it could share")
    if len(text) >= LARGEST:
        return False
    target.write_text(text, encoding="utf-8")
    return True


def keep_picture(picture: Path, target: Path, width: float = SIZE[0]) -> None:
    """Keep a picture, no wider than needed."""
    from PIL import Image  # noqa: PLC0415

    with Image.open(picture) as opened:
        image = opened.convert("RGB")
        image.thumbnail((int(width), 2 * SIZE[1]))
        image.quantize(160).save(target, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
