"""A joint kind under test: what the program derives from it, next to its pose on floats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.joints.motion import Motion, evaluate_motion, split, traced
from jourdain.errors import ModelError
from jourdain.model.drive import members
from jourdain.model.elements import parameters_of, with_values
from jourdain.model.joints.joint import Joint
from jourdain.spatial.parameter import nominal
from jourdain.testing.joints.differences import pose_matrix

State = tuple[Any, Any, float]  # q, v, t


@dataclass(frozen=True)
class Outcome:
    """Two arrays that must agree.

    Parameters
    ----------
    state : tuple
        Where: q, v, t.
    found, expected : array
        What the kind or its derivation gives, and what it must be.
    what, source, advice : str
        Words for the message: what is found, where the expected value comes from, what to do.
    size : float
        Size of the numbers that cancel in the comparison.
    """

    state: State
    found: Any
    expected: Any
    what: str
    source: str
    advice: str
    size: float = 1.0


class Subject:
    """A joint kind under test, traced, with the states to test it at."""

    def __init__(self, kind: Joint) -> None:
        self.states: list[State] = []
        self.symbolic = kind
        self.kind: Joint = with_values(kind, {p.name: p.value for p in parameters_of(kind)})
        self.forward = Derived(kind, (), False)
        self.backward = Derived(kind, (), True)
        self.names, self.velocities = list(kind.coordinates), list(kind.velocities)

    def rates(self, q: Any) -> Any:
        """Matrix Y₁ with floats."""
        Y = self.kind.rates(q)
        return np.eye(len(self.names)) if Y is None else np.array(Y)

    def line(self, q: Any, dq: Any, t: float, dt: float = 1.0) -> Callable[[float], Any]:
        """Pose on the straight way from q and t with the rates dq and dt."""
        return lambda h: pose_matrix(self.kind, q + h * dq, t + h * dt)

    def path(self, state: State, dt: float = 1.0) -> Callable[[float], Any]:
        """Pose on the way from a state with its velocities, time running at the rate dt."""
        q, v, t = state
        return self.line(q, self.rates(q) @ v, t, dt)

    def size(self, state: State) -> float:
        """Largest number that differences of the pose cancel at a state."""
        return float(np.abs(pose_matrix(self.kind, state[0], state[2])).max())

    @cached_property
    def drivable(self) -> dict[str, tuple[int, ...]]:
        """Coordinates and groups that can be driven, with their indices."""
        stems = (name.partition(".")[0] for name in self.names)
        found = {}
        for key in dict.fromkeys((*self.names, *stems)):
            indices = tuple(self.names.index(name) for name in members(self.kind, key))
            try:
                Derived(self.symbolic, indices, False)
            except ModelError:
                continue
            found[key] = indices
        return found


class Derived:
    """What the program derives from a kind with some coordinates driven, on numbers."""

    def __init__(
        self, kind: Joint, driven: tuple[int, ...], is_reversed: bool, numbers: bool = False
    ) -> None:
        self.motion: Motion = traced(kind, driven, is_reversed, numbers)
        self._slots = [nominal(x) for x in split(kind, numbers)[1]]
        self._function = self.motion.function
        self.is_reversed = is_reversed

    def modes(self, q: Any, t: float) -> tuple[Any, Any]:
        """Modes of the velocities and of time, in parent components."""
        return evaluate_motion(self.motion, self._slots, q, t)

    def __call__(self, q: Any, v: Any, t: float, e: Any = (), e1: Any = (), e2: Any = ()) -> Any:
        """Pose ``[R r]``, relative velocity G and bias c in outboard components, dq/dt."""
        outputs = self._function(self._slots, q, v, t, e, e1, e2)
        R, r, S, S_x, c, qdot = (np.array(x) for x in outputs[:6])
        G = S.reshape(6, len(v)) @ v + S_x.reshape(-1)
        return np.column_stack((R, r)), G, c.reshape(-1), qdot.reshape(-1)
