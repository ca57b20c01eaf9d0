"""The model: what a user writes. The only object that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.adding import Adding
from jourdain.model.checks.validation import parameter_clashes, problems, used_parameters
from jourdain.model.element_tables import Elements
from jourdain.model.parts.part import BuiltPart, Part
from jourdain.model.parts.replacing import replace_part
from jourdain.model.texts.summary import headline, html, summary
from jourdain.spatial import check
from jourdain.spatial.annotations import Triple
from jourdain.spatial.parameter import Parameter


class Model(Elements, Adding):
    """A machine: bodies, joints, scalar coordinates, connections and named frames.

    Elements are added by name, and are frozen once added. All names of a model are different,
    because results are addressed as ``element.quantity``. An ``add_…`` that fails leaves the
    model as it was.

    Parameters
    ----------
    name : str
        Name of the model.
    gravity : (3,) [m/s^2]
        Acceleration of free fall in the axes of the world.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> hinge = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> list(model.joints)
    ['hinge']
    """

    def __init__(self, name: str, gravity: Triple = (0.0, 0.0, -9.81)) -> None:
        super().__init__(check.name(name, "model"))
        self._gravity = check.vector(gravity, "gravity", "(0.0, 0.0, -9.81)")
        self._gathered: dict[Any, Any] | None = None

    @property
    def gravity(self) -> tuple[Any, Any, Any]:
        """Acceleration of free fall in the axes of the world (3,) [m/s^2]."""
        return self._gravity

    @property
    def _elements(self) -> Elements:
        return self

    @property
    def _prefix(self) -> str:
        return ""

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Parameters by name, in the order in which the elements use them.

        Raises
        ------
        ModelError
            If two parameters of one name differ in value or unit.
        """
        used = used_parameters(self)
        clashes = parameter_clashes(used)
        if clashes:
            raise ModelError(f"model {self._name!r}: " + "\n".join(clashes))
        return MappingProxyType({p.name: p for p in used})

    def validate(self, parameters: Mapping[str, float] | None = None) -> None:
        """Check the whole model and report every problem at once.

        Parameters
        ----------
        parameters : mapping of str to float, optional
            Values of parameters to check with, instead of the nominal ones.

        Raises
        ------
        ModelError
            If there are problems; the text numbers them.
        UnknownNameError
            If a value is given for a parameter that the model does not have.
        """
        found = problems(self, parameters or {})
        if found:
            indented = (problem.replace("\n", "\n   ") for problem in found)
            lines = "".join(f"\n  {k}. {problem}" for k, problem in enumerate(indented, 1))
            count = f"{len(found)} problem{'s' * (len(found) > 1)}"
            raise ModelError(f"model {self._name!r} has {count}:{lines}")

    def replace(self, name: str, part: Part) -> BuiltPart:
        """Put another part in the place of one: a simple pump in that of a detailed one.

        What is connected to the ports of the old part is connected to those of the new one, in
        the same place relative to them. All else of the old part is gone.

        Parameters
        ----------
        name : str
            Full name of the part; not of one that another part has built.
        part : Part
            What to build in its place: a part with ports of the same names and kinds.

        Returns
        -------
        BuiltPart
            Handle of the new part.

        Raises
        ------
        ModelError
            If the ports differ, or if something is connected to what is no port. The model then
            stays as it was. Names inside of functions are not seen: they are checked when the
            model is compiled.
        """
        return replace_part(self, name, part)

    def copy(self) -> Model:
        """Model of the same content that can be changed on its own."""
        twin = Model(self._name, self._gravity)
        for own, new in zip(self.tables().values(), twin.tables().values(), strict=True):
            new.update(own)
        return twin

    def complete(self) -> Model:
        """Copy that nothing is added to any more, so that it keeps what is gathered from it."""
        twin = self.copy()
        twin._gathered = {}
        return twin

    def gathered(self, gather: Callable[[Model], Any]) -> Any:
        """Return what a function gathers from the model; a complete model asks it once.

        For ``completed(model)`` of measures and laws: a junction looks up its pipes in a table of
        all ends, which is made once, instead of searching all elements by itself.

        Parameters
        ----------
        gather : function of the model
            A function of a module, which is the same for all who ask.
        """
        if self._gathered is None:
            return gather(self)
        if gather not in self._gathered:
            self._gathered[gather] = gather(self)
        return self._gathered[gather]

    def without(self, connections: Iterable[str]) -> Model:
        """Copy without some of the connections, by name."""
        twin = self.copy()
        for name in list(connections):
            self.connection(name)
            del twin._connections[name]
        kept = {n: a for n, a in twin._arrays.items() if set(a.member_names) & {*twin._connections}}
        twin._arrays = kept
        return twin

    def __eq__(self, other: object) -> bool:
        """Tell whether two models have the same content in the same order."""
        if not isinstance(other, Model):
            return NotImplemented
        mine, theirs = (self._gravity, self._content()), (other._gravity, other._content())
        return bool(mine == theirs)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __str__(self) -> str:
        return summary(self)

    def __repr__(self) -> str:
        return f"<{headline(self)}>"

    def _repr_html_(self) -> str:
        """Table of its elements, in a notebook."""
        return html(self)
