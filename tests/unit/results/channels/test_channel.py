"""Descriptions of quantities and labelled arrays."""

import numpy as np
import pytest

from jourdain.results.channels.channel import WXYZ, XYZ, Channel, dataset, grouped, words


def channel(name, labels, n=4):
    numbers = np.arange(n * max(len(labels), 1), dtype=float)
    values = numbers.reshape(n, -1) if labels else numbers
    return Channel(f"part.{name}", "m", f"{name} of part", lambda: values, labels)


@pytest.mark.parametrize(
    ("labels", "dimensions"),
    [
        ((), ("time",)),
        (XYZ, ("time", "axis")),
        (WXYZ, ("time", "quaternion")),
        (("z", "x"), ("time", "axis_zx")),
    ],
)
def test_dimensions_follow_the_labels(labels, dimensions):
    assert channel("position", labels).dimensions == dimensions


def test_a_component_is_a_channel():
    whole = channel("position", XYZ)
    part = whole.component("y")
    assert (part.name, part.unit, part.labels) == ("part.position.y", "m", ())
    assert part.compute().tolist() == [1.0, 4.0, 7.0, 10.0]
    assert part.name in whole.columns


def test_components_are_collected_in_order():
    names = ["position.z", "position.x", "angle", "orientation.w"]
    assert list(grouped(names)) == [
        ("position", ("z", "x"), [0, 1]),
        ("angle", (), [2]),
        ("orientation", ("w",), [3]),
    ]


def test_words():
    assert words("angular_velocity.x") == "angular velocity x"


def test_vectors_of_all_lengths_fit_in_one_dataset():
    channels = [channel("position", XYZ), channel("orientation", WXYZ), channel("path", ("z", "x"))]
    time = np.array((0.0, 0.1, 0.1, 0.2))
    data = dataset(channels, time, lambda c: c.compute())
    assert data["part.position"].sel(axis="z").values.tolist() == [2.0, 5.0, 8.0, 11.0]
    assert data["part.orientation"].sel(quaternion="w").values.tolist() == [0.0, 4.0, 8.0, 12.0]
    assert data["part.path"].dims == ("time", "axis_zx")
    assert data["time"].attrs == {"units": "s", "long_name": "time"}
    assert data["part.path"].attrs == {"units": "m", "long_name": "path of part"}
