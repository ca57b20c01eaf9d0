"""Forces on a compiled system: by names, and as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.constraints.cut_joints import motion_of
from jourdain.equations.joints.motion import Motion
from jourdain.errors import ModelError, unknown_name
from jourdain.model.names import meant
from jourdain.system.compiled import CompiledModel
from jourdain.system.parameters import numbers


class Forces:
    """Names and arrays of generalized forces, of inputs of laws and of external loads.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    """

    def __init__(self, compiled: CompiledModel) -> None:
        self._model, self._d = compiled.model, compiled.description
        self._n_bodies = compiled.n_bodies

    def forces(self, values: Mapping[str, Any] | Any = None) -> Any:
        """Generalized forces ``tau`` (n_v,) [N, N m] from names.

        Parameters
        ----------
        values : mapping
            ``{"main.angle": 3.0}``: by the name of the coordinate the force acts along, or by the
            name of its velocity; forces that are not named are zero. Arrays are passed through.
        """
        if values is None:
            return np.zeros(self._d.n_v)
        if not isinstance(values, Mapping):
            return values
        columns = {self.force_index(n): numbers(x) for n, x in values.items()}
        lead = np.broadcast_shapes(*(c.shape for c in columns.values()))
        tau = np.zeros((*lead, self._d.n_v))
        for k, column in columns.items():
            tau[..., k] = column
        return tau

    @cached_property
    def none(self) -> Any:
        """No force along any coordinate (n_v,)."""
        return np.zeros(self._d.n_v)

    def force_index(self, name: str) -> int:
        """Index in ``tau`` of the force along a coordinate, by its name or that of its velocity."""
        if name not in self.force_indices:
            raise unknown_name("force", name, self.force_indices, f"model {self._model.name!r}")
        return self.force_indices[name]

    @cached_property
    def force_indices(self) -> dict[str, int]:
        """Velocity index by the name of a velocity, or of the coordinate whose rate it is."""
        index = {name: k for k, name in enumerate(self._d.names.v)}
        d = self._d
        for link, v_start in zip(d.links, d.layout.v_start, strict=True):
            names = rate_places(link.joint.joint.kind, link.motion)
            index |= {f"{link.joint.name}.{name}": v_start + k for name, k in names.items()}
        scalars = [name for name in self._model.coordinates if f"{name}.value" in index]
        return index | {name: index[f"{name}.value"] for name in scalars}

    @cached_property
    def extra_names(self) -> tuple[str, ...]:
        """Names of what ``extra`` holds: forces in cut joints, inputs of laws, contact forces."""
        return self._d.parts.extra

    def input_name(self, name: Any) -> Any:
        """Full name of a force or input; itself where it is no short name of one of them."""
        known = (*self.force_indices, *self.extra_indices)
        found = [] if name in known else meant(str(name), known, self._d.names.elements)
        return found[0] if len(found) == 1 else name

    @cached_property
    def extra_indices(self) -> dict[str, int]:
        """Index in ``extra`` of a force along a cut joint, or of an input of a law, by name.

        A force is named as in `force_index`: after its velocity, or after the coordinate.
        """
        parts = self._d.parts
        given = (*parts.cut_velocities, *parts.inputs)
        index = {name: k for k, name in enumerate(given)}
        start = 0
        for cut in self._d.parts.cuts:
            motion = motion_of(cut)
            index |= {
                f"{cut.name}.{name}": start + k for name, k in rate_places(cut.kind, motion).items()
            }
            start += len(motion.free_columns)
        return index

    @property
    def input_rate_indices(self) -> dict[str, int]:
        """Index in ``extra`` of the rate of an input that measures look at, by the input's name."""
        parts, first = self._d.parts, len(self._d.parts.cut_velocities) + len(self._d.parts.inputs)
        return {name: first + k for k, name in enumerate(parts.rated)}

    def padded(self, wrenches: Any) -> Any:
        """Loads of the bodies as one row, with zeros for the scalar coordinates behind them."""
        if wrenches is None:
            return np.zeros(6 * self._d.layout.n_bodies)
        loads = np.asarray(wrenches, dtype=float)
        if loads.shape[-2:] != (self._n_bodies, 6):
            raise ModelError(
                f"wrenches has the shape {loads.shape}; give (..., {self._n_bodies}, 6): "
                "[torque; force] for every body."
            )
        row = np.zeros((*loads.shape[:-2], 6 * self._d.layout.n_bodies))
        row[..., : 6 * self._n_bodies] = loads.reshape(*loads.shape[:-2], -1)
        return row


def rate_places(kind: Any, motion: Motion) -> dict[str, int]:
    """Free coordinates whose rate is a velocity coordinate, with the place of that velocity."""
    names = list(kind.coordinates)
    return {
        names[i]: column
        for i in motion.free
        for column, j in enumerate(motion.free_columns)
        if motion.rates[i, j].is_one()
    }
