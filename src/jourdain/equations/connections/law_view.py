"""Everything that laws, capacities and rates of states may ask for: what they see as ``at``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.connections.scene import Actual, BodySymbols, Scene
from jourdain.equations.tracing.open_function import open_function
from jourdain.errors import ModelError, unknown_name
from jourdain.model.checks.snapshot import unseen
from jourdain.model.connection import Connection
from jourdain.model.elements import WORLD
from jourdain.model.names import full_name


class Placeholders(Mapping[str, Any]):
    """Symbols that stand for what is found later, made when they are asked for.

    Parameters
    ----------
    sizes : mapping of str to int
        Number of components of each, by name.
    given : mapping of str to casadi.SX
        Those that need no symbol, because they are known.
    word : str
        What they are, for the names of the symbols.
    """

    def __init__(self, sizes: Mapping[str, int], given: Mapping[str, Any], word: str) -> None:
        self._sizes, self._given, self._word = sizes, given, word
        self.asked: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Symbol of that name."""
        if name in self._given:
            return self._given[name]
        if name not in self.asked:
            self.asked[name] = ca.SX.sym(f"{self._word} of {name}", self._sizes[name])
        return self.asked[name]

    def __iter__(self) -> Iterator[str]:
        """Names of all."""
        return iter(self._sizes)

    def __len__(self) -> int:
        """Number of all."""
        return len(self._sizes)

    def __contains__(self, name: object) -> bool:
        """Whether there is one of that name."""
        return name in self._sizes


@dataclass(frozen=True)
class Known:
    """What there is to ask for.

    Parameters
    ----------
    coordinates, states, inputs : collections of str
        Full names of coordinates, states and inputs.
    multipliers, forces, state_rates : mappings of str to casadi.SX
        Forces of constraints and contacts, forces of connections, and rates of states.
    """

    coordinates: Collection[str] = ()
    states: Collection[str] = ()
    inputs: Collection[str] = ()
    multipliers: Mapping[str, Any] = field(default_factory=dict)
    forces: Mapping[str, Any] = field(default_factory=dict)
    state_rates: Mapping[str, Any] = field(default_factory=dict)

    @property
    def found_later(self) -> list[Any]:
        """Symbols of forces, which are not known before the motion is."""
        asked = (self.asked_forces, self.asked_rates)
        return [*self.multipliers.values(), *(x for table in asked for x in table.values())]

    @property
    def asked_forces(self) -> Mapping[str, Any]:
        """Symbols of the forces that laws have asked for."""
        return self.forces.asked if isinstance(self.forces, Placeholders) else {}

    @property
    def asked_rates(self) -> Mapping[str, Any]:
        """Symbols of the rates of states that laws have asked for, or energies need."""
        return self.state_rates.asked if isinstance(self.state_rates, Placeholders) else {}


