"""Bars from the joints of a body to its shapes, where these lie apart: nothing hangs in the air."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jourdain.model.elements import Body, Frame
from jourdain.model.joints import Free
from jourdain.model.model import Model

_APART = 0.05  # of the largest edge of the shapes: nearer joints belong to them
_THIN = 0.015  # radius of a bar, in its length


def joint_ends(model: Model, body: Body) -> list[Frame]:
    """Frames on a body where joints hold it; one that moves freely is not held."""
    held = [joint for joint in model.joints.values() if not isinstance(joint.kind, Free)]
    ends = [end for joint in held for end in (joint.child, joint.parent)]
    return [end for end in ends if end.body == body.name]


def arms(places: Sequence[Any], boxes: Sequence[Any]) -> Iterator[tuple[Any, Any, float]]:
    """Start, end and radius [m] of bars to places (3,) [m] that lie outside all boxes.

    Parameters
    ----------
    places : sequence of (3,) [m]
        Where joints are.
    boxes : sequence of (2, 3) [m]
        Lower and upper corners of boxes around the shapes.
    """
    if not boxes:
        return
    limit = _APART * max(float(np.max(high - low)) for low, high in boxes)
    for place in np.unique(np.reshape(np.array(places, dtype=float), (-1, 3)), axis=0):
        gaps = [float(np.linalg.norm(place - np.clip(place, *box))) for box in boxes]
        nearest = int(np.argmin(gaps))
        if gaps[nearest] > limit:
            low, high = boxes[nearest]
            inset = 0.25 * (high - low)  # inside of what is round, too
            yield place, np.clip(place, low + inset, high - inset), _THIN * gaps[nearest]
