"""Random machines: trees of every joint kind with random places, masses, drives and parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.joints.motion import traced
from jourdain.errors import ModelError
from jourdain.model.drive import members
from jourdain.model.elements import Body, Frame
from jourdain.model.flexible.beam import Beam, beam
from jourdain.model.flexible.nodes.modes import from_modes
from jourdain.model.flexible.nodes.nodal import NodalSolid
from jourdain.model.flexible.section import Section
from jourdain.model.flexible.solid import FlexibleSolid
from jourdain.model.joints import Cylindrical, Planar, Prismatic, Revolute, Screw, all_joint_kinds
from jourdain.model.joints.joint import Joint
from jourdain.model.joints.product import Product
from jourdain.model.model import Model
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter
from jourdain.testing.joints.kinds import all_user_kinds
from jourdain.testing.states import random_coordinates

_FLOATING = 0.15  # share of bodies without a joint
_REVERSED = 0.4  # share of joints written from the outboard to the inboard body
_DRIVEN = 0.3  # share of joints with drives
_RANDOM_AXIS = 0.25  # share of kinds with an axis in a random direction
_PLACED = 0.8  # share of frames that are not the body's own
_PARAMETER = 0.3  # share of numbers that are parameters
_ARMATURE = 0.25  # share of joints with rotors
_OF_NODES = 0.3  # share of flexible bodies that are no beams
_AT_INTERFACE = 0.3  # share of their frames that follow several nodes
_DEPTH = 0.2  # of the waves of drives: leaves the singular positions of angles alone


@dataclasses.dataclass(frozen=True)
class Wave:
    """Drive ``offset (1 + 0.2 sin(frequency t + phase))``.

    Parameters
    ----------
    offset : float or Parameter [rad, m, 1]
        Mean value.
    frequency : float [rad/s]
        Angular frequency.
    phase : float [rad]
        Phase at time zero.
    """

    offset: Any
    frequency: float
    phase: float

    def __call__(self, t: Any) -> Any:
        """Value at time t [s]."""
        return self.offset * (1.0 + _DEPTH * math.sin(self.frequency * t + self.phase))


@dataclasses.dataclass(frozen=True)
class Waves:
    """Drive of a group of coordinates.

    Parameters
    ----------
    waves : tuple of Wave
        One per coordinate.
    """

    waves: tuple[Wave, ...]

    def __call__(self, t: Any) -> Any:
        """Values at time t [s]."""
        return tuple(wave(t) for wave in self.waves)


def random_model(
    rng: Any = None,
    n_bodies: int = 5,
    *,
    kinds: Sequence[Joint] | None = None,
    driven: bool = True,
    floating: bool = True,
    parameters: bool = False,
    branching: float = 0.5,
    n_coordinates: int = 0,
    flexible: float = 0.0,
) -> Model:
    """Make a random machine without loops.

    Bodies and joints are added in random order, at random places, with possible inertias; about
    four joints in ten are written against the direction of the tree. Nothing in it is larger
    than a metre or so, and no drive passes through a singular position of its joint.

    Parameters
    ----------
    rng : numpy.random.Generator or int
        Source of random numbers, or its seed: equal seeds give equal models.
    n_bodies : int
        Number of bodies.
    kinds : sequence of Joint
        Kinds to deal like cards: none comes again before all have come. Default: all built-in
        kinds and `all_user_kinds`, and besides some with random axes.
    driven : bool
        Whether some coordinates follow functions of time.
    floating : bool
        Whether some bodies have no joint to carry them.
    parameters : bool
        Whether some masses, lengths, joint fields and drives are parameters.
    branching : float
        Probability that a body hangs on any earlier one rather than on the one before it: 0
        gives a chain.
    n_coordinates : int
        Number of scalar coordinates.
    flexible : float
        Probability that a body is flexible.

    Returns
    -------
    Model
        Bodies ``body_1 …`` and joints ``joint_1 …``, where ``joint_k`` joins ``body_k`` to the
        world or to a body with a lower number.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.testing.random_model(7, 12)
    >>> len(model.bodies), model == jd.testing.random_model(7, 12)
    (12, True)
    """
    rng = np.random.default_rng(rng)
    maker = Maker(rng, parameters, kinds)
    model = Model("random", gravity=tuple(rng.uniform(-5.0, 5.0, 3).tolist()))
    bodies = {0: model.world}
    for k in (rng.permutation(n_bodies) + 1).tolist():
        bodies[k] = model.add_body(f"body_{k}", maker.solid(flexible))
    carriers = _carriers(rng, n_bodies, branching)
    for k in (rng.permutation(n_bodies) + 1).tolist():
        if floating and rng.random() < _FLOATING:
            continue
        ends = maker.frame(bodies[carriers[k]]), maker.frame(bodies[k])
        parent, child = ends[::-1] if rng.random() < _REVERSED else ends
        kind = maker.kind()
        drives = maker.drives(kind) if driven and rng.random() < _DRIVEN else None
        model.add_joint(
            f"joint_{k}", parent, child, kind, driven=drives, armature=maker.armature(kind)
        )
    for k in range(n_coordinates):
        model.add_coordinate(f"coordinate_{k + 1}", maker.number(rng.uniform(0.1, 1.0)))
    return model


def _carriers(rng: Any, n_bodies: int, branching: float) -> dict[int, int]:
    """Number of the inboard body of each body; 0 is the world."""
    return {
        k: int(rng.integers(k)) if rng.random() < branching else k - 1
        for k in range(1, n_bodies + 1)
    }


class Maker:
    """Random parts of a model."""

    def __init__(self, rng: Any, parameters: bool, kinds: Sequence[Joint] | None) -> None:
        self.rng, self.parameters, self.count = rng, parameters, 0
        self.beams: Any = None if rng is None else rng.spawn(1)[0]
        self.random_axes = _RANDOM_AXIS if kinds is None else 0.0
        self.kinds = (*all_joint_kinds(), *all_user_kinds()) if kinds is None else tuple(kinds)
        self.deck: list[int] = []

    def number(self, value: float) -> Any:
        """Return a number, or a parameter with that nominal value."""
        if not self.parameters or self.rng.random() > _PARAMETER:
            return float(value)
        self.count += 1
        return Parameter(f"p{self.count}", float(value))

    def inertia(self) -> Inertia:
        """Inertia of a body: of mass spread along three random directions."""
        spread = self.rng.normal(size=(3, 3)) * self.rng.uniform(0.05, 0.3)
        second = spread @ spread.T
        mass = self.rng.uniform(0.2, 3.0)
        moments = mass * (np.trace(second) * np.eye(3) - second)
        com = tuple(self.number(x) for x in self.rng.uniform(-0.2, 0.2, 3))
        return Inertia(self.number(mass), com, moments)

    def solid(self, flexible: float = 0.0) -> Inertia | FlexibleSolid:
        """Rigid body, or with the given probability a flexible one."""
        rigid = self.inertia()
        if not flexible or self.beams.random() > flexible:
            return rigid
        if self.beams.random() < _OF_NODES:
            return self.of_nodes()
        fields = [("y",), ("y", "z"), ("y", "z", "twist"), ("z", "twist", "stretch")]
        draw = self.beams
        E_y, E_z, twist, stretch, mass = draw.uniform((5.0,) * 4 + (0.5,), (50.0,) * 4 + (3.0,))
        moments = tuple(draw.uniform(0.001, 0.02, 3).tolist())
        section = Section(E_y, E_z, twist, stretch, mass, moments)
        return beam(
            float(draw.uniform(0.4, 1.2)),
            section,
            modes=int(draw.integers(1, 5)),
            fields=fields[draw.integers(4)],
            functions=4,
            damping=float(draw.choice([0.0, 0.02])),
            frame=str(draw.choice(["end", "ends", "mean"])),
        )

    def of_nodes(self) -> NodalSolid:
        """Flexible body of a few nodes with random shapes, not far from those of a body."""
        draw = self.beams
        n, nodes = int(draw.integers(1, 4)), draw.uniform(-0.4, 0.4, (8, 3))
        shapes, turns = draw.normal(size=(2, 8, 3, n))
        bent = draw.normal(size=(8, 3, n, n))
        return from_modes(
            nodes,
            draw.uniform(0.1, 0.5, 8),
            shapes,
            stiffness=draw.uniform(5.0, 50.0, n),
            rotations=turns,
            quadratic=0.5 * (bent + bent.transpose(0, 1, 3, 2)),
            damping=float(draw.choice([0.0, 0.02])),
            interfaces={"face": draw.permutation(8)[:4].tolist()},
        )

    def frame(self, body: Body) -> Frame:
        """Frame somewhere on a body."""
        if isinstance(body.elastic, NodalSolid):
            turn = math.rotation_quaternion(self.beams.normal(size=4))
            if self.beams.random() < _AT_INTERFACE:
                return body.at_interface("face", rotation=turn)
            return body.at_node(int(self.beams.integers(8)), rotation=turn)
        if isinstance(body.elastic, Beam):
            x = self.beams.choice([0.0, self.beams.uniform(), 1.0]) * body.elastic.length
            turn = math.rotation_quaternion(self.beams.normal(size=4))
            return body.at(float(x), *self.beams.uniform(-0.05, 0.05, 2), rotation=turn)
        if self.rng.random() > _PLACED:
            return body.at()
        place = (self.number(x) for x in self.rng.uniform(-0.4, 0.4, 3))
        return body.at(*place, rotation=math.rotation_quaternion(self.rng.normal(size=4)))

    def kind(self) -> Joint:
        """Choose a joint kind, some of its numbers parameters."""
        if self.rng.random() < self.random_axes:
            return self.with_parameters(self.about_random_axis())
        if not self.deck:
            self.deck = self.rng.permutation(len(self.kinds)).tolist()
        return self.with_parameters(self.kinds[self.deck.pop()])

    def about_random_axis(self) -> Joint:
        """Choose a kind about an axis in a random direction."""
        direction = self.rng.normal(size=3)
        axis = tuple((direction / np.linalg.norm(direction)).tolist())
        kinds = (Revolute(axis), Prismatic(axis), Screw(axis, 0.3), Cylindrical(axis), Planar(axis))
        return kinds[self.rng.integers(len(kinds))]

    def with_parameters(self, kind: Joint) -> Joint:
        """Copy of a kind with parameters in the place of some of its numbers."""
        if isinstance(kind, Product):
            return Product(tuple(self.with_parameters(factor) for factor in kind.factors))
        numbers = {
            f.name: self.number(value)
            for f in dataclasses.fields(kind)  # type: ignore[arg-type]
            if isinstance(value := getattr(kind, f.name), float)
        }
        return dataclasses.replace(kind, **numbers)  # type: ignore[type-var]

    def drives(self, kind: Joint) -> dict[str, Any]:
        """Drives of one coordinate or one group of coordinates, of two of them, or of none."""
        keys = [key for key in _keys(kind) if _is_drivable(kind, (key,))]
        chosen: tuple[str, ...] = ()
        for key in self.rng.permutation(keys)[: self.rng.integers(1, 3)].tolist():
            taken = {name for other in chosen for name in members(kind, other)}
            if not taken & {*members(kind, key)} and _is_drivable(kind, (*chosen, key)):
                chosen = (*chosen, key)
        offsets = dict(zip(kind.coordinates, random_coordinates(kind, self.rng), strict=True))
        return {key: self._drive(kind, key, offsets) for key in chosen}

    def armature(self, kind: Joint) -> dict[str, Any] | None:
        """Rotors along some velocities, or none."""
        if self.rng.random() > _ARMATURE:
            return None
        chosen = [name for name in kind.velocities if self.rng.random() < 0.7]
        return {name: self.number(self.rng.uniform(0.01, 1.0)) for name in chosen}

    def _drive(self, kind: Joint, key: str, offsets: dict[str, float]) -> Any:
        names = members(kind, key)
        waves = tuple(
            Wave(self.number(offsets[n]), *self.rng.uniform((0.5, 0.0), (3.0, 6.0)).tolist())
            for n in names
        )
        return waves[0] if names == (key,) else Waves(waves)


def _keys(kind: Joint) -> list[str]:
    """Names of coordinates and of groups of them."""
    stems = dict.fromkeys(name.partition(".")[0] for name in kind.coordinates)
    return list(dict.fromkeys((*kind.coordinates, *stems)))


def _is_drivable(kind: Joint, keys: tuple[str, ...]) -> bool:
    """Tell whether these coordinates can be driven while the others stay free."""
    names = list(kind.coordinates)
    indices = sorted(names.index(name) for key in keys for name in members(kind, key))
    try:
        return bool(traced(kind, tuple(indices), False, False).free_columns is not None)
    except ModelError:
        return False
