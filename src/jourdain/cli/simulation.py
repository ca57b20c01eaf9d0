"""The command ``jourdain run``: a simulation whose results are never lost."""

from __future__ import annotations

import json
import math
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import typer

from jourdain import io
from jourdain.analysis.progress.bar import Bar
from jourdain.analysis.simulate import simulate
from jourdain.errors import FormatError, IntegrationError, did_you_mean
from jourdain.math import Table
from jourdain.results import Solution, load
from jourdain.simulation.methods import EventDriven, MoreauJean, NonsmoothAlpha
from jourdain.solvers import Cvode, Dop853, Ida, Method, all_integrators

_INTERRUPTED = 130


@dataclass(frozen=True)
class Wishes:
    """What the user typed.

    Parameters
    ----------
    model : Path
        Model file.
    time : float [s]
        End of the run.
    out : Path
        Result file.
    start, parameters : sequences of str
        ``name=value`` each.
    method : str or None
        Name of the method.
    settings : mapping of str to float
        Settings of the method.
    sample : float or None [s]
        Spacing of the results.
    resume : Path or None
        Results to go on with.
    inputs : sequence of str
        ``name=value`` each; the value is a number, or a CSV file of times and values.
    csv : Path or None
        Table to write besides.
    columns : sequence of str
        Quantities of the table.
    """

    model: Path
    time: float
    out: Path
    start: Sequence[str]
    parameters: Sequence[str]
    method: str | None
    settings: Mapping[str, float]
    sample: float | None
    resume: Path | None
    inputs: Sequence[str] = ()
    csv: Path | None = None
    columns: Sequence[str] = ()


def run_model(wishes: Wishes, *, as_json: bool = False) -> int:
    """Simulate, save and tell about it; return the exit code."""
    start, parameters = (
        assigned(wishes.start, "--start"),
        assigned(wishes.parameters, "--parameter"),
    )
    method = chosen_method(wishes.method, wishes.settings)
    inputs = dict(map(given_input, wishes.inputs))
    model = io.read(wishes.model)
    earlier = load(wishes.resume) if wishes.resume else None
    for path in filter(None, (wishes.out, wishes.csv)):
        _require_folder(path)
    failure, trouble, file = None, None, wishes.out
    with Bar(wishes.time) as progress:
        try:
            solution = simulate(
                model, wishes.time, start=start or None, method=method, inputs=inputs or None,
                sample=wishes.sample, parameters=parameters or None, progress=progress,
                resume=earlier, save=wishes.out,
            )  # fmt: skip
        except (IntegrationError, FormatError) as error:
            if error.solution is None:
                raise
            failure = error if isinstance(error, IntegrationError) else None
            solution = cast("Solution", error.solution)
            file, trouble = saved(solution, wishes.out)
    if wishes.csv is not None:
        solution.to_csv(wishes.csv, *wishes.columns)
    text = json.dumps(summary(solution, file)) if as_json else f"{solution}\nsaved to {file}"
    typer.echo(text)
    for reason in filter(None, (failure, trouble)):
        typer.echo(f"error: {reason}", err=True)
    if failure or trouble:
        return 1
    if solution.statistics.status == "interrupted":
        again = f"jourdain run {wishes.model} --time {wishes.time:g} --resume {file} --out {file}"
        typer.echo(f"interrupted at {solution.time[-1]:.6g} s; go on with: {again}", err=True)
        return _INTERRUPTED
    return 0


def assigned(items: Sequence[str], option: str) -> dict[str, Any]:
    """Values by name from ``name=1.0`` or ``name=1,2,3``."""
    values: dict[str, Any] = {}
    for item in items:
        name, _, text = item.partition("=")
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if not name or not numbers:
            raise typer.BadParameter(
                f"{item!r} is not of the form main.angle=0.4 or ball.position=1,2,3.",
                param_hint=option,
            )
        values[name.strip()] = numbers if len(numbers) > 1 else numbers[0]
    return values


def given_input(item: str) -> tuple[str, Any]:
    """Name and value of ``name=40`` or ``name=force.csv``, a table that is interpolated."""
    name, _, text = (part.strip() for part in item.partition("="))
    if not name or not text:
        raise typer.BadParameter(
            f"{item!r} is not of the form rail.position=40 or rail.position=force.csv.",
            param_hint="--input",
        )
    try:
        return name, float(text)
    except ValueError:
        return name, _table(Path(text))


