"""Writing a system as an FMU for co-simulation (FMI 3.0)."""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jourdain.analysis.progress import tells_phases
from jourdain.errors import FormatError, ModelError, unknown_name
from jourdain.export.fmu.description import Heading, Variable, description
from jourdain.export.fmu.library import PLATFORMS, Platform, own_platform, shared_library
from jourdain.export.fmu.program import Program, Wishes, input_label
from jourdain.files import replacing
from jourdain.model import Model
from jourdain.simulation.sampled import Called, checked_input
from jourdain.solvers import Integrator
from jourdain.spatial import check
from jourdain.system import System, Unrolled, compile
from jourdain.system.compiled import CompiledModel

_DATE = (1980, 1, 1, 0, 0, 0)  # of files in the archive: equal models give equal FMUs


@tells_phases
def write_fmu(
    model: Model | System,
    path: str | os.PathLike[str],
    *,
    inputs: Iterable[str] | Mapping[str, Any] = (),
    outputs: Any = None,
    parameters: Iterable[str] | None = None,
    start: Mapping[str, Any] | tuple[Any, Any] | None = None,
    method: Integrator | None = None,
    stop: float = 10.0,
    step: float | None = None,
    platforms: Iterable[str] | None = None,
) -> Path:
    """Write a model as an FMU, a library that other simulation programs step.

    It holds all it needs: the equations and the integrator in machine code. Instances are
    independent. States can be stored, set and serialized. Numbers are SI.

    Parameters
    ----------
    model : Model or System
        The machine, without contacts and dry friction.
    path : str or path
        File to write, such as ``"crane.fmu"``.
    inputs : names, or mapping
        Inputs as in `simulate`. Those named here, or with a number as start value, are set by the
        other program and held during a step of it; functions of (t, s) become part of the FMU.
        A force along a coordinate is called as in results, ``rail.applied_force``.
    outputs : names, mapping, or list of both
        Results by name, vectors as components; or functions of (t, s) by name. By default all
        coordinates and velocities. Those not named can be read all the same.
    parameters : names, optional
        Parameters of the model that can be set before the start; by default all.
    start : mapping
        Start values; the other program can set others. In closed loops these are first guesses,
        which are moved onto the constraints.
    method : Integrator, optional
        `Dop853`, `Tsit5`, `Dopri5`, `Radau5`, or one with fixed steps: `RungeKutta4`, `Gauss4`,
        `GeneralizedAlpha`, `SemiImplicitEuler`. By default as `simulate` chooses.
    stop, step : float [s]
        End and step that the file proposes; by default a thousandth of the end.
    platforms : names, optional
        Machines it is to run on, such as ``["x86_64-linux", "x86_64-windows"]``; by default this
        one. Others need the extra ``fmu``.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ModelError
        If the model has something that an FMU cannot have; the text names it.
    MissingExtraError
        If there is no linker.
    """
    target = Path(path)
    if target.suffix != ".fmu":
        raise FormatError(f"'{target}' does not end with .fmu, as other programs expect.")
    system = _straight(model)
    check.number(stop, "stop of the FMU", positive=True, unit="s")
    if step is not None:
        check.number(step, "step of the FMU", positive=True, unit="s")
    machines = _machines(platforms)
    given, functions = _sorted_inputs(system, inputs)
    wishes = Wishes(
        given, functions, outputs, _parameters(system, parameters), start, _checked(method), stop
    )
    program = Program(system, wishes)
    _require_different(program.variables)
    identifier = re.sub(r"\W", "_", system.model.name)
    identifier = identifier if identifier[:1].isalpha() else f"model_{identifier}"
    identifier = re.sub(r"[^A-Za-z0-9_]", "_", identifier)
    token = _token(program)
    heading = Heading(
        system.model.name, identifier, token, f"multibody model {system.model.name}", float(stop),
        float(stop / 1000 if step is None else step), program.rtol,
        system.is_corrected,
    )  # fmt: skip
    files = {"modelDescription.xml": description(heading, program.variables)}
    modules = [program.data(token), *program.code]
    for machine in machines:
        name = f"binaries/{machine.name}/{identifier}{machine.ending}"
        files[name] = shared_library(modules, machine)
    _write(target, files)
    return target


