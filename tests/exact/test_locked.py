"""Constraints that come and go: momentum, energy, impacts through locks, redundant locks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm, null_space

import jourdain as jd

METHODS = [jd.EventDriven(), jd.MoreauJean(1e-4), jd.NonsmoothAlpha(1e-4)]


def two(law):
    """Two shafts, of 3 and 1 kg m², with a law between them."""
    model = jd.Model("two", gravity=(0, 0, 0))
    model.add_coordinate("one", inertia=3.0, unit="rad")
    model.add_coordinate("other", inertia=1.0, unit="rad")
    model.add_connection("dog", jd.Coordinate("one") - jd.Coordinate("other"), law)
    return model


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_momentum_is_kept_and_energy_is_lost(method):
    sol = jd.simulate(
        two(jd.Locked(lambda x, v, at: at.t - 0.5)), 1.0, start={"one.rate": 8.0}, method=method
    )
    assert sol.values("one.rate")[-1] == pytest.approx(6.0, abs=1e-12)
    assert sol.values("other.rate")[-1] == pytest.approx(6.0, abs=1e-12)
    assert sol.values("dog.work")[-1] == pytest.approx(-24.0, abs=1e-9)
    assert sol.values("dog.locked")[[0, -1]].tolist() == [0.0, 1.0]
    jd.testing.check_contacts(sol)


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_every_method_tells_when_it_locks_and_opens(method):
    """Under load: time steps tell that it opens when it moves."""
    wave, push = jd.Locked(lambda x, v, at: 0.25 - (at.t - 0.75) ** 2), {"one": lambda t, s: 1.0}
    sol = jd.simulate(two(wave), 2.0, start={"one.rate": 8.0}, inputs=push, method=method)
    found = {e.kind: e.time for e in sol.events if e.kind != "impact"}
    assert found == pytest.approx({"lock": 0.25, "release": 1.25}, abs=2e-4)
    (lock,) = [x for x in sol.ledger if x.kind == "lock"]
    assert (lock.begin, lock.end) == pytest.approx((0.25, 1.25), abs=2e-4)


@pytest.mark.parametrize("closes", [0.25, 0.0])
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_closing_with_speed_is_an_impact_in_every_method(method, closes):
    """Time steps told a force of 6/h instead, and `NonsmoothAlpha` half of it once more."""
    law = jd.Locked(lambda x, v, at: at.t - closes + 1e-6)
    sol = jd.simulate(two(law), 0.5, start={"one.rate": 8.0}, method=method)
    hit, lock = (next(x for x in sol.ledger if x.kind == kind) for kind in ("impact", "lock"))
    assert [x.kind for x in sol.ledger.of("dog")] == ["impact", "lock"]
    assert (hit.begin, lock.begin) == pytest.approx((closes, closes), abs=2e-4)
    assert (hit.impulse, hit.work) == pytest.approx((6.0, -24.0), abs=1e-9)
    assert (lock.largest_force, lock.impulse, lock.work) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert not sol.values("dog.force")[int(2e3 * closes) + 4 :].any()
    jd.testing.check_contacts(sol)


def test_a_lock_that_holds_its_own_condition_at_zero_stays_closed():
    """It opened by rounding, a moment after it had closed, and the latch let go for good."""
    m, place = jd.Model("latch", gravity=(0, 0, 0)), 0.2950735070900704
    x = [jd.Coordinate(f"x_{k}") for k in range(3)]
    for k, inertia in enumerate((1.5129432890978596, 1.9368445483179801, 1.76599941817537)):
        m.add_coordinate(f"x_{k}", inertia=inertia, unit="m")
    for k, stiffness in enumerate((17.36216271547727, 17.520932004743656), 1):
        m.add_connection(f"s_{k}", x[k] - x[k - 1], jd.Spring(stiffness) + jd.Damper(0.1))
    m.add_connection("push", x[2], jd.Force(lambda t: 5.0 * jd.sin(5.370582656203706 * t)))
    m.add_connection("latch", x[0], jd.Locked(lambda x, v, at: x - place))
    sol = jd.simulate(m, 4.0, start={"x_0.rate": 2.0})
    assert [event.kind for event in sol.events] == ["impact", "lock"]
    assert sol.final["x_0"] == pytest.approx(place, abs=1e-12)
    assert sol["latch.locked"].values[-900:].all()
    jd.testing.check_contacts(sol)


@pytest.mark.parametrize("place", [0.3, 0.7, 1.0])
def test_a_lock_without_force_is_told_by_its_rest(place):
    """Its condition is rounding and its force zero; all the same it holds."""
    m = jd.Model("latch", gravity=(0, 0, 0))
    m.add_coordinate("x", inertia=1.0, unit="m")
    m.add_connection("latch", jd.Coordinate("x"), jd.Locked(lambda x, v, at: x - place))
    sol = jd.simulate(m, 2.0, start={"x.rate": 1.1})
    locked, (hit, _) = sol["latch.locked"].values, sol.events
    assert hit.time == pytest.approx(place / 1.1, abs=1e-12)
    assert not locked[sol.time < hit.time - 1e-9].any()
    assert locked[sol.time > hit.time + 1e-9].all()


def test_events_of_a_lock_are_exact():
    wave = jd.Locked(lambda x, v, at: 0.25 - (at.t - 0.75) ** 2)
    sol = jd.simulate(two(wave), 2.0, start={"one.rate": 8.0})
    found = [(event.name, event.kind, event.time) for event in sol.events]
    assert [kind for _, kind, _ in found] == ["impact", "lock", "release"]
    assert [t for *_, t in found] == pytest.approx([0.25, 0.25, 1.25], abs=1e-9)
    details = sol.events[0].details
    assert details["contacts"] == ("dog",)
    assert details["impulses"][0] == pytest.approx((-6.0,), abs=1e-12)
    assert details["energy"] == pytest.approx(-24.0, abs=1e-9)


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_what_is_locked_carries_load_and_what_is_open_none(method):
    """A torque on one shaft: 3/4 of its acceleration goes to the other while locked."""
    model = two(jd.Locked("gear"))
    push = {"one": lambda t, s: 2.0, "dog.gear": lambda t, s: jd.where(t < 1.0, 1.0, -1.0)}
    sol = jd.simulate(model, 2.0, inputs=push, method=method)
    force, t = sol.values("dog.force"), sol.time
    assert force[(t > 0.01) & (t < 0.99)] == pytest.approx(-0.5, abs=1e-9)
    assert force[t > 1.01] == pytest.approx(0.0, abs=1e-12)
    assert sol.values("other.rate")[-1] == pytest.approx(0.5, abs=1e-3)
    assert sol.values("one.rate")[-1] == pytest.approx(0.5 + 2.0 / 3.0, abs=1e-3)


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("impact", [jd.Newton(), jd.Poisson()], ids=str)
def test_impacts_go_through_locks(method, impact):
    """Two locked carriages hit a stop as one body: all of it rebounds with e times its speed."""
    model = jd.Model("train", gravity=(0, 0, 0))
    for name, mass in (("front", 2.0), ("rear", 5.0)):
        model.add_coordinate(name, inertia=mass, unit="m")
    model.add_connection(
        "coupling", jd.Coordinate("front") - jd.Coordinate("rear"), jd.Locked("on")
    )
    stop = jd.Unilateral(1.0, "below", restitution=0.5, impact=impact)
    model.add_connection("stop", jd.Coordinate("front"), stop)
    start = {"front.rate": 2.0, "rear.rate": 2.0}
    sol = jd.simulate(
        model, 1.0, start=start, inputs={"coupling.on": lambda t, s: 1.0}, method=method
    )
    assert sol.values("front.rate")[-1] == pytest.approx(-1.0, abs=1e-9)
    assert sol.values("rear.rate")[-1] == pytest.approx(-1.0, abs=1e-9)
    assert sol.values("work.contacts")[-1] == pytest.approx(-0.5 * 7.0 * 3.0, abs=1e-8)


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_a_gripper_holds_all_six_components(method):
    """A hand takes a spinning bar: momentum and spin of both together."""
    model = jd.Model("gripper", gravity=(0, 0, 0))
    hand = model.add_body("hand", jd.solid.box(mass=2.0, size=(0.1, 0.2, 0.3)))
    bar = model.add_body("bar", jd.solid.box(mass=1.0, size=(0.6, 0.05, 0.05)))
    grip = jd.Relative(hand, bar, "pose", angles="vector")
    model.add_connection("grip", grip, jd.Locked(lambda x, v, at: at.t - 0.1))
    start = {
        "hand.velocity": (0.3, 0.0, 0.1), "bar.position": (0.2, 0.1, 0.0),
        "bar.velocity": (-0.4, 0.2, 0.0), "bar.angular_velocity": (0.5, 1.0, -2.0),
    }  # fmt: skip
    sol = jd.simulate(model, 1.0, start=start, method=method)
    for name in ("momentum.linear", "momentum.angular"):
        found = sol.values(name)
        np.testing.assert_allclose(found[-1], found[0], atol=2e-4)
    spin = [np.linalg.norm(sol.values(f"{x}.angular_velocity")[-1]) for x in ("hand", "bar")]
    held = np.linalg.norm(sol.values("bar.position") - sol.values("hand.position"), axis=1)
    after = np.flatnonzero(sol.time > 0.11)
    assert spin[0] == pytest.approx(spin[1], abs=1e-9)
    np.testing.assert_allclose(held[after[0]], held[-1], atol=1e-5)


class Net:
    """Random inertias, springs and dampers in a row, and locks on random pairs, some redundant."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 6))
        self.M = np.diag(rng.uniform(0.5, 2.0, n))
        springs = np.eye(n) - np.eye(n, k=1)
        self.k, self.d = rng.uniform(5.0, 40.0, n), rng.uniform(0.0, 0.5, n)
        self.K, self.D = (
            springs.T @ np.diag(self.k) @ springs,
            springs.T @ np.diag(self.d) @ springs,
        )
        pairs = [rng.permutation(n)[:2] for _ in range(int(rng.integers(1, n + 1)))]
        self.R = np.array([np.eye(n)[i] - 2.0 * np.eye(n)[j] for i, j in pairs])
        self.x, self.v = rng.uniform(-0.2, 0.2, n), rng.uniform(-2.0, 2.0, n)

    def model(self, law):
        """Model with the law on every pair."""
        model, n = jd.Model("net", gravity=(0, 0, 0)), len(self.x)
        for i in range(n):
            model.add_coordinate(f"x{i}", inertia=self.M[i, i], unit="rad")
        angle = [jd.Coordinate(f"x{i}") for i in range(n)]
        for i in range(n):
            measure = angle[i] - angle[i + 1] if i + 1 < n else angle[i]
            model.add_connection(f"s{i}", measure, jd.Spring(self.k[i]) + jd.Damper(self.d[i]))
        for k, row in enumerate(self.R):
            i, j = int(np.argmax(row)), int(np.argmin(row))
            model.add_connection(f"lock{k}", angle[i] - 2.0 * angle[j], law)
        return model

    @property
    def start(self):
        """Start by names."""
        names = [f"x{i}" for i in range(len(self.x))]
        return dict(zip(names, self.x, strict=True)) | {
            f"{name}.rate": v for name, v in zip(names, self.v, strict=True)
        }

    def free(self, x, v, time):
        """Exact motion for a time."""
        n, inverse = len(x), np.linalg.inv(self.M)
        A = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ self.K, -inverse @ self.D]])
        y = expm(A * time) @ np.concatenate([x, v])
        return y[:n], y[n:]

    def locked(self, x, v, time):
        """Exact motion for a time with all locks: impulse first, then what they leave."""
        N, inverse = null_space(self.R), np.linalg.inv(self.M)
        G = self.R @ inverse @ self.R.T
        v = v - inverse @ self.R.T @ np.linalg.pinv(G) @ self.R @ v
        m, k, d = (N.T @ A @ N for A in (self.M, self.K, self.D))
        n, load = N.shape[1], -N.T @ self.K @ x
        A = np.zeros((2 * n + 1, 2 * n + 1))
        A[:n, n : 2 * n] = np.eye(n)
        A[n : 2 * n] = np.linalg.solve(m, np.column_stack([-k, -d, load])) if n else A[n : 2 * n]
        y = expm(A * time) @ np.concatenate([np.zeros(n), N.T @ v, [1.0]])
        return x + N @ y[:n], N @ y[n : 2 * n]