class LawView(Scene):
    """The motion and all states, inputs and forces. Laws see it as ``at``.

    Parameters
    ----------
    owner : Connection
        Whose law it is: names of its own states and inputs need no element before them.
    known : Known
        What there is to ask for.
    actual : Actual, optional
        Expressions or numbers of the motion; without them there are symbols for what is asked for.
    """

    def __init__(self, owner: Connection, known: Known, actual: Actual | None = None) -> None:
        super().__init__(known.coordinates, f"connection {owner.name!r}")
        self._owner, self._everything, self._actual = owner, known, actual
        self.t = self.t if actual is None else actual.t
        self.numbers: dict[tuple[str, str], Any] = {}

    def state(self, name: str) -> Any:
        """Own state, or one of another element by its full name, ``"valve.pressure"``."""
        return self._number("states", name)

    def input(self, name: str) -> Any:
        """Own input, or one of another element by its full name."""
        return self._number("inputs", name)

    def multiplier(self, name: str) -> Any:
        """Force of a constraint or a contact."""
        return _one_or_more(self._found(self._everything.multipliers, name, "constraint"))

    def force(self, name: str) -> Any:
        """Force of a connection; of a contact the normal force."""
        return _one_or_more(self._found(self._everything.forces, name, "connection"))

    def rate(self, name: Any) -> Any:
        """Rate of a state of another element; of an expression, as measures ask for it."""
        if not isinstance(name, str):
            value, own = ca.SX(math.vector(name)), self._state_numbers
            self._require_rates(value, "it asks for the rate of something that")
            rates = [self._everything.state_rates[n] for n in own if ca.depends_on(value, own[n])]
            used = [x for x in own.values() if ca.depends_on(value, x)]
            moved = super().rate(value)
            return (
                moved + ca.jtimes(value, ca.vertcat(*used), ca.vertcat(*rates)) if used else moved
            )
        return _one_or_more(self._found(self._everything.state_rates, name, "state"))

    def rate_of(self, measure: Any) -> Any:
        """Rate of a measure; differentiated on symbols, as expressions of the motion have none."""
        if self._actual is None:
            return super().rate_of(measure)
        view = LawView(self._owner, self._everything)
        rate = view.rate_of(measure)
        found = open_function("rate", view.symbols, [rate])
        return _one_or_more(found(*view.arguments(self._actual)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise ModelError(f"{self.where}: its law asks for at.{name}. {unseen(name)}")

    def _number(self, table: str, name: str) -> Any:
        own = getattr(self._owner.law, table, {})
        full = f"{self._owner.name}.{name}" if name in own else name
        word, every = table.removesuffix("s"), getattr(self._everything, table)
        full = full_name(full, every)
        if full not in every:
            raise unknown_name(word, str(name), [*own, *every], f"{self.where}: its law")
        if self._actual is not None:
            return getattr(self._actual, table)[full]
        return self.numbers.setdefault((table, full), ca.SX.sym(full))

    def _found(self, table: Mapping[str, Any], name: str, word: str) -> Any:
        full = full_name(name, table) if word == "state" else name
        if full not in table:
            raise unknown_name(word, str(name), table, f"{self.where}: its law")
        return table[full]

    def _body(self, name: str) -> BodySymbols:
        if self._actual is None or name == WORLD:
            return super()._body(name)
        return BodySymbols(*self._actual.bodies[name])

    def _coordinate(self, name: str) -> tuple[Any, Any, Any]:
        found = super()._coordinate(name)
        return found if self._actual is None else self._actual.coordinates[name]

    @property
    def symbols(self) -> list[Any]:
        """Symbols of what was asked for, forces left out: they stay in expressions."""
        bodies = [part for body in self.moving.values() for part in vars(body).values()]
        moving = [part for c in self.coordinates.values() for part in c]
        return [*bodies, *moving, *self.numbers.values(), self.t]

    def arguments(self, actual: Actual) -> list[Any]:
        """What belongs in the place of the symbols."""
        bodies = [part for name in self.moving for part in actual.bodies[name]]
        moving = [part for name in self.coordinates for part in actual.coordinates[name]]
        numbers = [getattr(actual, table)[name] for table, name in self.numbers]
        return [*bodies, *moving, *numbers, actual.t]

    def energy_rate(self, energy: Any, own: Mapping[str, Any]) -> Any:
        """Rate of a stored energy besides that by the measure, from rates of the own states.

        Raises
        ------
        ModelError
            If the energy depends on something whose rate is not known.
        """
        used = {n: x for n, x in self._state_numbers.items() if ca.depends_on(energy, x)}
        rates = {n: own[n] if n in own else self._everything.state_rates[n] for n in used}
        base = ca.vertcat(self._positions, *used.values())
        along = ca.vertcat(self._position_rates, *rates.values())
        advice = "; leave the energy out, and what the law gives counts as supplied"
        self._require_rates(energy, "its stored energy", advice)
        return ca.jtimes(energy, base, along)

    def _require_rates(self, value: Any, what: str, advice: str = "") -> None:
        """Refuse what depends on something whose rate is not known."""
        without = {s.element_hash() for s in ca.symvar(self._without_rates)}
        if left := [s for s in ca.symvar(value) if s.element_hash() in without]:
            raise ModelError(
                f"{self.where}: {what} depends on {left[0].name()!r}, whose rate is not known. It "
                f"may depend on positions, states and time{advice}."
            )

    @property
    def _state_numbers(self) -> dict[str, Any]:
        """Symbols of the states that were asked for."""
        return {name: x for (table, name), x in self.numbers.items() if table == "states"}

    @property
    def _without_rates(self) -> Any:
        """Symbols of velocities, inputs and forces, whose rates are not known."""
        inputs = [x for (table, _), x in self.numbers.items() if table == "inputs"]
        return ca.veccat(ca.SX(0, 1), self.velocities, *inputs, *self._everything.found_later)


def _one_or_more(value: Any) -> Any:
    """Number as such, a column as it is."""
    return value[0] if isinstance(value, ca.SX) and value.numel() == 1 else value
