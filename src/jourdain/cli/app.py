"""Commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jourdain import __version__

app = typer.Typer(
    name="jourdain",
    no_args_is_help=True,
    rich_markup_mode="rich",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jourdain {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Tell the version."),
    ] = False,
) -> None:
    """Multibody dynamics: a machine written in a few lines becomes machine code."""


@app.command()
def demo(
    out: Annotated[
        Path, typer.Option(help="Folder for the picture and the page.", file_okay=False)
    ] = Path("demo"),
) -> None:
    """Compile a walking machine, move it, and leave a picture and an animation to look at."""
    from jourdain.cli.demo import run  # noqa: PLC0415

    run(out)
