"""The drawing of a circuit: a picture for reports, a page with pressures over time."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from jourdain.errors import FormatError, ModelError
from jourdain.files import replacing
from jourdain.model.model import Model
from jourdain.results import Solution
from jourdain.viz.circuits.layout import laid_out
from jourdain.viz.circuits.netlist import Netlist, netlist
from jourdain.viz.circuits.png import save_picture
from jourdain.viz.circuits.pressures import STOPS, Pressures, pressures
from jourdain.viz.circuits.svg import svg
from jourdain.viz.circuits.wires import Layout
from jourdain.viz.pages.page import Page

_KINDS = (".html", ".svg", ".png", ".pdf")


_Made = tuple[Layout, Netlist, Mapping[str, str], tuple[float, float] | None]


@dataclass(frozen=True)
class Drawing:
    """The drawing of a circuit. Shows itself in a notebook; `save` writes it to a file.

    Parameters
    ----------
    title : str
        Its title.
    svg : str
        The drawing as SVG.
    page : Page
        Page with the drawing; of a run with its pressures over time.
    path : Path or None
        Where it was written to.
    """

    title: str
    svg: str = field(repr=False)
    page: Page = field(repr=False)
    path: Path | None = None
    _made: _Made | None = field(default=None, repr=False)

    def save(self, path: str | os.PathLike[str]) -> Drawing:
        """Write it as .html, .svg, .png or .pdf, by the end of the name.

        Raises
        ------
        FormatError
            If the file cannot be written, or has another ending.
        """
        file = Path(path)
        if file.suffix not in _KINDS:
            raise FormatError(
                f"a circuit is drawn as {', '.join(_KINDS)}, not as {file.suffix or 'a file'!r}: "
                f"give a name such as {file.with_suffix('.svg').name!r}."
            )
        if file.suffix == ".html":
            self.page.save(file)
        else:
            try:
                with replacing(file) as other:
                    self._write(other, file.suffix)
            except OSError as error:
                why = error.strerror or error
                raise FormatError(
                    f"cannot write {str(file)!r:.300}: {why}. Give a folder that exists."
                ) from error
        return replace(self, path=file)

    def _write(self, file: Path, kind: str) -> None:
        if kind == ".svg":
            file.write_text(self.svg, encoding="utf-8")
        elif self._made is not None:
            save_picture(file, *self._made, kind=kind[1:])

    def _repr_html_(self) -> str:
        return self.page._repr_html_()


def draw(
    model: Model, group: str = "", run: Solution | None = None, at: float | None = None,
    title: str = "",
) -> Drawing:  # fmt: skip
    """Drawing of the circuit of a model, or of one of its groups.

    Parameters
    ----------
    model : Model
        The machine.
    group : str
        Full name of a group.
    run : Solution, optional
        Run whose pressures are shown as colours.
    at : float [s], optional
        Time of the pressures in pictures; by default the end.
    title : str
        Title; by default the name of the model.
    """
    circuit = netlist(model, group)
    layout = laid_out(circuit)
    found = None
    if run is not None:
        _require_run(model, run)
        found = pressures(circuit, run)
    colours = {} if found is None else found.colours(found.nearest(at))
    name = title or (f"{model.name}, {group}" if group else model.name)
    limits = None if found is None else found.limits
    text = svg(layout, circuit, colours, name, limits)
    plain = svg(layout, circuit, colours, name)  # the page has a scale of its own
    page = Page(_page(plain, name, circuit, found, at), name)
    return Drawing(name, text, page, _made=(layout, circuit, colours, limits))


def _require_run(model: Model, run: Any) -> None:
    if not isinstance(run, Solution):
        raise ModelError(f"run is {run!r:.60}: give a solution, which is what jd.simulate returns.")
    missing = [name for name in model.parts if name not in run.model.parts]
    if missing:
        raise ModelError(
            f"the run of model {run.model_name!r} has no part {missing[0]!r} of the circuit: give "
            "a run of the same model."
        )


def _page(
    text: str, title: str, circuit: Netlist, found: Pressures | None, at: float | None
) -> str:
    """HTML file with a drawing, and pressures over time."""
    data: dict[str, Any] = {"colours": STOPS, "nodes": list(circuit.places)}
    if found is not None:
        data |= {
            "time": [round(float(t), 9) for t in found.time],
            "bar": [_rounded(found.bar[node]) for node in circuit.places],
            "flows": {part: _rounded(values) for part, values in found.flows.items()},
            "limits": found.limits,
            "at": found.nearest(at) if at is not None else 0,
        }
    content = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    places = {"TITLE": html.escape(title), "DRAWING": text, "DATA": content}
    folder = resources.files("jourdain.viz").joinpath("assets")
    pieces = folder.joinpath("circuit.html").read_text("utf-8").split("%%")
    return "".join(places[piece] if k % 2 else piece for k, piece in enumerate(pieces))


def _rounded(values: Any) -> list[float | None]:
    """Numbers of four digits; NaN is nothing."""
    return [float(f"{x:.4g}") if x == x else None for x in values]  # noqa: PLR0124
