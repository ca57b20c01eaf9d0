"""Flexible bodies against closed forms and the numbers of the theory (7.V2 to 7.V11)."""

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd

_PLAIN = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)


def _model(name="model"):
    return jd.Model(name, gravity=(0.0, 0.0, 0.0))


def _rates(model):
    return 2.0 * np.pi * jd.eigenmodes(model).frequencies


def _arm(kind, **more):
    model = _model("arm")
    section = jd.flexible.Section(10.0, 10.0, 1.0, 1.0, 0.5)
    arm = model.add_body("arm", jd.flexible.beam(1.0, section, modes=8, fields=("y",)))
    model.add_joint("hub", model.world, arm, kind, **more)
    tip = model.add_body("tip", jd.Inertia(mass=0.2))
    model.add_joint("grip", arm.at(1.0, 0, 0), tip, jd.Fixed())
    return model


def test_arm_with_a_mass_at_its_tip():
    """6.T6: transcendental equation, clamped and with a free hub of 0.1 kg m²."""
    clamped = jd.eigenmodes(_arm(jd.Fixed())).frequencies
    assert clamped[:3] == pytest.approx([1.543092, 12.225449, 37.056662], rel=1e-6)
    free = jd.eigenmodes(_arm(jd.Revolute("z"), armature=0.1)).frequencies
    assert free[0] == 0.0
    assert free[1:4] == pytest.approx([3.208806, 12.635225, 37.192252], rel=1e-6)


def test_arm_sags_and_loads_its_root():
    """6.T6: sag 0.1267125 m, to first order; 4.4145 N m at the root for any deflection."""
    model = jd.Model("arm", gravity=(0.0, -9.81e-3, 0.0))
    section = jd.flexible.Section(10.0, 10.0, 1.0, 1.0, 0.5)
    arm = model.add_body("arm", jd.flexible.beam(1.0, section, modes=8, fields=("y",)))
    model.add_joint("hub", model.world, arm, jd.Fixed())
    tip = model.add_body("tip", jd.Inertia(mass=0.2))
    model.add_joint("grip", arm.at(1.0, 0, 0), tip, jd.Fixed())
    rest = jd.equilibrium(model)
    sol = jd.simulate(model, 1e-3, start=rest)
    assert float(sol["tip.position.y"][0]) == pytest.approx(-0.1267125e-3, rel=1e-6)
    assert float(sol["hub.torque"][0, 2]) == pytest.approx(4.4145e-3, rel=1e-6)


_ROTATING = {  # 7.V3: flap 1, flap 2, lag 1; the whole table is in test_flexible_numbers.py
    (12.0, 0.0): (13.170150, 37.603112, 5.427049),
    (6.0, 1.0): (10.443866, 32.027244, 8.548353),
}


@pytest.mark.parametrize("frame", ["end", "mean"])
@pytest.mark.parametrize(("speed", "radius"), _ROTATING)
def test_a_rotating_beam_stiffens(speed, radius, frame):
    model = _model("blade")
    beam = jd.flexible.beam(1.0, _PLAIN, modes=16, fields=("y", "z"), frame=frame)
    blade, hub = (
        model.add_body("blade", beam),
        model.add_body("hub", jd.Inertia(1.0, moments=(1, 1, 1))),
    )
    model.add_joint(
        "spin", model.world, hub, jd.Revolute("z"), driven={"angle": lambda t: speed * t}
    )
    model.add_joint("root", hub.at(radius, 0, 0), blade, jd.Fixed())
    found = _rates(model)
    for rate in _ROTATING[speed, radius]:
        assert np.abs(found - rate).min() < 2e-6 * rate
    flap, lag = _ROTATING[speed, radius][0], _ROTATING[speed, radius][2]
    assert flap**2 - lag**2 == pytest.approx(speed**2, rel=1e-5)


