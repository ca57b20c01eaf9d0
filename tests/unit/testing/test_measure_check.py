"""Proofs of measures: right ones pass, wrong ones are told."""

import numpy as np
import pytest

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model import Model
from jourdain.model.elements import Frame
from jourdain.model.joints import Revolute
from jourdain.model.measures import Formula, Measure, all_measures
from jourdain.spatial.inertia import Inertia
from jourdain.testing import check_measure


@pytest.fixture(scope="module")
def model():
    model = Model("machine")
    for name in "ab":
        model.add_body(name, Inertia(1.0))
    model.add_joint("j", "world", "a", Revolute("z"))
    model.add_coordinate("s", 1.0, unit="m")
    return model


@pytest.mark.parametrize("measure", all_measures()[::3], ids=lambda m: str(m)[:50])
def test_built_in_measures_pass(model, measure):
    report = check_measure(measure, model)
    assert report.n_states == 4
    assert all(f.deviation <= f.limit for f in report.findings)


class Lopsided(Measure):
    """Floats and symbols take different ways."""

    frame: Frame

    def value(self, at):
        z = at.pose(self.frame)[1][2]
        return z if math.is_symbolic(z) else 2.0 * z


class Bent(Measure):
    """A rate that is not linear in the velocities."""

    frame: Frame

    def rate(self, at):
        return math.norm(at.twist(self.frame)[1])


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (Lopsided, "measure Lopsided(a) fails the check "),
        (Bent, "measure Bent(a) fails the check 'jacobian', which compares rate and Jacobian "),
        (
            lambda frame: Formula(lambda at: np.nan * at.t),
            "measure Formula(<lambda>) has no finite value at 40 random poses of the bodies of "
            "model 'machine'. Check its formula, or use a model of the size that it needs.",
        ),
    ],
)
def test_wrong_ones_are_told(model, make, text):
    with pytest.raises(ModelError) as caught:
        check_measure(make(model.body("a")), model)
    assert str(caught.value).startswith(text)


def test_other_samples(model):
    report = check_measure(all_measures()[0], model, rng=7, n_states=2)
    assert report.n_states == 2
    assert [f.check for f in report.findings] == ["symbols", "rate", "jacobian"]
    assert str(report).count("\n") == 3


class Bounded(Measure):
    """Distance of two balls, with a bound that is right or wrong."""

    frame: Frame
    factor: float

    def value(self, at):
        return math.norm(at.pose(self.frame)[1]) - 0.1

    def lower_bound(self, at):
        return self.factor * abs(at.pose(self.frame)[1][2]) - 0.1


def test_a_lower_bound_lies_below_the_value(model):
    found = {f.check for f in check_measure(Bounded(Frame("a"), 1.0), model).findings}
    assert "lower bound" in found
    with pytest.raises(ModelError, match="lower bound"):
        check_measure(Bounded(Frame("a"), 30.0), model)
