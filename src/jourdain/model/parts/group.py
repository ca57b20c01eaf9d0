"""The group: a view of a model that puts its name before all that is added through it."""

from __future__ import annotations

from jourdain.model.adding import Adding
from jourdain.model.element_tables import Elements
from jourdain.model.names import is_inside


class Group(Adding):
    """Part of a model by name. Made by `Model.group`.

    All ``add_…`` and all look-ups of a model work here with names inside the group:
    ``oil.add_body("pump", ...)`` adds the body ``oil.pump``, and ``oil.body("pump")`` finds it.
    Names inside measures, laws and functions, and names given for bodies and frames, are full
    names: ``jd.Coordinate("oil.shaft")``. `path` makes them.

    Parameters
    ----------
    elements : Elements
        Tables of the model.
    name : str
        Full name of the group.
    """

    def __init__(self, elements: Elements, name: str) -> None:
        self._own, self._name = elements, name

    @property
    def name(self) -> str:
        """Full name of the group."""
        return self._name

    @property
    def model(self) -> Elements:
        """The model that it is a part of."""
        return self._own

    @property
    def _elements(self) -> Elements:
        return self._own

    @property
    def _prefix(self) -> str:
        return self._name

    def names(self) -> list[str]:
        """Full names of its elements, in the order of the model's tables."""
        return [name for name in self._own.element_names if is_inside(name, self._name)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Group):
            return NotImplemented
        return self._own is other._own and self._name == other._name

    def __hash__(self) -> int:
        return hash((id(self._own), self._name))

    def __repr__(self) -> str:
        return f"<group {self._name!r} of model {self._own.name!r}>"