def _loaded(n, fields, component, section=_PLAIN):
    model = _model("column")
    beam = jd.flexible.beam(1.0, section, modes=n * len(fields), fields=fields, functions=n)
    column = model.add_body("column", beam)
    model.add_joint("foot", model.world, column, jd.Fixed())
    load = jd.Parameter("load", 1.0)
    at = jd.Relative(model.world, column.at(1.0, 0, 0), component)
    model.add_connection("load", at, jd.Force(-1.0 * load))
    return jd.compile(model)


def _critical(system, low, high):
    def determinant(load):
        return np.linalg.det(jd.linearize(system, parameters={"load": load}).K.toarray())

    return brentq(determinant, low, high, xtol=1e-10)


@pytest.mark.parametrize(("n", "load"), [(1, 3.0), (2, 2.485961699), (4, 2.46740447)])
def test_a_column_buckles(n, load):
    """7.V5: Ritz's values, which tend to π²/4."""
    assert _critical(_loaded(n, ("y",), "x"), 1.5, 3.5) == pytest.approx(load, abs=1e-8)


def test_a_column_buckles_under_its_weight():
    """7.V5: 7.83735015 EI/L³ with five functions; exact 7.837347439."""

    def determinant(weight):
        model = jd.Model("column", gravity=(-weight, 0.0, 0.0))
        beam = jd.flexible.beam(1.0, _PLAIN, modes=5, fields=("y",), functions=5)
        model.add_joint("foot", model.world, model.add_body("column", beam), jd.Fixed())
        return np.linalg.det(jd.linearize(model).K.toarray())

    assert brentq(determinant, 7.5, 8.2, xtol=1e-9) == pytest.approx(7.83735015, abs=2e-8)


@pytest.mark.parametrize(("n", "load"), [(1, 6.0), (3, 4.04998), (6, 4.012615)])
def test_a_narrow_beam_tilts(n, load):
    """7.V5, Prandtl: tests the terms of second order in bending with torsion."""
    section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0, (0.1, 0.0, 0.0))
    found = _critical(_loaded(n, ("z", "twist"), "y", section), 3.0, 6.5)
    assert found == pytest.approx(load, abs=5e-6)


@pytest.mark.parametrize(
    ("speed", "rates"),
    [
        (0.0, (119.111470, 119.111470, 919.680628, 919.680628)),
        (100.0, (24.044633, 214.143342, 909.580977, 939.482268)),
        (400.0, (261.759050, 499.471713, 934.938554, 1053.707791)),
    ],
)
def test_an_overhung_disc_whirls(speed, rates):
    """7.V6: forward and backward whirl split; in the rotating frame |ω − Ω| is seen."""
    model = _model("rotor")
    section = jd.flexible.Section(5000.0, 5000.0, 1.0, 1.0, 1e-7)
    beam = jd.flexible.beam(0.5, section, modes=4, fields=("y", "z"), functions=2)
    shaft = model.add_body("shaft", beam)
    model.add_joint(
        "spin", model.world, shaft, jd.Revolute("x"), driven={"angle": lambda t: speed * t}
    )
    disc = model.add_body("disc", jd.Inertia(mass=8.0, moments=(0.09, 0.05, 0.05)))
    model.add_joint("seat", shaft.at(0.5, 0, 0), disc, jd.Fixed())
    assert _rates(model) == pytest.approx(np.array(rates), rel=1e-7)


@pytest.mark.parametrize("frame", ["end", "mean"])
@pytest.mark.parametrize("fastened", [0.0, 0.37, 1.0])
def test_a_free_beam_vibrates(fastened, frame):
    """7.V7, wherever its joint to the world is: eight polynomials."""
    model = _model("free")
    beam = jd.flexible.beam(1.0, _PLAIN, modes=8, fields=("y",), frame=frame)
    model.add_joint(
        "free", model.world, model.add_body("bar", beam).at(fastened, 0, 0), jd.Planar()
    )
    expected = [22.373286, 61.672894, 121.106]
    assert _rates(model)[3:6] == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize(
    ("family", "error"), [("polynomials", 3e-9), ("splines", 3e-8), ("clamped-free", 1e-12)]
)
def test_families_tend_to_the_exact_frequency(family, error):
    beam = jd.flexible.beam(1.0, _PLAIN, modes=2, fields=("y",), family=family)
    exact = np.array([3.516015268500, 22.034491564546]) / (2.0 * np.pi)
    assert beam.frequencies[0] == pytest.approx(exact[0], rel=max(error, 1e-11))
    assert beam.frequencies[1] == pytest.approx(exact[1], rel=max(100.0 * error, 1e-9))


