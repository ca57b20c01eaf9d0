"""Completing a model before it is compiled: what gathers what others have joined to it.

A junction of pipes is a sum over all pipes that end there, and pipes are added after it. So its
measure holds the name of the junction alone, and asks for the sum when the model is complete. The
model itself stays as it was written: it can be copied, saved and changed at any time.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from jourdain.model.laws.law import ForceLaw

if TYPE_CHECKING:
    from jourdain.model.connection import Connection
    from jourdain.model.model import Model


def completed(model: Model) -> Model:
    """Copy of a model in which all measures and laws know what is joined to them."""
    twin, whole = model.copy(), model.complete()
    for table in (twin._connections, twin._states):
        table.update({name: _completed(c, whole) for name, c in table.items()})
    return twin


def _completed(c: Connection, model: Model) -> Connection:
    measure = c.measure.completed(model)
    law = c.law.completed(model) if isinstance(c.law, ForceLaw) else c.law
    if measure is c.measure and law is c.law:
        return c
    return dataclasses.replace(c, measure=measure, law=law)
