"""Values of the parameters of a system, checked as the constructors of the elements check them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.checks.recheck import parametric_elements, refused
from jourdain.model.model import Model
from jourdain.spatial.check import by_name, number, shown
from jourdain.spatial.units import in_si, is_pair


def numbers(value: Any, what: str = "") -> Any:
    """Array of floats; the error names what was given, and for what."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        found = f"{shown(value)} is no number and no array of numbers."
        raise ModelError(f"{what} is wrong: {found}" if what else found) from error


def _values(name: str, value: Any) -> Any:
    """Value of a parameter, or an array of values of a batch."""
    what = f"value of parameter {name!r}"
    if np.ndim(value) == 0:
        return np.array(number(value, what))
    array = numbers(value, what)
    if not np.all(np.isfinite(array)):
        raise ModelError(f"{what} is not finite in all of the batch: {shown(value)}.")
    return array


class ParameterSets:
    """Arrays ``p`` of parameter values from what users give.

    Parameters
    ----------
    model : Model
        The machine.
    names : tuple of str
        Its parameters, in the order of ``p``.
    nominal : (n_p,)
        Their nominal values.
    """

    def __init__(self, model: Model, names: tuple[str, ...], nominal: Any) -> None:
        self._model, self._names, self.nominal = model, names, nominal
        self._allowed = nominal.tolist()  # values that were checked last

    def array(self, given: Any) -> Any:
        """Array ``p`` from a mapping of names, an array or None.

        Numbers are SI; a mapping may hold pairs, ``{"length": (600, "mm")}``.
        """
        if given is None:
            return self.nominal
        known = self._names
        if isinstance(given, Mapping):
            return self._parameters_by_name(given)
        array = numbers(given)
        if array.shape[-1:] != (len(known),):
            raise ModelError(
                f"model {self._model.name!r}: parameters are {shown(given)}, but the last axis "
                f"must hold {len(known)}: {', '.join(known) or 'the model has none'}."
            )
        return array

    def si_values(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """Values of parameters by name, pairs such as ``(600, "mm")`` as numbers of SI."""
        known, values = self._parameters, by_name(given, "parameters", '"length": 0.6')
        for name in values:
            if name not in known:
                raise unknown_name("parameter", name, known, f"model {self._model.name!r}")
        return {
            name: in_si(value, known[name].unit, f"parameter {name!r}")
            for name, value in values.items()
        }

    def _parameters_by_name(self, given: Mapping[str, Any]) -> Any:
        known, where = self._names, f"model {self._model.name!r}"
        for name in given:
            if name not in known:
                raise unknown_name("parameter", name, known, where)
        if not known:
            return self.nominal
        if any(is_pair(value) for value in given.values()):
            given = self.si_values(given)
        nominal = zip(known, self.nominal, strict=True)
        columns = {n: _values(n, given[n]) if n in given else np.array(x) for n, x in nominal}
        try:
            array = np.stack(np.broadcast_arrays(*columns.values()), axis=-1)
        except ValueError as error:
            shapes = ", ".join(f"{n} {c.shape}" for n, c in columns.items() if c.shape)
            raise ModelError(f"{where}: axes of parameters do not fit: {shapes}.") from error
        if array.ndim == 1:
            self._require_allowed(array.tolist())
        return array

    def one_set(self, given: Any) -> Any:
        """Array ``p`` (n_p,) for one run.

        Raises
        ------
        ModelError
            If a value is no number, or one that the constructors of the elements refuse.
        """
        array = self.array(given)
        if array.ndim != 1:
            named = given.items() if isinstance(given, Mapping) else [("parameters", given)]
            what, value = next((n, x) for n, x in named if np.ndim(x))
            raise ModelError(f"value of parameter {what!r} is {shown(value)}: give a number.")
        return array

    def _require_allowed(self, values: list[float]) -> None:
        """Let the elements that depend on parameters be checked as their constructors do."""
        if values == self._allowed:
            return
        by_name = dict(zip(self._names, values, strict=True))
        for problem in refused(self._parametric, by_name):
            nominal = zip(by_name.items(), self.nominal, strict=True)
            changed = ", ".join(f"{n} = {x:g}" for (n, x), y in nominal if x != y)
            raise ModelError(f"model {self._model.name!r} with {changed}: {problem}")
        self._allowed = values

    @cached_property
    def _parameters(self) -> Mapping[str, Any]:
        """Parameters by name; to find them, all elements are looked through."""
        return self._model.parameters

    @cached_property
    def _parametric(self) -> dict[str, Any]:
        return parametric_elements(self._model)
