from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from jourdain.model import Model
from jourdain.model.joints import Revolute
from jourdain.spatial.solid import ball
from jourdain.topology.drawing import DEEPEST, HEAD, LONGEST, MOST_LINES, TAIL, draw
from jourdain.topology.spanning import build

R = Revolute("y")


def topology(make, inboard):
    names = ["world", *(f"b{k}" for k in range(1, len(inboard) + 1))]
    joints = [(f"j{k}", names[i], names[k], R) for k, i in enumerate(inboard, 1)]
    return build(make(names[1:], joints))


def text(lines):
    return [line.text for line in lines]


def test_branches_are_drawn_with_elbows(make):
    assert text(draw(topology(make, [0, 1, 2, 1, 0]))) == [
        "world",
        "├─ b1",
        "│  ├─ b2",
        "│  │  └─ b3",
        "│  └─ b4",
        "└─ b5",
    ]


def test_a_chain_of_the_longest_length_is_drawn_in_full(make):
    assert len(draw(topology(make, range(LONGEST)))) == LONGEST + 1


def test_the_middle_of_a_longer_chain_is_left_out(make):
    n = LONGEST + 8
    lines = draw(topology(make, range(n)))
    left_out = n - HEAD - TAIL
    assert len(lines) == 1 + HEAD + 1 + TAIL
    assert lines[4].text == f"         └─ … {left_out} bodies (b4 … b{n - TAIL})"
    assert lines[-1].text.endswith(f"└─ b{n}")


def test_a_long_chain_goes_on_to_what_branches_from_its_end(make):
    n = LONGEST + 8
    lines = draw(topology(make, [*range(n), n, n]))
    assert [line.text.strip() for line in lines[-3:]] == [
        f"└─ b{n}",
        f"├─ b{n + 1}",
        f"└─ b{n + 2}",
    ]


def test_a_wide_fan_shows_its_first_branches(make):
    lines = draw(topology(make, [0] * 100 + [100]))
    assert text(lines)[-2:] == ["├─ b8", "└─ … 93 bodies (b9 … b101)"]


def test_a_deep_comb_ends_at_a_level(make):
    comb = [inboard for k in range(18) for inboard in (max(2 * k - 1, 0), 2 * k + 1)]
    lines = draw(topology(make, comb))
    assert max(line.text.count("   ") + line.text.count("│  ") for line in lines) == DEEPEST


def test_the_last_body_is_drawn_in_its_place_when_it_just_fits(make):
    fans = [0] * 10 + [k for k in range(1, 11) for _ in range(3)]
    lines = draw(topology(make, fans))
    assert len(fans) == MOST_LINES
    assert text(lines)[-3:] == ["   ├─ b38", "   ├─ b39", "   └─ b40"]
    one_more = draw(topology(make, [*fans, 10]))
    assert text(one_more)[-2:] == ["   ├─ b39", "… 2 bodies (b40 … b41)"]


@given(st.data(), st.integers(1, 90))
def test_every_body_is_shown_or_counted_once(make, data, n):
    reach = data.draw(st.integers(1, 12))
    inboard = [data.draw(st.integers(max(0, k - reach), k)) for k in range(n)]
    tree = topology(make, inboard)
    lines = draw(tree)
    assert len(lines) <= MOST_LINES + 1
    assert sorted(k for line in lines for k in line.bodies) == list(range(n + 1))
    for line in lines:
        if len(line.bodies) == 1:
            assert line.text.endswith(tree.names[line.bodies[0]])
        else:
            assert f"… {len(line.bodies)} bodies" in line.text
    assert all(a.bodies.stop == b.bodies.start for a, b in pairwise(lines))


def test_parts_are_folded_where_their_branches_lie_side_by_side():
    names = ["plate", "a.rod", "a.head", "b.0", "b.1", "b.2", "c.only", "b.3"]
    inboard = ["world", "world", "a.rod", "world", "world", "b.1", "world", "plate"]
    model = Model("m")
    for name, before in zip(names, inboard, strict=True):
        group, _, own = name.rpartition(".")
        home = model.group(group) if group else model
        body = home.add_body(own, ball(mass=1.0, radius=0.1))
        home.add_joint(f"j{own}", before, body, R)
    lines = draw(build(model), ["a", "b", "c"])
    assert text(lines) == [
        "world",
        "├─ plate",
        "│  └─ b.3",
        "├─ a: 2 bodies",
        "├─ b: 3 bodies",
        "└─ c.only",
    ]
    assert sorted(k for line in lines for k in line.bodies) == list(range(len(names) + 1))
