"""Random moments of a motion, for measures and laws."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

from jourdain import math
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.measures.registry import BODIES, COORDINATES


def random_snapshot(rng, *, resting: bool = False) -> Snapshot:
    """Two bodies somewhere, turned by less than half a turn, on their way."""

    def turn():
        axis = rng.normal(size=3)
        return math.rotation(axis / np.linalg.norm(axis), rng.uniform(0.3, 1.3))

    poses = {name: (turn(), rng.uniform(-1.0, 1.0, 3)) for name in BODIES}
    twists = {name: (rng.normal(size=3), rng.normal(size=3)) for name in BODIES}
    coordinates = {name: rng.normal() for name in COORDINATES}
    velocities = {name: rng.normal() for name in COORDINATES}
    moving = {} if resting else {"twists": twists, "velocities": velocities}
    return Snapshot(poses, coordinates, rng.uniform(0.0, 2.0), **moving)


class SymbolicSnapshot(Snapshot):
    """Rates by differentiation."""

    def rate_of(self, measure):
        given = measure.rate(self)
        if given is not None:
            return given
        return casadi.jtimes(casadi.SX(measure.value(self)), Symbols.flat(self)[0], rates(self))


def rates(at):
    """Rates of the positions: of R, r, coordinates and time."""
    parts = []
    for name in BODIES:
        w, v = at.twists[name]
        parts += [casadi.vec(math.skew(w) @ at.poses[name][0]), v]
    return casadi.vertcat(*parts, *at.velocities.values(), 1)


class Symbols:
    """A snapshot of symbols, and the numbers of expressions of them."""

    def __init__(self) -> None:
        def body(name):
            return casadi.SX.sym(f"R_{name}", 3, 3), casadi.SX.sym(f"r_{name}", 3)

        def twist(name):
            return casadi.SX.sym(f"w_{name}", 3), casadi.SX.sym(f"v_{name}", 3)

        names = {c: casadi.SX.sym(c) for c in COORDINATES}
        speeds = {c: casadi.SX.sym(f"d_{c}") for c in COORDINATES}
        poses, twists = {b: body(b) for b in BODIES}, {b: twist(b) for b in BODIES}
        self.at = SymbolicSnapshot(poses, names, casadi.SX.sym("t"), twists, speeds)

    @staticmethod
    def flat(at: Snapshot):
        """Positions and velocities of a snapshot as two columns."""

        def column(*parts):
            return casadi.vertcat(*(casadi.vec(casadi.SX(p)) for p in parts))

        places = [p for b in BODIES for p in at.poses[b]] + [at.coordinates[c] for c in COORDINATES]
        speeds = [p for b in BODIES for p in at.twists[b]] + [at.velocities[c] for c in COORDINATES]
        return column(*places, at.t), column(*speeds)

    def evaluate(self, expression, at: Snapshot):
        """Number of an expression of the symbols."""
        function = casadi.Function("f", list(self.flat(self.at)), [casadi.SX(expression)])
        return np.array(function(*map(casadi.DM, self.flat(at)))).reshape(-1)


@pytest.fixture
def symbols():
    return Symbols()


@pytest.fixture
def moment(rng):
    return random_snapshot(rng)


@pytest.fixture
def moments(rng):
    return [random_snapshot(rng) for _ in range(8)]
