"""The description of an FMU: ``modelDescription.xml``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from xml.etree import ElementTree as ET

from jourdain import __version__
from jourdain.errors import ModelError
from jourdain.spatial.units import unit

_SI = ("m", "kg", "s", "A", "K", "mol", "cd", "rad")  # in the order of `Unit.dimension`


class Kind(IntEnum):
    """What a variable is, as the C functions number it."""

    TIME = 0
    PARAMETER = 1
    INPUT = 2
    STATE = 3
    OUTPUT = 4


@dataclass(frozen=True)
class Variable:
    """A variable of an FMU.

    Parameters
    ----------
    name, unit, text : str
        As in results.
    kind : Kind
        What it is.
    place : int
        Where its value lies in the memory [bytes].
    start : float
        Value at the start, of what can be set.
    start_place : int
        Where the start value of a state lies.
    is_output : bool
        Whether it is told as an output.
    """

    name: str
    unit: str
    text: str
    kind: Kind
    place: int
    start: float = 0.0
    start_place: int = 0
    is_output: bool = False


@dataclass(frozen=True)
class Heading:
    """What an FMU is called and how it is run.

    Parameters
    ----------
    name, identifier, token : str
        Name of the model, of its library, and what ties library and description together.
    text : str
        What it is.
    stop, step : float [s]
        Proposed end and step.
    rtol : float or None
        Tolerance of its integrator.
    is_assembled : bool
        Whether start values are moved onto constraints, so that they are first guesses.
    """

    name: str
    identifier: str
    token: str
    text: str
    stop: float
    step: float
    rtol: float | None
    is_assembled: bool


def description(heading: Heading, variables: Sequence[Variable]) -> bytes:
    """Text of ``modelDescription.xml``."""
    root = ET.Element(
        "fmiModelDescription",
        fmiVersion="3.0", modelName=heading.name, instantiationToken=heading.token,
        description=heading.text, generationTool=f"Jourdain {__version__}",
        variableNamingConvention="flat",
    )  # fmt: skip
    ET.SubElement(
        root, "CoSimulation",
        modelIdentifier=heading.identifier, canHandleVariableCommunicationStepSize="true",
        canGetAndSetFMUState="true", canSerializeFMUState="true",
    )  # fmt: skip
    units = list(dict.fromkeys(x.unit for x in variables if x.unit))
    if units:
        listed = ET.SubElement(root, "UnitDefinitions")
        for text in units:
            _add_unit(listed, text)
    experiment = {
        "startTime": "0.0",
        "stopTime": repr(heading.stop),
        "stepSize": repr(heading.step),
    }
    if heading.rtol is not None:
        experiment["tolerance"] = repr(heading.rtol)
    ET.SubElement(root, "DefaultExperiment", experiment)
    listed = ET.SubElement(root, "ModelVariables")
    for reference, x in enumerate(variables):
        ET.SubElement(listed, "Float64", _attributes(x, reference, heading.is_assembled))
    structure = ET.SubElement(root, "ModelStructure")
    outputs = [(k, x) for k, x in enumerate(variables) if x.is_output]
    for reference, _ in outputs:
        ET.SubElement(structure, "Output", valueReference=str(reference))
    for reference, x in outputs:
        if x.kind == Kind.OUTPUT or heading.is_assembled:
            ET.SubElement(structure, "InitialUnknown", valueReference=str(reference))
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _attributes(x: Variable, reference: int, is_assembled: bool) -> dict[str, str]:
    own = {"name": x.name, "valueReference": str(reference), "description": x.text}
    if x.kind == Kind.TIME:
        own |= {"causality": "independent", "variability": "continuous"}
    elif x.kind == Kind.PARAMETER:
        own |= {"causality": "parameter", "variability": "fixed", "initial": "exact"}
    elif x.kind == Kind.INPUT:
        own |= {"causality": "input", "variability": "continuous"}
    else:
        initial = "approx" if is_assembled else "exact"
        own |= {"causality": "output" if x.is_output else "local", "variability": "continuous"}
        own["initial"] = initial if x.kind == Kind.STATE else "calculated"
    if x.kind in (Kind.PARAMETER, Kind.INPUT, Kind.STATE):
        if not math.isfinite(x.start):
            raise ModelError(f"variable {x.name!r} starts at {x.start}, which is no number.")
        own["start"] = repr(float(x.start))
    return own | ({"unit": x.unit} if x.unit else {})


def _add_unit(parent: ET.Element, text: str) -> None:
    """Define a unit by powers of SI units, where it can be read."""
    one = ET.SubElement(parent, "Unit", name=text)
    try:
        found = unit(text)
    except ModelError:
        return
    powers = {name: str(n) for name, n in zip(_SI, found.dimension, strict=True) if n}
    factor = float(found.number) * math.pi**found.pi
    ET.SubElement(one, "BaseUnit", powers if factor == 1.0 else {**powers, "factor": repr(factor)})