def window(x, v, at):
    """Above zero from 0.3 s to 0.9 s."""
    return (at.t - 0.3) * (0.9 - at.t)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_random_networks_move_as_matrix_exponentials_tell(seed):
    net = Net(seed)
    x, v = net.free(*net.locked(*net.free(net.x, net.v, 0.3), 0.6), 0.4)
    sol = jd.simulate(net.model(jd.Locked(window)), 1.3, start=net.start)
    for i in range(len(x)):
        assert sol.values(f"x{i}")[-1] == pytest.approx(x[i], abs=1e-7)
        assert sol.values(f"x{i}.rate")[-1] == pytest.approx(v[i], abs=1e-7)
    jd.testing.check_contacts(sol)


def test_steps_converge_to_the_same_motion():
    net = Net(7)
    x, _ = net.free(*net.locked(*net.free(net.x, net.v, 0.3), 0.6), 0.4)
    system, errors = jd.compile(net.model(jd.Locked(window))), []
    for h in (4e-3, 1e-3, 2.5e-4):
        sol = jd.simulate(system, 1.3, start=net.start, method=jd.MoreauJean(h))
        found = np.array([sol.values(f"x{i}")[-1] for i in range(len(x))])
        errors.append(np.abs(found - x).max())
    assert errors[2] < 0.1 * errors[0]
    assert errors[2] < 2e-3


