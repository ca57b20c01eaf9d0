"""Two spellings of one machine: flat names, and the same elements in groups."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.model.names import owned

WORDS = ("oil", "box", "a", "0", "left wheel", "angle", "force", "rolling", "body", "x")


def new_names(model: jd.Model, rng: Any) -> dict[str, str]:
    """Full names in random groups for all elements of a flat model, and its composites."""
    paths = [tuple(rng.choice(WORDS, size=rng.integers(0, 4))) for _ in range(4)]
    members = {n for c in model.composites.values() for n in c.member_names}
    flat = [x for x in sorted(model.element_names) if x not in members]
    return {name: ".".join((*paths[rng.integers(4)], f"{name}_")) for name in flat}


def in_groups(model: jd.Model, names: dict[str, str]) -> jd.Model:
    """Model with other names, added through groups."""
    twin = jd.Model(model.name, model.gravity)

    def place(name: str) -> tuple[Any, str]:
        *groups, own = names[name].split(".")
        home: Any = twin
        for group in groups:
            home = home.group(group)
        return home, own

    def new(value: Any) -> Any:
        return renamed(value, names)

    for name, body in model.bodies.items():
        home, own = place(name)
        home.add_body(own, jd.solid.Solid(body.inertia, body.shapes))
    for name, frame in model.frames.items():
        home, own = place(name)
        home.add_frame(own, new(frame))
    for name, c in model.coordinates.items():
        home, own = place(name)
        home.add_coordinate(own, c.inertia, unit=c.unit, driven=c.driven)
    for name, j in model.joints.items():
        home, own = place(name)
        more = {"driven": dict(j.driven), "armature": dict(j.armature)}
        home.add_joint(own, new(j.parent), new(j.child), new(j.kind), **more)
    inside = {n: c for c in model.composites.values() for n in c.member_names}
    for name, c in model.connections.items():
        if name not in inside:
            home, own = place(name)
            home.add_connection(own, new(c.measure), c.law)
        elif inside[name].member_names[0] == name:
            home, own = place(inside[name].name)
            home.add_connection(own, new(inside[name].composite))
    for name, g in model.contact_groups.items():
        home, own = place(name)
        home.add_contacts(own, new(g.contours), g.laws[0][2], with_joined=g.with_joined)
    return twin


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Measure, joint kind, contour or frame with other names of bodies and coordinates."""
    if isinstance(value, jd.Frame):
        return dataclasses.replace(value, body=names.get(value.body, value.body))
    if isinstance(value, jd.Coordinate):
        return jd.Coordinate(new_name(value.name, names))
    if isinstance(value, tuple | list):
        return type(value)(renamed(x, names) for x in value)
    if isinstance(value, dict):
        return {key: renamed(x, names) for key, x in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, jd.Parameter):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
        changed = {key: renamed(x, names) for key, x in fields.items()}
        return dataclasses.replace(value, **changed) if changed != fields else value
    return value


def new_name(name: str, names: dict[str, str]) -> str:
    """Full name of a quantity with another name of its element."""
    element, quantity = owned(name, names)
    return ".".join(filter(None, (names.get(element, ""), quantity)))


def rng_of(seed: int) -> np.random.Generator:
    """Generator of a case."""
    return np.random.default_rng(seed)
