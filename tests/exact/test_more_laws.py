"""Jenkins elements, Hertz' contact and muscles against closed forms."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import beta

import jourdain as jd
from jourdain.errors import ModelError

X = jd.Coordinate("x")


def driven(law, amplitude, periods=2.0):
    """Law on a coordinate that is driven as amplitude · sin 2πt."""
    model = jd.Model("loop")
    model.add_coordinate("x", 1.0, unit="m", driven=jd.Sine(amplitude, 1.0))
    model.add_connection("law", X, law)
    return jd.simulate(model, periods, sample=1e-3, method=jd.Dop853(1e-9))


@pytest.mark.parametrize(
    "law", [jd.Jenkins(100.0, 20.0), jd.Jenkins((100.0, 40.0, 10.0), (20.0, 30.0, 1.0))], ids=str
)
@pytest.mark.parametrize("amplitude", [0.1, 0.5, 1.5])
def test_loss_in_a_cycle(law, amplitude):
    """V21: ∮ F dx = Σ 4 F (X − F/k) where branches slide, nothing where they do not."""
    sol = driven(law, amplitude)
    last = sol.time >= 1.0
    x, force = (np.ravel(sol[n].values)[np.ravel(last)] for n in ("law.value", "law.force"))
    loss = -np.trapezoid(force, x)
    assert loss == pytest.approx(law.loss(amplitude), rel=1e-4, abs=1e-9)
    limits = sum(min(f, k * amplitude) for k, f in zip(law.stiffness, law.limit, strict=True))
    assert np.abs(force).max() == pytest.approx(limits, rel=1e-6)


def test_equivalent_stiffness_is_that_of_the_first_harmonic():
    """Force along the closed loop in parts, against cos: exact for one branch."""
    law, amplitude = jd.Jenkins(100.0, 20.0), 0.5
    k, f = 100.0, 20.0
    turn = np.arccos(1.0 - 2.0 * f / (k * amplitude))  # where it slides again, from x = X on

    def pull(angle):
        if angle < turn:
            return f - k * amplitude * (1.0 - np.cos(angle))
        return -f

    harmonic = 2.0 * quad(lambda a: pull(a) * np.cos(a), 0.0, np.pi, points=[turn])[0] / np.pi
    stiffness, damping = law.equivalent(amplitude, frequency=2.0)
    assert stiffness == pytest.approx(harmonic / amplitude, rel=1e-9)
    assert np.pi * 4.0 * np.pi * damping * amplitude**2 == pytest.approx(law.loss(amplitude))
    assert law.equivalent(0.1)[0] == 100.0


def test_a_mass_on_a_jenkins_element_comes_to_rest_where_energy_says():
    """One pull beyond the limit: ½ m v² = F²/2k + F (X − F/k), then it swings about X − F/k."""
    model = jd.Model("m")
    model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("j", X, jd.Jenkins(100.0, 20.0))
    sol = jd.simulate(model, 10.0, start={"x.rate": 4.0}, method=jd.Dop853(1e-10))
    x = sol["x.value"].values
    top = 0.2 + (16.0 - 2.0) / 20.0  # F/k + (m v²/2 − F²/2k)/F
    assert x.max() == pytest.approx(top, rel=1e-5)
    assert x[500:].max() - x[500:].min() == pytest.approx(0.4, rel=1e-4)


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (jd.SemiImplicitEuler(2e-4), 1e-6),
        (jd.RungeKutta4(1e-3), 1e-9),
        (jd.Gauss4(1e-3), 1e-9),
        (jd.GeneralizedAlpha(1e-3), 1e-5),
        (jd.Cvode(), 1e-8),
        (jd.Ida(), 1e-9),
    ],
    ids=lambda x: str(type(x).__name__),
)
def test_sliders_turn_round_in_every_method(method, error):
    """Two sliders give way and turn round; fixed steps came to a standstill there."""
    m = jd.Model("fit")
    m.add_coordinate("x", inertia=1.0, unit="m")
    x = jd.Coordinate("x")
    m.add_connection("fit", x, jd.Jenkins((400.0, 200.0), (2.0, 3.0)) + jd.Spring(20.0))
    m.add_connection("pull", x, jd.Force(lambda t: 6.0 * jd.sin(8.0 * t)))
    system = jd.compile(m)
    exact = jd.simulate(system, 0.5, method=jd.Dop853(rtol=1e-11, atol=1e-13))
    found = jd.simulate(system, 0.5, method=method)
    assert exact["fit.slip_2"].max() > 0.0
    for name in ("x", "fit.slip_1", "fit.slip_2"):
        assert found.final[name] == pytest.approx(exact.final[name], abs=error), name


def test_hertz_impact():
    """δ = (5 m v²/4 K)^(2/5), duration 2 δ/v · B(2/5, 1/2)/5·2, and the speed comes back."""
    mass, speed, stiffness = 0.5, 2.0, 1e6
    model = jd.Model("ball")
    model.add_coordinate("x", mass, unit="m")
    model.add_connection("h", X, jd.Hertz(stiffness))
    deepest = (1.25 * mass * speed**2 / stiffness) ** 0.4
    duration = 2.0 * deepest / speed * beta(0.4, 0.5) * 0.4
    start = {"x.rate": -speed}
    sol = jd.simulate(model, 1.2 * duration, start=start, sample=duration / 1e3,
                      method=jd.Dop853(1e-11))  # fmt: skip
    assert sol["x.value"].values.min() == pytest.approx(-deepest, rel=1e-5)
    assert sol.final["x.rate"] == pytest.approx(speed, rel=1e-7)
    assert sol.final["x.value"] == pytest.approx(0.2 * duration * speed, rel=1e-5)


def test_balls_on_wires_by_sundials():
    """Their shortest steps were taken for kinks, which switched laws that were far from theirs."""
    m, n = jd.Model("cradle"), 4
    for k, mass in enumerate((1.0, 1.0, 0.5, 2.0)):
        m.add_coordinate(f"x_{k}", inertia=mass, unit="m")
    x = [jd.Coordinate(f"x_{k}") for k in range(n)]
    m.add_connections("gaps", [x[k + 1] - x[k] for k in range(n - 1)], jd.Hertz(1e5, damping=0.1))
    m.add_connections("wires", x, jd.Spring(3.0) + jd.Damper(0.05))
    system, start = jd.compile(m), {"x_0": -0.1, "x_1": 0.001, "x_2": 0.002, "x_3": 0.003}
    exact = jd.simulate(system, 1.2, start=start, method=jd.Dop853(rtol=1e-12, atol=1e-14))
    for method in (jd.Cvode(), jd.Ida()):
        found = jd.simulate(system, 1.2, start=start, method=method)
        np.testing.assert_allclose(found.q[-1], exact.q[-1], atol=1e-8)


def test_hertz_loses_as_its_damping_says():
    """For small d the restitution is 1 − (2/3) d v; the force never pulls."""
    model = jd.Model("ball")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("h", X, jd.Hertz(1e6, damping=0.01))
    sol = jd.simulate(model, 0.1, start={"x.rate": -1.0}, method=jd.Dop853(1e-10))
    assert sol.final["x.rate"] == pytest.approx(1.0 - 2.0 / 3.0 * 0.01, abs=2e-4)
    assert sol["h.force"].values.min() >= 0.0


def test_two_spheres():
    """Steel ball of 10 mm on a plane: K = 4/3 E* √R."""
    law = jd.Hertz.between((0.01, np.inf), 2.1e11, 0.3)
    assert law.stiffness == pytest.approx(4.0 / 3.0 * 2.1e11 / 1.82 * 0.1, rel=1e-12)
    with pytest.raises(ModelError, match="have no point of contact"):
        jd.Hertz.between((0.02, -0.01), 2.1e11)


def test_muscle_forces():
    """Isometric force, Hill's hyperbola, and the passive tissue."""
    model = jd.Model("arm")
    model.add_coordinate("x", 1.0, unit="m", driven=lambda t: 0.1 - 0.2 * t)
    model.add_connection("m", X, jd.Muscle(600.0, 0.1, passive=3.0, signal=1.0))
    start = {"m.activation": 1.0}
    sol = jd.simulate(model, 0.1, start=start, sample=0.01)
    u = -0.2 / (0.1 * 10.0)
    hill = (1.0 + u) / (1.0 - u / 0.25)
    length = np.exp(-(((sol["m.value"].values / 0.1 - 1.0) / 0.45) ** 2))
    assert np.ravel(sol["m.force"].values) == pytest.approx(-600.0 * hill * length, rel=1e-9)


