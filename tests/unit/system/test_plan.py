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
    assert size_of(model) == Size(links=10, largest=5, is_open=True)


def test_a_loop_and_a_held_measure_are_not_open():
    model = jd.Model("loop")
    model.add_joint("closing", model.world, chain(model, 3), jd.Revolute("z"))
    assert not size_of(model).is_open
    model = jd.Model("held")
    model.add_connection("rod", jd.Distance(model.world, chain(model, 3)), jd.Equal(0.3))
    assert not size_of(model).is_open


def test_many_small_trees_are_straight_line_code_and_large_ones_loops():
    assert isinstance(execution_for(Size(1000, 1, is_open=True)), jd.Unrolled)
    assert isinstance(execution_for(Size(1000, 1, is_open=False)), jd.Looped)
    assert isinstance(execution_for(Size(100, 50, is_open=True)), jd.Looped)
    assert isinstance(execution_for(Size(20, 20, is_open=False)), jd.Unrolled)


def test_the_reason_tells_of_trees():
    size = Size(150, 1, is_open=True)
    text = execution_reason(size, execution_for(size))
    assert text == "straight-line code, loops over what repeats: 150 links in trees of up to 1"
    assert execution_reason(Size(90, 90, is_open=True), jd.Unrolled()).endswith("as asked")
