"""Traced connections: one trace serves all of one form."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jourdain.equations.connections.answer import Answer, TracedLaw
from jourdain.equations.connections.forms import OWN, FormNames, Given, form_of, twins_of
from jourdain.equations.connections.law_view import Known
from jourdain.equations.connections.scene import (
    Actual,
    Others,
    Quantity,
    Scene,
    Traced,
    trace_measure,
)
from jourdain.equations.contact.contact_points import Pair, Quantities, traced_pairs
from jourdain.equations.tracing.kinks import Kinks
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.errors import JourdainError, ModelError
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws import ForceLaw


def force_law(c: Connection) -> ForceLaw | None:
    """Force law of a connection; None where it has another one."""
    return c.law if isinstance(c.law, ForceLaw) else None


@dataclass(frozen=True)
class Trace:
    """Measure and law of one connection, or of all of its form.

    Parameters
    ----------
    measure : Traced
        The measure.
    law : TracedLaw or None
        Its force law, where it has one.
    """

    measure: Traced
    law: TracedLaw | None


class Traces:
    """Traces by form.

    Parameters
    ----------
    known : Known
        What laws may ask for.
    coordinates : collection of str
        What measures may ask for.
    values : mapping
        Symbols of the parameters.
    """

    def __init__(self, known: Known, coordinates: Any, values: Mapping[str, Any]) -> None:
        self._known, self._coordinates, self._values = known, coordinates, values
        self._found: dict[Hashable, Any] = {}  # None: each is traced by itself
        self._kept: list[Any] = []  # objects whose identity is in a key

    def measured(
        self, c: Connection, actual: Actual, contact: Any = None
    ) -> tuple[Quantity, Measured]:
        """Measure of a connection at a motion, and what gives its answer.

        Parameters
        ----------
        c : Connection
            Measure and law.
        actual : Actual
            The motion.
        contact : casadi.SX, optional
            Contact parameters of its measure: such a measure is traced by itself.
        """
        form = form_of(c.measure, force_law(c))
        by_itself = contact is not None or not self._knows(form.names, actual)
        trace = None if by_itself else self._shared(c, form.key, self._trace_form)
        if trace is None:
            trace, given = self._trace(c, contact), Given({}, (), c.name)
        else:
            given = form.given(c.name, self._values)
        measured = Measured(trace, given)
        return measured.quantity(actual), measured

    def pairs(self, c: Connection, actual: Actual, contact: Any = None) -> list[Quantities]:
        """Gap and sliding velocity of each contact point of a set-valued connection at a motion."""
        form = form_of(c.measure, c.law)
        by_itself = contact is not None or not self._knows(form.names, actual)
        pairs = None if by_itself else self._shared(c, form.key, self._form_pairs)
        given = form.given(c.name, self._values)
        if pairs is None:
            where, given = f"connection {c.name!r}", Given({}, (), c.name)
            with on_symbols(f"{where}: its measure or law"):
                measure = with_values(c.measure, self._values)
                scene = Scene(self._coordinates, where, contact)
                pairs = traced_pairs(measure, c.law, self._values, scene)
        at = given.actual(actual)

        def quantity(traced: Traced | None) -> Quantity | None:
            return None if traced is None else _renamed(traced.at(at, given.numbers), given)

        return [(quantity(normal), quantity(tangential)) for normal, tangential in pairs]

    def _knows(self, names: tuple[str, ...], actual: Actual) -> bool:
        """Whether all names are there; what misses one is traced by itself, which tells it."""
        return all(name in actual.bodies or name in actual.coordinates for name in names)

    def _form_pairs(self, c: Connection) -> list[Pair]:
        (measure, law), symbols = twins_of(c.measure, c.law)
        with on_symbols(c.name):
            scene = Scene(FormNames(self._coordinates), c.name)
            return traced_pairs(measure, law, self._values, scene, symbols)

    def _shared(self, c: Connection, key: Hashable, make: Callable[[Connection], Any]) -> Any:
        """What is traced for all of one form; None where that decides by numbers or names."""
        if key not in self._found:
            self._kept.append(c)
            try:
                self._found[key] = make(c)
            except (JourdainError, TypeError, ValueError, AttributeError, KeyError):
                self._found[key] = None  # told, if it is wrong, when it is traced by itself
        return self._found[key]

    def _trace_form(self, c: Connection) -> Trace:
        (measure, law), symbols = twins_of(c.measure, force_law(c))
        twin, known = Connection(OWN, measure, c.law if law is None else law), self._known
        states, inputs = (
            [*getattr(known, table), *(f"{OWN}.{x}" for x in getattr(law, table, ()))]
            for table in ("states", "inputs")
        )
        names = FormNames(known.coordinates)
        known = replace(known, coordinates=names, states=states, inputs=inputs)
        trace = self._made(twin, known, FormNames(self._coordinates), symbols=symbols)
        if trace.law is not None:
            _ = trace.law.plain  # what is wrong with it is found here
        return trace

    def _trace(self, c: Connection, contact: Any) -> Trace:
        own = Connection(c.name, with_values(c.measure, self._values), c.law)
        return self._made(own, self._known, self._coordinates, contact)

    def _made(
        self, c: Connection, known: Known, names: Any, contact: Any = None, symbols: Any = ()
    ) -> Trace:
        where = f"connection {c.name!r}"
        if not isinstance(c.law, ForceLaw):
            return Trace(trace_measure(c.measure, names, where, contact, symbols), None)
        others = Others(known.states, known.inputs)
        traced = trace_measure(c.measure, names, where, contact, symbols, others)
        has_value = traced.is_holonomic
        law = TracedLaw(c, known, self._values, has_value=has_value, numbers=symbols)
        return Trace(traced, law)


@dataclass(frozen=True)
class Measured:
    """A trace with the names and numbers of one connection."""

    trace: Trace
    given: Given

    def quantity(self, actual: Actual) -> Quantity:
        """Measure at a motion."""
        found = self.trace.measure.at(self.given.actual(actual), self.given.numbers)
        return _renamed(found, self.given)

    def answer(
        self, c: Connection, quantity: Quantity, actual: Actual, kinks: Kinks | None
    ) -> Answer:
        """Answer of the force law."""
        if self.trace.law is None:
            raise ModelError(f"connection {c.name!r} has no force law.")
        given = self.given
        return self.trace.law.answer(quantity, given.actual(actual), kinks, given.numbers)


def _renamed(quantity: Quantity, given: Given) -> Quantity:
    """Measure by the names of one connection."""
    bodies, coordinates = (given.by_name(x) for x in (quantity.bodies, quantity.coordinates))
    return replace(quantity, bodies=bodies, coordinates=coordinates)
