"""Models with other drives, and the names of what can be driven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.analysis.assembly.closure_search import Search
from jourdain.analysis.doctor.mobility import Mobility
from jourdain.errors import ModelError, unknown_name
from jourdain.model.drive import drive, drives
from jourdain.model.model import Model
from jourdain.model.names import owned
from jourdain.results.channels.driven import drive_values
from jourdain.system import System, compile


def with_drives(model: Model, driven: Mapping[str, Any]) -> Model:
    """Copy of a model with further coordinates driven.

    Parameters
    ----------
    model : Model
        The machine; its own drives stay.
    driven : mapping of str to number or function of time
        By the names of coordinates: ``{"crank.angle": lambda t: 2.0 * t}``.

    Raises
    ------
    UnknownNameError
        If there is no such coordinate.
    ModelError
        If one is driven already.
    """
    if not isinstance(driven, Mapping):
        raise ModelError(
            f"driven is {driven!r:.60}; name the coordinates, for example "
            'driven={"crank.angle": lambda t: 2.0 * t}.'
        )
    twin = model.copy()
    tables = twin.tables()
    for name, value in driven.items():
        element, own = owned(str(name), (*tables["coordinate"], *tables["joint"]))
        if element in tables["coordinate"]:
            scalar = tables["coordinate"][element]
            _refuse(scalar.driven is not None, name, model)
            given = drive(value, f"the driven value of {name!r}")
            tables["coordinate"][element] = replace(scalar, driven=given)
            continue
        if element not in tables["joint"]:
            raise unknown_name("coordinate", str(name), coordinates(model), f"{model.name!r}")
        joint = tables["joint"][element]
        added = drives(joint.kind, {own: value}, f"joint {element!r}")
        _refuse(own in joint.driven, name, model)
        both = drives(joint.kind, {**joint.driven, **added}, f"joint {element!r}")
        tables["joint"][element] = replace(joint, driven=both)
    return twin


def _refuse(is_driven: bool, name: str, model: Model) -> None:
    if is_driven:
        raise ModelError(
            f"{name!r} is driven by model {model.name!r} already. Leave it out of driven, or take "
            "the drive out of the model."
        )


def without_drives(model: Model) -> Model:
    """Copy of a model in which nothing is driven."""
    twin = model.copy()
    tables = twin.tables()
    for name, joint in model.joints.items():
        tables["joint"][name] = replace(joint, driven={})
    for name, scalar in model.coordinates.items():
        tables["coordinate"][name] = replace(scalar, driven=None)
    return twin


def coordinates(model: Model) -> list[str]:
    """Names of all coordinates of joints and of the model."""
    own = [f"{j.name}.{name}" for j in model.joints.values() for name in j.kind.coordinates]
    return [*own, *model.coordinates]


def velocity_name(system: System, name: str) -> str:
    """Velocity by its own name, or by that of the coordinate whose rate it is.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    cut = system.description.parts.cut_velocities
    if name in system.model.coordinates:
        return f"{name}.rate"
    if name in system.names.v or name in cut:
        return name
    if name in system.force_indices:
        return system.names.v[system.force_indices[name]]
    if name in system.extra_indices and system.extra_indices[name] < len(cut):
        return system.extra_names[system.extra_indices[name]]
    known = (*system.force_indices, *list(system.extra_indices)[: 2 * len(cut)])
    raise unknown_name("coordinate", name, known, f"model {system.model.name!r}")


def coordinate_name(system: System, velocity: str) -> str:
    """Name of the coordinate whose rate a velocity is; that of the velocity if there is none."""
    positions, scalars = system.names.q, system.model.coordinates
    if velocity in system.names.v:
        k = system.names.v.index(velocity)
        found = [n for n, i in system.force_indices.items() if i == k and n in positions]
    else:
        k = system.extra_indices[velocity]
        found = [n for n, i in system.extra_indices.items() if i == k and n in positions]
    name = (found or [velocity])[0]
    return name.removesuffix(".value") if owned(velocity, scalars)[0] else name


def released(here: Mobility) -> Mobility:
    """Constraints of the same machine without its drives, in the same position."""
    d, names = here.system.description, here.system.names
    values = dict(zip(names.q, here.q.tolist(), strict=True))
    e = drive_values(d, np.array([here.t]), here.p)[0][0]
    for i, link in enumerate(d.links):
        own, start = list(link.joint.joint.kind.coordinates), d.layout.e_start[i]
        for k, place in enumerate(link.motion.driven):
            values[f"{link.joint.name}.{own[place]}"] = float(e[start + k])
    free = compile(without_drives(here.system.source))
    known = {name: x for name, x in values.items() if name in free.names.q}
    q = Search(free, {}, {}, here.t, here.p)._fitted(free.state(known)[0])
    return Mobility(free, q, here.t, here.p)
