from __future__ import annotations

import struct
import zlib

import numpy as np

from jourdain.viz.pictures.png import png


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
