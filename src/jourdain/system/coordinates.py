"""Coordinates and frames of a system by their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.flexible.expanding import unknown_section
from jourdain.errors import ModelError, unknown_name
from jourdain.model.elements import WORLD, Body, Frame
from jourdain.spatial.check import by_name, shown
from jourdain.spatial.parameter import evaluate
from jourdain.spatial.units import in_si, is_pair
from jourdain.system.compiled import CompiledModel
from jourdain.system.parameters import numbers


class Coordinates:
    """Places of coordinates in the arrays, states by name, and frames on bodies.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    """

    def __init__(self, compiled: CompiledModel) -> None:
        self._model, self._d = compiled.model, compiled.description
        self._parameters, self._sections = compiled.parameters, compiled.sections
        self._places: dict[str, tuple[bool, Any, tuple[int, ...]]] = {}  # of names in starts

    def index(self, name: str) -> Any:
        """Index of a coordinate such as ``"main.angle"`` in ``q`` or ``"main.rate"`` in ``v``.

        A group such as ``"ball.position"`` gives an array of indices.
        """
        return self._d.names.index(name, f"model {self._model.name!r}")

    def state(self, values: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
        """Arrays ``(q, v)`` of the reference position with some coordinates set by name.

        Parameters
        ----------
        values : mapping
            ``{"main.angle": 0.4, "ball.velocity": (1, 0, 0)}`` in SI, or with a unit,
            ``{"main.angle": (30, "deg")}``; what is not named keeps its reference value,
            velocities are zero.
        """
        q, v = self._start.copy(), np.zeros(self._d.n_v)
        given = by_name(values, "start", '"main.angle": 0.4')
        for name, value in given.items():
            is_position, index, shape = self._places.get(name) or self._place(name)
            array = numbers(self.start_value(name, value), f"start value of {name!r}")
            if array.shape and array.shape != shape:
                raise _wrong(name, value, index)
            (q if is_position else v)[index] = array
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            for name, value in given.items():
                if not np.isfinite(numbers(self.start_value(name, value))).all():
                    raise _wrong(name, value, self.index(name))
        return q, v

    def _place(self, name: str) -> tuple[bool, Any, tuple[int, ...]]:
        """Whether a name is one of positions, its index there, and the shape of its value."""
        index = self.index(name)
        self._places[name] = self._d.names.is_position(name), index, np.shape(index)
        return self._places[name]

    def start_value(self, name: str, value: Any) -> Any:
        """Value of a coordinate or velocity in SI; it may be a pair ``(30, "deg")``."""
        if not is_pair(value):
            return value
        return in_si(value, self._d.names.unit(name), f"start value of {name!r}")

    @cached_property
    def _start(self) -> Any:
        d = self._d
        q = np.array([0.0] * d.n_q + d.parts.start)
        for link, start in zip(d.links, d.layout.q_start, strict=True):
            reference = link.joint.joint.kind.start()
            q[start : start + link.n_q] = [reference[i] for i in link.motion.free]
        return q

    def locate(self, frame: Frame | Body | str, parameters: Any = None) -> tuple[int, Any]:
        """Index of the body that carries a frame (−1 for the world) and the place on it."""
        p = self._parameters.array(parameters)
        values = dict(zip(self._d.names.parameters, np.moveaxis(p, -1, 0), strict=True))
        if isinstance(frame, str):
            frame = self._named_frame(frame)
        if isinstance(frame, Body):
            frame = frame.at()
        if not isinstance(frame, Frame):
            raise ModelError(
                f"frame {shown(frame)} is no body and no frame. Give a body, body.at(x, y, z), or "
                "the name of one of them; the ground is model.world."
            )
        frame = self._on_section(frame)
        place = np.broadcast_arrays(*evaluate(frame.position, values))
        position = np.stack(place, axis=-1).astype(float)
        if frame.body == WORLD:
            return -1, position
        self._model.body(frame.body)
        return self._d.names.bodies.index(frame.body), position

    def _on_section(self, frame: Frame) -> Frame:
        """The same frame on the section that stands for it, if its body is flexible."""
        found = self._sections.get((frame.body, frame.position))
        if found is not None:
            return Frame(found, rotation=frame.rotation)
        if any(name == frame.body for name, _ in self._sections):
            raise unknown_section(frame)
        return frame

    def _named_frame(self, name: str) -> Frame:
        model = self._model
        if name == WORLD or name in model.bodies:
            return model.body(name).at()
        if name not in model.frames:
            known = (WORLD, *model.bodies, *model.frames)
            raise unknown_name("frame", name, known, f"model {model.name!r}")
        return model.frames[name]


def _wrong(name: str, value: Any, index: Any) -> ModelError:
    count = f"{len(index)} finite numbers" if np.ndim(index) else "one finite number"
    return ModelError(f"start value {shown(value)} of {name!r} should be {count}.")
