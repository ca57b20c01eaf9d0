"""Flexible bodies in random trees: the recursion against Lagrange's equations, and with itself."""

import numpy as np
import pytest
from tests.oracles.lagrange import accelerations

import jourdain as jd

_AXES = "xyz"


def _section(rng):
    moments = rng.uniform(0.001, 0.02, 3)
    return jd.flexible.Section(*rng.uniform(5.0, 50.0, 4), rng.uniform(0.5, 3.0), tuple(moments))


def _beam(rng):
    fields = [("y",), ("y", "z"), ("y", "z", "twist"), ("z", "twist", "stretch")][rng.integers(4)]
    return jd.flexible.beam(
        rng.uniform(0.4, 1.2),
        _section(rng),
        modes=int(rng.integers(1, 5)),
        fields=fields,
        functions=4,
        damping=float(rng.choice([0.0, 0.02])),
        frame=str(rng.choice(["end", "ends", "mean"])),
    )


def _kind(rng):
    axis, other = rng.permutation(list(_AXES))[:2]
    return [
        jd.Revolute(axis), jd.Prismatic(axis), jd.Cylindrical(axis), jd.Fixed(),
        jd.Revolute(axis) * jd.Revolute(other),
    ][rng.integers(5)]  # fmt: skip


def _frame(rng, body, solid):
    x = rng.choice([0.0, rng.uniform(0.0, 1.0), 1.0])
    if isinstance(solid, jd.flexible.FlexibleSolid):
        return body.at(float(x * solid.length), *rng.normal(size=2) * rng.integers(2) * 0.05)
    return body.at(*rng.normal(size=3) * 0.2)


def random_tree(seed):
    """Tree of five bodies, some flexible, fastened anywhere."""
    rng = np.random.default_rng(seed)
    model = jd.Model("tree", gravity=tuple(rng.normal(size=3) * 5.0))
    bodies = [(model.world, None)]
    for k in range(5):
        is_flexible = rng.random() < 0.6 or (k == 0)
        solid = _beam(rng) if is_flexible else jd.solid.box(rng.uniform(0.5, 2.0), (0.3, 0.2, 0.1))
        body = model.add_body(f"body{k}", solid)
        parent, material = bodies[rng.integers(len(bodies))]
        ends = _frame(rng, parent, material), _frame(rng, body, solid)
        ends = ends[::-1] if rng.random() < 0.3 else ends
        kind = jd.Revolute("y") if k == 0 else _kind(rng)
        model.add_joint(f"joint{k}", *ends, kind)
        bodies.append((body, solid))
    return model, rng


def random_state(system, rng, size=0.001):
    """Positions and velocities, small for elastic coordinates."""
    q, v = rng.normal(size=len(system.names.q)), rng.normal(size=len(system.names.v))
    small = np.array([".elastic." in name for name in system.names.q])
    return np.where(small, size * q, q), np.where(small, 0.3 * v, v)


def _rounding(M):
    """Error n ε κ that rounding makes where M x = f is solved, and the sizes of the coordinates.

    κ is the condition of M once each coordinate is measured such that its own mass is one. Well
    conditioned trees (κ < 300) are right to 1e-12 (5.V20), while κ = 1e4 costs any method digits.
    """
    scales = np.sqrt(np.diag(M))
    condition = np.linalg.cond(M / np.outer(scales, scales))
    limit = len(M) * np.finfo(float).eps * condition
    return min(limit, 1e-12) if condition < 300.0 else limit, scales


def tree_of_the_theory():
    """0 → 1 → 2 and 0 → 3 with 2, 2, 0, 0 elastic coordinates and 1, 2, 1, 3 of joints (5.V20)."""
    rng = np.random.default_rng(520)
    model = jd.Model("tree", gravity=(1.0, -2.0, -9.0))
    beams = [
        jd.flexible.beam(length, _section(rng), modes=2, fields=fields, functions=2)
        for length, fields in ((0.8, ("y", "z")), (0.6, ("z", "twist")))
    ]
    boxes = [jd.solid.box(mass, (0.3, 0.2, 0.1)) for mass in (0.7, 1.3)]
    zero, one, two, three = (model.add_body(f"{k}", own) for k, own in enumerate(beams + boxes))
    model.add_joint("a", model.world, zero, jd.Revolute("y"))
    model.add_joint("b", zero.at(0.8, 0, 0), one.at(0.1, 0, 0), jd.Universal("x", "z"))
    model.add_joint("c", one.at(0.6, 0, 0), two.at(0, 0.1, 0), jd.Prismatic("y"))
    three_turns = jd.Revolute("x") * jd.Revolute("y") * jd.Revolute("z")
    model.add_joint("d", zero.at(0.5, 0, 0), three.at(0.1, 0, 0), three_turns)
    return model, rng


