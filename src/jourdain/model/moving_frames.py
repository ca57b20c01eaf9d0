"""Elements with frames on other bodies than those they were written with."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from jourdain.model.elements import Frame


def with_frames(value: Any, put: Callable[[Frame], Frame]) -> Any:
    """Copy of an element with another frame in the place of each; the same one if none changes.

    Parameters
    ----------
    value : object
        Element of a model, or what elements consist of.
    put : function
        The frame that takes the place of a frame.
    """
    if isinstance(value, Frame):
        return put(value)
    if isinstance(value, list | tuple):
        items = [with_frames(item, put) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(items)
    if isinstance(value, Mapping):
        named = {key: with_frames(item, put) for key, item in value.items()}
        return value if all(named[key] is value[key] for key in value) else named
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {f.name: with_frames(getattr(value, f.name), put) for f in fields(value)}
    if all(part is getattr(value, name) for name, part in parts.items()):
        return value
    moved = copy.copy(value)
    for name, part in parts.items():
        object.__setattr__(moved, name, part)
    return moved