def _straight(model: Any) -> System:
    """The system in straight-line code, if an FMU can have it."""
    if not isinstance(model, Model | System):
        raise ModelError(f"cannot write {model!r:.60}; give a jd.Model or a compiled system.")
    system = model if isinstance(model, System) else compile(model)
    name = system.model.name
    contacts = [
        *system.model.contact_groups,
        *(c.name for c in system.description.parts.set_valued),
    ]
    if contacts:
        raise ModelError(
            f"model {name!r} has contacts, stops or dry friction, whose impacts an FMU of this "
            f"version cannot have: {', '.join(map(repr, contacts[:8]))}. Write them as springs, "
            "for example jd.Law(lambda x, v: jd.where(x < 0, -1e6 * x, 0)), or leave them out."
        )
    if isinstance(system.execution, Unrolled):
        return system
    source, cut = system.questions[CompiledModel].source
    return System(source, Unrolled(), cut)


def _sorted_inputs(system: System, inputs: Any) -> tuple[dict[str, float], dict[str, Any]]:
    """Start values of inputs from outside, and functions that stay inside."""
    if isinstance(inputs, str):
        inputs = [inputs]
    named = inputs if isinstance(inputs, Mapping) else dict.fromkeys(inputs, 0.0)
    given: dict[str, float] = {}
    functions: dict[str, Any] = {}
    labels = {input_label(system, n): n for n in (*system.names.v, *system.extra_indices)}
    for key, x in named.items():
        name = labels.get(key, system.input_name(key))
        if name not in system.extra_indices:
            system.force_index(name)
        if isinstance(x, Called):
            raise ModelError(
                f"input {key!r} calls Python now and then, which an FMU does not have. Leave its "
                "number to the other program: name it without a value."
            )
        if callable(x):
            functions[name] = checked_input(name, x)
        else:
            given[name] = check.number(0.0 if x is None else x, f"start value of input {key!r}")
    return given, functions


def _parameters(system: System, wanted: Iterable[str] | None) -> tuple[str, ...]:
    known = system.names.parameters
    chosen = known if wanted is None else (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for name in chosen:
        if name not in known:
            raise unknown_name("parameter", str(name), known, f"model {system.model.name!r}")
    return chosen


def _checked(method: Any) -> Integrator | None:
    if method is None or isinstance(method, Integrator):
        return method
    raise ModelError(f"method is {method!r:.60}; give an object such as jd.Dop853(rtol=1e-9).")


def _machines(names: Iterable[str] | None) -> list[Platform]:
    if names is None:
        return [own_platform()]
    chosen = [names] if isinstance(names, str) else list(names)
    for name in chosen:
        if name not in PLATFORMS:
            raise unknown_name("platform", str(name), PLATFORMS, "what FMUs are made for")
    if not chosen:
        raise ModelError(f"an FMU runs nowhere without a platform. There are {list(PLATFORMS)}.")
    return [PLATFORMS[name] for name in chosen]


def _require_different(variables: Iterable[Variable]) -> None:
    seen: set[str] = set()
    for x in variables:
        if x.name in seen:
            raise ModelError(
                f"two variables of the FMU are called {x.name!r}: leave it out of the outputs, or "
                "give your function another name."
            )
        seen.add(x.name)


def _token(program: Program) -> str:
    """Name of exactly this library, by which a description finds it."""
    parts = [text for text, _ in (program.data(""), *program.code)]
    digest = hashlib.sha256("\0".join([*parts, repr(program.variables)]).encode())
    return f"{{{digest.hexdigest()[:32]}}}"


def _write(target: Path, files: Mapping[str, bytes]) -> None:
    try:
        with replacing(target) as other, zipfile.ZipFile(other, "w") as archive:
            for name, content in files.items():
                entry = zipfile.ZipInfo(name, _DATE)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(entry, content)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write '{target}': {error}.") from error
