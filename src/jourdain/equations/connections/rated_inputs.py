"""Inputs that measures look at: their rates have to be given, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from jourdain.equations.connections.scene import Others, Scene
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws import ForceLaw
from jourdain.spatial.parameter import values_in_force


class _Every:
    """Names of all that may be asked for; what is not there is told where it is used."""

    def __contains__(self, name: object) -> bool:
        return True


def rated_inputs(connections: Sequence[Connection], values: Mapping[str, float]) -> tuple[str, ...]:
    """Full names of the inputs that measures with force laws look at."""
    known = [f"{c.name}.{name}" for c in connections for name in c.law.inputs]
    if not known:
        return ()
    found: set[str] = set()
    for c in connections:
        if isinstance(c.law, ForceLaw):
            scene = Scene(_Every(), f"connection {c.name!r}", None, Others(_Every(), known))
            with values_in_force(values), suppress(Exception):  # told where it is traced
                with_values(c.measure, values).value(scene)
            found.update(scene.inputs)
    return tuple(name for name in known if name in found)
