"""Shafts, rings, shear, steps and damping of flexible bodies against closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd

_PLAIN = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0, shear_y=5.0, shear_z=5.0)


def _model(name="model"):
    return jd.Model(name, gravity=(0.0, 0.0, 0.0))


def _rates(model):
    return 2.0 * np.pi * jd.eigenmodes(model).frequencies


def test_a_shear_column_buckles():
    """7.V5, Haringx: P (1 + P/κGA) = π²/4; Engesser's theory would give 1.652115."""
    model, section = _model("column"), replace(_PLAIN, moments=(0.1, 0.1, 0.1))
    beam = jd.flexible.beam(1.0, section, modes=12, fields=("y", "shear"), functions=6)
    column = model.add_body("column", beam)
    model.add_joint("foot", model.world, column, jd.Fixed())
    load = jd.Parameter("load", 1.0)
    at = jd.Relative(model.world, column.at(1.0, 0, 0), "x")
    model.add_connection("load", at, jd.Force(-1.0 * load))
    system = jd.compile(model)

    def determinant(load):
        return np.linalg.det(jd.linearize(system, parameters={"load": load}).K.toarray())

    assert brentq(determinant, 1.0, 2.2, xtol=1e-10) == pytest.approx(1.811264954, abs=1e-8)


def _timoshenko(beta, shear, turning):
    """Characteristic equation of a free beam, k⁴ = ω² with EI = ρA = L = 1 (Huang 1961).

    Solved as a boundary-value problem: v' = ψ + Q/S, ψ' = M, M' = −Q − J ω² ψ, Q' = −ω² v.
    """
    from scipy.linalg import expm

    w2 = beta
    A = np.array([
        [0, 1, 0, 1 / shear], [0, 0, 1, 0], [0, -turning * w2, 0, -1], [-w2, 0, 0, 0]
    ])  # fmt: skip
    T = expm(A)
    return T[2:, :2], T


def test_a_timoshenko_beam_vibrates():
    """Frequencies with shear and rotary inertia: transfer matrix of the same equations."""
    shear, turning = 40.0, 0.01
    section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0, (0.02, 0.01, 0.01), shear_y=shear,
                                  shear_z=shear)  # fmt: skip
    beam = jd.flexible.beam(1.0, section, modes=4, fields=("y", "shear"), functions=10)

    def clamped(w):  # v = ψ = 0 at 0, M = Q = 0 at 1
        _, T = _timoshenko(w * w, shear, turning)
        return np.linalg.det(T[2:, 2:])

    grid = np.linspace(1.0, 60.0, 400)
    values = [clamped(w) for w in grid]
    exact = [
        brentq(clamped, a, b)
        for a, b, x, y in zip(grid, grid[1:], values, values[1:], strict=False)
        if x * y < 0.0
    ]
    assert 2.0 * np.pi * beam.frequencies[:3] == pytest.approx(exact[:3], rel=1e-7)


@pytest.mark.parametrize(
    ("speed", "expected"), [(0.0, (382.75010, 382.75010)), (200.0, (182.861084, 582.639141))]
)
def test_a_rotating_shaft_whirls(speed, expected):
    """5.V18: steel, 1 m, 30 mm, supported at both ends, seen in the rotating frame."""
    model = _model("rotor")
    steel = jd.flexible.circle(jd.flexible.Material(2.1e11, 7850.0), 0.03)
    beam = jd.flexible.beam(
        1.0, steel, modes=2, fields=("y", "z"), functions=1, family="pinned-pinned", frame="mean"
    )
    rotor = model.add_body("rotor", beam)
    bearing = jd.Revolute("x") * jd.Revolute("y") * jd.Revolute("z")
    spin = {"angle_1": lambda t: speed * t}
    model.add_joint("bearing", model.world, rotor, bearing, driven=spin)
    far = jd.Relative(model.world.at(1.0, 0, 0), rotor.at(1.0, 0, 0), "yz")
    model.add_connection("far", far, jd.Equal((0.0, 0.0)))
    assert _rates(model)[:2] == pytest.approx(expected, rel=1e-8)


def _overhung(speed, disc, frame="mean"):
    model = _model("overhung")
    section = jd.flexible.Section(5000.0, 5000.0, 1.0, 1.0, 1e-7)
    shaft = jd.flexible.shaft(0.5, section, [disc], modes=4, fields=("y", "z"), functions=2)
    body = model.add_body("shaft", replace(shaft, frame=frame))
    drive = {"angle": lambda t: speed * t}
    model.add_joint("spin", model.world, body, jd.Revolute("x"), driven=drive)
    return model