_MORE = [
    *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 8)),
    *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(8, 30)),
]
_SEEDS = [*range(4), *_MORE]


@pytest.mark.parametrize(
    "seed", ["5.V20", *range(3), pytest.param(3, marks=pytest.mark.slow), *_MORE]
)
def test_recursion_is_lagranges_equations(seed):
    model, rng = tree_of_the_theory() if seed == "5.V20" else random_tree(seed)
    system = jd.compile(model)
    q, v = random_state(system, rng)
    M, expected = accelerations(system, q, v)
    found = system.forward_dynamics(q, v)
    limit, scales = _rounding(M)
    limit = 1e-12 if seed == "5.V20" else limit
    assert np.abs(scales * (found - expected)).max() < limit * np.abs(scales * expected).max()
    assert np.allclose(system.mass_matrix(q), M, atol=2e-14 * np.abs(M).max())
    kinetic, _ = system.energy(q, v)
    assert kinetic == pytest.approx(0.5 * v @ M @ v, rel=1e-12)


@pytest.mark.parametrize("seed", [1, *_MORE])
def test_the_order_of_adding_does_not_matter(seed):
    """Bodies and joints told the other way round: the same accelerations, by names."""
    model, rng = random_tree(seed)
    other, _ = random_tree(seed)
    for kind in ("body", "joint"):
        table = other.tables()[kind]
        turned = dict(reversed(table.items()))
        table.clear()
        table.update(turned)
    one, two = (jd.compile(own, execution=jd.Plain()) for own in (model, other))
    assert list(one.names.v) != list(two.names.v)
    q, v = random_state(one, rng)
    places = [[names.index(name) for name in turned] for names, turned in _names(one, two)]
    found = two.forward_dynamics(q[places[0]], v[places[1]])
    expected = one.forward_dynamics(q, v)[places[1]]
    limit, scales = _rounding(two.mass_matrix(q[places[0]]))
    assert np.abs(scales * (found - expected)).max() < limit * np.abs(scales * expected).max()


def _names(one, two):
    return [(list(getattr(one.names, k)), getattr(two.names, k)) for k in ("q", "v")]


@pytest.mark.parametrize("seed", _SEEDS)
def test_plain_recursions_agree(seed):
    """Inverse dynamics, products with M and frame Jacobians fit forward dynamics."""
    model, rng = random_tree(seed + 100)
    tip = model.add_frame("tip", model.bodies["body0"].at(0.3, 0.01, 0.0))
    system = jd.compile(model)
    q, v = random_state(system, rng)
    vdot = rng.normal(size=len(v))
    M, h = system.mass_matrix(q), system.inverse_dynamics(q, v, np.zeros(len(v)))
    needed = system.inverse_dynamics(q, v, vdot)
    assert np.allclose(needed, M @ vdot + h, atol=1e-10 * np.abs(needed).max())
    assert np.allclose(system.multiply_mass_matrix(q, vdot), M @ vdot, atol=1e-11 * np.abs(M).max())
    plain = jd.compile(model, execution=jd.Plain())
    assert np.allclose(plain.forward_dynamics(q, v), system.forward_dynamics(q, v), rtol=1e-9)
    J = system.jacobian(tip, q)
    step = 1e-6
    for k in range(len(v)):
        moved = [
            system.point_of(system.poses(q + s * step * np.eye(len(q))[k]), tip, None)
            for s in (1, -1)
        ]
        assert np.allclose((moved[0] - moved[1]) / (2 * step), J[3:, k], atol=1e-7)
