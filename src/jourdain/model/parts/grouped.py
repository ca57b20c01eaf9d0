"""Names inside a model or a group: groups, parts and look-ups."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from jourdain.model.connection import Connection
from jourdain.model.element_tables import GROUND, Elements
from jourdain.model.elements import WORLD, Body, CoordinateElement, Frame, JointElement
from jourdain.model.names import joined
from jourdain.model.parts.part import BuiltPart, Part, require_part
from jourdain.model.places import frame_of
from jourdain.spatial import check
from jourdain.spatial.parameter import Parameter

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Grouped(ABC):
    """Elements are added and found by names that begin with the name of the group, if it is one.

    Names inside measures, laws and functions are full names, as results have them.
    """

    @property
    @abstractmethod
    def _elements(self) -> Elements:
        """Tables of the model."""

    @property
    @abstractmethod
    def _prefix(self) -> str:
        """Full name of the group; empty for the model."""

    @property
    def world(self) -> Body:
        """The fixed ground, with z upwards as gravity has it by default."""
        return GROUND

    def path(self, name: str) -> str:
        """Full name of something in here: ``oil.path("hose")`` is ``"oil.hose"``."""
        return joined(self._prefix, name)

    def group(self, name: str) -> Group:
        """Group of elements: a view that puts its name before all that is added through it.

        The group is made when it is first asked for.

        Parameters
        ----------
        name : str
            Name of the group, without dots; groups lie in groups.

        Examples
        --------
        >>> import jourdain as jd
        >>> model = jd.Model("press")
        >>> oil = model.group("oil")
        >>> shaft = oil.add_coordinate("shaft", inertia=0.1)
        >>> shaft.name
        'oil.shaft'
        """
        from jourdain.model.parts.group import Group  # noqa: PLC0415

        full = self.path(check.name(name, "group"))
        self._elements._open_group(full)
        return Group(self._elements, full)

    @overload
    def add(self, name: str, part: Part) -> BuiltPart: ...
    @overload
    def add(self, name: str, part: Sequence[Part]) -> tuple[BuiltPart, ...]: ...
    def add(self, name: str, part: Part | Sequence[Part]) -> BuiltPart | tuple[BuiltPart, ...]:
        """Add a part: a reusable piece of machine, or an array of them.

        Parameters
        ----------
        name : str
            Name of the part; what it holds is called ``name.element``.
        part : Part or sequence of Part
            What to build. Those of a sequence are called ``name.0``, ``name.1``, and so on.

        Returns
        -------
        BuiltPart or tuple of BuiltPart
            Handles whose attributes are the ports: ``box.shaft``, ``cylinders[0].rod``.

        Raises
        ------
        ModelError
            If it is no part, or if it cannot be built; then the model stays as it was.
        """
        full = self._take(name, "part")
        if isinstance(part, list | tuple):
            for k, each in enumerate(part):
                require_part(f"{full}.{k}", each)
            return self._elements._build_array(full, part)
        require_part(full, part)
        return self._elements._build(full, part)  # type: ignore[arg-type]  # just checked

    def part(self, name: str) -> BuiltPart:
        """Part of that name."""
        return self._elements._find("part", self._elements.parts, self.path(name))

    def parameter(self, name: str, value: float, unit: str = "1") -> Parameter:
        """Parameter whose name begins with that of the group: ``oil.diameter``."""
        return Parameter(self.path(name), value, unit)

    def body(self, name: str) -> Body:
        """Body of that name, the world included."""
        return GROUND if name == WORLD else self._found("body", name)

    def joint(self, name: str) -> JointElement:
        """Joint of that name."""
        return self._found("joint", name)  # type: ignore[no-any-return]

    def coordinate(self, name: str) -> CoordinateElement:
        """Scalar coordinate of that name."""
        return self._found("coordinate", name)  # type: ignore[no-any-return]

    def connection(self, name: str) -> Connection:
        """Connection of that name."""
        return self._found("connection", name)  # type: ignore[no-any-return]

    def frame(self, name: str) -> Frame:
        """Frame of that name."""
        return self._found("frame", name)  # type: ignore[no-any-return]

    def _found(self, word: str, name: str) -> Any:
        """Element of a kind by its name in here."""
        full = self.path(name) if isinstance(name, str) else name
        return self._elements._find(word, self._elements.tables()[word], full)

    def _take(self, name: str, word: str) -> str:
        """Full name for a new element, if it can have it."""
        full = self.path(check.name(name, word))
        self._elements._require_free(full, word)
        return full

    def _frame(self, place: Any, what: str) -> Frame:
        """Frame of a body, a frame or a name, all of this model."""
        return frame_of(self._elements, place, what)
