"""Measures and laws that gather what others have joined to them."""

import pytest

import jourdain as jd
from jourdain.model.parts.completing import completed
from jourdain.model.parts.result import Result


class Everything(jd.Measure):
    """Sum of all coordinates of the model, found when it is complete."""

    names: tuple = ()

    def completed(self, model):
        return Everything(tuple(model.coordinates))

    def value(self, at):
        return sum((at.coordinate(name) for name in self.names), 0.0)


class Counted(jd.ForceLaw):
    """Pushes with the number of connections."""

    count: int = 0

    def completed(self, model):
        return Counted(len(model.connections))

    def force(self, x, v, at):
        return self.count + 0.0 * v


class Trio(jd.Part):
    """Three coordinates that are held together, and a result."""

    def build(self, group):
        group.add_connection("sum", jd.Rate(Everything()), jd.Equal())
        for name in "abc":
            group.add_coordinate(name, 1.0)
        group.add_connection("push", jd.Coordinate(group.path("a")), Counted())
        return {}

    def results(self, name):
        names = (f"{name}.a.rate", f"{name}.b.rate")
        return {"spread": Result("rad/s", "difference of two rates", names, lambda a, b: a - b)}


@pytest.fixture
def model():
    made = jd.Model("trio")
    made.add("trio", Trio())
    return made


def test_what_is_added_later_counts(model):
    """A is pushed by 2; the sum of all rates stays zero: a = 2 · 2/3, the others -2/3."""
    sol = jd.simulate(model, 1.0)
    assert sol.final["trio.a.rate"] == pytest.approx(4.0 / 3.0, rel=1e-9)
    assert sol.values("trio.spread")[-1] == pytest.approx(2.0, rel=1e-9)
    assert sol["trio.spread"].attrs["units"] == "rad/s"
    model.add_coordinate("more", 1.0)
    assert jd.simulate(model, 1.0).final["trio.a.rate"] == pytest.approx(2.0 * 3.0 / 4.0, rel=1e-9)


def test_the_model_stays_as_it_was_written(model):
    whole = completed(model)
    assert model.connections["trio.sum"].measure == jd.Rate(Everything())
    assert whole.connections["trio.sum"].measure.measure.names == ("trio.a", "trio.b", "trio.c")
    assert whole.connections["trio.push"].law == Counted(2)


def _names(model):
    _names.calls += 1
    return tuple(model.coordinates)


class Gathering(jd.Measure):
    """Sum of all coordinates, gathered from the model."""

    names: tuple = ()

    def completed(self, model):
        return Gathering(model.gathered(_names))

    def value(self, at):
        return sum((at.coordinate(name) for name in self.names), 0.0)


def test_many_gather_once():
    """The work of completion grows with the model, not with its square."""
    model = jd.Model("many")
    for k in range(20):
        model.add_coordinate(f"x{k}", 1.0)
        model.add_connection(f"spring{k}", Gathering(), jd.Spring(1.0))
    _names.calls = 0
    whole = completed(model)
    assert _names.calls == 1
    assert all(len(whole.connections[f"spring{k}"].measure.names) == 20 for k in range(20))
    model.add_coordinate("more", 1.0)
    assert len(model.gathered(_names)) == 21
    assert len(completed(model).connections["spring0"].measure.names) == 21