def test_muscle_activation_rises_and_falls():
    model = jd.Model("arm")
    model.add_coordinate("x", 1.0, unit="m", driven=lambda t: 0.1 + 0.0 * t)
    model.add_connection("m", X, jd.Muscle(600.0, 0.1))
    up = jd.simulate(model, 0.03, inputs={"m.signal": 0.8}, method=jd.Dop853(1e-10))
    assert up.final["m.activation"] == pytest.approx(0.8 * (1.0 - np.exp(-2.0)), rel=1e-8)
    down = jd.simulate(model, 0.05, start={"m.activation": 1.0}, method=jd.Dop853(1e-10))
    assert down.final["m.activation"] == pytest.approx(np.exp(-1.0), rel=1e-8)
    assert float(np.ravel(down["m.force"].values)[0]) == pytest.approx(-600.0)


def test_the_speed_factor_is_smooth_at_rest():
    law = jd.Muscle(1.0, 1.0, fastest=1.0, passive=0.0)
    h = 1e-6
    slopes = [(law._speed(s * h) - 1.0) / (s * h) for s in (-1.0, 1.0)]
    assert slopes == pytest.approx([5.0, 5.0], rel=1e-4)
    assert law._speed(-1.0) == 0.0 == law._speed(-3.0)
    assert 1.4 < law._speed(1.0) < 1.5