@pytest.mark.parametrize(("speed", "shift"), [(100.0, 124.044633), (400.0, 138.240950)])
def test_a_disc_is_part_of_its_shaft(speed, shift):
    """7.V6, overhung, with the disc in the body of the shaft."""
    disc = jd.flexible.Disc(0.5, 8.0, (0.09, 0.05, 0.05))
    found = _rates(_overhung(speed, disc))
    assert np.abs(found - abs(shift - speed)).min() < 1e-5 * speed


def test_a_thick_disc_is_that_of_lagrange():
    """5.V19: rows of a disc with A = B = 2, C = 1 are not those of a lamina: (C−A−B)Ω, (C−A)Ω²."""
    A, C, speed = 2.0, 1.0, 3.0
    model = _model("disc")
    section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1e-9)
    disc = jd.flexible.Disc(1.0, 1e-6, (C, A, A))
    beam = jd.flexible.shaft(1.0, section, [disc], modes=2, fields=("y", "z"), functions=1)
    shaft = model.add_body("shaft", replace(beam, frame="end"))
    drive = {"angle": lambda t: speed * t}
    model.add_joint("spin", model.world, shaft, jd.Revolute("x"), driven=drive)
    lin = jd.linearize(model)
    slope = np.array([2.0, 2.0])  # of ξ², at ξ = 1, for a unit of displacement there
    M, D, K = (np.asarray(x.toarray()) for x in (lin.M, lin.G, lin.K))
    assert np.diag(M) == pytest.approx(A * slope**2, rel=1e-5)
    assert abs(D[0, 1]) == pytest.approx(abs(C - 2.0 * A) * speed * 4.0, rel=1e-5)
    assert D[0, 1] == pytest.approx(-D[1, 0], rel=1e-9)
    assert np.diag(K) == pytest.approx(4.0 + (C - A) * speed**2 * 4.0, rel=1e-5)  # EI 2² + …


def test_a_torsional_shaft_with_a_hub():
    """5.V17: tan x = −μ x; Ritz's values with sines."""
    for mu, ritz in ((0.5, (2.2924721, 5.1080610)), (5.0, (1.6887323, 4.7546404))):
        model = _model("torsion")
        section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0, (1.0, 0.5, 0.5))
        beam = jd.flexible.beam(
            1.0, section, modes=2, fields=("twist",), functions=2, family="clamped-free"
        )
        shaft = model.add_body("shaft", beam)
        model.add_joint("spin", model.world, shaft, jd.Revolute("x"), armature=mu)
        assert _rates(model)[1:3] == pytest.approx(ritz, abs=1e-7)


def test_an_unbalance_is_thrown_out():
    """Jeffcott: r/ε = Ω²/(ω₀² − Ω²) in steady rotation below the critical speed."""
    disc = jd.flexible.Disc(0.5, 2.0, (0.0, 0.0, 0.0), offset=(1e-4, 0.0))
    critical = np.sqrt(3.0 * 5000.0 / 0.5**3 / 2.0)
    for part in (0.5, 0.9):
        model = _overhung(part * critical, disc, "end")
        expected = 1e-4 * part**2 / (1.0 - part**2)
        rest = jd.equilibrium(model)
        assert rest["shaft.elastic.y1"] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("share", [0.98, 1.02])
def test_damping_that_turns_with_the_shaft_makes_it_whirl(share):
    """7.V6, Jeffcott: stable up to Ω = ω₀ (1 + d_a/d_i), with d_i = 0.3 and d_a = 0.2."""
    mass, stiffness = 2.0, 3.0 * 5000.0 / 0.5**3
    critical = np.sqrt(stiffness / mass)
    disc = jd.flexible.Disc(0.5, mass, (0.0, 0.0, 0.0))
    section = jd.flexible.Section(5000.0, 5000.0, 1.0, 1.0, 1e-7)
    shaft = jd.flexible.shaft(
        0.5, section, [disc], modes=2, fields=("y", "z"), functions=2, damping=0.15
    )
    model = _model("jeffcott")
    body = model.add_body("shaft", replace(shaft, frame="end"))
    speed = share * critical * (1.0 + 0.2 / 0.3)
    drive = {"angle": lambda t: speed * t}
    model.add_joint("spin", model.world, body, jd.Revolute("x"), driven=drive)
    across = jd.Relative(model.world, body.at(0.5, 0, 0), "yz", axes="world")
    model.add_connection("air", across, jd.Damper(0.2 * mass * critical))
    growth = max(mode.eigenvalue.real for mode in jd.eigenmodes(model))
    assert (growth > 0.0) == (share > 1.0)
    assert abs(growth) < 0.01 * critical


