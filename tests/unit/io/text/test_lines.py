"""Line numbers of keys, against the parser of the standard library."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.io.text.lines import key_lines

TEXT = '''# comment with [brackets] = and "quotes"
format = "x"   # [no.header]
a.b."c d".'e' = 1

[body.crank]
mass = "\\"]#" # 2
text = """
[not.a.header]
key = 3 \\"""
""""
literal = \'\'\'
x = [ \'\'\'\'
point = [
    1.0,  # ]
    [2.0, 3.0], { deep = { deeper = [ "," ] } },
]
  [ body . "left \\u0061rm" ]
  end = { x = 1, "y.z" = [
    4 ], date = 1979-05-27T07:32:00Z }
[[part]]
name = 1
[[part]]
name = 2
[part.sub]
key = 1
[[part.more]]
last = 1
'''

LINES = {
    ("format",): 2,
    ("a", "b", "c d", "e"): 3,
    ("body",): 5,
    ("body", "crank"): 5,
    ("body", "crank", "mass"): 6,
    ("body", "crank", "text"): 7,
    ("body", "crank", "literal"): 11,
    ("body", "crank", "point"): 13,
    ("body", "crank", "point", 1): 15,
    ("body", "crank", "point", 2): 15,
    ("body", "crank", "point", 2, "deep", "deeper"): 15,
    ("body", "left arm"): 17,
    ("body", "left arm", "end", "x"): 18,
    ("body", "left arm", "end", "y.z"): 18,
    ("body", "left arm", "end", "date"): 19,
    ("part",): 20,
    ("part", 0, "name"): 21,
    ("part", 1): 22,
    ("part", 1, "name"): 23,
    ("part", 1, "sub", "key"): 25,
    ("part", 1, "more", 0, "last"): 27,
}


def paths(tree, path=()):
    """Places of all keys, and of arrays and tables in arrays."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield (*path, key)
            yield from paths(value, (*path, key))
    elif isinstance(tree, list):
        for k, value in enumerate(tree):
            if isinstance(value, dict | list):
                yield (*path, k)
                yield from paths(value, (*path, k))


@pytest.mark.parametrize(("path", "line"), LINES.items(), ids=str)
def test_lines_of_an_intricate_text(path, line):
    assert key_lines(TEXT)[path] == line


def test_every_key_of_the_text_is_found_and_no_other():
    assert set(key_lines(TEXT)) == set(paths(tomllib.loads(TEXT)))


KEYS = st.sampled_from(["a", "b-1", '"c d"', "'e.f'", '"\\u00e9"', "x . y", '"]" . z'])
PLAIN = ["1", "1.5e-3", '"a # [b] = {c}"', "'\\'", "true", "1979-05-27 07:32:00", '""', "''"]
LONG = ['"""\n[a]\n"""', "'''\n#'''", '"""a\\"""" # "', "[]", "{}", '""""a"""']
VALUES = st.recursive(
    st.sampled_from(PLAIN + LONG),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda x: "[ # ]\n" + ",\n".join(x) + "\n]"),
        st.lists(st.tuples(KEYS, inner), max_size=3).map(
            lambda pairs: "{" + ", ".join(f"{k} = {v}" for k, v in pairs) + "}"
        ),
    ),
    max_leaves=6,
)
STATEMENTS = st.one_of(
    st.tuples(KEYS, VALUES).map(" = ".join),
    KEYS.map(lambda key: f"[{key}]"),
    KEYS.map(lambda key: f"[[ {key} ]] # comment"),
    st.sampled_from(["", "# [x]"]),
)


@given(st.lists(STATEMENTS, max_size=12).map("\n".join))
def test_keys_of_any_text_are_found(text):
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    lines = key_lines(text)
    assert set(lines) == set(paths(tree))
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())
