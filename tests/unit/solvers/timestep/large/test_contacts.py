"""Contacts written out against the general groups, on the same islands; and who pays for lifts."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun
from jourdain.solvers.timestep.impulses import groups_into, use_rows
from jourdain.solvers.timestep.large import blocks, contacts, positions, sweeps
from jourdain.solvers.timestep.rows import caused


@pytest.fixture(scope="module")
def island():
    """Records after a step of boxes that slide on each other, and the groups of its rows."""
    model, size = jd.Model("heap", gravity=(0, 0, -9.81)), (0.2, 0.2, 0.1)
    contours, start, runs = [jd.HalfSpace(model.world)], {}, []
    for k in range(4):
        box = model.add_body(f"box{k}", jd.solid.box(mass=1.0 + k, size=size))
        contours.append(jd.Box(box, size))
        start[f"box{k}.position"] = (0.02 * k, 0.01 * k, 0.05 + 0.1 * k)
        start[f"box{k}.velocity"] = (0.5 * k, -0.2, 0.0)
    model.add_coordinate("beside", 1.0)
    model.add_contacts("heap", contours, jd.Coulomb(friction=0.4))
    with pytest.MonkeyPatch.context() as patch:
        begin = TimeSteppingRun.begin
        patch.setattr(
            TimeSteppingRun, "begin", lambda run, *x: (runs.append(run), begin(run, *x))[1]
        )
        jd.simulate(model, 0.02, start=start, method=jd.MoreauJean(2e-3))
    m, s = runs[0]._one.machine, runs[0]._one.step
    assert s.is_rough  # an island of more contacts than four was swept
    use_rows(m, s, 0)
    assert groups_into(m, s, 0) > 10
    return m, s


def taken(m, s, seed):
    """Random impulses, velocities and friction of the first groups."""
    rng = np.random.default_rng(seed)
    s.r[:12] = rng.uniform(0.0, 0.02, 12)
    s.trial[:12] = s.r[:12] + rng.uniform(-0.02, 0.02, 12)
    s.x[: m.factor.n] = rng.uniform(-0.05, 0.05, m.factor.n)
    s.base[:12] = rng.uniform(-0.2, 0.1, 12)
    for b in range(4):
        s.D[s.start[b] + 1 : s.start[b] + 3] = rng.uniform(0.1, 1.0)


@pytest.mark.parametrize("seed", range(8))
def test_contacts_are_relaxed_as_general_groups(island, seed):
    m, s = island
    found = []
    for is_plain in (0, 1):
        taken(m, s, seed)
        s.plain[:4] = is_plain
        for b in range(4):
            (contacts.plain_matrix if is_plain else blocks.own_matrix)(m, s, b)
        sweeps.take_trial(m, s, 4)
        tried = s.r[:12].copy()
        changes = [sweeps.sweep(m, s, 4) for _ in range(3)]
        errors = sweeps.largest_error(m, s, 4)
        found.append(np.concatenate([tried, s.r[:12], s.x[: m.factor.n], changes, [errors]]))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-10, atol=1e-14)
    assert np.abs(found[0][:12] - found[0][12:24]).max() > 1e-4


def test_unequal_friction_is_left_to_the_general_groups(island):
    m, s = island
    taken(m, s, 0)
    contacts.find_plain(m, s, 4)
    assert s.plain[:4].tolist() == [1, 1, 1, 1]
    s.D[s.start[2] + 1] *= 2.0
    contacts.find_plain(m, s, 4)
    assert s.plain[:4].tolist() == [1, 1, 0, 1]


def test_what_leaves_pays_for_its_lift(island):
    """A contact that leaves with u and is lifted by σ against forces slows down: u² − 2 G work."""
    m, s = island
    row = s.used[0] = s.used[s.rows[s.start[0]]]
    lift = s.r[0] = 1e-6
    m.end_u[row], s.works[row], before = 0.4, 0.0, s.new[: m.n_v].copy()
    work = -lift * caused(m, s, row, s.z_free) / s.h
    positions.pay(m, s, 1)
    own = slice(m.W_start[row], m.W_start[row + 1])
    change = m.W[own] @ (s.new[: m.n_v] - before)[m.W_column[own]]
    assert work > 0.0
    assert (0.4 + change) ** 2 == pytest.approx(0.4**2 - 2.0 * s.own[row] * work, rel=1e-12)
    assert s.works[row] == pytest.approx(0.0, abs=1e-9 * work)
