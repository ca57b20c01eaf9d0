"""First-order states that belong to no force: pressures, flows, temperatures, controllers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.laws.law import ForceLaw, call
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check
from jourdain.spatial.annotations import Number, Takes, preset


class Nothing(Measure):
    """A measure without components."""

    size = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """None."""
        return ()

    def rate(self, at: Any) -> Any:
        """No numbers."""
        return ()


class States(ForceLaw):
    """First-order states with rates that see everything. Made by `Model.add_states`.

    Parameters
    ----------
    states : mapping of str to str
        Names and units.
    function : function of ``at``
        Their rates.
    begin : tuple of float
        Start values.
    inputs : mapping of str to str
        Names and units of inputs.
    """

    states: Mapping[str, str] = field(hash=False)
    function: Callable[[Any], Any]
    begin: Takes[Sequence[Number], tuple[Any, ...]] = preset(default=())
    inputs: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for name in ("states", "inputs"):
            table = getattr(self, name)
            is_named = isinstance(table, Mapping) and all(
                isinstance(text, str) for pair in table.items() for text in pair
            )
            if not is_named or (name == "states" and not table):
                raise ModelError(
                    f"the {name} are {check.shown(table)}: give names with units, such as "
                    '{"pressure": "Pa"}.'
                )
            object.__setattr__(self, name, dict(table))
        if not callable(self.function):
            raise ModelError(
                f"the rates are {check.shown(self.function)}: give a function of `at`, such as "
                'lambda at: -2.0 * at.state("pressure"), or for each state a jd.Signal or several.'
            )
        given = self.begin if isinstance(self.begin, list | tuple) else (self.begin,)
        begin = tuple(check.number(x, "a start value") for x in given) or (0.0,) * len(self.states)
        if len(begin) != len(self.states):
            raise ModelError(
                f"there are {len(self.states)} states and {len(begin)} start values: give one for "
                "each."
            )
        object.__setattr__(self, "begin", begin)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """No force."""
        return ()

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """What the function gives."""
        given = call(self.function, at)
        return tuple(given) if isinstance(given, tuple | list) else (given,)

    def start(self) -> tuple[Any, ...]:
        """Start values."""
        return self.begin

    def __str__(self) -> str:
        return ", ".join(f"{name} [{unit}]" for name, unit in self.states.items())