@pytest.mark.parametrize(
    ("n", "rates"), [(4, (5.31509947, 15.211085)), (6, (5.31509942, 15.207168))]
)
def test_a_wedge(n, rates):
    """7.V7: depth falls to a point."""

    def section(x):
        depth = max(1.0 - x, 1e-12)
        return jd.flexible.Section(1.0, depth**3, 1.0, 1.0, depth)

    beam = jd.flexible.beam(1.0, section, modes=2, fields=("y",), functions=n)
    assert 2.0 * np.pi * beam.frequencies == pytest.approx(np.array(rates), rel=1e-7)


def _crank():
    model = jd.Model("crank")
    crank = model.add_body("crank", jd.solid.rod(mass=0.36, end=(0.15, 0, 0)))
    steel = jd.flexible.rectangle(jd.flexible.STEEL, 0.008, 0.008)
    rod = model.add_body("rod", jd.flexible.beam(0.3, steel, modes=2, fields=("y",), frame="mean"))
    piston = model.add_body("piston", jd.solid.ball(mass=0.075, radius=0.02))
    model.add_joint("main", model.world, crank, jd.Revolute("z"))
    model.add_joint("big", crank.at(0.15, 0, 0), rod, jd.Revolute("z"))
    model.add_joint("wrist", rod.at(0.3, 0, 0), piston, jd.Revolute("z"))
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    return model


def test_loops_are_closed_wherever_they_are_cut():
    found = []
    for cut in ("big", "guide"):
        system = jd.compile(_crank(), cut=cut)
        sol = jd.simulate(system, 0.01, start={"main.rate": 150.0, "main.angle": 0.4})
        found.append([float(sol[name][-1]) for name in ("piston.position.x", "rod.elastic.y1")])
        assert np.abs(sol["energy.total"] - sol["energy.total"][0]).max() < 1e-7
    assert found[0] == pytest.approx(found[1], rel=1e-7)


_METHODS = [
    jd.RungeKutta4(1e-4), jd.Radau5(), jd.GeneralizedAlpha(2e-4), jd.Gauss4(1e-3), jd.EventDriven(),
    jd.MoreauJean(1e-4), jd.NonsmoothAlpha(1e-4),
]  # fmt: skip


@pytest.mark.parametrize("method", _METHODS, ids=lambda m: type(m).__name__)
def test_all_methods_move_a_flexible_arm(method):
    model = jd.Model("arm")
    steel = jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.004)
    beam = jd.flexible.beam(1.0, steel, modes=2, fields=("z",), damping=0.01)
    arm, load = model.add_body("arm", beam), model.add_body("load", jd.solid.ball(0.2, 0.05))
    model.add_joint("hub", model.world, arm, jd.Revolute("y"))
    model.add_joint("grip", arm.at(1.0, 0, 0), load, jd.Fixed())
    exact = jd.simulate(model, 0.2, method=jd.Dop853(rtol=1e-10), start={"hub.angle": 0.2})
    sol = jd.simulate(model, 0.2, method=method, start={"hub.angle": 0.2})
    height = float(exact["load.position.z"][-1])
    assert float(sol["load.position.z"][-1]) == pytest.approx(height, abs=2e-6)


