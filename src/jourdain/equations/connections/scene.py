"""What a measure looks at: symbols of bodies, coordinates and time, and rates along the motion.

With R, p the pose of a body, [ω; u] its twist and [ω̇; u̇] its rate, all in world components,

    dR/dt = [ω]× R,   dp/dt = u                                              (CN-1)
    ẋ = (∂x/∂R) dR/dt + (∂x/∂p) u + (∂x/∂c) dc/dt + (∂x/∂s) ds/dt + ∂x/∂t     (CN-2)
    dẋ/dt = J [dω/dt; du/dt] + …,   J = ∂ẋ/∂[ω; u]                             (CN-3)

so that a force F on the measure loads the body with the wrench Jᵀ F (virtual power). States and
inputs s move a measure as time does: virtual displacements leave them as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.equations.tracing.open_function import open_function
from jourdain.errors import ModelError, unknown_name
from jourdain.model.elements import WORLD, Frame
from jourdain.model.names import full_name

_SEEN = (
    "at.pose(frame), at.relative(frame, to), at.coordinate(name), at.state(name), at.input(name) "
    "and at.t"
)


@dataclass(frozen=True)
class BodySymbols:
    """Pose, twist and rate of the twist of a body, in world components."""

    R: Any
    p: Any
    twist: Any
    acceleration: Any

    @staticmethod
    def of(name: str) -> BodySymbols:
        """Symbols for a body; the world rests."""
        if name == WORLD:
            return BodySymbols(ca.SX.eye(3), ca.SX.zeros(3), ca.SX.zeros(6), ca.SX.zeros(6))
        sizes = ((3, 3), (3, 1), (6, 1), (6, 1))
        return BodySymbols(*(ca.SX.sym(name, *size) for size in sizes))

    @property
    def position_rate(self) -> Any:
        """Rates of R, column by column, and of p (CN-1)."""
        w, u = self.twist[:3], self.twist[3:]
        return ca.vertcat(ca.vec(math.skew(w) @ self.R), u)


@dataclass(frozen=True)
class Others:
    """What measures of force laws see besides coordinates: it has a rate, but no second one.

    Parameters
    ----------
    states, inputs : collections of str
        Names of the states and inputs there are.
    """

    states: Any = ()
    inputs: Any = ()


class Scene:
    """Symbols, made when they are asked for. Measures see it as ``at``.

    Parameters
    ----------
    coordinates : collection of str
        Names of the coordinates there are.
    where : str
        Whose measure it is, for errors.
    contact : casadi.SX, optional
        Contact parameters of the measure; a start for Newton's method, on which it hardly depends.
    others : Others, optional
        What else has a rate; None where second rates are needed, which these do not have.
    """

    def __init__(
        self, coordinates: Any, where: str, contact: Any = None, others: Others | None = None
    ) -> None:
        self.t, self.contact = ca.SX.sym("t"), contact
        self.bodies: dict[str, BodySymbols] = {}
        self.coordinates: dict[str, tuple[Any, Any, Any]] = {}
        self.states: dict[str, tuple[Any, Any]] = {}
        self.inputs: dict[str, tuple[Any, Any]] = {}
        self._known, self._others, self.where = coordinates, others, where

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._unseen(name)

    def _unseen(self, name: str) -> ModelError:
        return ModelError(
            f"{self.where}: its measure asks for at.{name}, whose rate is not known. Measures see "
            f"{_SEEN}. Let the law ask for at.{name}, or a state that follows it: "
            "model.add_lag(...)."
        )

    def _body(self, name: str) -> BodySymbols:
        if name not in self.bodies:
            self.bodies[name] = BodySymbols.of(name)
        return self.bodies[name]

    def pose(self, frame: Any) -> tuple[Any, Any]:
        """Orientation and position of a frame in the world."""
        frame = frame if isinstance(frame, Frame) else frame.at()
        body = self._body(frame.body)
        return body.R @ math.matrix(frame.rotation), body.p + body.R @ math.vector(frame.position)

    def relative(self, frame: Any, to: Any) -> tuple[Any, Any]:
        """Orientation and position of a frame as seen from another one."""
        (R, r), (R_to, r_to) = self.pose(frame), self.pose(to)
        return R_to.T @ R, R_to.T @ (r - r_to)

    def twist(self, frame: Any) -> tuple[Any, Any]:
        """Angular velocity and velocity of the origin of a frame, world components."""
        frame = frame if isinstance(frame, Frame) else frame.at()
        body = self._body(frame.body)
        w, arm = body.twist[:3], body.R @ math.vector(frame.position)
        return w, body.twist[3:] + math.cross(w, arm)

    def coordinate(self, name: str) -> Any:
        """A coordinate of a joint or of the model."""
        return self._coordinate(name)[0]

    def velocity(self, name: str) -> Any:
        """Rate of a coordinate."""
        return self._coordinate(name)[1]

    def _coordinate(self, name: str) -> tuple[Any, Any, Any]:
        if name not in self._known:
            raise unknown_name("coordinate", str(name), self._known, self.where)
        if name not in self.coordinates:
            x, rate, second = (ca.SX.sym(name) for _ in range(3))
            self.coordinates[name] = x, rate, second
        return self.coordinates[name]

    def state(self, name: str) -> Any:
        """A state of a law or of `Model.add_states`, by its full name."""
        return self._first_order("state", name)

    def input(self, name: str) -> Any:
        """An input of a law, by its full name: a number, or a function of time."""
        return self._first_order("input", name)

    def _first_order(self, word: str, name: str) -> Any:
        """Something that has a rate, but no second one."""
        if self._others is None:
            raise ModelError(
                f"{self.where}: its measure asks for the {word} {name!r}. Constraints, contacts, "
                "dry friction and members of composites need second rates of their measures, "
                f"which {word}s do not have. Give it a law of force, such as jd.Spring(1e6), or "
                f"make the {word} a coordinate."
            )
        known, found = getattr(self._others, f"{word}s"), getattr(self, f"{word}s")
        full = full_name(name, known)
        if full not in known:
            raise unknown_name(word, str(name), known, self.where)
        if full not in found:
            found[full] = ca.SX.sym(full), ca.SX.sym(f"rate of {full}")
        return found[full][0]

    def rate_of(self, measure: Any) -> Any:
        """Rate of a measure: as it gives it, else derived from its value (CN-2)."""
        given = measure.rate(self)
        return ca.SX(math.vector(given)) if given is not None else self.rate(measure.value(self))

    def rate(self, value: Any) -> Any:
        """Rate of an expression of positions, states and time (CN-2)."""
        if isinstance(value, str):
            raise self._unseen("rate")
        return ca.jtimes(ca.SX(math.vector(value)), self._positions, self._position_rates)

    def second_rate(self, rate: Any) -> Any:
        """Rate of an expression that also depends on velocities (CN-3)."""
        along = ca.vertcat(self._position_rates, self._accelerations)
        return ca.jtimes(rate, ca.vertcat(self._positions, self.velocities), along)

    @property
    def moving(self) -> dict[str, BodySymbols]:
        """Bodies without the world."""
        return {name: body for name, body in self.bodies.items() if name != WORLD}

    @property
    def rated(self) -> list[tuple[Any, Any]]:
        """States and inputs with their rates."""
        return [*self.states.values(), *self.inputs.values()]

    def _stacked(self, of_body: Any, of_coordinate: Any, *more: Any) -> Any:
        parts = [of_body(body) for body in self.moving.values()]
        return ca.vertcat(*parts, *(of_coordinate(c) for c in self.coordinates.values()), *more)

    @property
    def _positions(self) -> Any:
        others = (x for x, _ in self.rated)
        return self._stacked(
            lambda b: ca.vertcat(ca.vec(b.R), b.p), lambda c: c[0], *others, self.t
        )

    @property
    def _position_rates(self) -> Any:
        rates = (rate for _, rate in self.rated)
        return self._stacked(lambda b: b.position_rate, lambda c: c[1], *rates, ca.SX(1))

    @property
    def velocities(self) -> Any:
        """Symbols of twists and of rates of coordinates."""
        return self._stacked(lambda b: b.twist, lambda c: c[1])

    @property
    def _accelerations(self) -> Any:
        return self._stacked(lambda b: b.acceleration, lambda c: c[2])


@dataclass(frozen=True)
class Actual:
    """Expressions in the place of the symbols of a scene.

    Parameters
    ----------
    bodies : mapping of str to (R, p, twist, acceleration)
        By the name of the body.
    coordinates : mapping of str to (value, rate, second rate)
        By the name of the coordinate.
    t : casadi.SX
        Time.
    states, inputs : mappings of str to casadi.SX
        States and inputs by their full names.
    state_rates, input_rates : mappings of str to casadi.SX
        Rates of states and inputs, for measures that see them.
    """

    bodies: Mapping[str, tuple[Any, Any, Any, Any]]
    coordinates: Mapping[str, tuple[Any, Any, Any]]
    t: Any
    states: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    state_rates: Mapping[str, Any] = field(default_factory=dict)
    input_rates: Mapping[str, Any] = field(default_factory=dict)


class Traced:
    """A quantity of a scene with its rate and Jacobians.

    Parameters
    ----------
    scene : Scene
        Symbols.
    value : casadi.SX or None
        Value; None for a measure of velocities.
    rate : casadi.SX
        Rate, linear in the twists and in the rates of coordinates.
    numbers : sequence of casadi.SX
        Symbols of numbers that differ between the measures it was traced for, see `forms`.
    bound : casadi.SX, optional
        Number that the value never falls below, where the measure gives one.
    """

    def __init__(
        self,
        scene: Scene,
        value: Any,
        rate: Any,
        numbers: Sequence[Any] = (),
        bound: Any = None,
    ) -> None:
        self.scene, self.rate, self._numbers = scene, ca.SX(rate), list(numbers)
        self._bound = ca.SX(0, 1) if bound is None else ca.SX(bound)
        self.value = ca.SX(0, 1) if value is None else ca.SX(math.vector(value))
        self.is_holonomic = value is not None

    @property
    def size(self) -> int:
        """Number of components."""
        return int(self.rate.numel())

    @cached_property
    def _function(self) -> Any:
        scene = self.scene
        symbols = [part for body in scene.moving.values() for part in vars(body).values()]
        symbols += [part for c in scene.coordinates.values() for part in c]
        symbols += [part for pair in scene.rated for part in pair]
        by_body = [ca.jacobian(self.rate, body.twist) for body in scene.moving.values()]
        by_coordinate = [ca.jacobian(self.rate, c[1]) for c in scene.coordinates.values()]
        results = [self.value, self.rate, scene.second_rate(self.rate), self._bound]
        results += [*by_body, *by_coordinate]
        return open_function("measure", [*symbols, scene.t, *self._numbers], results)

    def at(self, actual: Actual, numbers: Sequence[Any] = ()) -> Quantity:
        """Put expressions and numbers in the place of the symbols."""
        scene = self.scene
        arguments = [part for name in scene.moving for part in actual.bodies[name]]
        arguments += [part for name in scene.coordinates for part in actual.coordinates[name]]
        for name in scene.states:
            arguments += [actual.states[name], actual.state_rates[name]]
        for name in scene.inputs:
            arguments += [actual.inputs[name], actual.input_rates[name]]
        value, rate, bias, bound, *jacobians = self._function(*arguments, actual.t, *numbers)
        n = len(scene.moving)
        return Quantity(
            value if self.is_holonomic else None, rate, bias,
            dict(zip(scene.moving, jacobians[:n], strict=True)),
            dict(zip(scene.coordinates, jacobians[n:], strict=True)),
            bound if bound.numel() else None,
        )  # fmt: skip


@dataclass(frozen=True)
class Quantity:
    """A measure as expressions of the state: value, rate, bias of its second rate, Jacobians.

    Parameters
    ----------
    value : casadi.SX or None
        Value.
    rate : casadi.SX
        Rate.
    bias : casadi.SX
        Second rate at zero accelerations of the velocity coordinates.
    bodies, coordinates : mappings of str to casadi.SX
        Derivatives of the rate by the twists of bodies and by the rates of coordinates.
    bound : casadi.SX, optional
        Number that the value never falls below.
    near : casadi.SX, optional
        Whether a force may act: elsewhere its law does not reach as far as the bound is.
    """

    value: Any
    rate: Any
    bias: Any
    bodies: Mapping[str, Any]
    coordinates: Mapping[str, Any]
    bound: Any = None
    near: Any = None

    def reached(self, load: Any) -> Any:
        """Load of a force on the measure; zero beyond the reach of its law."""
        if self.near is None:
            return load
        return ca.vertcat(*(ca.if_else(self.near, x, 0) for x in ca.vertsplit(ca.densify(load))))


def trace_measure(
    measure: Any,
    coordinates: Any,
    where: str,
    contact: Any = None,
    numbers: Sequence[Any] = (),
    others: Others | None = None,
) -> Traced:
    """Trace a measure on symbols; see `Scene`.

    Raises
    ------
    ModelError
        If it decides or counts with symbols, gives the wrong count of numbers, or if its value
        depends on velocities.
    """
    scene = Scene(coordinates, where, contact, others)
    with on_symbols(f"{where}: its measure {type(measure).__name__}"):
        value = measure.value(scene)
        given = measure.rate(scene)
        column = None if value is None else ca.SX(math.vector(value))
        derived = ca.SX(0, 1) if column is None else scene.rate(column)
        rate = derived if given is None else ca.SX(math.vector(given))
        bound = measure.lower_bound(scene)
    if bound is not None and (measure.size != 1 or ca.SX(bound).numel() != 1):
        raise ModelError(
            f"{where}: its measure {type(measure).__name__} has {measure.size} components and a "
            f"lower bound of {ca.SX(math.vector(bound)).numel()} numbers. A lower bound is one "
            "number, for measures of one number."
        )
    moving = scene.velocities
    if column is not None and moving.numel() and ca.depends_on(column, moving):
        raise ModelError(
            f"{where}: the value of its measure {type(measure).__name__} depends on a velocity, so "
            f"that its rate is not known. Measures see {_SEEN}. Give rate(at) where it is a speed "
            "itself, or let the law ask for at.velocity(name)."
        )
    if rate.numel() != measure.size:
        raise ModelError(
            f"{where}: its measure {type(measure).__name__} gives {rate.numel()} numbers, but its "
            f"size is {measure.size}. Set size to the number of components."
        )
    return Traced(scene, column if given is None else None, rate, numbers, bound)
