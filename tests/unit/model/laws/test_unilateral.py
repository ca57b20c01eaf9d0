"""Set-valued laws as values: what they take, and how they are told."""

import pytest

import jourdain as jd
from jourdain.model.laws.impact import NEWTON


@pytest.mark.parametrize("law", [jd.Unilateral(), jd.Interval(2.0), jd.Coulomb()])
def test_laws_are_set_valued_and_compare(law):
    assert law.is_set_valued
    assert law == type(law)(**vars(law))
    assert str(law)


def test_defaults():
    stop, contact = jd.Unilateral(), jd.Coulomb()
    assert (stop.limit, stop.side, stop.restitution, stop.impact) == (0.0, "above", 0.0, NEWTON)
    assert (contact.friction, contact.restitution, contact.impact) == (0.0, 0.0, jd.Newton())


@pytest.mark.parametrize("e", [0, 1, 0.5, jd.Parameter("e", 0.4), lambda v: 1 / (1 + v)])
def test_restitutions_that_can_be(e):
    assert jd.Unilateral(restitution=e).restitution is e
    assert jd.Coulomb(0.1, e).restitution is e


@pytest.mark.parametrize("mu", [0, 0.3, (0.2, 0.4), jd.Parameter("mu", 0.4), lambda v: 0.3])
def test_frictions_that_can_be(mu):
    assert jd.Coulomb(mu).friction is mu


@pytest.mark.parametrize("law", [jd.Poisson("glocker"), jd.Poisson("beitelschmidt")])
def test_tangential_restitution_goes_with_laws_that_store(law):
    assert jd.Coulomb(0.5, 0.8, 0.9, law).tangential_restitution == 0.9


def test_turns_are_those_with_a_length():
    assert jd.Coulomb(0.4).turns == ()
    assert jd.Coulomb(0.4, rolling=1e-3).turns == ("rolling",)
    assert jd.Coulomb(rolling=jd.Parameter("r", 0.0), drilling=lambda w: 1e-3 / (1 + w)).turns == (
        "rolling",
        "drilling",
    )
    assert jd.Interval(2.0).turns == jd.Unilateral().turns == ()
    assert str(jd.Coulomb(0.4, drilling=0.002)) == "Coulomb(0.4, drilling=0.002)"
