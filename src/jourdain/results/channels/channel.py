"""Channels: what can be asked of a solution, by name and with units."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial.units import converted

if TYPE_CHECKING:
    import xarray as xr

XYZ = ("x", "y", "z")
WXYZ = ("w", "x", "y", "z")
ELEMENT = "element"
"""Dimension of the members of an array."""
_DIMENSIONS = {XYZ: "axis", WXYZ: "quaternion"}


@dataclass(frozen=True)
class Channel:
    """A quantity over time.

    Parameters
    ----------
    name : str
        ``element.quantity``.
    unit : str
        Unit of its numbers.
    text : str
        What it is, in words.
    compute : function
        Gives the numbers (n,), or (n, n_labels) for a quantity with components.
    labels : tuple of str
        Names of the components, such as x, y, z; empty for a single number.
    axes : str
        Which axes the components refer to; empty where there are none.
    units : tuple of str
        Unit of each component where they differ; else empty.
    about : str
        Which point a torque refers to; empty for what has none.
    component_of : str
        Name of the vector that it is a component of; empty for others.
    is_base : bool
        Whether it comes straight from the coordinates.
    array, n_elements : str, int
        Array of connections that it belongs to, and number of its members: the numbers have a
        row of components, or one number, for each. Else empty and 0.
    """

    name: str
    unit: str
    text: str
    compute: Callable[[], Any]
    labels: tuple[str, ...] = ()
    axes: str = ""
    is_base: bool = False
    about: str = ""
    units: tuple[str, ...] = ()
    component_of: str = ""
    array: str = ""
    n_elements: int = 0

    @property
    def element(self) -> str:
        """Element that it belongs to."""
        return (self.component_of or self.name).rpartition(".")[0]

    @property
    def quantity(self) -> str:
        """Name without that of the element, a component with its axis: ``force.x``."""
        return self.name.removeprefix(f"{self.element}.")

    @property
    def dimension(self) -> str:
        """Dimension of the components: ``axis``, ``quaternion``, or one named after them."""
        return _DIMENSIONS.get(self.labels, "axis_" + "".join(self.labels))

    @property
    def dimensions(self) -> tuple[str, ...]:
        """All dimensions, time first."""
        members = (ELEMENT,) if self.n_elements else ()
        return ("time", *members, self.dimension) if self.labels else ("time", *members)

    @property
    def attributes(self) -> dict[str, str]:
        """Unit and words, as they stand in a labelled array."""
        words = {"units": self.unit, "long_name": self.text}
        more = {"axes": self.axes, "about": self.about, "component_units": "; ".join(self.units)}
        more["array"] = self.array
        return words | {key: text for key, text in more.items() if text}

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the single numbers: its own, or one for each member and component."""
        names = [self._name_of(k) for k in range(self.n_elements)] or [self.name]
        return tuple(f"{name}.{label}" for name in names for label in self.labels) or tuple(names)

    @property
    def legends(self) -> tuple[str, ...]:
        """Short names of the columns: numbers of members, and components."""
        members = [str(k) for k in range(self.n_elements)] or [""]
        both = [f"{k} {label}".strip() for k in members for label in self.labels or ("",)]
        return tuple(both) if any(both) else (self.name,)

    def _name_of(self, k: int, name: str | None = None) -> str:
        """Name of the quantity of one member: ``teeth.3.force`` of ``teeth.force``."""
        own = (self.name if name is None else name).removeprefix(f"{self.array}.")
        return f"{self.array}.{k}.{own}"

    def member(self, k: int) -> Channel:
        """Quantity of one member of an array as a channel of its own."""
        whole = self.component_of
        return replace(
            self,
            name=self._name_of(k),
            text=f"{self.text}, element {k}",
            compute=lambda: self.compute()[:, k],
            component_of=self._name_of(k, whole) if whole else "",
            array="",
            n_elements=0,
        )

    def component(self, label: str) -> Channel:
        """One component as a channel of its own."""
        place = self.labels.index(label)
        return Channel(
            f"{self.name}.{label}",
            self.units[place] if self.units else self.unit,
            f"{label} of {self.text}",
            lambda: self.compute()[..., place],
            axes=self.axes,
            is_base=self.is_base,
            about=self.about,
            component_of=self.name,
            array=self.array,
            n_elements=self.n_elements,
        )

    def in_unit(self, wanted: str) -> Channel:
        """Channel with its numbers in another unit.

        Raises
        ------
        ModelError
            If the unit is not known, or of another dimension.
        """
        if self.units:
            raise ModelError(
                f"{self.name!r} has components of several units ({self.unit}), which no other unit "
                f"can have together. Ask for one, for example ({self.columns[0]!r}, {wanted!r})."
            )
        own, what = self.unit, repr(self.name)
        converted(0.0, own, wanted, what)
        compute = self.compute
        return replace(self, unit=wanted, compute=lambda: converted(compute(), own, wanted, what))


def grouped(names: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
    """Collect ``position.x, position.y`` to (``position``, (x, y), places), keeping the order."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for k, name in enumerate(names):
        stem, _, label = name.partition(".")
        groups.setdefault(stem, []).append((label, k))
    for stem, members in groups.items():
        labels = tuple(label for label, _ in members)
        yield stem, labels if all(labels) else (), [k for _, k in members]


def words(name: str) -> str:
    """Name as words: ``angular_velocity`` gives ``angular velocity``."""
    return re.sub(r"[._]", " ", name)


def dataset(channels: Iterable[Channel], time: Any, values: Callable[[Channel], Any]) -> xr.Dataset:
    """Labelled arrays of some channels at given times [s]."""
    import xarray as xr  # noqa: PLC0415

    channels = list(channels)
    sizes = {c.n_elements for c in channels if c.n_elements}
    variables, labels = {}, dict[str, Any]()
    for channel in channels:
        dimensions = channel.dimensions
        if len(sizes) > 1:  # arrays of several lengths have dimensions of their own
            own = f"{ELEMENT}_{channel.n_elements}"
            dimensions = tuple(own if name == ELEMENT else name for name in dimensions)
        variables[channel.name] = (dimensions, values(channel), channel.attributes)
        if channel.labels:
            labels[channel.dimension] = list(channel.labels)
        if channel.n_elements:
            labels[dimensions[1]] = np.arange(channel.n_elements)
    clock = ("time", np.asarray(time), {"units": "s", "long_name": "time"})
    return xr.Dataset(variables, coords={"time": clock, **labels})
