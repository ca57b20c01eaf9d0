"""Forces of laws and rows of constraints on any measure, in absolute steps, by form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.equations.connections.forms import FormNames, Given, form_of, twins_of
from jourdain.equations.connections.scene import trace_measure
from jourdain.errors import JourdainError
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws import Equal, ForceLaw
from jourdain.system.linear.groups import Forces, Rows, turned
from jourdain.system.linear.joint_rows import row_functions


class NotSparseError(Exception):
    """A machine has something that the sparse pencil does not know; the text names it."""


class _Alone:
    """What a law sees that asks for its own measure alone."""

    t = 0.0

    def __getattr__(self, name: str) -> NoReturn:
        raise NotSparseError(f"a law that asks for {name}")


class _Form:
    """Connections of one form: their function, arguments and places.

    Parameters
    ----------
    c : Connection
        One of them.
    numbers : sequence of casadi.SX
        Symbols in the place of their numbers.
    names : collection of str
        Coordinates there are.
    values : mapping
        Values of the parameters.
    """

    def __init__(self, c: Connection, numbers: Any, names: Any, values: Any) -> None:
        measure = with_values(c.measure, values)
        traced = trace_measure(measure, names, f"connection {c.name!r}", numbers=numbers)
        if not traced.is_holonomic:
            raise NotSparseError(f"connection {c.name!r}, whose measure has a rate only")
        scene = traced.scene
        self.bodies, self.coordinates = list(scene.moving), list(scene.coordinates)
        n_b, n_c = len(self.bodies), len(self.coordinates)
        steps = ca.SX.sym("steps", 6 * n_b + n_c)
        old, new = [scene.t], [ca.SX(0)]
        symbols = []
        for k, body in enumerate(scene.moving.values()):
            R, p = turned(body.R, body.p, steps[6 * k : 6 * k + 6])
            old += [body.R, body.p]
            new += [R, p]
            symbols += [ca.vec(body.R), body.p]
        for k, (x, *_) in enumerate(scene.coordinates.values()):
            old.append(x)
            new.append(x + steps[6 * n_b + k])
            symbols.append(x)
        (value,) = ca.substitute([traced.value], old, new)
        given = ca.vertcat(*symbols, *numbers)
        self.size, self.is_force = traced.size, isinstance(c.law, ForceLaw)
        if self.is_force:
            law = with_values(c.law, values)
            self.functions: tuple[Any, ...] = (self._forces(law, value, steps, given),)
        else:
            self.functions = row_functions(value, steps, given)
        self.given: list[list[float]] = []
        self.places: list[list[int]] = []

    def _forces(self, law: Any, value: Any, steps: Any, given: Any) -> Any:
        """Function: force along the steps, stiffness and damping at none."""
        x, v = ca.SX.sym("x", self.size), ca.SX.sym("v", self.size)
        force = ca.SX(math.vector(law.force(x, v, _Alone())))
        rest = ca.SX.zeros(self.size)
        by_v = ca.substitute(ca.jacobian(force, v), v, rest)
        force = ca.substitute(force, v, rest)
        J = ca.jacobian(value, steps)
        (own,) = ca.substitute([force], [x], [value])
        along = J.T @ own
        (lossy,) = ca.substitute([by_v], [x], [value])
        results = [along, -ca.jacobian(along, steps), -J.T @ lossy @ J]
        still = ca.substitute(results, [steps], [ca.SX.zeros(steps.numel())])
        return ca.Function("forces", [given], [ca.densify(e) for e in still])

    def add(self, given: Given, pose: Callable[[str], Any], places: Any, at: Any) -> None:
        """Add the numbers of one connection."""
        column: list[float] = []
        own: list[int] = []
        for name in self.bodies:
            k, numbers = pose(given.name(name))
            column += numbers
            own += range(6 * k, 6 * k + 6)
        for name in self.coordinates:
            place = places[given.name(name)]
            column.append(at[place])
            own.append(place)
        self.given.append([*column, *(float(x) for x in given.numbers)])
        self.places.append(own)

    def group(self) -> Rows | Forces:
        """All of them."""
        given = np.array(self.given).reshape(len(self.places), -1).T
        places = np.array(self.places, dtype=int).reshape(len(self.places), -1)
        if self.is_force:
            return Forces(self.functions[0], given, places)
        first, second = self.functions
        return Rows(first, second, given, places, self.size)


def connection_blocks(
    connections: tuple[Connection, ...],
    pose: Callable[[str], Any],
    places: Mapping[str, int],
    at: Mapping[int, float],
    values: Mapping[str, float],
) -> list[Rows | Forces]:
    """Blocks of all connections, by form.

    Parameters
    ----------
    connections : tuple of Connection
        Measures with force laws or held values.
    pose : function of str
        Number of a body, and its orientation and position as a list.
    places : mapping of str to int
        Unknowns of coordinates, by name.
    at : mapping of int to float
        Values of the coordinates, by unknown.
    values : mapping
        Values of the parameters.

    Raises
    ------
    NotSparseError
        If a law asks for more than its measure, or a measure has no value.
    """
    forms: dict[Any, _Form] = {}
    names = FormNames(places)
    for c in connections:
        law = c.law if isinstance(c.law, ForceLaw) else Equal()
        form = form_of(c.measure, law)
        own = forms.get(form.key)
        if own is None:
            own = forms[form.key] = _form(c, law, names, values)
        own.add(form.given(c.name, values), pose, places, at)
    return [own.group() for own in forms.values()]


def _form(c: Connection, law: Any, names: Any, values: Any) -> _Form:
    (measure, twin), numbers = twins_of(c.measure, law)
    try:
        return _Form(Connection(c.name, measure, twin), numbers, names, values)
    except (JourdainError, TypeError, ValueError, AttributeError, KeyError) as error:
        raise NotSparseError(f"connection {c.name!r}") from error
