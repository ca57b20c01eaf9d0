"""How equations are compiled: by the size of trees."""

import jourdain as jd
from jourdain.system.plan import Size, execution_for, execution_reason, size_of


def chain(model, n, start="link"):
    before = model.world
    for k in range(n):
        body = model.add_body(f"{start}_{k}", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
        model.add_joint(f"{start}_joint_{k}", before, body, jd.Revolute("z"))
        before = body.at(0.1, 0, 0)
    return before


def test_sizes_are_those_of_trees():
    model = jd.Model("trees")
    chain(model, 3)
    chain(model, 5, "other")
    model.add_body("free", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_coordinate("wheel", 1.0)
    assert size_of(model) == Size(links=10, largest=5, depth=5, is_open=True)


def test_a_loop_and_a_held_measure_are_not_open():
    model = jd.Model("loop")
    model.add_joint("closing", model.world, chain(model, 3), jd.Revolute("z"))
    assert not size_of(model).is_open
    model = jd.Model("held")
    model.add_connection("rod", jd.Distance(model.world, chain(model, 3)), jd.Equal(0.3))
    assert not size_of(model).is_open


def size(links, largest, depth=1, *, is_open=True):
    return Size(links, largest, depth, is_open)


def test_depth_is_the_longest_of_the_shortest_ways():
    model = jd.Model("loop")
    assert size_of(model).depth == 0
    model.add_joint("closing", model.world, chain(model, 5), jd.Revolute("z"))
    assert size_of(model).depth == 3  # the middle of five links between two pivots
    body = model.add_body("free", jd.solid.ball(mass=1.0, radius=0.1))
    for k in range(4):
        tip = model.add_body(f"finger_{k}", jd.solid.ball(mass=1.0, radius=0.1))
        model.add_joint(f"knuckle_{k}", body, tip, jd.Revolute("x"))
        body = tip
    assert size_of(model).depth == 4


def test_many_small_trees_and_bushes_are_straight_line_code_and_large_ones_loops():
    assert isinstance(execution_for(size(1000, 1)), jd.Unrolled)
    assert isinstance(execution_for(size(100, 50, 50)), jd.Looped)
    assert isinstance(execution_for(size(100, 100, 7)), jd.Unrolled)
    assert isinstance(execution_for(size(201, 201, 7)), jd.Looped)
    assert isinstance(execution_for(size(20, 20, 20, is_open=False)), jd.Unrolled)


def test_rows_of_loops_are_straight_up_to_some_hundred_links():
    assert execution_for(size(600, 600, 2, is_open=False)) == jd.Looped(loops_constraints=False)
    assert execution_for(size(601, 601, 2, is_open=False)) == jd.Looped()


def test_the_reason_tells_of_trees():
    trees = size(150, 1)
    text = execution_reason(trees, execution_for(trees))
    assert text == "straight-line code, loops over what repeats: 150 links in trees of up to 1"
    bush = size(60, 60, 6)
    assert execution_reason(bush, execution_for(bush)).endswith(
        "a tree with up to 6 one behind the other"
    )
    assert execution_reason(size(90, 90, 90), jd.Unrolled()).endswith("as asked")
