"""Quantities of a run whose model is not at hand, as a file holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jourdain.results.channel import Channel

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Stored:
    """What is known of a solution without a model.

    Parameters
    ----------
    channels : mapping of str to Channel
        Quantities with their numbers.
    q_names, v_names : tuple of str
        Names of the coordinates and velocities.
    model_name : str
        Name of the model.
    reason : str
        Why the model is missing: a sentence.
    """

    channels: Mapping[str, Channel]
    q_names: tuple[str, ...]
    v_names: tuple[str, ...]
    model_name: str
    reason: str


def stored_channels(data: xr.Dataset) -> dict[str, Channel]:
    """Channels of the variables of a dataset that have a time."""
    return {
        str(name): _channel(str(name), variable)
        for name, variable in data.data_vars.items()
        if variable.dims[:1] == ("time",)
    }


def _channel(name: str, variable: Any) -> Channel:
    values, attributes = variable.values, variable.attrs
    labels = ()
    if values.ndim > 1:
        labels = tuple(str(label) for label in variable[variable.dims[1]].values)
    return Channel(
        name,
        attributes["units"],
        attributes["long_name"],
        lambda: values,
        labels,
        attributes.get("axes", ""),
        bool(attributes["is_base"]),
    )
