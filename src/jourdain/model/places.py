"""Frames of a model from what a user gives: a body, a frame, or a name."""

from __future__ import annotations

from typing import Any

from jourdain.errors import ModelError, unknown_name
from jourdain.model.element_tables import GROUND, Elements
from jourdain.model.elements import WORLD, Body, Frame
from jourdain.spatial import check


def frame_of(model: Elements, place: Any, what: str) -> Frame:
    """Frame of a body, a frame or a name, all of one model.

    Raises
    ------
    ModelError
        If it is none, or belongs to another model.
    UnknownNameError
        If the model has no body and no frame of that name.
    """
    if isinstance(place, str):
        return _frame_named(model, place)
    if not isinstance(place, Body | Frame):
        raise ModelError(
            f"{what} is {check.shown(place)}, which is no body and no frame. Give a body, "
            "body.at(x, y, z), or the name of one of them; the ground is model.world."
        )
    name = place.name if isinstance(place, Body) else place.body
    own = GROUND if name == WORLD else model.bodies.get(name)
    if own is None or (isinstance(place, Body) and place != own):
        raise ModelError(
            f"{what} is on body {name!r}, which belongs to another model, not to "
            f"{model.name!r}. Use a body that this model's add_body returned."
        )
    return Frame(name) if isinstance(place, Body) else place


def _frame_named(model: Elements, name: str) -> Frame:
    if name in model.frames:
        return model.frames[name]
    known = [WORLD, *model.bodies, *model.frames]
    if name not in known:
        raise unknown_name("body", name, known, f"model {model.name!r}")
    return Frame(name)
