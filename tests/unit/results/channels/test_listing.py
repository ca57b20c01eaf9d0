"""Listings of parts, groups and elements."""

import jourdain as jd


def machine(n):
    model = jd.Model("m")
    group = model.group("box")
    for k in range(n):
        group.add_coordinate(f"s{k}", 1.0)
        group.add_connection(f"k{k}", jd.Coordinate(f"box.s{k}"), jd.Spring(1.0))
    return jd.simulate(model, 0.01)


def test_quantities_of_an_element_stand_together():
    lines = str(machine(2)["box"]).splitlines()
    words = [line.split()[0].split(".")[0] for line in lines[1:]]
    assert words == sorted(words, key=words.index)
    assert len(lines) == 1 + len(machine(2)["box"])


def test_many_are_told_by_elements():
    listing = machine(8)["box"]
    lines = str(listing).splitlines()
    assert len(lines) == 1 + 16
    assert lines[1].split() == ["s0", "4", "quantities"]
    assert len(listing["k0"]) == 4
    assert len(listing.names()) == 64
