"""Pictures as PNG files."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np


def png(image: Any) -> bytes:
    """PNG file of a picture (height, width, 3) of uint8."""
    height, width, _ = image.shape
    rows = np.diff(image, axis=0, prepend=np.zeros_like(image[:1]))  # each less the one above
    lines = np.column_stack([np.full(height, 2, dtype=np.uint8), rows.reshape(height, -1)])
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