def test_a_ball_lands_on_a_beam():
    """Contacts act on sections; at rest the beam carries the weight: m g L³ / 3 EI at its tip."""
    model = jd.Model("landing")
    section = jd.flexible.Section(2000.0, 2000.0, 1.0, 1.0, 1.0)
    beam = jd.flexible.beam(1.0, section, modes=2, fields=("z",), damping=0.3)
    board = model.add_body("board", beam)
    model.add_joint("wall", model.world, board, jd.Fixed())
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("slide", model.world.at(1.0, 0, 0), ball, jd.Prismatic("z"))
    plane = jd.HalfSpace(board.at(1.0, 0, 0))
    model.add_contact("touch", plane, jd.Sphere(ball, 0.1), jd.Unilateral())
    for method in (jd.EventDriven(), jd.MoreauJean(2e-4)):
        sol = jd.simulate(model, 1.5, start={"slide.position": 0.12}, method=method)
        assert float(sol["touch.normal_force"][-1]) == pytest.approx(9.81, rel=2e-3)


def test_elastic_coordinates_may_be_held():
    model = _arm(jd.Revolute("z"))
    model.add_connection("hold", jd.Coordinate("arm.elastic.y1"), jd.Equal(lambda t: 0.01 * t))
    sol = jd.simulate(model, 0.1)
    assert np.allclose(sol["arm.elastic.y1"], 0.01 * sol.time, atol=1e-12)


def test_a_curved_beam_of_segments():
    """7.V11: cantilever of N segments under a tip load; errors fall with the cube of N."""
    exact = np.array([4.978534567, -3.467635701])
    found = [np.linalg.norm(_elastica(n) - exact) for n in (4, 8)]
    assert found[0] < 0.129
    assert found[1] < 0.0144
    assert found[0] / found[1] > 7.5


def _elastica(n):
    length, stiffness = 2.0 * np.pi, 2.0
    load = 10.0 * stiffness / length**2
    model = _model("elastica")
    section = jd.flexible.Section(stiffness, stiffness, 1.0, 1.0, 1.0)
    beam = jd.flexible.SegmentedBeam(model.world.at(), length, section, n, fields=("y",))
    end = model.add("beam", beam).end
    share = jd.Parameter("share", 1.0)
    model.add_connection("pull", jd.Relative(model.world, end, "y"), jd.Force(-load * share))
    turn = jd.Relative(model.world, end, "rz", axes="world")
    model.add_connection("turn", turn, jd.Force(2.5 * load * share))
    model.add_frame("tip", end)
    system, state = jd.compile(model), None
    for k in range(1, 11):
        state = jd.equilibrium(system, near=state, parameters={"share": k / 10.0})
    q = np.array([state[name] for name in system.names.q])
    return system.point_of(system.poses(q), "tip", None)[:2]


def test_runs_are_saved_and_go_on(tmp_path):
    """Files hold the model as it was written; a run resumes to the bit."""
    system = jd.compile(_crank())
    start = {"main.rate": 150.0, "main.angle": 0.4}
    whole = jd.simulate(system, 0.004, start=start, sample=[0.0, 0.002, 0.004])
    first = jd.simulate(system, 0.002, start=start, sample=[0.0, 0.002])
    first.save(tmp_path / "first.nc")
    back = jd.load(tmp_path / "first.nc")
    assert back.system.names.q == system.names.q
    assert "rod" in str(back)
    later = jd.simulate(system, 0.004, resume=back, sample=[0.002, 0.004])
    assert later.final == pytest.approx(whole.final, rel=1e-9)
    cut = [joint.name for joint in system.topology.cuts]
    again = jd.compile(system.model, cut=cut)
    assert again.forward_dynamics_derivatives(back.q[0], back.v[0]).q.size
    with pytest.raises(jd.ModelError, match="the model that it was made of"):
        jd.compile(system.model)


def test_modes_are_animated(tmp_path):
    modes = jd.eigenmodes(_arm(jd.Fixed()))
    jd.animate(modes[0], tmp_path / "mode.html")
    assert (tmp_path / "mode.html").stat().st_size > 1e5
