"""Functions of users that look at frames of flexible bodies, carried over to their sections."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import wraps
from typing import Any

import casadi as ca

from jourdain.model.elements import Frame
from jourdain.model.laws.law import ForceLaw, Law, call
from jourdain.model.laws.locked import Locked
from jourdain.model.laws.unilateral import Interval
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.measure import Measure

Put = Callable[[Frame], Frame]
Move = Callable[[Any], Any]
_FUNCTIONS: dict[Any, dict[str, int]] = {  # and how many numbers they take before ``at``
    Formula: {"function": 0, "speed": 0},
    Law: {"function": 2, "state_rates": 2},
    Interval: {"capacity": 2, "static": 2},
    Locked: {"when": 2},
}
_METHODS: dict[Any, dict[str, int]] = {  # of classes that users write
    Measure: {"value": 0, "rate": 0, "lower_bound": 0},
    ForceLaw: {"force": 2, "rates": 2, "energy": 1, "dissipation": 2},
}


def with_functions(value: Any, put: Put, move: Move) -> Any:
    """Copy of a measure or law whose functions see frames where they are; others as they are.

    Parameters
    ----------
    value : object
        Measure or law.
    put : function
        The frame that takes the place of a frame.
    move : function
        The measure that takes the place of a measure.
    """
    carried = {
        name: _carried(getattr(value, name), numbers, put, move)
        for name, numbers in _written(value).items()
        if _sees(getattr(value, name), numbers, put)
    }
    if not carried:
        return value
    moved = copy.copy(value)
    for name, function in carried.items():
        object.__setattr__(moved, name, function)
    return moved


def _written(value: Any) -> dict[str, int]:
    """Functions that a user wrote; frames of the measures and laws of the package are fields."""
    for kind, names in _FUNCTIONS.items():
        if isinstance(value, kind):
            return {name: n for name, n in names.items() if callable(getattr(value, name))}
    own = type(value)
    if own.__module__.partition(".")[0] == "jourdain":
        return {}
    for kind, names in _METHODS.items():
        if isinstance(value, kind):
            return {k: n for k, n in names.items() if getattr(own, k) is not getattr(kind, k)}
    return {}


def _carried(
    function: Callable[..., Any], numbers: int, put: Put, move: Move
) -> Callable[..., Any]:
    @wraps(function)
    def seen(*arguments: Any) -> Any:
        own, views = arguments[:numbers], arguments[numbers:]
        return function(*own, *(_View(at, put, move) for at in views))

    return seen


class _View:
    """What a function sees as ``at``, with other frames in the place of those it asks for."""

    def __init__(self, at: Any, put: Put, move: Move) -> None:
        self._at, self._put, self._move = at, put, move

    def __getattr__(self, name: str) -> Any:
        return getattr(self._at, name)

    def _frame(self, frame: Any) -> Frame:
        return self._put(frame if isinstance(frame, Frame) else frame.at())

    def pose(self, frame: Any) -> Any:
        """Orientation and position of a frame in the world."""
        return self._at.pose(self._frame(frame))

    def relative(self, frame: Any, to: Any) -> Any:
        """Orientation and position of a frame as seen from another one."""
        return self._at.relative(self._frame(frame), self._frame(to))

    def twist(self, frame: Any) -> Any:
        """Angular velocity and velocity of the origin of a frame, world components."""
        return self._at.twist(self._frame(frame))

    def rate_of(self, measure: Any) -> Any:
        """Rate of a measure."""
        return self._at.rate_of(self._move(measure))


def _sees(function: Callable[..., Any], numbers: int, put: Put) -> bool:
    """Whether a function asks for frames that others take the place of; makes these known.

    True as well where it cannot be tried out; then frames have to be known already.
    """
    tried = _Trial(put)
    try:
        call(function, *(ca.SX.sym("x") for _ in range(numbers)), tried)
    except Exception:  # told where it is traced
        return True
    return tried.found


class _Trial:
    """Symbols for all that is asked for."""

    t = ca.SX.sym("t")

    def __init__(self, put: Put) -> None:
        self._put, self.found = put, False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_: ca.SX.sym(name)

    def _note(self, given: Any) -> None:
        frame = given if isinstance(given, Frame) else given.at()
        self.found = self._put(frame) is not frame or self.found

    def pose(self, frame: Any) -> tuple[Any, Any]:
        """Orientation and position of a frame."""
        self._note(frame)
        return ca.SX.sym("R", 3, 3), ca.SX.sym("r", 3)

    def relative(self, frame: Any, to: Any) -> tuple[Any, Any]:
        """The same as seen from another one."""
        self._note(to)
        return self.pose(frame)

    def twist(self, frame: Any) -> tuple[Any, Any]:
        """Angular velocity and velocity of a frame."""
        self._note(frame)
        return ca.SX.sym("w", 3), ca.SX.sym("v", 3)

    def rate_of(self, measure: Any) -> Any:
        """Rate of a measure."""
        for frame in measure.frames:
            self._note(frame)
        self.found = True
        return ca.SX.sym("rate", measure.size)