def _table(path: Path) -> Table:
    """Function of time from a file of times and values; a first line may name the columns."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FormatError(
            f"input '{path}' is no number and no file that can be read: {why}."
        ) from error
    rows = []
    for k, line in enumerate(filter(str.strip, lines)):
        try:
            t, value = map(float, line.replace(";", ",").split(","))
        except ValueError:
            if k == 0:
                continue
            raise FormatError(
                f"'{path}' has the line {line[:60]!r}: give two numbers, time and value, with a "
                "comma between."
            ) from None
        rows.append((t, value))
    if len(rows) < 2:
        raise FormatError(f"'{path}' has {len(rows)} lines of numbers; give two or more.")
    times, values = zip(*rows, strict=True)
    return Table(times, values)


_CONTACT: Mapping[str, type[Method]] = {
    kind.__name__.lower(): kind for kind in (EventDriven, MoreauJean, NonsmoothAlpha)
}


def chosen_method(name: str | None, settings: Mapping[str, float]) -> Method | None:
    """Method by its name in any case, with the settings it takes."""
    smooth = {type(x).__name__.lower(): type(x) for x in (*all_integrators(), Cvode(), Ida())}
    kinds: dict[str, type[Any]] = {**smooth, **_CONTACT}
    if name is None:
        if settings:
            raise typer.BadParameter(
                f"name the method that {', '.join(f'--{k}' for k in settings)} belongs to, one of "
                f"{', '.join(kinds)}.",
                param_hint="--method",
            )
        return None
    if name.lower() not in kinds:
        hint = did_you_mean(name.lower(), kinds)
        raise typer.BadParameter(
            f"there is no {name!r}; there are {', '.join(kinds)}.{hint}", param_hint="--method"
        )
    kind = kinds[name.lower()]
    if kind is EventDriven and settings and "dt" not in settings:
        return EventDriven(Dop853(**settings))  # between the events
    known = set(kind.__dataclass_fields__)
    wrong = [k for k in settings if k not in known]
    if wrong or ("dt" in known and "dt" not in settings):
        known |= {"rtol", "atol"} if kind is EventDriven else set()
        takes = ", ".join(f"--{k}" for k in ("rtol", "atol", "dt") if k in known)
        raise typer.BadParameter(f"{name} takes {takes}.", param_hint="--method")
    return cast("Method", kind(**settings))


def _require_folder(out: Path) -> None:
    """Find out before the run, not after it, that results cannot be written."""
    if not out.parent.is_dir():
        raise FormatError(f"there is no folder '{out.parent}' for the results. Make it first.")
    if out.is_dir():
        raise FormatError(f"'{out}' is a folder. Give the name of a file, such as run.nc.")


def saved(solution: Solution, out: Path) -> tuple[Path, FormatError | None]:
    """Save the results; where that fails, in the folder for temporary files."""
    try:
        solution.save(out)
    except FormatError as error:
        other = Path(tempfile.gettempdir()) / f"{out.stem}-{time.strftime('%Y%m%d-%H%M%S')}.nc"
        solution.save(other)
        return other, error
    return out, None


def summary(solution: Solution, file: Path) -> dict[str, Any]:
    """Report of a run as what JSON can hold."""
    run = solution.statistics
    return {
        "model": solution.model_name,
        "file": str(file),
        "status": run.status,
        "is_complete": run.is_complete,
        "begin": _number(solution.time[0]) if len(solution.time) else None,
        "end": _number(solution.time[-1]) if len(solution.time) else None,
        "end_wanted": _number(run.t_end_wanted),
        "samples": len(solution.time),
        "method": run.method,
        "reason": run.reason,
        "steps": run.steps,
        "rejected": run.rejected,
        "evaluations": run.evaluations,
        "wall_time": run.wall_time,
        "events": [{"name": event.name, "time": event.time} for event in solution.events],
        "final": {k: _number(x) for k, x in solution.final.items()} if len(solution.time) else {},
    }


def _number(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None
