"""Finite-element bodies against scikit-fem, static solutions, beams, 7.V3 and 7.V5."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.optimize import brentq
from scipy.sparse.linalg import eigsh, spsolve

import jourdain as jd
from jourdain.model.flexible.fem.elements import Elements
from jourdain.model.flexible.fem.interfaces import interfaces_of
from jourdain.model.flexible.fem.reduction import Reduction

STEEL = jd.flexible.STEEL
_FACES = {"root": "x = 0", "tip": "x = max"}


def _skfem_matrices(mesh):
    """Stiffness and mass of a mesh by scikit-fem."""
    skfem = pytest.importorskip("skfem")
    from skfem.helpers import dot
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    own = skfem.MeshTet(mesh.nodes.T, mesh.cells.T)
    basis = skfem.Basis(own, skfem.ElementVector(skfem.ElementTetP2()))
    K = linear_elasticity(*lame_parameters(STEEL.youngs_modulus, STEEL.poisson_ratio))
    M = skfem.BilinearForm(lambda u, v, _: dot(u, v))
    return K.assemble(basis), STEEL.density * M.assemble(basis), basis


def test_a_free_block_has_the_frequencies_of_scikit_fem():
    mesh = jd.flexible.box_mesh((0.3, 0.05, 0.08), (3, 1, 1))
    K, M, _ = _skfem_matrices(mesh)
    squares = np.sort(eigsh(K, 12, M, sigma=-1e6)[0])
    block = jd.flexible.from_fem(mesh, STEEL, modes=6)
    found = (2.0 * np.pi * block.frequencies) ** 2
    assert np.abs(squares[:6]).max() < 1e-6 * squares[6]  # six motions of the rigid body
    assert found == pytest.approx(squares[6:], rel=1e-8)
    assert block.inertia.mass == pytest.approx(0.3 * 0.05 * 0.08 * STEEL.density, rel=1e-12)
    solid = jd.solid.box(block.inertia.mass, (0.3, 0.05, 0.08), at=(0.15, 0, 0)).inertia
    assert np.allclose(block.inertia.moments, solid.moments, atol=1e-12)
    assert block.inertia.com == pytest.approx(solid.com, abs=1e-12)
    momentum = block.elasticity.integrals.h1
    assert np.abs(momentum).max() < 1e-9 * block.inertia.mass


def test_modes_of_a_free_body_are_seen_in_a_model():
    """The block on nothing: six free motions, then its frequencies."""
    mesh = jd.flexible.box_mesh((0.3, 0.05, 0.08), (3, 1, 1))
    block = jd.flexible.from_fem(mesh, STEEL, modes=3)
    model = jd.Model("free", gravity=(0.0, 0.0, 0.0))
    model.add_body("block", block)
    modes = jd.eigenmodes(model)
    assert len(modes.free_motions) == 6
    assert np.sort(modes.frequencies)[6:] == pytest.approx(block.frequencies, rel=1e-9)


def test_static_modes_are_exact():
    """Compliance of an interface is that of all finite elements together."""
    mesh = jd.flexible.box_mesh((0.4, 0.05, 0.05), (4, 1, 1))
    K, _, basis = _skfem_matrices(mesh)
    x = basis.doflocs[:, ::3].T
    root, tip = (np.flatnonzero(np.abs(x[:, 0] - at) < 1e-9) for at in (0.0, 0.4))
    fields = np.zeros((3 * len(x), 6))
    r = x[tip] - (0.4, 0.0, 0.0)
    for k, e in enumerate(np.eye(3)):
        fields[(3 * tip[:, None] + np.arange(3)).ravel(), k] = np.cross(e, r).ravel()
        fields[3 * tip + k, 3 + k] = 1.0
    inner = np.setdiff1d(np.arange(len(x)), np.concatenate([root, tip]))
    free = (3 * inner[:, None] + np.arange(3)).ravel()
    fields[free] = -spsolve(K[free][:, free], (K @ fields)[free])
    expected = np.linalg.inv(fields.T @ (K @ fields))
    for frame, modes in (("interface", 0), ("interface", 3), ("mean", 3)):
        arm = jd.flexible.from_fem(mesh, STEEL, interfaces=_FACES, modes=modes, frame=frame)
        if frame == "interface":
            C = arm.compliance((0.4, 0.0, 0.0))
        else:  # at the tip, seen from the root: through all coordinates, in any frame
            two, one = (arm.elasticity.place((at, 0.0, 0.0)) for at in (0.4, 0.0))
            seen = two.seen_from(one)
            Phi = np.vstack([seen.T, seen.A])
            C = (Phi / arm.elasticity.stiffness) @ Phi.T
        assert np.allclose(C, expected, atol=1e-8 * np.abs(expected).max()), (frame, modes)


def test_reduction_converges_as_in_the_theory():
    """7.V10: frequencies with a mass at the tip by 6 + N modes against all finite elements."""
    mesh = jd.flexible.box_mesh((1.0, 0.04, 0.06), (10, 1, 1))
    found, weight = {}, np.diag([0.01] * 3 + [5.0] * 3)
    for count in (0, 4, 8, 30):
        arm = jd.flexible.from_fem(mesh, STEEL, interfaces=_FACES, modes=count)
        tip = arm.interfaces["tip"]
        Phi = np.vstack([tip.T, tip.A])
        M = arm.integrals.mass_matrix + Phi.T @ weight @ Phi
        squares = eigh(np.diag(arm.stiffness), M, eigvals_only=True)
        found[count] = np.sqrt(squares[:3]) / (2.0 * np.pi)
    errors = {k: np.abs(found[k] / found[30] - 1.0) for k in (0, 4, 8)}
    assert found[30][:2] == pytest.approx([23.23067, 34.78904], rel=0.012)  # of finer elements
    assert errors[0][2] > 0.1
    assert errors[4].max() < 1e-3
    assert errors[8].max() < 0.6 * errors[4].max()


_SLENDER = jd.flexible.Material(2.1e11, 7850.0, 0.0)
_SIDE = 0.02


@pytest.fixture(scope="module")
def slender():
    """Slender block, as a beam and of finite elements."""
    mesh = jd.flexible.box_mesh((1.0, _SIDE, _SIDE), (16, 1, 1))
    block = jd.flexible.from_fem(mesh, _SLENDER, interfaces=_FACES, modes=4)
    section = jd.flexible.rectangle(_SLENDER, _SIDE, _SIDE)
    return block, jd.flexible.beam(1.0, section, modes=6, fields=("y", "z"))


def test_a_slender_block_is_a_beam(slender):
    block, beam = slender
    assert block.frequencies[:4] == pytest.approx(beam.frequencies[:4], rel=4e-3)
    C, EI = block.compliance((1.0, 0.0, 0.0)), _SLENDER.youngs_modulus * _SIDE**4 / 12.0
    for i, j, expected in ((1, 1, 1.0), (2, 2, 1.0), (4, 4, 1 / 3), (5, 5, 1 / 3), (2, 4, 0.5)):
        assert C[i, j] == pytest.approx(expected / EI, rel=3e-3)  # with a little of shear
    stretch = 1.0 / (_SLENDER.youngs_modulus * _SIDE**2)
    assert C[3, 3] == pytest.approx(stretch, rel=1e-6)


def test_stress_of_a_bent_block(slender):
    """Load at the tip: σ = F (L − x) y / I, at nodes away from the ends."""
    block, _ = slender
    place = block.elasticity.place((1.0, 0.0, 0.0))
    d = place.A[1] / block.stiffness  # by 1 N along y
    stress = block.stress(d)
    x, y, _ = block.nodes.T
    expected = -(1.0 - x) * y * 12.0 / _SIDE**4  # above, a load along y presses
    inside = (x > 0.2) & (x < 0.8)
    assert np.abs(stress[inside, 0] - expected[inside]).max() < 0.03 * np.abs(expected).max()
    assert block.von_mises(d)[inside] == pytest.approx(
        np.abs(stress[inside, 0]), abs=0.1 * np.abs(expected).max()
    )


@pytest.mark.parametrize(
    ("speed", "flap", "lag"), [(1.0, 3.681646, 3.543236), (6.0, 7.360373, 4.263225)]
)
def test_a_rotating_block_stiffens(slender, speed, flap, lag):
    """7.V3, by initial stress."""
    unit = np.sqrt(_SLENDER.youngs_modulus * _SIDE**2 / 12.0 / _SLENDER.density)
    model = jd.Model("blade", gravity=(0.0, 0.0, 0.0))
    blade = model.add_body("blade", slender[0])
    drive = {"angle": lambda t: speed * unit * t}
    model.add_joint("spin", model.world, blade.at_interface("root"), jd.Revolute("z"), driven=drive)
    found = 2.0 * np.pi * jd.eigenmodes(model, moving=True).frequencies / unit
    assert found[:2] == pytest.approx([lag, flap], rel=2e-3)


def test_a_block_buckles(slender):
    """7.V5: π²/4 EI/L²."""
    model = jd.Model("column", gravity=(0.0, 0.0, 0.0))
    column = model.add_body("column", slender[0])
    model.add_joint("foot", model.world, column.at_interface("root"), jd.Fixed())
    unit = _SLENDER.youngs_modulus * _SIDE**4 / 12.0
    load = jd.Parameter("load", 1.0)
    at = jd.Relative(model.world, column.at_interface("tip"), "x")
    model.add_connection("load", at, jd.Force(-unit * load))
    system = jd.compile(model)

    def lowest(load):
        lin = jd.linearize(system, parameters={"load": load}, moving=True)
        return np.linalg.eigvalsh(lin.K.toarray()).min()

    assert brentq(lowest, 2.0, 3.0) == pytest.approx(np.pi**2 / 4.0, rel=1e-3)


@pytest.mark.slow
def test_a_pendulum_of_a_block_is_that_of_a_beam(slender):
    found = []
    for solid in slender:
        model = jd.Model("pendulum")
        arm = model.add_body("arm", solid)
        model.add_joint("hinge", model.world, arm.at(0, 0, 0), jd.Revolute("y"))
        ball = model.add_body("ball", jd.solid.ball(2.0, 0.05))
        model.add_joint("grip", arm.at(1.0, 0, 0), ball, jd.Fixed())
        sol = jd.simulate(model, 0.5, start={"hinge.angle": 0.3}, sample=[0.0, 0.5])
        found.append(np.array(sol["ball.position"][-1]))
    assert found[0] == pytest.approx(found[1], abs=2e-4)


@pytest.mark.slow
def test_frames_of_interface_and_mean_are_one_body():
    """The same modes of a free body, whichever frame its deformations are seen from."""
    mesh = jd.flexible.box_mesh((0.4, 0.03, 0.05), (4, 1, 1))
    found = []
    for frame in ("interface", "mean"):
        bar = jd.flexible.from_fem(mesh, STEEL, interfaces=_FACES, modes=2, frame=frame)
        model = jd.Model("bar", gravity=(0.0, 0.0, 0.0))
        model.add_body("bar", bar)
        found.append(np.sort(jd.eigenmodes(model).frequencies)[6:12])
    assert found[0] == pytest.approx(found[1], rel=1e-7)


def test_a_thin_mesh_is_a_plate():
    """Square plate clamped at one edge: five frequencies of Leissa (1973, Ritz), ν = 0.3."""
    E, nu, rho, side, thick = 2.1e11, 0.3, 7850.0, 0.5, 0.01
    mesh = jd.flexible.box_mesh((side, side, thick), (10, 10, 1))
    steel, edge = jd.flexible.Material(E, rho, nu), {"edge": "x = min"}
    plate = jd.flexible.from_fem(mesh, steel, interfaces=edge, modes=5)
    bending = E * thick**3 / 12.0 / (1.0 - nu**2)
    unit = np.sqrt(bending / (rho * thick)) / side**2 / (2.0 * np.pi)
    off = plate.frequencies / unit / [3.4917, 8.5246, 21.429, 27.331, 31.111] - 1.0
    assert off.min() > 0.0
    assert off.max() < 0.032
    assert off[0] < 0.01


def test_first_order_elements_are_stiffer():
    mesh = jd.flexible.box_mesh((1.0, 0.1, 0.1), (8, 1, 1))
    low, high = (
        jd.flexible.from_fem(mesh, STEEL, interfaces=_FACES, modes=1, order=k).frequencies[0]
        for k in (2, 1)
    )
    assert 1.5 * low < high


def test_a_cylinder_is_round():
    mesh = jd.flexible.cylinder_mesh(0.02, 0.3, (6, 4))
    assert mesh.volumes.sum() == pytest.approx(np.pi * 0.02**2 * 0.3, rel=0.03)
    assert np.linalg.norm(mesh.nodes[:, 1:], axis=1).max() == pytest.approx(0.02)
    bar = jd.flexible.from_fem(mesh, STEEL, interfaces=_FACES, modes=0)
    assert bar.compliance((0.3, 0, 0))[3, 3] == pytest.approx(
        0.3 / (STEEL.youngs_modulus * np.pi * 0.02**2), rel=0.04
    )


def test_highest_leaves_modes_out():
    mesh = jd.flexible.box_mesh((0.4, 0.05, 0.05), (4, 1, 1))
    arm = jd.flexible.from_fem(mesh, STEEL, interfaces=_FACES, modes=4, highest=2000.0)
    whole = jd.flexible.from_fem(mesh, STEEL, interfaces=_FACES, modes=4)
    assert arm.frequencies.max() <= 2000.0
    assert arm.frequencies == pytest.approx(whole.frequencies[: arm.n])


def test_integrals_of_second_order_are_those_of_the_shape():
    """Rigid motions resist nothing; nodes in the middle of an interface's edges follow it."""
    mesh = jd.flexible.box_mesh((0.4, 0.05, 0.05), (4, 1, 1))
    elements = Elements(mesh.oriented(), STEEL, 2)
    own = interfaces_of(_FACES, mesh, elements.nodes, elements.faces)
    reduction = Reduction(elements, own)
    assert len(own[0].nodes) == 9
    assert own[1].position == pytest.approx([0.4, 0.0, 0.0])
    rigid = reduction.rigid()
    assert np.abs(reduction.K @ rigid).max() < 1e-9 * np.abs(reduction.K).max()
    assert (rigid.T @ (reduction.M @ rigid))[3, 3] == pytest.approx(0.001 * STEEL.density)
