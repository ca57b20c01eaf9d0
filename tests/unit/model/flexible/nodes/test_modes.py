"""Bodies of nodes from modes: the same body as a beam, whatever way its numbers are given."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array, kron

import jourdain as jd
from jourdain.model.flexible.nodes.nodal import from_arrays
from jourdain.model.flexible.ritz import gauss

SECTION = jd.flexible.Section(50.0, 40.0, 30.0, 1e4, 1.0)
BEAM = jd.flexible.beam(0.8, SECTION, modes=3, fields=("y", "z"), functions=4)


def _beam_as_nodes(**more):
    """Modes of a beam at Gauss points, as another program would give them."""
    x, weights = gauss([0.0, 0.8], 14)
    x, mass = np.append(x, 0.8), np.append(weights, 0.0) * SECTION.mass
    places = [BEAM.elasticity.place((s, 0.0, 0.0)) for s in x]
    A, B, T = (np.array([getattr(p, name) for p in places]) for name in ("A", "B", "T"))
    given = {"stiffness": BEAM.elasticity.stiffness, "rotations": T, "quadratic": B} | more
    masses = given.pop("masses", mass)
    nodes = np.array([p.x for p in places])
    return jd.flexible.from_modes(nodes, masses, given.pop("modes", A), **given)


def test_a_beam_of_nodes_is_the_beam():
    made = _beam_as_nodes()
    assert made.frequencies == pytest.approx(BEAM.frequencies, rel=1e-12)
    own, expected = made.elasticity, BEAM.elasticity
    for name in ("mass", "h0", "h1", "h2", "Q0", "P0", "Q11", "Q02"):
        a, b = (getattr(one.integrals, name) for one in (own, expected))
        assert np.allclose(a, b, rtol=1e-10, atol=1e-10 * np.abs(b).max() + 1e-15), name
    tip, end = own.place((0.8, 0.0, 0.0)), expected.place((0.8, 0.0, 0.0))
    for name in ("x", "A", "B", "T"):
        assert np.allclose(getattr(tip, name), getattr(end, name), atol=1e-12)


def test_masses_in_every_form():
    plain = _beam_as_nodes()
    mass = np.append(gauss([0.0, 0.8], 14)[1], 0.0)
    for given in (np.diag(mass), csr_array(np.diag(mass)), kron(np.diag(mass), np.eye(3))):
        other = _beam_as_nodes(masses=given)
        assert np.allclose(other.integrals.Q11, plain.integrals.Q11, atol=1e-14)


def test_a_stiffness_matrix_is_made_diagonal():
    rng = np.random.default_rng(1)
    mix = rng.normal(size=(3, 3))
    x = np.append(gauss([0.0, 0.8], 14)[0], 0.8)
    places = [BEAM.elasticity.place((s, 0.0, 0.0)) for s in x]
    A, T = (np.array([getattr(p, name) for p in places]) @ mix for name in ("A", "T"))
    B = np.einsum("kaij,ir,js->kars", np.array([p.B for p in places]), mix, mix)
    K = mix.T @ np.diag(BEAM.elasticity.stiffness) @ mix
    made = _beam_as_nodes(modes=A, rotations=T, quadratic=B, stiffness=K)
    assert made.frequencies == pytest.approx(BEAM.frequencies, rel=1e-9)
    assert np.abs(np.linalg.norm(made.modes, axis=1)).max(axis=0) == pytest.approx(1.0)
    D = 0.01 * K
    damped = _beam_as_nodes(modes=A, rotations=T, quadratic=B, stiffness=K, damping=D)
    assert damped.damping == pytest.approx(0.01 * damped.stiffness)
    ratios = _beam_as_nodes(damping=[0.01, 0.02, 0.03])
    critical = 2.0 * np.sqrt(ratios.stiffness * np.diag(ratios.integrals.mass_matrix))
    assert ratios.damping / critical == pytest.approx([0.01, 0.02, 0.03])


def test_rotational_inertia_of_nodes_is_that_of_points():
    """Each node with moments moves like a node with six points fixed to it."""
    rng = np.random.default_rng(2)
    nodes, modes, turns = rng.normal(size=(5, 3)), *rng.normal(size=(2, 5, 3, 2))
    mass, second = rng.uniform(1.0, 2.0, 5), rng.uniform(0.01, 0.02, (5, 3))
    moments = second.sum(axis=1)[:, None] - second
    made = jd.flexible.from_modes(
        nodes, mass, modes, stiffness=[1.0, 2.0], rotations=turns, inertias=moments
    )
    offsets = np.sqrt(3.0 * second / mass[:, None])
    at, moved, weight = [], [], []
    for k in range(5):
        for sign in (1.0, -1.0):
            for axis in range(3):
                arm = sign * offsets[k, axis] * np.eye(3)[axis]
                at.append(nodes[k] + arm)
                moved.append(modes[k] + np.cross(turns[k].T, arm).T)
                weight.append(mass[k] / 6.0)
    scale = np.linalg.norm(modes, axis=1).max(axis=0)
    other = jd.flexible.from_modes(
        at, weight, moved, stiffness=[1.0, 2.0], rotations=np.zeros((30, 3, 2))
    )
    ratio = np.linalg.norm(np.array(moved), axis=1).max(axis=0) / scale
    for name, power in (("Q0", 0), ("P0", 1), ("Q11", 2)):
        a, b = (getattr(one.integrals, name) for one in (made, other))
        b = b * ratio.reshape(-1, *[1] * (b.ndim - 1)) if power else b
        b = b * ratio.reshape(1, -1, 1, 1) if power == 2 else b
        assert np.allclose(a, b), name


def test_nodes_turn_with_those_around_them():
    """Without rotations they come from displacements: exact where those are linear."""
    rng = np.random.default_rng(3)
    nodes = rng.normal(size=(60, 3))
    spin, G = rng.normal(size=3), rng.normal(size=(3, 3))
    moved = nodes @ (0.5 * (G + G.T)) + np.cross(spin, nodes)
    made = jd.flexible.from_modes(nodes, np.ones(60), moved[:, :, None], stiffness=[1.0])
    scale = made.modes[7, 0, 0] / moved[7, 0]
    assert np.allclose(made.turns[:, :, 0], scale * spin)
    flat = nodes * (1.0, 1.0, 0.0)
    bent = np.zeros((60, 3, 1))
    bent[:, 2, 0] = 0.3 * flat[:, 0] + 0.1 * flat[:, 1]
    bent[0, 2, 0] = 5.0
    made = jd.flexible.from_modes(flat, np.ones(60), bent, stiffness=[1.0])
    far = int(np.linalg.norm(flat[:, :2] - flat[0, :2], axis=1).argmax())
    scale = made.modes[far, 2, 0] / bent[far, 2, 0]
    assert np.allclose(made.turns[far, :, 0], scale * np.array([0.1, -0.3, 0.0]), atol=1e-12)


def test_rigid_motions_are_left_out():
    rng = np.random.default_rng(4)
    nodes = rng.normal(size=(20, 3))
    rigid = [np.tile(e, (20, 1)) for e in np.eye(3)] + [np.cross(e, nodes) for e in np.eye(3)]
    bent = nodes * nodes[:, ::-1]
    modes = np.stack([*rigid, bent], axis=2)
    made = jd.flexible.from_modes(nodes, np.ones(20), modes, stiffness=[0.0] * 6 + [5.0])
    assert made.n == 1
    assert made.stiffness[0] > 0.0


def test_an_interface_follows_its_nodes():
    nodes = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1.0], [0.3, 0.2, 0.1]]
    spin, slide = np.array([0.1, -0.2, 0.3]), np.array([0.4, 0.5, -0.6])
    moved = np.array([*[np.cross(spin, x) + slide for x in nodes[1:4]]])
    modes = np.zeros((5, 3, 1))
    modes[1:4, :, 0] = moved
    made = jd.flexible.from_modes(
        nodes, np.ones(5), modes, stiffness=[1.0], interfaces={"end": [1, 2, 3]}
    )
    place, scale = made.interfaces["end"], made.modes[1, 0, 0] / modes[1, 0, 0]
    assert np.allclose(place.T[:, 0], scale * spin)
    assert np.allclose(place.A[:, 0], scale * (np.cross(spin, place.x) + slide))


def test_frames_between_nodes():
    nodes = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    modes = np.zeros((4, 3, 1))
    modes[3, 0, 0] = 1.0
    mesh = jd.flexible.Mesh(nodes, [[0, 1, 2, 3]])
    assert mesh.faces.shape == (4, 3)
    made = jd.flexible.from_modes(mesh, np.ones(4), modes, stiffness=[1.0])
    assert made.elasticity.place((0.1, 0.2, 0.3)).A[0, 0] == pytest.approx(0.3)
    outwards = np.cross(*(nodes[mesh.faces[:, k]] - nodes[mesh.faces[:, 0]] for k in (1, 2)))
    middles = nodes[mesh.faces].mean(axis=1) - nodes.mean(axis=0)
    assert (np.einsum("ka,ka->k", outwards, middles) > 0.0).all()


def test_equal_by_their_numbers_and_back_from_arrays():
    one, other = _beam_as_nodes(), _beam_as_nodes()
    assert one == other
    assert hash(one) == hash(other)
    assert one != _beam_as_nodes(damping=0.1)
    for back in (pickle.loads(pickle.dumps(one)), from_arrays(one.arrays())):
        assert back == one
        assert np.array_equal(back.frequencies, one.frequencies)
