"""Gearboxes: shafts, planetary sets, shift elements and a table of gears (4.F38, 4.F39)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import ModelError, did_you_mean
from jourdain.library.powertrain.shafts.shaft import Shaft
from jourdain.library.powertrain.trains.box_elements import (
    DogElement,
    FreewheelElement,
    GearPair,
    GearSet,
    ShiftElement,
)
from jourdain.model.parts.part import Part
from jourdain.spatial import check

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

SAME = 1e-9
"""Singular values and speeds below this count as zero, in parts of the largest."""


class Transmission(Part):
    """A gearbox of shafts, planetary sets and shift elements, with its table of gears (4.F38).

    Ports are the shafts by their names, and ``input`` and ``output``. Elements have names, too:
    ``box.A.torque``. Ratios follow from the rank of all constraints with the elements of a gear
    closed (4.F39); a table that blocks the box, or leaves it in neutral, is refused with the names
    of the elements.

    Parameters
    ----------
    shafts : mapping of str to float [kg m^2]
        Shafts and their moments of inertia.
    sets : mapping of str to GearSet or GearPair
        Planetary sets and pairs of wheels.
    elements : mapping of str to ShiftElement, DogElement or FreewheelElement
        Clutches, brakes, claws and freewheels.
    gears : mapping of gear to collection of str
        Elements that are closed in each gear, freewheels that lock included.
    input, output : str
        Names of the shafts.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> box = pt.Transmission(
    ...     shafts={"sun": 0.01, "ring": 0.02, "carrier": 0.03},
    ...     sets={"set": pt.GearSet("sun", "ring", "carrier", teeth=(30, 60))},
    ...     elements={"B": pt.ShiftElement("ring"), "C": pt.ShiftElement("sun", "carrier")},
    ...     gears={1: {"B"}, 2: {"C"}}, input="sun", output="carrier")
    >>> {gear: round(ratio, 9) for gear, ratio in box.ratios().items()}
    {1: 3.0, 2: 1.0}
    >>> box.ratio({"B", "C"})
    Traceback (most recent call last):
    jourdain.errors.ModelError: the elements B, C fight: closed together they hold the shaft ...
    """

    shafts: Mapping[str, Any] = field(hash=False)
    sets: Mapping[str, GearSet | GearPair] = field(hash=False)
    elements: Mapping[str, ShiftElement | DogElement | FreewheelElement] = field(hash=False)
    gears: Mapping[Any, Collection[str]] = field(hash=False)
    input: str = "input"
    output: str = "output"

    def __post_init__(self) -> None:
        for name, inertia in self.shafts.items():
            check.number(inertia, f"inertia of the shaft {name!r} of Transmission", positive=True)
        for table in ("sets", "elements"):
            for name, item in getattr(self, table).items():
                for shaft in item.relation():
                    self._require(shaft, self.shafts, f"{name!r} is joined to the shaft")
        for end in ("input", "output"):
            own = getattr(self, end)
            self._require(own, self.shafts, f"the {end} is the shaft")
            if end in self.shafts and own != end:
                raise ModelError(
                    f"Transmission: a shaft is called {end!r}, but the {end} is {own!r}: both "
                    "would be one port. Give that shaft another name."
                )
        for gear, closed in self.gears.items():
            try:
                self.ratio(closed)
            except ModelError as error:
                raise ModelError(f"gear {gear!r} of Transmission: {error}") from None

    def _require(self, name: str, known: Iterable[str], what: str) -> None:
        if name not in known:
            raise ModelError(
                f"Transmission: {what} {name!r}, which is not there. Known: "
                f"{', '.join(known)}.{did_you_mean(str(name), known)}"
            )

    def _motions(self, closed: Iterable[str]) -> Any:
        """Speeds of all shafts that are possible, as columns: a basis."""
        place = {name: k for k, name in enumerate(self.shafts)}
        rows = []
        for item in (*self.sets.values(), *(self.elements[name] for name in closed)):
            row = np.zeros(len(place))
            for shaft, factor in item.relation().items():
                row[place[shaft]] += factor
            rows.append(row)
        K = np.array(rows).reshape(-1, len(place))
        _, sizes, turned = np.linalg.svd(K)
        rank = int(np.sum(sizes > SAME * max(1.0, sizes.max(initial=0.0))))
        return turned[rank:].T

    def _ends(self, closed: Iterable[str]) -> Any:
        """Speeds of input and output that are possible together, as columns."""
        names = list(self.shafts)
        return self._motions(closed)[[names.index(self.input), names.index(self.output)]]

    def _is_blocked(self, closed: Iterable[str]) -> bool:
        return bool(np.abs(self._ends(closed)[0]).max(initial=0.0) < SAME)

    def ratio(self, closed: Collection[str]) -> float:
        """Ratio of the speeds of input and output with these elements closed.

        Raises
        ------
        ModelError
            If an element is not there, if they block the input, or leave the output free of it.
        """
        for name in closed:
            self._require(name, self.elements, "there is no element")
        names = [name for name in self.elements if name in closed]
        if self._is_blocked(names):
            for name in list(names):  # a smallest set that blocks
                fewer = [other for other in names if other != name]
                names = fewer if self._is_blocked(fewer) else names
            raise ModelError(
                f"the elements {', '.join(names)} fight: closed together they hold the shaft "
                f"{self.input!r} at rest. Open one of them."
            )
        ends = self._ends(names)
        if np.linalg.matrix_rank(ends, tol=SAME) > 1 or np.abs(ends[1]).max() < SAME:
            raise ModelError(
                f"the elements {', '.join(names) or 'none'} leave the shaft {self.output!r} free "
                f"of {self.input!r}, or hold it at rest: this is no gear. Close one more."
            )
        k = int(np.argmax(np.abs(ends[0])))
        return float(ends[0, k] / ends[1, k])

    def ratios(self) -> dict[Any, float]:
        """Ratio of each gear."""
        return {gear: self.ratio(closed) for gear, closed in self.gears.items()}

    def build(self, group: Group) -> Mapping[str, Any]:
        """Shafts, sets and elements as parts."""
        at = {name: group.add(name, Shaft(J)).angle for name, J in self.shafts.items()}
        for name, item in (dict(self.sets) | dict(self.elements)).items():
            group.add(name, item.part(at))
        return at | {"input": at[self.input], "output": at[self.output]}
