"""Numbers as text, small: the form in which a page holds its motion.

A table is rounded to steps, differenced twice along time, and the differences are written in bytes
of equal weight, column after column, and deflated. Smooth motion leaves small differences, so the
higher bytes vanish. The script of the page undoes it (``web/src/unpack.js``).
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

_KINDS = {"f64": "<f8", "f32": "<f4", "u32": "<u4"}
_LARGEST = 2**28  # steps that a table may span, so that second differences fit into 32 bits


def plain(array: Any, kind: str = "f64") -> dict[str, str]:
    """Array as it is, as ``f64``, ``f32`` or ``u32``."""
    numbers = np.ascontiguousarray(array, dtype=_KINDS[kind])
    return {kind: _text(numbers.tobytes())}


def table(values: Any, steps: Any) -> dict[str, Any]:
    """Columns (n, m) rounded to half of a step each.

    Parameters
    ----------
    values : (n, m)
        Numbers, one row for each time; what is not finite becomes zero.
    steps : (m,)
        Twice the error allowed in each column; coarser where a column spans too many steps.
    """
    x = np.nan_to_num(np.asarray(values, dtype=float), nan=0.0, posinf=0.0, neginf=0.0)
    rows, columns = x.shape
    low = x.min(axis=0) if rows else np.zeros(columns)
    span = np.ptp(x, axis=0) if rows else np.zeros(columns)
    step = np.maximum(np.broadcast_to(steps, columns), np.maximum(span / _LARGEST, 1e-300))
    whole = np.rint((x - low) / step).astype(np.int64)
    slopes = np.diff(whole, axis=0, prepend=np.zeros((1, columns), dtype=np.int64))
    bends = np.diff(slopes, axis=0, prepend=np.zeros((1, columns), dtype=np.int64))
    codes = ((bends << 1) ^ (bends >> 63)).astype(np.uint32).T  # small ones for both signs
    planes = max(1, (int(codes.max(initial=0)).bit_length() + 7) // 8)
    data = b"".join(((codes >> (8 * k)) & 255).astype(np.uint8).tobytes() for k in range(planes))
    return {
        "rows": rows,
        "columns": columns,
        "planes": planes,
        "low": plain(low),
        "step": plain(step),
        "data": _text(data),
    }


def untable(packed: dict[str, Any]) -> Any:
    """Columns (n, m) of a packed table, as the page sees them."""
    rows, columns, planes = (packed[key] for key in ("rows", "columns", "planes"))
    data = np.frombuffer(_bytes(packed["data"]), np.uint8).reshape(planes, columns, rows)
    codes = sum(data[k].astype(np.int64) << (8 * k) for k in range(planes)).T
    whole = np.cumsum(np.cumsum((codes >> 1) ^ -(codes & 1), axis=0), axis=0)
    return unplain(packed["low"]) + unplain(packed["step"]) * whole


def unplain(packed: dict[str, str]) -> Any:
    """Array of a packed one."""
    ((kind, text),) = packed.items()
    return np.frombuffer(_bytes(text), _KINDS[kind])


def _text(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode("ascii")  # level 9: 0.2 % less


def _bytes(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))
