"""Tables with fixed keys."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.io.text.form import Form, made
from jourdain.io.text.readers import number, text
from jourdain.io.text.section import ContentError, Value

FORM = Form(dict, {"mass": number, "name": text}, ("mass",), " Or else.")


def mistakes(data, also=()):
    with pytest.raises(ContentError) as error:
        FORM.read(Value(data, ("body", "rod")), also)
    return error.value.found


def test_a_table_is_read():
    assert FORM.read(Value({"name": "a", "mass": 1})) == {"name": "a", "mass": 1.0}
    assert FORM.read(Value({"mass": 1, "kind": 3}), ("kind",)) == {"mass": 1.0}


def test_every_mistake_is_told():
    place = ("body", "rod")
    assert mistakes({"size": 1, "name": 2}, ("kind",)) == [
        ((*place, "size"), "body 'rod': unknown key 'size'. Allowed: kind, mass, name. Or else."),
        ((*place, "name"), "name of body 'rod' is 2: give a text in quotes."),
        (place, "body 'rod': the key 'mass' is missing. Allowed: kind, mass, name. Or else."),
    ]


def test_a_misspelt_key_is_one_mistake():
    assert mistakes({"mas": 1}) == [
        (
            ("body", "rod", "mas"),
            "body 'rod': unknown key 'mas'. Did you mean 'mass'? Allowed: mass, name. Or else.",
        )
    ]


def test_a_key_of_others_is_no_misspelling():
    assert "the key 'mass' is missing" in mistakes({"mas": 1}, ("mas",))[0][1]


def test_no_table():
    assert mistakes(3)[0][1] == "body 'rod' is 3: give a table such as { key = value }."


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Form(1 / 0, {}), "body 'rod': these numbers cannot be computed with (division"),
        (lambda: np.linalg.inv(np.zeros((2, 2))), "body 'rod': these numbers cannot be computed"),
    ],
)
def test_arithmetic_that_fails_is_a_mistake(make, message):
    with pytest.raises(ContentError) as error:
        made(Value({}, ("body", "rod")), make)
    assert error.value.found[0][1].startswith(message)


def test_what_the_model_refuses_is_a_mistake():
    def refuse():
        raise ModelError("the mass is odd.")

    with pytest.raises(ContentError) as error:
        made(Value({}, ("body", "rod")), refuse)
    assert error.value.found == [(("body", "rod"), "body 'rod': the mass is odd.")]


def test_overflows_of_numpy_do_not_warn():
    assert made(Value({}), lambda: np.float64(1e308) * 10) == np.inf
