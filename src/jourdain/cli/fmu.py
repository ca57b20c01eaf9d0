"""The command ``jourdain fmu``: a model file as an FMU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from jourdain import io
from jourdain.cli.simulation import assigned, chosen_method
from jourdain.export.fmu.write import write_fmu
from jourdain.solvers import Integrator


def write_model(
    model: Path,
    out: Path | None,
    named: Mapping[str, Sequence[str] | None],
    start: Sequence[str],
    method: tuple[str | None, Mapping[str, float]],
    stop: float,
) -> Path:
    """Write a model file as an FMU; return its path."""
    inputs: dict[str, Any] = {}
    for item in named["inputs"] or ():
        name, is_given, _ = item.partition("=")
        inputs |= assigned([item], "--input") if is_given else {name: None}
    return write_fmu(
        io.read(model), out or Path(model.stem + ".fmu"), inputs=inputs, outputs=named["outputs"],
        start=assigned(start, "--start") or None, stop=stop,
        method=cast("Integrator | None", chosen_method(*method)), platforms=named["platforms"],
    )  # fmt: skip
