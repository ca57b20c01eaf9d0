"""Pages: one HTML file with everything in it, that opens in any browser without a network."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from jourdain.errors import FormatError
from jourdain.files import replacing


@dataclass(frozen=True)
class Page:
    """A page as text. Shows itself in a notebook; `save` writes it to a file.

    Parameters
    ----------
    text : str
        The HTML file.
    title : str
        Its title.
    path : Path or None
        Where it was written to.
    height : int
        Height in a notebook, in points of the screen.
    """

    text: str = field(repr=False)
    title: str
    path: Path | None = None
    height: int = 620

    def save(self, path: str | os.PathLike[str]) -> Page:
        """Write the page to a file; an older one stays if anything fails.

        Raises
        ------
        FormatError
            If the file cannot be written.
        """
        file = Path(path)
        try:
            with replacing(file) as other:
                other.write_text(self.text, encoding="utf-8")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise FormatError(
                f"cannot write {str(file)!r:.300}: {why}. Give a folder that exists."
            ) from error
        return Page(self.text, self.title, file, self.height)

    def _repr_html_(self) -> str:
        source = html.escape(self.text, quote=True)
        style = f"width:100%;height:{self.height}px;border:1px solid #8884;border-radius:8px"
        return f'<iframe srcdoc="{source}" style="{style}" allow="fullscreen"></iframe>'


def filled(template: str, data: dict[str, Any], **parts: str) -> str:
    """Text of a page from a template of this package.

    Parameters
    ----------
    template : str
        Name of the file.
    data : dict
        Content of the three-dimensional view. Each ``<`` is written as a code, so that no name
        in it can end the script.
    **parts : str
        HTML for further places.
    """
    folder = resources.files("jourdain.viz").joinpath("assets")
    content = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    places = {
        "TITLE": html.escape(data["title"]),
        "SCRIPT": folder.joinpath("viewer.min.js").read_text("utf-8"),
        "DATA": content,
        **parts,
    }
    pieces = folder.joinpath(template).read_text("utf-8").split("%%")
    return "".join(places[piece] if k % 2 else piece for k, piece in enumerate(pieces))
