"""Elements with frames on other bodies than those they were written with."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from jourdain.model.elements import Frame


def with_frames(
    value: Any, put: Callable[[Frame], Frame], also: Callable[[Any], Any] | None = None
) -> Any:
    """Copy of an element with another frame in the place of each; the same one if none changes.

    Parameters
    ----------
    value : object
        Element of a model, or what elements consist of.
    put : function
        The frame that takes the place of a frame.
    also : function, optional
        What takes the place of an element, with its frames put already.
    """
    if isinstance(value, Frame):
        return put(value)
    if isinstance(value, list | tuple):
        items = [with_frames(item, put, also) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(items)
    if isinstance(value, Mapping):
        named = {key: with_frames(item, put, also) for key, item in value.items()}
        return value if all(named[key] is value[key] for key in value) else named
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {f.name: with_frames(getattr(value, f.name), put, also) for f in fields(value)}
    moved = value
    if any(part is not getattr(value, name) for name, part in parts.items()):
        moved = copy.copy(value)
        for name, part in parts.items():
            object.__setattr__(moved, name, part)
    return moved if also is None else also(moved)
