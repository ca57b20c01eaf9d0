from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.solvers import Problem, Record, Status, all_integrators
from jourdain.solvers.ode import stepping as at
from jourdain.system.state import state_kernel, tangent_kernel

EVERY = pytest.mark.parametrize("integrator", all_integrators(), ids=lambda x: type(x).__name__)


@pytest.fixture(scope="module")
def problem():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    system = jd.compile(model)
    none = np.zeros(0)
    return Problem(
        state_kernel(system, {}, {}), None, [], [], [], none, none,
        lambda: tangent_kernel(system, {}, {}),
    )  # fmt: skip


def finish(run):
    status = Status.PAUSED
    while status == Status.PAUSED:
        status = run.advance(10_000)
    assert status == Status.FINISHED
    return run


def begin(problem, integrator, end):
    run = integrator.start(problem, np.array([1.0, 0.0]), 0.0, end, np.array([end]))
    run.continue_to(end, is_end=True)
    return run


@EVERY
def test_the_mark_lies_before_the_step_that_the_end_cuts(problem, integrator):
    run = finish(begin(problem, integrator, 0.505))
    assert run.t == 0.505
    t = run.mark.contents["t"]
    assert t < 0.505
    assert run.mark.n_samples == 0
    step = run.mark.contents["integration"]["step"]
    assert t + step >= 0.505 * (1 - 1e-12)  # its step would have gone beyond


@EVERY
def test_from_the_mark_a_run_goes_on_as_if_there_were_no_end(problem, integrator):
    whole = finish(begin(problem, integrator, 1.0))
    mark = finish(begin(problem, integrator, 0.505)).mark
    other = begin(problem, integrator, 1.0)
    other.restore(Record(mark.contents))
    other.continue_to(1.0, is_end=True)
    finish(other)
    np.testing.assert_array_equal(whole.w[:2], other.w[:2])
    assert whole.counts == other.counts


@EVERY
def test_chunks_change_nothing(problem, integrator):
    whole, chunks = finish(begin(problem, integrator, 0.5)), begin(problem, integrator, 0.5)
    while chunks.advance(1) == Status.PAUSED:
        pass
    np.testing.assert_array_equal(whole.w[:2], chunks.w[:2])
    assert whole.counts == chunks.counts


def test_a_memory_of_another_size_is_refused(problem):
    run = begin(problem, jd.Dop853(), 1.0)
    with pytest.raises(ModelError, match=r"'y' has the shape \(3,\), not \(2,\)"):
        run.restore(Record({**run.memory().contents, "y": np.zeros(3)}))
    contents = dict(begin(problem, jd.Radau5(), 1.0).memory().contents)
    del contents["jacobian"]
    with pytest.raises(ModelError, match="'jacobian' is missing"):
        begin(problem, jd.Radau5(), 1.0).restore(Record(contents))


@EVERY
def test_sizes_places_and_settings_are_never_taken_over(problem, integrator):
    run = finish(begin(problem, integrator, 0.505))
    kept = {k: run.ip[k] for k in (at.N_Q, at.N_V, at.N_STAGES, at.N_SAMPLES, at.MAX_FOUND)}
    contents = run.mark.contents
    assert not {"w", "ip", "dp", "pivots"} & set(contents)
    run.restore(Record(contents))
    assert kept == {k: run.ip[k] for k in kept}
    assert run.dp[at.H_FACTORED] == 0.0


def test_held_inputs_start_the_next_step_afresh(problem):
    run = finish(begin(problem, jd.Radau5(), 0.5))
    run.hold(np.zeros(0))
    after = run.memory().contents["integration"]
    assert [after[name] for name in ("has_first", "jacobian", "has_old")] == [0, 0, 0]
