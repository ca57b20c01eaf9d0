"""Arrays of connections: quantities of all members as one, with a dimension ``element``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from jourdain.results.channels.channel import Channel


def stacked(channels: Mapping[str, Channel], array: str, n: int) -> dict[str, Channel]:
    """Channels of which those that all n members of an array have are one.

    Quantities of single points of a contact, ``teeth.3.1.gap``, stay as they are.
    """
    own: dict[str, list[Channel]] = {}
    for name, channel in channels.items():
        number, _, quantity = name.removeprefix(f"{array}.").partition(".")
        is_own = name.startswith(f"{array}.") and number.isdigit()
        if is_own and not quantity.partition(".")[0].isdigit():
            own.setdefault(quantity, []).append(channel)
    whole = {quantity: each for quantity, each in own.items() if len(each) == n}
    gone = {channel.name for each in whole.values() for channel in each}
    kept = {name: channel for name, channel in channels.items() if name not in gone}
    return kept | {f"{array}.{quantity}": _whole(array, each) for quantity, each in whole.items()}


def _whole(array: str, channels: Sequence[Channel]) -> Channel:
    first = channels[0]
    name = f"{array}.{first.name.removeprefix(f'{array}.0.')}"
    text = first.text.replace(f"{array}.0", array)
    compute = partial(_rows, channels)
    return replace(
        first, name=name, text=text, compute=compute, array=array, n_elements=len(channels)
    )


def _rows(channels: Sequence[Channel]) -> Any:
    return np.stack([np.asarray(channel.compute()) for channel in channels], axis=1)


def of_member(channels: Mapping[str, Channel], name: str) -> Channel | None:
    """Quantity of one member of an array: ``teeth.17.force`` of ``teeth.force``; None if none."""
    words = name.split(".")
    for i in range(1, len(words) - 1):
        found, label = None, ""
        if words[i].isdigit():
            whole = ".".join((*words[:i], *words[i + 1 :]))
            found = channels.get(whole)
            if found is None:
                stem, _, label = whole.rpartition(".")
                found = channels.get(stem)
        if found is None or found.array != ".".join(words[:i]):
            continue
        if int(words[i]) < found.n_elements and (not label or label in found.labels):
            member = found.member(int(words[i]))
            return member.component(label) if label else member
    return None
