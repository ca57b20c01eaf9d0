"""Values that know their place, and the words for it."""

import datetime

import pytest

from jourdain.io.text.section import MOST_MISTAKES, ContentError, Notebook, Value, label, shown


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ((), ""),
        (("gravity",), "gravity"),
        (("gravity", 2), "gravity[2]"),
        (("body",), "body"),
        (("body", "crank"), "body 'crank'"),
        (("body", "crank", "end", 1), "end[1] of body 'crank'"),
        (("joint", "main", "kind", 0, "axis"), "kind[0].axis of joint 'main'"),
        (("parameters", "length", "unit"), "unit of parameter 'length'"),
    ],
)
def test_names_of_places(path, name):
    assert label(path) == name


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (True, "true"),
        (0.5, "0.5"),
        (12, "12"),
        ("a", "'a'"),
        ("a" * 5000, "'" + "a" * 88 + "…"),
        (16**5000, "an integer beyond 1e300"),
        ({"a": 1}, "a table"),
        ([1, "b", [[]], {}], "[1, 'b', […], a table]"),
        ([0.0] * 1000, "[0.0, 0.0, 0.0, 0.0, …]"),
        ([16**5000], "[an integer beyond 1e300]"),
        (datetime.date(1979, 5, 27), "the date or time 1979-05-27"),
    ],
    ids=lambda x: str(type(x)),
)
def test_texts_of_values(data, text):
    assert shown(data) == text


def test_values_below():
    value = Value({"a": [1, 2]}, ("top",))
    assert [item.path for item in value.at("a").items()] == [("top", "a", 0), ("top", "a", 1)]
    assert value.at("a").at(1).data == 2


def test_sentences():
    value = Value("x", ("body", "rod", "mass"))
    for made, text in [
        (value.is_not("a number"), "mass of body 'rod' is 'x': give a number."),
        (value.is_wrong("is odd."), "mass of body 'rod' is odd."),
        (value.says("it is odd."), "mass of body 'rod': it is odd."),
        (value.says("mass of body 'rod' is odd."), "mass of body 'rod' is odd."),
    ]:
        assert made.found == [(value.path, text)]
    assert len(value.says("a" * 9999).found[0][1]) == 600


def test_mistakes_are_noted_and_raised_together():
    notes, value = Notebook(), Value(1, ("a",))
    notes.close()
    for _ in range(2):
        with notes.noting():
            raise value.says("wrong.")
    with pytest.raises(ContentError) as error:
        notes.close()
    assert error.value.found == [(("a",), "a: wrong.")] * 2


def test_reading_stops_when_there_are_too_many_mistakes():
    notes, value = Notebook(), Value(1, ("a",))

    def note():
        with notes.noting():
            raise value.says("wrong.")

    for _ in range(MOST_MISTAKES - 1):
        note()
    with pytest.raises(ContentError) as error:
        note()
    assert len(error.value.found) == MOST_MISTAKES


def test_other_errors_pass_through_a_notebook():
    with pytest.raises(KeyError), Notebook().noting():
        raise KeyError
