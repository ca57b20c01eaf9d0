"""Quantities of a run whose model is not at hand, as a file holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jourdain.results.channels.channel import Channel
from jourdain.results.files.contents import checked_variable, is_array

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Stored:
    """What is known of a solution without a model.

    Parameters
    ----------
    channels : mapping of str to Channel
        Quantities with their numbers.
    columns : mapping of str to tuple of str
        Names of the columns of ``q``, ``v``, ``vdot`` and ``tau``.
    model_name : str
        Name of the model.
    reason : str
        Why the model is missing: a sentence.
    """

    channels: Mapping[str, Channel]
    columns: Mapping[str, tuple[str, ...]]
    model_name: str
    reason: str


def stored_channels(data: xr.Dataset, names: list[str]) -> dict[str, Channel]:
    """Channels of some variables of a dataset."""
    return {name: _channel(name, data) for name in names}


def _channel(name: str, data: xr.Dataset) -> Channel:
    variable = data.variables[name]
    values, attributes = checked_variable(name, data), variable.attrs
    labels: tuple[str, ...] = ()
    is_whole = is_array(variable)
    if values.ndim > 1 + is_whole:
        labels = tuple(str(label) for label in data.variables[variable.dims[-1]].values)
    units = attributes.get("component_units", "")
    return Channel(
        name,
        attributes["units"],
        attributes["long_name"],
        lambda: values,
        labels,
        attributes.get("axes", ""),
        bool(attributes["is_base"]),
        attributes.get("about", ""),
        tuple(units.split("; ")) if units else (),
        array=attributes.get("array", ""),
        n_elements=values.shape[1] if is_whole else 0,
    )
