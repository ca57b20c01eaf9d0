"""Commands and their options."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from jourdain import __version__
from jourdain.errors import JourdainError

INTERRUPTED = 130
"""Exit code after Ctrl-C, by custom 128 and the number of the signal."""

app = typer.Typer(
    name="jourdain",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

ModelFile = Annotated[Path, typer.Argument(help="Model file (TOML).", show_default=False)]
ResultFile = Annotated[Path, typer.Argument(help="Result file (.nc).", show_default=False)]
METHODS = [
    "dop853", "tsit5", "dopri5", "radau5", "rungekutta4", "gauss4", "generalizedalpha", "cvode",
    "ida", "semiimpliciteuler", "eventdriven", "moreaujean", "nonsmoothalpha",
]  # fmt: skip
MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-i",
        help="dop853, tsit5, dopri5, radau5, rungekutta4, gauss4, generalizedalpha, cvode, "
        "ida or semiimpliciteuler; with contacts eventdriven, moreaujean or nonsmoothalpha; by "
        "default chosen by itself.",
        autocompletion=lambda: METHODS,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jourdain {__version__}")
        raise typer.Exit


def _told(command: Callable[..., int | None]) -> Callable[..., None]:
    """Tell errors of the package in their own words, without a traceback."""

    @wraps(command)
    def wrapped(*arguments: Any, **options: Any) -> None:
        try:
            code = command(*arguments, **options) or 0
        except JourdainError as error:
            typer.echo(f"error: {error}", err=True)
            code = 1
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            code = INTERRUPTED
        if code:
            raise typer.Exit(code)

    return wrapped


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Tell the version."),
    ] = False,
) -> None:
    """Multibody dynamics: a machine written in a few lines becomes machine code.

    Exit codes: 0 done, 1 model, file or run at fault, 2 wrong usage, 130 interrupted.
    """


@app.command()
@_told
def run(  # noqa: PLR0913, PLR0917
    model: ModelFile,
    time: Annotated[
        float, typer.Option("--time", "-t", help=r"End of the run \[s].", show_default=False)
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Result file; by default named after the model, .nc."),
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option("--start", "-s", help="Start value, main.angle=0.4 or ball.position=1,2,3."),
    ] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--parameter", "-p", help="Parameter value, name=0.4.")
    ] = None,
    method: MethodName = None,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance.")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance.")] = None,
    dt: Annotated[float | None, typer.Option(help=r"Step of fixed-step methods \[s].")] = None,
    sample: Annotated[float | None, typer.Option(help=r"Spacing of the results \[s].")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Result file of an earlier run to go on with.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input", help="Force or input, rail.position=40, or a CSV file of times and values."
        ),
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="CSV table to write besides.")] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", help="Quantity of the table; by default all coordinates."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Simulate a model and write the results to a file."""
    from jourdain.cli.simulation import Wishes, run_model  # noqa: PLC0415

    settings = {"rtol": rtol, "atol": atol, "dt": dt}
    wishes = Wishes(
        model, time, out or Path(model.stem + ".nc"), start or [], parameter or [], method,
        {k: x for k, x in settings.items() if x is not None}, sample, resume, inputs or [],
        csv, columns or [],
    )  # fmt: skip
    return run_model(wishes, as_json=as_json)


@app.command()
@_told
def check(
    model: ModelFile,
    states: Annotated[int, typer.Option(min=1, help="Random states to check at.")] = 5,
    as_json: AsJson = False,
) -> int:
    """Read a model, compile it, and check its equations of motion against each other."""
    from jourdain.cli.look import check_model  # noqa: PLC0415

    return check_model(model, states, as_json=as_json)


@app.command()
@_told
def show(model: ModelFile, as_json: AsJson = False) -> None:
    """Tell how a model is put together: tree, loops, coordinates, freedoms."""
    from jourdain.cli.look import show_model  # noqa: PLC0415

    show_model(model, as_json=as_json)


@app.command()
@_told
def plot(
    results: ResultFile,
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Quantities, main.angle; by default all coordinates."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Picture (png, svg, pdf); by default as the results."),
    ] = None,
    against: Annotated[str, typer.Option(help="Quantity of the horizontal axis.")] = "time",
) -> None:
    """Draw quantities of a run over time, or against one another."""
    from jourdain.cli.look import plot_results  # noqa: PLC0415

    plot_results(results, names or [], out or results.with_suffix(".png"), against)


