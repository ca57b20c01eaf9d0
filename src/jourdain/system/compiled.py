"""A model with its functions, which are compiled when they are first asked for."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from jourdain.equations.flexible.expanding import expanded
from jourdain.equations.recursion.sweeps import Recursion
from jourdain.errors import ModelError
from jourdain.model.model import Model
from jourdain.model.parts.completing import completed
from jourdain.system.description import Description
from jourdain.system.execution import Evaluate, Execution, Looped
from jourdain.system.parameters import ParameterSets


class Prepared(Protocol):
    """What is no recursion by itself but made of some."""

    @property
    def name(self) -> str:
        """Name among the functions of a system."""

    def prepare(self, d: Description, execution: Execution) -> Evaluate:
        """Function of arrays ``(inputs…, t, p) -> list of outputs``."""


class CompiledModel:
    """What all parts of a system share: the model, its description, parameters and functions.

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
        self.source = model.copy(), cut  # what it was made of
        whole = expanded(completed(model), cut)
        self.model, cut, self.sections = whole.model, whole.cut, whole.sections
        self.is_flexible = any(body.elastic is not None for body in self.model.bodies.values())
        self.execution = execution
        self.description = d = Description(self.model, execution.share_code, cut)
        if self.is_flexible and any(not link.is_in_order for link in d.links):
            raise ModelError(
                f"model {model.name!r} has sections of flexible bodies whose joints are cut or "
                "turned round. Compile the model that it was made of, system.source."
            )
        self.parameters = ParameterSets(self.model, d.names.parameters, d.nominal)
        self.functions: dict[str, Evaluate] = {}
        self._calls: dict[str, Any] = {}
        self.n_bodies = len(self.model.bodies)
        self._n_more = len(d.names.q) - d.n_q
        self.has_connections = bool(d.parts)  # or cut joints, besides the tree

    @property
    def loops_constraints(self) -> bool:
        """Whether constraints are worked out in loops, if their kinds allow."""
        parts = self.description.parts
        is_looped = isinstance(self.execution, Looped) and self.execution.loops_constraints
        is_plain = not (parts.has_contacts or parts.composites or self.is_flexible)
        return is_looped and parts.has_constraints and is_plain

    def function(self, asked: Recursion | Prepared) -> Evaluate:
        """Function of arrays ``(inputs…, t, p) -> list of outputs``."""
        if asked.name not in self.functions:
            d, execution = self.description, self.execution
            if isinstance(asked, Recursion):
                self.functions[asked.name] = execution.prepare(asked, d)
            else:
                self.functions[asked.name] = asked.prepare(d, execution)
        return self.functions[asked.name]

    def nominal_call_of(self, asked: Recursion | Prepared) -> Any:
        """Shortest way to a function, for the nominal parameters."""
        function: Any = self.function(asked)
        self._calls[asked.name] = getattr(function, "nominal_call", function)
        return self._calls[asked.name]

    def run(self, asked: Recursion | Prepared, *arguments: Any, parameters: Any) -> list[Any]:
        """Results of a recursion: arguments begin with positions and end with the time."""
        if self._n_more:
            arguments = (self.of_tree(arguments[0]), *arguments[1:])
        try:
            if parameters is None:
                call = self._calls.get(asked.name) or self.nominal_call_of(asked)
                return call(*arguments, self.parameters.nominal)  # type: ignore[no-any-return]
            return self.function(asked)(*arguments, self.parameters.array(parameters))
        except ValueError as error:
            raise self.told(error) from error

    def told(self, error: ValueError) -> ModelError:
        """Error of arguments with the name of the model."""
        if isinstance(error, ModelError):
            return error
        return ModelError(f"model {self.model.name!r}: {error}")

    def of_tree(self, q: Any) -> Any:
        """Coordinates of the tree alone, without those of cut joints and states of laws."""
        return np.asarray(q, dtype=float)[..., : self.description.n_q]
