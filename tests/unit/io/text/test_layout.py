"""Layout of TOML: what is written is read back, short, and in lines that fit."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.io.text.layout import DEEPEST, WIDTH, blocks, key_text, string_text
from jourdain.io.text.values import UnwritableError

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=15)
SCALARS = st.one_of(
    TEXTS, st.booleans(), st.integers(-(2**62), 2**62), st.floats(allow_nan=False, width=64)
)
TREES = st.dictionaries(
    TEXTS,
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=8) | st.dictionaries(TEXTS, inner, max_size=4),
        max_leaves=20,
    ),
    max_size=5,
)


@given(TREES)
def test_what_is_written_is_read_back(tree):
    text = "\n\n".join(blocks(tree))
    assert tomllib.loads(text) == tree


@given(TREES, TEXTS)
def test_tables_with_a_path(tree, name):
    text = "\n\n".join(blocks(tree, ("body", name)))
    assert tomllib.loads(text) == {"body": {name: tree}}


@given(TEXTS)
def test_texts(text):
    assert tomllib.loads(f"a = {string_text(text)}\n{key_text('b' + text)} = 1") == {
        "a": text,
        "b" + text: 1,
    }
    assert string_text(text).isprintable()


def test_short_tables_stay_in_a_line_and_long_ones_get_a_header():
    tree = {"b": {"x": 1}, "long": {"values": [0.123456] * 20, "k": "v"}, "c": {}}
    assert list(blocks(tree, ("top", "left arm"))) == [
        '[top."left arm"]\nb = { x = 1 }',
        '[top."left arm".long]\nvalues = [\n'
        "    0.123456, 0.123456, 0.123456, 0.123456, 0.123456, 0.123456, 0.123456, 0.123456, "
        "0.123456,\n"
        "    0.123456, 0.123456, 0.123456, 0.123456, 0.123456, 0.123456, 0.123456, 0.123456, "
        "0.123456,\n"
        '    0.123456, 0.123456,\n]\nk = "v"',
        '[top."left arm".c]',
    ]


def test_the_order_of_keys_is_kept():
    tree = {"long": {"values": [0.123456] * 20}, "b": 1, "more": {"values": [0.1] * 40}, "c": {}}
    text = "\n\n".join(blocks(tree, ("top",)))
    assert list(tomllib.loads(text)["top"]) == list(tree)
    assert text.startswith("[top]\nlong = { values = [\n    0.123456,")


@given(st.lists(st.floats(-1e9, 1e9), max_size=60))
def test_numbers_are_folded_to_the_width(numbers):
    text = "\n".join(blocks({"values": numbers}))
    assert all(len(line) <= WIDTH for line in text.splitlines())


def test_rows_of_a_matrix_stand_below_each_other():
    tree = {"y": [[0.123456789, 2.0, 3.0], [4.0, 5.123456789, 6.0], [7.0, 8.0, 9.123456789]] * 2}
    lines = "\n".join(blocks(tree)).splitlines()
    assert len(lines) == 8
    assert lines[1] == "    [0.123456789, 2.0, 3.0],"


def test_a_tree_that_is_too_deep_is_refused():
    tree = 1.0
    for _ in range(DEEPEST + 1):
        tree = [tree]
    with pytest.raises(UnwritableError, match=f"nested more than {DEEPEST} deep"):
        list(blocks({"a": tree}))
