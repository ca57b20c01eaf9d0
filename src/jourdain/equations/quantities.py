"""Quantities of a mechanism: each is declared once, where its equation is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, overload


class Level(IntEnum):
    """What a quantity may depend on; each level includes the ones before it.

    All depend on time and parameters, and on the modes of contacts.
    """

    POSITION = 0  # positions
    VELOCITY = 1  # velocities
    FORCE = 2  # forces, and the accelerations that they cause


@dataclass(frozen=True, eq=False)
class MechanismQuantity:
    """Record of a quantity: its name, shape and level, and the expression it stands for.

    It is an attribute of the class of equations. On the class it is this record, by which systems
    are asked for numbers: ``system.answers(Mechanism.vdot, q, v)``. On an object it is the
    expression, which is made once.

    Parameters
    ----------
    name : str
        Name, for users and in messages.
    level : Level
        What it may depend on.
    is_matrix : bool
        Whether numbers of one state have the shape (rows, columns) instead of (n,).
    expression : function of the equations
        Gives the expression: a column, or a matrix.
    """

    name: str
    level: Level
    is_matrix: bool
    expression: Callable[[Any], Any] = field(repr=False)

    @overload
    def __get__(self, equations: None, owner: type) -> MechanismQuantity: ...

    @overload
    def __get__(self, equations: object, owner: type) -> Any: ...

    def __get__(self, equations: Any, owner: type) -> Any:
        """Record on a class; on an object its expression."""
        return self if equations is None else self.of(equations)

    def of(self, equations: Any) -> Any:
        """Expression of the quantity in some equations."""
        known = equations.__dict__
        if self.name not in known:
            known[self.name] = self.expression(equations)
        return known[self.name]


def column_quantity(level: Level) -> Callable[[Callable[[Any], Any]], MechanismQuantity]:
    """Declare a quantity that is a column of numbers."""
    return lambda made: MechanismQuantity(made.__name__, level, False, made)


def matrix_quantity(level: Level) -> Callable[[Callable[[Any], Any]], MechanismQuantity]:
    """Declare a quantity that is a matrix."""
    return lambda made: MechanismQuantity(made.__name__, level, True, made)


def declared(equations: type) -> dict[str, MechanismQuantity]:
    """Quantities that a class of equations declares, by name."""
    classes = reversed(equations.__mro__)
    found = (x for own in classes for x in vars(own).values() if isinstance(x, MechanismQuantity))
    return {quantity.name: quantity for quantity in found}
