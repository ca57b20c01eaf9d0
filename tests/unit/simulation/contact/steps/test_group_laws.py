"""Laws of groups as numbers and as functions of speeds."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.simulation.contact.steps.group_laws import WORDS, GroupLaw


def test_numbers_of_a_law():
    law = jd.Coulomb((0.1, 0.2), static=0.3, restitution=0.4, rolling=0.01, drilling=0.02)
    found = GroupLaw(law, 2, "contacts 'pile'")
    assert found.numbers == [0.1, 0.2, 0.3, 0.3, 0.4, 0.01, 0.02, 0.0]
    assert found.has_friction
    assert found.turns == [True, True]
    assert not found.is_function
    assert GroupLaw(jd.Unilateral(restitution=0.5), 0, "").numbers == [0, 0, 0, 0, 0.5, 0, 0, 0]


def test_a_compiled_law_is_the_function_itself():
    law = jd.Coulomb(lambda v: 0.2 + 0.1 * jd.exp(-v), restitution=lambda v: 0.5 / (1.0 + v))
    found, speeds = GroupLaw(law, 0, "contacts 'pile'"), np.array([0.3, 2.0, 0.1, 0.2])
    compiled = found.kernel()(speeds)[0]
    np.testing.assert_allclose(compiled, found.numbers_at(speeds), rtol=1e-14)
    assert compiled[4] == pytest.approx(0.5 / 3.0)


def test_a_function_that_decides_by_itself_is_called():
    law = jd.Coulomb(0.3, restitution=lambda v: 0.5 if v > 1.0 else 0.0)
    found = GroupLaw(law, 0, "contacts 'pile'")
    assert found.kernel() is None
    speeds, numbers = np.array([0.0, 2.0, 0.0, 0.0]), np.zeros(len(WORDS))
    found.callback(speeds, numbers)(None)
    assert numbers.tolist() == [0.3, 0.3, 0.3, 0.3, 0.5, 0.0, 0.0, 0.0]


def test_numbers_out_of_bounds():
    with pytest.raises(ModelError, match=r"friction of its law is -0\.1: give a parameter"):
        GroupLaw(jd.Coulomb(0.1), 0, "")._require("friction", -0.1)
    found = GroupLaw(jd.Coulomb(lambda v: 0.3 - v), 0, "contacts 'pile'")
    text = found.fault(found.numbers_at([0.5, 0.0, 0.0, 0.0]), [0.5, 0.0, 0.0, 0.0])
    assert text.startswith("contacts 'pile': the friction of its law is -0.2 at 0.5 m/s")
    assert found.fault(found.numbers_at([0.1, 0.0, 0.0, 0.0]), [0.1, 0.0, 0.0, 0.0]) == ""
