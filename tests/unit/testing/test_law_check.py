"""Proofs of laws: right ones pass, wrong ones are told."""

import pytest

from jourdain.errors import ModelError
from jourdain.model.laws import (
    Actuator,
    Force,
    ForceLaw,
    Law,
    Motor,
    Muscle,
    Servo,
    Spring,
    all_laws,
)
from jourdain.spatial.parameter import Parameter
from jourdain.testing import check_law

ACTIVE = (Actuator, Force, Law, Motor, Muscle, Servo)


@pytest.mark.parametrize(("law", "size"), all_laws())
def test_built_in_laws_pass(law, size):
    report = check_law(law, size, passive=not isinstance(law, ACTIVE))
    assert all(f.deviation <= f.limit for f in report.findings)


class Leaking(ForceLaw):
    """A spring that says too much of its energy."""

    stiffness: float

    def force(self, x, v, at):
        return -self.stiffness * x

    def energy(self, x, at):
        return self.stiffness * x**2


class Feeding(ForceLaw):
    """A damper that drives."""

    def force(self, x, v, at):
        return 2.0 * v

    def dissipation(self, x, v, at):
        return -2.0 * v * v


class Forgetful(ForceLaw):
    """A state without a rate."""

    states = {"a": "m"}

    def force(self, x, v, at):
        return -at.state("a")


@pytest.mark.parametrize(
    ("law", "text"),
    [
        (Leaking(3.0), "law Leaking(3) fails the check 'power', which compares force times rate, "),
        (Feeding(), "law Feeding() fails the check 'power', which compares force times rate, sto"),
        (
            Forgetful(),
            "law Forgetful() has 1 states, 1 start values and 0 rates: give as many of each.",
        ),
    ],
)
def test_wrong_ones_are_told(law, text):
    with pytest.raises(ModelError) as caught:
        check_law(law)
    assert str(caught.value).startswith(text)


def test_active_laws_need_not_balance():
    assert [f.check for f in check_law(Leaking(3.0), passive=False).findings] == ["symbols"]


def test_parameters_have_their_nominal_values():
    report = check_law(Spring(2 * Parameter("k", 3.0)), rng=7, n_states=2)
    assert report.findings[-1].check == "power"
    assert str(report).splitlines()[0] == "Spring(2 * k): 2 checks at 2 states"
