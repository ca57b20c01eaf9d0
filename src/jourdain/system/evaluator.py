"""What all parts of a compiled system share: names, start values, parameters, kernels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol

import casadi as ca
import numpy as np

from jourdain.equations.recursion.sweeps import Recursion
from jourdain.errors import ModelError, unknown_name
from jourdain.model.checks.recheck import parametric_elements, refused
from jourdain.model.elements import WORLD, Body, Frame
from jourdain.model.model import Model
from jourdain.model.parts.completing import completed
from jourdain.spatial.check import by_name, number, shown
from jourdain.spatial.parameter import evaluate
from jourdain.spatial.units import in_si, is_pair
from jourdain.system.description import Description
from jourdain.system.execution import Evaluate, Execution
from jourdain.system.names import Names
from jourdain.topology.tree import Topology


def numbers(value: Any) -> Any:
    """Array of floats; the error names what was given."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{shown(value)} is no number and no array of numbers.") from error


def _values(name: str, value: Any) -> Any:
    """Value of a parameter, or an array of values of a batch."""
    what = f"value of parameter {name!r}"
    if np.ndim(value) == 0:
        return np.array(number(value, what))
    array = numbers(value)
    if not np.all(np.isfinite(array)):
        raise ModelError(f"{what} is not finite in all of the batch: {shown(value)}.")
    return array


class Prepared(Protocol):
    """What is no recursion by itself but made of some."""

    @property
    def name(self) -> str:
        """Name among the functions of a system."""

    def prepare(self, d: Description, execution: Execution) -> Evaluate:
        """Function of arrays ``(inputs…, t, p) -> list of outputs``."""


