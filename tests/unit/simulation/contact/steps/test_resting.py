"""Rest of large islands beside other parts: proven, exact, and kept without sweeps."""

import numpy as np
import pytest
from oracles.single_steps import SingleSteps

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.solvers import Record
from jourdain.solvers.timestep.resting.rest import Rest
from jourdain.solvers.timestep.results import DONE

SIZE = (0.2, 0.1, 0.1)
PLACES = [(0.2 * (i + 0.5 * (row % 2)), 0, 0.05 + 0.1 * row) for row in range(4)
          for i in range(4 - row % 2)]  # fmt: skip


def wall(friction=0.5, slope=0.0):
    """Bricks on each other, one island of more than 99 rows, beside a coordinate."""
    model = jd.Model("wall", gravity=9.81 * np.array([np.sin(slope), 0.0, -np.cos(slope)]))
    bricks = [model.add_body(f"brick{k}", jd.solid.box(mass=1.0, size=SIZE)) for k in range(14)]
    contours = [jd.HalfSpace(model.world), *(jd.Box(brick, SIZE) for brick in bricks)]
    model.add_coordinate("beside", 1.0)
    model.add_contacts("wall", contours, jd.Coulomb(friction=friction))
    return model, {f"brick{k}.position": place for k, place in enumerate(PLACES)}


def test_a_wall_rests_to_the_bit():
    model, start = wall()
    sol = jd.simulate(model, 0.2, start=start, method=jd.MoreauJean(2e-3), sample=0.04)
    assert float(sol["wall.count"][-1]) > 33
    bricks = [k for k, name in enumerate(sol.columns["v"]) if name.startswith("brick")]
    assert np.all(sol.v[1:][:, bricks] == 0.0)
    assert np.all(sol.q[1:] == sol.q[-1])
    weight = sum(sol[f"brick{k}.contact_force.z"][-1].item() for k in range(14))
    assert weight == pytest.approx(14 * 9.81, rel=1e-9)


def test_what_rests_is_not_swept_again():
    model, _ = wall()
    steps = SingleSteps(model, 2e-3)
    q = np.zeros(steps.machine.n_q)
    for k, place in enumerate(PLACES):
        at = steps.system.names.q.index(f"brick{k}.position.x")
        q[at : at + 4] = *place, 1.0
    steps.start(q, np.zeros(steps.machine.n_v))
    steps.one.make_room(200)
    assert steps.take() == DONE
    assert steps.step.sweeps > 0
    for _ in range(3):
        assert steps.take() == DONE
    assert steps.step.sweeps == 0
    assert steps.step.sleeps[: steps.step.n_islands].all()
    assert not steps.v.any()
    np.testing.assert_array_equal(steps.q[3:7], [1.0, 0.0, 0.0, 0.0])


def test_what_friction_does_not_hold_slides():
    model, start = wall(friction=0.1, slope=0.2)
    sol = jd.simulate(model, 0.2, start=start, method=jd.MoreauJean(2e-3), sample=0.1)
    wanted = 0.2 * 9.81 * (np.sin(0.2) - 0.1 * np.cos(0.2))
    speeds = [float(sol[f"brick{k}.velocity.x"][-1]) for k in range(14)]
    assert np.mean(speeds) == pytest.approx(wanted, rel=1e-3)


def test_samples_within_steps_change_nothing():
    model, start = wall()
    start["brick13.velocity"] = (0.4, 0.0, 0.0)
    given = {"start": start, "method": jd.MoreauJean(2e-3)}
    plain = jd.simulate(model, 0.2, sample=0.1, **given)
    within = jd.simulate(model, 0.2, sample=[0.0331, 0.1, 0.1777, 0.2], **given)
    np.testing.assert_array_equal(plain.q[-1], within.q[-1])


@pytest.mark.parametrize(("place", "number"), [(3, 999), (1, 10**6), (7, 99)])
def test_memory_that_does_not_fit_is_refused(place, number):
    rest = Rest(2)
    memory = rest.memory()
    assert memory.tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]
    rest.recall(Record({"rest": memory}))
    memory[place] = number
    with pytest.raises(ModelError, match="rest"):
        rest.recall(Record({"rest": memory}))
