from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

import jourdain as jd
from jourdain import viz
from jourdain.viz.picture import png


@pytest.fixture(scope="module")
def system():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0, 0, -1)))
    model.add_joint("hinge", model.world.at(0, 0, 1.2), rod, jd.Revolute("y"))
    return jd.compile(model, execution=jd.Plain())


def decoded(data):
    """Picture in a PNG file whose rows are differences to the row above."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, rest = {}, data[8:]
    while rest:
        (size,) = struct.unpack(">I", rest[:4])
        kind, content = rest[4:8], rest[8 : 8 + size]
        (check,) = struct.unpack(">I", rest[8 + size : 12 + size])
        assert check == zlib.crc32(kind + content)
        chunks[kind], rest = content, rest[12 + size :]
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 2, 0, 0, 0]  # eight bits of red, green and blue
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert np.all(lines[:, 0] == 2)
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, 3)


def test_png_keeps_the_picture(rng):
    image = rng.integers(0, 256, (5, 7, 3)).astype(np.uint8)
    np.testing.assert_array_equal(decoded(png(image)), image)


def test_the_file_holds_what_is_returned(system, tmp_path):
    image = viz.picture(system, [0.3], tmp_path / "pendulum.png", size=(80, 60))
    assert image.shape == (60, 80, 3)
    np.testing.assert_array_equal(decoded((tmp_path / "pendulum.png").read_bytes()), image)


def test_the_position_and_the_colour_are_seen(system):
    one, other, blue = (
        viz.picture(system, [angle], size=(80, 60), colours={"rod": colour})
        for angle, colour in ((0.0, "#ff0000"), (1.0, "#ff0000"), (1.0, "#0000ff"))
    )
    assert np.any(one != other)
    for image, strong, weak in ((other, 0, 2), (blue, 2, 0)):
        distance = image[..., strong].astype(int) - image[..., weak]
        assert distance.max() > 100


def test_paths_have_room_in_the_picture(system):
    path = np.array([(0.0, 0.0, 0.2), (5.0, 0.0, 0.2)])
    near, far = (viz.picture(system, [0.0], paths=p, size=(80, 60)) for p in ((), [path]))
    assert np.count_nonzero(near != far) > 100


def test_a_wrong_number_of_coordinates_is_told(system):
    with pytest.raises(jd.ModelError, match="q has the shape"):
        viz.picture(system, [0.0, 1.0])