class Evaluator:
    """A model with its names and compiled functions.

    All arrays are in SI units and in the order of ``system.names``. Every method takes leading
    axes for batches: ``q`` of shape (1000, n_q) gives poses of 1000 configurations.

    Parameters
    ----------
    model : Model
        The machine; it is copied.
    execution : Execution
        How to run: `Unrolled`, `Looped` or `Plain`.
    cut : tuple of str
        Joints that must be cut.
    """

    def __init__(self, model: Model, execution: Execution, cut: tuple[str, ...] = ()) -> None:
        self.model = completed(model)
        self.execution = execution
        self.description = Description(self.model, execution.share_code, cut)
        self._functions: dict[str, Evaluate] = {}
        self._calls: dict[str, Any] = {}
        self.kernels: dict[Any, Any] = {}  # compiled once, used in many runs
        self._nominal = self.description.nominal
        self._allowed = self._nominal.tolist()  # parameters that were checked last
        self._n_bodies = len(self.model.bodies)
        self._n_more = len(self.description.names.q) - self.description.n_q
        self.has_connections = bool(self.description.parts)  # or cut joints, besides the tree

    def __reduce__(self) -> Any:
        """Pickle as the model; the code is found in the cache again."""
        return type(self), (self.model, self.execution, self.description.cut)

    def __str__(self) -> str:
        way = type(self.execution).__name__.lower()
        return f"system {self.model.name!r} ({way})\n{self.names}"

    @property
    def names(self) -> Names:
        """Names and units of coordinates, bodies and parameters."""
        return self.description.names

    @property
    def topology(self) -> Topology:
        """Tree and cut joints."""
        return self.description.topology

    @cached_property
    def user_symbols(self) -> dict[str, Any]:
        """Symbols q, v, t and p on which functions of users are traced, and cut velocities."""
        sizes = {"q": len(self.names.q), "v": len(self.names.v), "t": 1}
        sizes["p"] = len(self.names.parameters)
        sizes["cut"] = len(self.description.parts.closing_velocities)
        return {name: ca.SX.sym(name, n) for name, n in sizes.items()}

    @cached_property
    def user_symbol_places(self) -> dict[int, int]:
        """Numbers of `user_symbols` by the hash of the symbol."""
        column = ca.vertcat(*self.user_symbols.values())
        return {s.element_hash(): k for k, s in enumerate(ca.vertsplit(column))}

    def index(self, name: str) -> Any:
        """Index of a coordinate such as ``"main.angle"`` in ``q`` or ``"main.rate"`` in ``v``.

        A group such as ``"ball.position"`` gives an array of indices.
        """
        return self.names.index(name, f"model {self.model.name!r}")

    def state(self, values: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
        """Arrays ``(q, v)`` of the reference position with some coordinates set by name.

        Parameters
        ----------
        values : mapping
            ``{"main.angle": 0.4, "ball.velocity": (1, 0, 0)}`` in SI, or with a unit,
            ``{"main.angle": (30, "deg")}``; what is not named keeps its reference value,
            velocities are zero.
        """
        q, v = self._start.copy(), np.zeros(self.description.n_v)
        for name, value in by_name(values, "start", '"main.angle": 0.4').items():
            index = self.index(name)
            array = numbers(self.start_value(name, value))
            if not np.all(np.isfinite(array)) or array.shape not in ((), np.shape(index)):
                count = f"{len(index)} finite numbers" if np.ndim(index) else "one finite number"
                raise ModelError(f"start value {shown(value)} of {name!r} should be {count}.")
            (q if self.names.is_position(name) else v)[index] = array
        return q, v

    def start_value(self, name: str, value: Any) -> Any:
        """Value of a coordinate or velocity in SI; it may be a pair ``(30, "deg")``."""
        if not is_pair(value):
            return value
        return in_si(value, self.names.unit(name), f"start value of {name!r}")

    @cached_property
    def _start(self) -> Any:
        d = self.description
        q = np.array([0.0] * d.n_q + d.parts.start)
        for link, start in zip(d.links, d.layout.q_start, strict=True):
            reference = link.joint.joint.kind.start()
            q[start : start + link.n_q] = [reference[i] for i in link.motion.free]
        return q

    def parameter_array(self, given: Any) -> Any:
        """Array ``p`` from a mapping of names, an array or None.

        Numbers are SI; a mapping may hold pairs, ``{"length": (600, "mm")}``.
        """
        if given is None:
            return self._nominal
        known = self.names.parameters
        if isinstance(given, Mapping):
            return self._parameters_by_name(given)
        array = numbers(given)
        if array.shape[-1:] != (len(known),):
            raise ModelError(
                f"model {self.model.name!r}: parameters are {shown(given)}, but the last axis must "
                f"hold {len(known)}: {', '.join(known) or 'the model has none'}."
            )
        return array

    def parameters_in_si(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """Values of parameters by name, pairs such as ``(600, "mm")`` as numbers of SI."""
        known, values = self._parameters, by_name(given, "parameters", '"length": 0.6')
        for name in values:
            if name not in known:
                raise unknown_name("parameter", name, known, f"model {self.model.name!r}")
        return {
            name: in_si(value, known[name].unit, f"parameter {name!r}")
            for name, value in values.items()
        }

    def _parameters_by_name(self, given: Mapping[str, Any]) -> Any:
        known, where = self.names.parameters, f"model {self.model.name!r}"
        for name in given:
            if name not in known:
                raise unknown_name("parameter", name, known, where)
        if not known:
            return self._nominal
        if any(is_pair(value) for value in given.values()):
            given = self.parameters_in_si(given)
        nominal = zip(known, self._nominal, strict=True)
        columns = {n: _values(n, given[n]) if n in given else np.array(x) for n, x in nominal}
        try:
            array = np.stack(np.broadcast_arrays(*columns.values()), axis=-1)
        except ValueError as error:
            shapes = ", ".join(f"{n} {c.shape}" for n, c in columns.items() if c.shape)
            raise ModelError(f"{where}: axes of parameters do not fit: {shapes}.") from error
        if array.ndim == 1:
            self._require_allowed(array.tolist())
        return array

    def one_parameter_set(self, given: Any) -> Any:
        """Array ``p`` (n_p,) for one run.

        Raises
        ------
        ModelError
            If a value is no number, or one that the constructors of the elements refuse.
        """
        array = self.parameter_array(given)
        if array.ndim != 1:
            named = given.items() if isinstance(given, Mapping) else [("parameters", given)]
            what, value = next((n, x) for n, x in named if np.ndim(x))
            raise ModelError(f"value of parameter {what!r} is {shown(value)}: give a number.")
        return array

    def _require_allowed(self, values: list[float]) -> None:
        """Let the elements that depend on parameters be checked as their constructors do."""
        if values == self._allowed:
            return
        by_name = dict(zip(self.names.parameters, values, strict=True))
        for problem in refused(self._parametric, by_name):
            nominal = zip(by_name.items(), self._nominal, strict=True)
            changed = ", ".join(f"{n} = {x:g}" for (n, x), y in nominal if x != y)
            raise ModelError(f"model {self.model.name!r} with {changed}: {problem}")
        self._allowed = values

    @cached_property
    def _parameters(self) -> Mapping[str, Any]:
        """Parameters by name; to find them, all elements are looked through."""
        return self.model.parameters

    @cached_property
    def _parametric(self) -> dict[str, Any]:
        return parametric_elements(self.model)

    def _function(self, asked: Recursion | Prepared) -> Evaluate:
        if asked.name not in self._functions:
            d, execution = self.description, self.execution
            if isinstance(asked, Recursion):
                self._functions[asked.name] = execution.prepare(asked, d)
            else:
                self._functions[asked.name] = asked.prepare(d, execution)
        return self._functions[asked.name]

    def _nominal_call(self, asked: Recursion | Prepared) -> Any:
        """Shortest way to a function, for the nominal parameters."""
        function: Any = self._function(asked)
        self._calls[asked.name] = getattr(function, "nominal_call", function)
        return self._calls[asked.name]

    def _run(self, asked: Recursion | Prepared, *arguments: Any, parameters: Any) -> list[Any]:
        if self._n_more:
            arguments = (self.of_tree(arguments[0]), *arguments[1:])
        try:
            if parameters is None:
                call = self._calls.get(asked.name) or self._nominal_call(asked)
                return call(*arguments, self._nominal)  # type: ignore[no-any-return]
            return self._function(asked)(*arguments, self.parameter_array(parameters))
        except ValueError as error:
            raise self._told(error) from error

    def _told(self, error: ValueError) -> ModelError:
        """Error of arguments with the name of the model."""
        if isinstance(error, ModelError):
            return error
        return ModelError(f"model {self.model.name!r}: {error}")

    def of_tree(self, q: Any) -> Any:
        """Coordinates of the tree alone, without those of cut joints and states of laws."""
        return np.asarray(q, dtype=float)[..., : self.description.n_q]

    def locate(self, frame: Frame | Body | str, parameters: Any = None) -> tuple[int, Any]:
        """Index of the body that carries a frame (−1 for the world) and the place on it."""
        p = self.parameter_array(parameters)
        values = dict(zip(self.names.parameters, np.moveaxis(p, -1, 0), strict=True))
        if isinstance(frame, str):
            frame = self._named_frame(frame)
        if isinstance(frame, Body):
            frame = frame.at()
        if not isinstance(frame, Frame):
            raise ModelError(
                f"frame {shown(frame)} is no body and no frame. Give a body, body.at(x, y, z), or "
                "the name of one of them; the ground is model.world."
            )
        place = np.broadcast_arrays(*evaluate(frame.position, values))
        position = np.stack(place, axis=-1).astype(float)
        if frame.body == WORLD:
            return -1, position
        self.model.body(frame.body)
        return self.names.bodies.index(frame.body), position

    def _named_frame(self, name: str) -> Frame:
        model = self.model
        if name == WORLD or name in model.bodies:
            return model.body(name).at()
        if name not in model.frames:
            known = (WORLD, *model.bodies, *model.frames)
            raise unknown_name("frame", name, known, f"model {model.name!r}")
        return model.frames[name]
