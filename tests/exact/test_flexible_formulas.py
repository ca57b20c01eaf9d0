"""Formulas and laws of users that look at frames of flexible bodies see them deformed."""

import numpy as np
import pytest

import jourdain as jd

_STEEL = jd.flexible.rectangle(jd.flexible.STEEL, 0.02, 0.004)


class Height(jd.Measure):
    """Height of a frame that is a field of the measure."""

    frame: jd.Frame

    def value(self, at):
        return at.pose(self.frame)[1][2]


class Pull(jd.ForceLaw):
    """A spring at a frame that the law takes from outside its fields."""

    def force(self, x, v, at):
        return -3.0 * at.pose(self.names[0])[1][2]

    def energy(self, x, at):
        return 1.5 * at.pose(self.names[0])[1][2] ** 2


def _arm():
    model = jd.Model("arm")
    arm = model.add_body("arm", jd.flexible.beam(1.0, _STEEL, modes=1, fields=("z",)))
    model.add_joint("hub", model.world, arm, jd.Revolute("y"))
    return model, arm, arm.at(1.0, 0, 0)


@pytest.mark.parametrize("is_named", [True, False])
def test_a_formula_sees_a_frame_where_it_is(is_named):
    """Frames inside of functions are no fields of the measure."""
    model, arm, tip = _arm()
    if is_named:
        model.add_frame("tip", tip)
    model.add_connection("seen", jd.Formula(lambda at: at.pose(tip)[1][2]), jd.Force(-0.5))
    slope = jd.Formula(lambda at: at.relative(tip, arm)[0][0, 2], unit="1")
    model.add_connection("slope", slope, jd.Force(0.0))
    speed = jd.Formula(speed=lambda at: at.twist(tip)[1][2])
    model.add_connection("speed", speed, jd.Force(0.0))
    sol = jd.simulate(model, 0.1)
    turn, d = sol["hub.angle"].values, sol["arm.elastic.z1"].values
    x = 1.0 - 0.5 * 1.1617 * d**2  # the tip shortens by 1.16 d²/2L for a cantilever's first mode
    assert sol["seen.value"].values == pytest.approx(d * np.cos(turn) - x * np.sin(turn), abs=2e-5)
    assert abs(d).max() > 1e-3
    assert sol["slope.value"].values == pytest.approx(np.sin(-1.3765 * d), abs=3e-4)
    assert sol["speed.rate"].values == pytest.approx(sol["seen.rate"].values, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("way", ["formula", "law", "class of a law", "class of a measure"])
def test_a_spring_at_the_tip(way):
    """It is the same by a formula, by laws that see the tip, and by measures of the tip."""
    ends = []
    for height_of in (way, "measure"):
        model, arm, tip = _arm()
        height = jd.Formula(lambda at, tip=tip: at.pose(tip)[1][2])
        law = jd.Spring(3.0)
        if height_of == "law":
            law = jd.Law(lambda x, v, at, tip=tip: -3.0 * at.pose(tip)[1][2])
        if height_of == "class of a law":
            law = type("Own", (Pull,), {"names": (tip,)})()
        if height_of == "class of a measure":
            look = {"value": lambda self, at, tip=tip: at.pose(tip)[1][2]}
            height = type("Own", (jd.Measure,), look)()
        if height_of == "measure":
            height = Height(tip)
        model.add_connection("pull", height, law)
        sol = jd.simulate(model, 0.1, method=jd.Dop853(rtol=1e-10, atol=1e-12))
        ends.append([float(sol[name][-1]) for name in ("hub.angle", "arm.elastic.z1")])
    assert ends[0] == pytest.approx(ends[1], rel=1e-8)


def test_friction_that_depends_on_the_tip():
    """The capacity of a brake sees the tip where it is."""
    model, _, tip = _arm()
    model.add_connection("seen", jd.Formula(lambda at: at.pose(tip)[1][2]), jd.Force(0.0))
    brake = jd.Interval(lambda x, v, at: 0.2 - 2.0 * at.pose(tip)[1][2])
    model.add_connection("brake", jd.Coordinate("hub.angle"), brake)
    sol = jd.simulate(model, 0.1, start={"hub.rate": 5.0})
    slides = sol["hub.rate"].values > 0.1
    assert slides.sum() > 5
    expected = -(0.2 - 2.0 * sol["seen.value"].values[slides])
    assert sol["brake.force"].values[slides] == pytest.approx(expected, rel=1e-6)
    assert abs(sol["arm.elastic.z1"].values[slides]).max() > 1e-3


def test_a_frame_that_cannot_be_found_is_told():
    """Where a function cannot be tried out, its frames have to be named."""
    model, arm, _ = _arm()
    tried = []

    def height(at):
        if not isinstance(at.pose(arm)[1], np.ndarray) and not tried:
            tried.append(at)
            raise ValueError
        return at.pose(arm.at(0.3, 0, 0))[1][2]

    model.add_connection("seen", jd.Formula(height), jd.Force(0.0))
    with pytest.raises(jd.ModelError, match=r"add_frame\('gauge', arm.at\((x = )?0.3"):
        jd.simulate(model, 0.1)


def _bridge(length=1.0, speed=0.5 * np.pi, small=1e-4, count=12):
    """A mass that is moved along a beam between two supports, with EI = ρA = 1 (7.V8)."""
    section = jd.flexible.Section(EI_y=1.0, EI_z=1.0, GJ=1.0, EA=1e6, mass=1.0)
    own = jd.flexible.beam(length, section, modes=10, functions=10, fields=("z",), frame="end")
    model = jd.Model("bridge", gravity=(0.0, 0.0, 0.0))
    beam, cart = model.add_body("beam", own), model.add_body("cart", jd.Inertia(mass=0.5))
    slider = model.add_body("slider", jd.Inertia(mass=1.0))
    model.add_joint("left", model.world, beam, jd.Revolute("y"))
    model.add_frame("middle", beam.at(0.5 * length, 0, 0))
    right = jd.Formula(lambda at: at.pose(beam.at(length, 0, 0))[1][2])
    model.add_connection("right", right, jd.Equal(0.0))
    drive = {"position": lambda t: speed * t}
    model.add_joint("along", model.world, slider, jd.Prismatic("x"), driven=drive)
    model.add_joint("up", slider, cart, jd.Prismatic("z"))
    stations = 0.5 - 0.5 * np.cos(np.pi * (np.arange(count) + 0.5) / count)

    def gap(at):
        x, height = at.coordinate("along.position") / length, 0.0
        for a in stations:
            others = [b for b in stations if b != a]
            weight = np.prod([(x - b) / (a - b) for b in others])
            height = height + weight * at.pose(beam.at(length * a, 0, 0))[1][2]
        return at.coordinate("up.position") - height

    model.add_connection("wheel", jd.Formula(gap), jd.Equal(0.0))
    weight = jd.Force(-48.0 * small / length**3)  # sags by ``small`` in the middle
    model.add_connection("weight", jd.Coordinate("up.position"), weight)
    return model


@pytest.mark.slow
def test_a_mass_moves_over_a_beam():
    """7.V8 with ten polynomials: the contact force contains 2 m ẋ ẇ' and m ẋ² w''."""
    method = jd.Dop853(rtol=1e-8, atol=1e-12)
    times = np.linspace(0.0, 0.9999 * 2.0 / np.pi, 4001)
    sol = jd.simulate(_bridge(), times[-1], method=method, sample=times)
    mass, middle = -1e4 * sol["up.position"].values, -1e4 * sol["middle.position"].values[:, 2]
    assert mass.max() == pytest.approx(1.523469, abs=2e-6)
    assert middle.max() == pytest.approx(2.022343, abs=2e-6)
    x = 0.5 * np.pi * times
    assert x[mass.argmax()] == pytest.approx(0.702, abs=1e-3)
    assert x[middle.argmax()] == pytest.approx(0.8545, abs=2e-3)
