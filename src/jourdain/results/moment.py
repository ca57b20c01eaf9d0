"""A solution at one time."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from jourdain.errors import unknown_name
from jourdain.model.names import components, meant

if TYPE_CHECKING:
    import xarray as xr

    from jourdain.results.solution import Solution


class State(dict[str, float]):
    """Coordinates and velocities by name; a vector's name gives an array of its components.

    Parameters
    ----------
    values : iterable of (str, float)
        Numbers by name.
    elements : container of str
        Elements that they belong to, whose names are none of vectors.
    """

    def __init__(
        self,
        values: Mapping[str, float] | Iterable[tuple[str, float]] = (),
        elements: Container[str] = (),
    ) -> None:
        super().__init__(values)
        self._elements = elements

    def __missing__(self, name: str) -> Any:
        if f"{name}.value" in self:  # a scalar coordinate
            return self[f"{name}.value"]
        own = components(str(name), self, self._elements)
        if not own and len(full := meant(str(name), self, self._elements)) == 1:
            return self[full[0]]
        if not own:
            raise unknown_name("coordinate", str(name), self, "this state")
        return np.array([self[key] for key in own])


class Moment:
    """A solution at one time: ``moment["main.angle"]`` has no time dimension.

    Parameters
    ----------
    solution : Solution
        A solution of one sample.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.time = float(solution.time[0])

    @overload
    def __getitem__(self, name: str) -> xr.DataArray: ...
    @overload
    def __getitem__(self, name: tuple[str, str]) -> xr.DataArray: ...
    @overload
    def __getitem__(self, name: list[Any]) -> xr.Dataset: ...
    def __getitem__(self, name: Any) -> xr.DataArray | xr.Dataset:
        """Labelled value of a quantity, in another unit if asked for: ``["main.angle", "deg"]``."""
        value: xr.DataArray | xr.Dataset = self.solution[name].isel(time=0)
        return value

    def values(self, name: str) -> Any:
        """Plain number or array of a quantity."""
        return self.solution.values(name)[0]

    @property
    def state(self) -> State:
        """Coordinates and velocities by name, to start another run with."""
        return self.solution.final

    def __repr__(self) -> str:
        return f"<solution of {self.solution.model_name!r} at {self.time:g} s>"
