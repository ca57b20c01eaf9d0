"""Methods of a system that one of its parts answers."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

Part = TypeVar("Part")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Composed(Protocol):
    """An object made of parts, one of each class."""

    questions: dict[type, Any]


class AnsweredBy(Generic[Part, Arguments, Result]):
    """A method of a composed object that is the method of one of its parts.

    ``poses = AnsweredBy(Kinematics, Kinematics.poses)`` gives a system the method ``poses`` of its
    kinematics, with the same arguments, types and text.

    Parameters
    ----------
    part : type
        Class of the part.
    method : function
        Method of that class.
    """

    def __init__(
        self, part: type[Part], method: Callable[Concatenate[Part, Arguments], Result]
    ) -> None:
        self._part, self._method = part, method

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(
        self, composed: None, owner: type
    ) -> Callable[Concatenate[Part, Arguments], Result]: ...

    @overload
    def __get__(self, composed: Composed, owner: type) -> Callable[Arguments, Result]: ...

    def __get__(self, composed: Composed | None, owner: type) -> Any:
        """Function on a class; on an object the bound method, found once."""
        if composed is None:
            return self._method
        bound = MethodType(self._method, composed.questions[self._part])
        composed.__dict__[self._name] = bound
        return bound