@pytest.mark.parametrize("waves", [2, 3])
@pytest.mark.parametrize("speed", [0.5, 2.0])
def test_a_spinning_ring(waves, speed):
    """7.V9, Rayleigh, Bryan, Endo: in ring axes, from positions to second order."""
    stiffness = (waves**2 + 1.0) / (waves**2 * (waves**2 - 1.0) ** 2)  # so that ω₀ = 1
    section = jd.flexible.Section(1.0, stiffness, 1.0, 1.0, 1.0)
    model = _model("ring")
    ring = model.add_body("ring", jd.flexible.ring(1.0, section, waves=waves))
    drive = {"angle": lambda t: speed * t}
    model.add_joint("spin", model.world, ring, jd.Revolute("z"), driven=drive)
    n, found = waves, _rates(model)
    root = np.sqrt(1.0 + (n * (n**2 - 1.0) * speed / (n**2 + 1.0)) ** 2)
    for sign in (1.0, -1.0):
        exact = abs(2.0 * n * speed / (n**2 + 1.0) + sign * root)
        assert np.abs(found - exact).min() < 1e-8


def test_ring_frequencies():
    """4.V29: steel, 30 × 6 mm, R = 80 mm; each mode twice."""
    steel = jd.flexible.rectangle(jd.flexible.STEEL, height=0.006, width=0.03)
    found = jd.flexible.ring(0.08, steel, waves=4).frequencies
    assert found == pytest.approx(np.repeat([597.53, 1688.25, 3231.91], 2), abs=0.005)


def test_a_ring_under_two_forces():
    """A ring pulled by P across a diameter: 4 P R³/(π EI) Σ 1/(n² − 1)² over its even waves n.

    All waves together give P R³/EI (π/4 − 2/π); six of them lack 0.4 %.
    """
    model = _model("pressed")
    section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)
    ring = model.add_body("ring", jd.flexible.ring(1.0, section, waves=6))
    model.add_joint("hub", model.world, ring, jd.Fixed())
    pull = jd.Distance(ring.at(1.0, 0, 0), ring.at(-1.0, 0, 0))
    model.add_connection("pull", pull, jd.Force(1e-5))
    rest = jd.equilibrium(model)
    longer = float(jd.simulate(model, 1e-4, start=rest)["pull.value"][0]) - 2.0
    parts = sum(1.0 / (n**2 - 1.0) ** 2 for n in (2, 4, 6))
    assert longer == pytest.approx(4e-5 / np.pi * parts, rel=1e-5)
    assert longer == pytest.approx(1e-5 * (np.pi / 4.0 - 2.0 / np.pi), rel=5e-3)


def test_a_stepped_beam():
    """Two pieces: transfer matrices of each."""
    from scipy.linalg import expm

    thick, thin = (jd.flexible.Section(EI, EI, 1.0, 1.0, m) for EI, m in ((8.0, 2.0), (1.0, 1.0)))
    beam = jd.flexible.beam(1.0, [(0.5, thick), (0.5, thin)], modes=2, fields=("y",), functions=5)

    def clamped(w):
        T = np.eye(4)
        for EI, m in ((8.0, 2.0), (1.0, 1.0)):
            A = np.zeros((4, 4))
            A[0, 1] = 1.0
            A[1, 2] = 1.0 / EI
            A[2, 3] = 1.0
            A[3, 0] = m * w * w
            T = expm(0.5 * A) @ T
        return np.linalg.det(T[2:, 2:])

    first = brentq(clamped, 3.0, 12.0)
    assert 2.0 * np.pi * beam.frequencies[0] == pytest.approx(first, rel=5e-6)


def test_damping_of_modes():
    """One ratio, one for each, or Rayleigh's: decay rates of the modes."""
    for damping, ratios in (
        (0.02, lambda w: np.full(3, 0.02)),
        ((0.01, 0.02, 0.03), lambda w: np.array([0.01, 0.02, 0.03])),
        (jd.flexible.Rayleigh(0.3, 1e-3), lambda w: 0.15 / w + 5e-4 * w),
    ):
        beam = jd.flexible.beam(1.0, _PLAIN, modes=3, fields=("y",), damping=damping)
        model = _model("damped")
        model.add_joint("wall", model.world, model.add_body("beam", beam), jd.Fixed())
        modes = jd.eigenmodes(model)
        found = [mode.damping_ratio for mode in modes]
        assert found == pytest.approx(ratios(2.0 * np.pi * beam.frequencies), rel=1e-6)
        assert modes[0].potential_energy == {"beam": pytest.approx(1.0)}


def _rod(cut_at_end, frame="auto"):
    model = _model("rod")
    beam = jd.flexible.beam(1.0, _PLAIN, modes=2, fields=("y",), frame=frame)
    rod = model.add_body("rod", beam)
    slider = model.add_body("slider", jd.Inertia(1e-3))
    ends = [(model.world, rod), (rod.at(1.0, 0, 0), slider)]
    for k, (a, b) in enumerate(ends):
        model.add_joint(f"hinge{k}", a, b, jd.Revolute("z"))
    model.add_joint("slide", model.world.at(1.0, 0, 0), slider, jd.Prismatic("x"))
    return jd.compile(model, cut=("slide" if cut_at_end else "hinge0",))


