"""The base of laws, laws as functions, and sums."""

import pytest

from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.laws import Damper, Law, Maxwell, Motor, Spring, SumLaw

AT = Snapshot({}, t=2.0, states={"a": 3.0}, inputs={"u": 5.0}, multipliers={"rail": 7.0})


@pytest.mark.parametrize(
    ("function", "force"),
    [
        (lambda x: 2 * x, 2.0),
        (lambda x, v: 2 * x + v, 12.0),
        (lambda x, v, at: x + v * at.t, 21.0),
        (lambda *given: len(given), 3),
        (lambda x, v, k=4.0: k * x, 4.0),
        (lambda x, v, at: at.multiplier("rail"), 7.0),
    ],
)
def test_functions_of_one_to_three_arguments(function, force):
    assert Law(function).force(1.0, 10.0, AT) == force


def test_states_and_inputs():
    law = Law(
        lambda x, v, at: at.state("a") + at.input("u"),
        states={"a": "m"},
        inputs={"u": "N"},
        state_rates=lambda x, v, at: (x - at.state("a"),),
        state_start=(0.5,),
    )
    assert law.force(0.0, 0.0, AT) == 8.0
    assert law.rates(1.0, 0.0, AT) == (-2.0,)
    assert law.start() == (0.5,)


def test_laws_add_up():
    law = Spring(2.0) + Damper(3.0) + Maxwell(5.0, 1.0)
    at = Snapshot({}, states={"creep_1": 0.5})
    assert law.force(1.0, 1.0, at) == -2.0 - 3.0 - 2.5
    assert law.energy(1.0, at) == 1.0 + 0.625
    assert law.dissipation(1.0, 1.0, at) == 3.0 + 1.25
    assert law.parts == (Spring(2.0), Damper(3.0), Maxwell(5.0, 1.0))
    assert str(law) == "Spring(2) + Damper(3) + Maxwell((5), (1))"


def test_sums_have_the_states_and_inputs_of_their_parts():
    law = SumLaw((Motor(0.1, 1.0, 1e-3), Maxwell(5.0, 1.0)))
    assert list(law.states) == ["current", "creep_1"]
    assert list(law.inputs) == ["voltage"]
