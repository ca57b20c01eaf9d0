"""Names with dots are taken apart in one way only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.model.names import components, element_of, groups_of, is_inside, joined, owned

WORDS = st.text(st.sampled_from("abxyz01_ é"), min_size=1, max_size=3).filter(
    lambda word: word == word.strip()
)
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(lambda words: joined(*words))


@st.composite
def worlds(draw):
    """Names of elements of which none begins another, as groups and elements make them."""
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique=True))
    return [x for x in names if not any(y != x and is_inside(x, y) for y in names)]


@given(worlds(), st.data())
def test_every_full_name_has_one_owner(elements, data):
    element = data.draw(st.sampled_from(elements))
    quantity = data.draw(NAMES)
    assert owned(joined(element, quantity), elements) == (element, quantity)
    assert owned(element, elements) == (element, "")
    owners = [x for x in elements if is_inside(joined(element, quantity), x)]
    assert owners == [element]


@given(worlds(), NAMES)
def test_a_name_of_no_element_has_no_owner(elements, name):
    if not any(name == x or is_inside(name, x) for x in elements):
        assert owned(name, elements) == ("", name)
        assert element_of(name, elements) == name.partition(".")[0]


@given(worlds(), st.lists(NAMES, max_size=4, unique=True), st.data())
def test_the_longest_name_is_the_owner_of_members_of_composites(elements, members, data):
    star = data.draw(st.sampled_from(elements))
    both = {*elements, *(joined(star, member) for member in members)}
    name = joined(star, data.draw(NAMES))
    owner, rest = owned(name, both)
    assert joined(owner, rest) == name
    assert not any(len(x) > len(owner) and (x == name or is_inside(name, x)) for x in both)


@given(NAMES)
def test_groups_of_a_name_are_its_beginnings(name):
    groups = list(groups_of(name))
    assert [g.count(".") for g in groups] == list(range(name.count(".")))
    assert all(is_inside(name, g) for g in groups)
    assert not is_inside(name, name)
    assert is_inside(name, "")


@pytest.mark.parametrize(
    ("name", "found"),
    [("a.b.position", ["a.b.position.x", "a.b.position.y"]), ("a.b", []), ("a", []), ("", [])],
)
def test_only_vectors_have_components(name, found):
    known = ["a.b.angle", "a.b.rate", "a.b.position.x", "a.b.position.y", "a.c.value"]
    assert components(name, known, {"a.b", "a.c"}) == found
