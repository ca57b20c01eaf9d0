"""The commands that look: ``check``, ``show``, ``plot``, ``view`` and ``report``."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from jourdain import io
from jourdain.errors import FormatError, MissingExtraError
from jourdain.files import replacing

if TYPE_CHECKING:
    from jourdain.analysis.doctor.findings import Findings


def check_model(path: Path, n_states: int, *, as_json: bool = False) -> int:
    """Read, compile and verify a model; tell the result and return the exit code.

    Of a model with loops or constraints, what the mechanism doctor finds is told as well.
    """
    from jourdain.analysis.structure import structure  # noqa: PLC0415
    from jourdain.analysis.verify import verify  # noqa: PLC0415

    model = io.read(path)
    verification, findings = verify(model, n_states), structure(model).findings
    if as_json:
        checks = [asdict(check) | {"passed": check.passed} for check in verification.checks]
        content = {
            "model": verification.model_name,
            "passed": verification.passed,
            "checks": [{k: _finite(x) for k, x in check.items()} for check in checks],
        }
        if findings is not None:
            content["mechanism"] = _plain(findings)
        typer.echo(json.dumps(content))
    else:
        typer.echo(str(verification))
        if findings is not None:
            typer.echo(f"\n{findings}")
    return 0 if verification.passed else 1


def _finite(x: Any) -> Any:
    return None if isinstance(x, float) and not math.isfinite(x) else x


def _plain(findings: Findings) -> dict[str, Any]:
    """Findings as JSON can hold them."""
    return {name: _finite(x) for name, x in asdict(findings).items()}


def show_model(path: Path, *, as_json: bool = False) -> None:
    """Tell how a model is put together."""
    from jourdain.analysis.structure import structure  # noqa: PLC0415

    model = io.read(path)
    report = structure(model)
    if not as_json:
        typer.echo(str(report))
        return
    content = {
        "model": model.name,
        "bodies": list(report.bodies),
        "joints": list(report.joints),
        "coordinates": [asdict(c) for c in report.coordinates],
        "loops": [asdict(loop) for loop in report.loops],
        "freedoms": report.n_freedoms,
    }
    if report.findings is not None:
        content["mechanism"] = _plain(report.findings)
    typer.echo(json.dumps(content))


def plot_results(path: Path, names: Sequence[str], out: Path, against: str) -> None:
    """Draw a run to a picture; an older one stays if anything fails."""
    from jourdain.results import load  # noqa: PLC0415

    try:
        import matplotlib as mpl  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            "plots need matplotlib, which is not installed. Next: pip install 'jourdain[plot]'"
        ) from error
    mpl.use("Agg")
    from jourdain.viz.plot import plot  # noqa: PLC0415

    figure = plot(load(path), *names, against=against)[0].figure
    try:
        with replacing(out) as other:
            figure.savefig(other, dpi=150)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write '{out}': {error}.") from error
    typer.echo(f"wrote {out}")


def write_page(
    what: str,
    path: Path,
    out: Path | None,
    plots: Sequence[str] | None,
    traces: Sequence[str] | None,
    ghost: Path | None,
    *,
    open_it: bool = False,
) -> None:
    """Write the page of a run: ``animate`` for the motion alone, ``report`` for all about it."""
    from jourdain import viz  # noqa: PLC0415
    from jourdain.results import load  # noqa: PLC0415

    ending = {"animate": ".html", "report": ".report.html"}[what]
    file = out or path.with_suffix(ending)
    other = load(ghost) if ghost is not None else None
    make: Callable[..., Any] = viz.animate if what == "animate" else viz.report
    make(load(path), file, plots=plots or None, traces=traces or (), ghost=other)
    typer.echo(f"wrote {file}")
    if open_it:
        typer.launch(str(file))