def test_a_lock_that_drives_contradict_is_refused():
    model = jd.Model("driven", gravity=(0, 0, 0))
    shaft = model.add_body("shaft", jd.solid.cylinder(mass=1.0, radius=0.1, length=0.2))
    model.add_joint("pin", model.world, shaft, jd.Revolute("z"), driven={"angle": lambda t: 2 * t})
    law = jd.Locked(lambda x, v, at: at.t - 0.2)
    model.add_connection("lock", jd.Coordinate("pin.angle"), law)
    with pytest.raises(jd.IntegrationError, match=r"'lock' locks at t = 0\.2 s, but still moves"):
        jd.simulate(model, 1.0, method=jd.EventDriven())


@pytest.mark.parametrize(
    ("given", "text"),
    [(3.0, "when of Locked is 3.0: give a function"), (None, "when of Locked is None")],
)
def test_what_is_no_condition_is_refused(given, text):
    with pytest.raises(jd.ModelError, match=text):
        jd.Locked(given)


def test_a_condition_that_is_nan_is_told():
    model = two(jd.Locked(lambda x, v, at: float("nan") * at.t))
    for method in METHODS:
        with pytest.raises(jd.IntegrationError, match="'dog': when of Locked is NaN at t = 0 s"):
            jd.simulate(model, 1.0, method=method)


def test_contacts_are_not_locked():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), jd.Locked("on"))
    with pytest.raises(jd.ModelError, match="Locked holds a measure where it is, but Gap can open"):
        jd.simulate(model, 0.1)


def test_locks_of_a_file_are_those_of_the_model(tmp_path):
    model = two(jd.Locked("gear"))
    jd.write_model(model, tmp_path / "dogs.toml")
    again, given = jd.read_model(tmp_path / "dogs.toml"), {"dog.gear": lambda t, s: t - 0.5}
    runs = [jd.simulate(m, 1.0, start={"one.rate": 8.0}, inputs=given) for m in (model, again)]
    assert runs[1].values("other.rate")[-1] == runs[0].values("other.rate")[-1] == 6.0
