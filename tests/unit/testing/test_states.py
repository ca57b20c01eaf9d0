"""Random coordinates and states lie where the equations are well conditioned."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.model.laws import Equal, Law
from jourdain.model.measures import Coordinate, Distance
from jourdain.testing import random_coordinates, random_model, random_state


def test_coordinates_stay_near_the_reference_position(rng):
    kind = jd.Free() * jd.Gimbal() * jd.PointOnCurve(lambda s: (s, s * s, 0), jd.Fixed(), "mm")
    for _ in range(20):
        q = random_coordinates(jd.Free(), rng)
        assert np.all(np.abs(q[:3]) <= 0.5)
        assert np.linalg.norm(q[3:]) == pytest.approx(1.0, abs=1e-15)
    with pytest.raises(ModelError, match="its 10 velocities move the child in only 6 independent"):
        random_coordinates(kind, rng)


def test_coordinates_avoid_singular_positions(rng):
    tilts = [abs(random_coordinates(jd.Euler(), rng)[1]) for _ in range(50)]
    assert min(tilts) > 0.09  # tan(angle / 2) is the ratio of singular values
    assert max(tilts) <= 1.2


def test_given_coordinates_are_kept(rng):
    q = random_coordinates(jd.Planar(), rng, given={"angle": 0.25})
    assert q[2] == 0.25


def test_singular_drives_are_refused(rng):
    with pytest.raises(ModelError, match="2 velocities move the child in only 1 independent dir"):
        random_coordinates(jd.Euler(), rng, given={"angle_2": 0.0})


def test_kinds_without_coordinates_have_no_numbers():
    assert random_coordinates(jd.Fixed(), 0).shape == (0,)


def test_state_is_complete_and_repeatable():
    model = random_model(3, 15, n_coordinates=2, parameters=True)
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, 4)
    assert q.shape == (len(system.names.q),)
    assert v.shape == vdot.shape == (len(system.names.v),)
    assert 0.0 <= t <= 2.0
    again = random_state(system, 4)
    assert all(np.array_equal(a, b) for a, b in zip((q, v, vdot, t), again, strict=True))
    assert not np.array_equal(random_state(system, 5)[0], q)
    assert np.isfinite(system.spatial_accelerations(q, v, vdot, t)).all()


def test_states_respect_drives():
    model = jd.Model("spun")
    body = model.add_body("body", jd.Inertia(1.0))
    offset = jd.Parameter("offset", 0.3)
    drives = {"angle_2": lambda t: offset + 0.0 * t}
    model.add_joint("tilt", model.world, body, jd.Euler(), driven=drives)
    system = jd.compile(model, execution=jd.Plain())
    assert random_state(system, 1)[0].shape == (2,)


def test_states_of_machines_with_loops_satisfy_the_constraints():
    model = jd.Model("ring")
    one, two = (model.add_body(n, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for n in "ab")
    model.add_joint("left", model.world, one, jd.Revolute("z"))
    model.add_joint("top", one.at(1, 0, 0), two, jd.Revolute("z"))
    model.add_joint("right", model.world.at(1, 0, 0), two.at(1, 0, 0), jd.Planar("z"))
    lag = Law(lambda x, v, at: at.state("lag"), states={"lag": "N"},
              state_rates=lambda x, v, at: (-at.state("lag"),))  # fmt: skip
    model.add_connection("law", Coordinate("top.angle"), lag)
    model.add_connection("rod", Distance(model.world.at(0, 1, 0), two), Equal(0.5))
    system = jd.compile(model)
    q, v, vdot, t = random_state(system, 3)
    assert q[system.index("law.lag")] != 0.0
    for name in ("position_errors", "velocity_errors"):
        assert np.abs(system.answers(name, q, v, t=t)).max() < 1e-11
    assert vdot.shape == v.shape