@app.command()
@_told
def view(
    results: ResultFile,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Page; by default as the results, .html.")
    ] = None,
    plot: Annotated[
        list[str] | None, typer.Option("--plot", "-p", help="Quantity to plot, main.angle.")
    ] = None,
    trace: Annotated[
        list[str] | None, typer.Option("--trace", "-t", help="Body or frame whose way to draw.")
    ] = None,
    ghost: Annotated[
        Path | None, typer.Option(help="Result file of another run, to compare with.")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Write a page that shows a run in three dimensions; it opens in any browser, offline."""
    from jourdain.cli.look import write_page  # noqa: PLC0415

    write_page("animate", results, out, plot, trace, ghost, open_it=open_it)


@app.command()
@_told
def report(
    results: ResultFile,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Page; by default as the results, .report.html."),
    ] = None,
    plot: Annotated[
        list[str] | None, typer.Option("--plot", "-p", help="Quantity to plot, main.angle.")
    ] = None,
    trace: Annotated[
        list[str] | None, typer.Option("--trace", "-t", help="Body or frame whose way to draw.")
    ] = None,
    ghost: Annotated[
        Path | None, typer.Option(help="Result file of another run, to compare with.")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Write a report of a run: model, motion, curves, events and audit in one page."""
    from jourdain.cli.look import write_page  # noqa: PLC0415

    write_page("report", results, out, plot, trace, ghost, open_it=open_it)


@app.command()
@_told
def fmu(  # noqa: PLR0913, PLR0917
    model: ModelFile,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="FMU to write; by default named after the model, .fmu."),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input", help="Force or input to be set, rail.position, or with a start =5."
        ),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output", help="Result to tell, load.position; by default all coordinates."),
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option("--start", "-s", help="Start value, main.angle=0.4 or ball.position=1,2,3."),
    ] = None,
    method: MethodName = None,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance.")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance.")] = None,
    dt: Annotated[float | None, typer.Option(help=r"Step of fixed-step methods \[s].")] = None,
    stop: Annotated[float, typer.Option(help=r"End that the FMU proposes \[s].")] = 10.0,
    platform: Annotated[
        list[str] | None, typer.Option(help="System it is to run on, x86_64-windows.")
    ] = None,
) -> None:
    """Write a model as an FMU, which other simulation programs step (FMI 3.0)."""
    from jourdain.cli.fmu import write_model  # noqa: PLC0415

    settings = {"rtol": rtol, "atol": atol, "dt": dt}
    given = {k: x for k, x in settings.items() if x is not None}
    named = {"inputs": inputs or [], "outputs": outputs, "platforms": platform}
    path = write_model(model, out, named, start or [], (method, given), stop)
    typer.echo(f"wrote {path}")


@app.command()
@_told
def new(
    file: Annotated[Path, typer.Argument(help="Model file to write.")] = Path("model.toml"),
) -> None:
    """Write a model file with comments to start from."""
    from jourdain.cli.bundled import write_first_model  # noqa: PLC0415

    write_first_model(file)
    typer.echo(
        f"wrote {file}; next: jourdain run {file} --time 5 --start pivot.angle=0.5, "
        f"then jourdain view {file.stem}.nc --open"
    )


@app.command()
@_told
def examples(
    copy: Annotated[
        str | None, typer.Option(help="Example to write to a folder.", show_default=False)
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder to write to.", file_okay=False)
    ] = Path(),
    run: Annotated[
        str | None, typer.Option(help="Example to run in this folder.", show_default=False)
    ] = None,
) -> None:
    """List the examples, write one to a folder, or run one."""
    from jourdain.cli.bundled import copy_example, list_examples, run_example  # noqa: PLC0415

    if run is not None:
        run_example(run)
    else:
        typer.echo(list_examples() if copy is None else f"wrote {copy_example(copy, out)}")


@app.command()
@_told
def demo(
    out: Annotated[
        Path, typer.Option(help="Folder for the picture and the page.", file_okay=False)
    ] = Path("demo"),
) -> None:
    """Compile a walking machine, move it, and leave a picture and an animation to look at."""
    from jourdain.cli.demo import run as run_demo  # noqa: PLC0415

    run_demo(out)