def test_the_frame_is_chosen_by_the_model():
    """A rod between two hinges is seen in the mean, an arm from its root; cuts do not matter."""
    exact = np.pi**2
    found = [2.0 * np.pi * jd.eigenmodes(_rod(cut)).frequencies[0] for cut in (True, False)]
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    assert found[0] == pytest.approx(exact, rel=0.015)
    clamped = 2.0 * np.pi * jd.eigenmodes(_rod(True, "end")).frequencies
    assert clamped[0] < found[0] * 1.01
    assert np.abs(jd.eigenmodes(_rod(True)).frequencies[1] - 4.0 * exact / 2.0 / np.pi) < 0.2
    assert clamped[1] > 1.5 * 4.0 * exact
    arm = _model("arm")
    body = arm.add_body("arm", jd.flexible.beam(1.0, _PLAIN, modes=2, fields=("y",)))
    arm.add_joint("wall", arm.world, body, jd.Fixed())
    assert _rates(arm) == pytest.approx([3.516015, 22.034492], rel=1e-6)


def _portal(**more):
    """Three equal beams, clamped to the ground and to each other: EI = 100, 1 m, 1 kg/m."""
    model = _model("portal")
    section = jd.flexible.Section(100.0, 100.0, 100.0, 1e6, 1.0)
    solid = jd.flexible.beam(1.0, section, **more)
    left, top, right = (model.add_body(name, solid) for name in ("left", "top", "right"))
    up, down = jd.rotation_z(np.pi / 2.0), jd.rotation_z(-np.pi / 2.0)
    model.add_joint("foot", model.world.at(0, 0, 0, rotation=up), left, jd.Fixed())
    model.add_joint("corner", left.at(1, 0, 0, rotation=down), top, jd.Fixed())
    model.add_joint("far_foot", model.world.at(1, 0, 0, rotation=up), right, jd.Fixed())
    model.add_joint("far", top.at(1, 0, 0), right.at(1, 0, 0, rotation=down), jd.Fixed())
    return model


def test_a_portal_frame():
    """Frequencies of 24 finite elements with stretching; a few modes of each beam are enough."""
    exact = np.array([5.09883335, 20.0870484, 32.8251408])
    few = jd.eigenmodes(_portal(fields=("y",))).frequencies
    assert few[:3] == pytest.approx(exact, rel=3e-3)  # beams do not stretch
    stretching = jd.eigenmodes(_portal(fields=("y", "stretch"), modes=5)).frequencies
    assert stretching[:3] == pytest.approx(exact, rel=5e-3)
    assert stretching[0] == pytest.approx(exact[0], rel=5e-4)


def test_a_portal_frame_gives_way():
    """Load at its corner: 5 F h³ / 84 EI; default modes, made of static deflections."""
    model = _portal(fields=("y",))
    corner = model.bodies["left"].at(1, 0, 0)
    side = jd.Relative(model.world.at(0, 1, 0), corner, "x", axes="world")
    model.add_connection("load", side, jd.Force(0.1))
    rest = jd.equilibrium(model)
    sway = float(jd.simulate(model, 1e-5, start=rest)["load.value"][0])
    assert sway == pytest.approx(0.1 * 5.0 / 84.0 / 100.0, rel=1e-4)
    assert model.bodies["left"].elastic.frame == "auto"


@pytest.mark.parametrize("frame", ["end", "ends"])
def test_a_heavy_box_at_the_tip(frame):
    """Moments at the tip: static deflections make few modes right, those of a free tip do not."""
    section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)

    def rates(modes, frame):
        model = _model("heavy")
        beam = jd.flexible.beam(1.0, section, modes=modes, fields=("y",), frame=frame)
        arm = model.add_body("arm", beam)
        box = model.add_body("box", jd.Inertia(2.0, moments=(0.05, 0.05, 0.05)))
        model.add_joint("wall", model.world, arm, jd.Fixed())
        model.add_joint("grip", arm.at(1.0, 0, 0), box, jd.Fixed())
        return _rates(model)[:2]

    exact = rates(8, frame)
    assert exact == pytest.approx([1.1301, 8.1449], rel=1e-4)
    errors = rates(3, frame) / exact - 1.0
    assert errors[1] < 3e-4 if frame == "ends" else errors[1] > 0.1
    assert rates(3, "auto") == pytest.approx(rates(3, "ends"), rel=1e-12)
