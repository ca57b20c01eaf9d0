"""Random poses of two bodies, as numbers and as symbols."""

from functools import cache

import casadi as ca
import numpy as np
import pytest

from jourdain import math
from jourdain.equations.connections.scene import Scene


class Places:
    """Frames at given poses of their bodies, as ``at`` gives them."""

    def __init__(self, **bodies):
        self.bodies = bodies

    def pose(self, frame):
        R, p = self.bodies[frame.body]
        return R @ np.array(frame.rotation), p + R @ np.array(frame.position)


def turned(rng):
    e = rng.normal(size=4)
    return math.rotation_quaternion(e / np.linalg.norm(e))


class Traced:
    """Gaps of a measure with their rates, on the twists of the bodies ``one`` and ``two``."""

    def __init__(self, gap):
        scene = Scene((), "test")
        self.points = gap.points(scene)
        rates, speeds = [], []
        for point in self.points:
            rates.append(scene.rate(point.gap))
            v_a, v_b = (
                _velocity(scene, contour.frame, where)
                for contour, where in ((gap.a, point.point_a), (gap.b, point.point_b))
            )
            speeds.append(math.dot(point.normal, v_b - v_a))
        one, two = scene.bodies["one"], scene.bodies["two"]
        symbols = [one.R, one.p, one.twist, two.R, two.p, two.twist]
        results = [
            ca.vertcat(*rates),
            ca.vertcat(*speeds),
            ca.vertcat(*[p.gap for p in self.points]),
        ]
        self._function = ca.Function("gaps", symbols, results)

    def __call__(self, one, two, twist_one, twist_two):
        results = self._function(*one, twist_one, *two, twist_two)
        return [np.array(x).reshape(-1) for x in results]


def _velocity(scene, frame, point):
    w, u = scene.twist(frame)
    return u + math.cross(w, point - scene.pose(frame)[1])


@cache
def trace(gap):
    return Traced(gap)


@pytest.fixture
def places():
    return Places


@pytest.fixture
def traced():
    return trace


@pytest.fixture
def turn():
    return turned
