"""The part: a reusable piece of machine, and what a model has of it once it is built in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, dataclass_transform

from jourdain.errors import ModelError, UnknownNameError, did_you_mean
from jourdain.spatial import check
from jourdain.spatial.annotations import preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group
    from jourdain.model.parts.result import Result
    from jourdain.model.parts.symbol import Place, Symbol

_OWN = ("name", "part", "ports")


class Samples(Protocol):
    """Numbers of a run, by the names of quantities."""

    def __call__(self, name: str) -> Any:
        """Numbers at some samples."""

    def time(self, name: str) -> Any:
        """Times of these samples [s]."""


@dataclass_transform(frozen_default=True, field_specifiers=(field, preset))
class Part(ABC):
    """A piece of machine that can be built into any model. Subclass it to make your own.

    The contract:

    1. Fields are annotated like those of a dataclass; subclasses become frozen dataclasses by
       themselves. A field may be anything: numbers, parameters, frames, measures, other parts.
    2. ``build(group)`` adds elements, smaller parts and groups through the group it is given, and
       nothing elsewhere. What is in there has full names: use what ``group.add_…`` returns, or
       ``group.path("shaft")``, where measures and functions name elements.
    3. It returns the *ports* by name: frames, bodies, measures, coordinates, whatever others may
       connect to. Parts with the same ports can take each other's place.
    4. Optional: ``results(name)`` gives quantities of the part by their short names, computed from
       others: ``{"flow": Result("m^3/s", "flow", (f"{name}.volume.rate",))}`` is `oil.hose.flow`.
    5. Optional: ``symbol(name)`` gives its look in the drawing of a circuit: a `Symbol` of
       `jourdain.model.parts.symbol`, or a `Place` for a node. Parts inside of it are not drawn.

    Examples
    --------
    >>> import jourdain as jd
    >>> class Pendulum(jd.Part):
    ...     pivot: jd.Frame
    ...     length: float = 0.3
    ...     def build(self, group):
    ...         rod = group.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -self.length)))
    ...         group.add_joint("hinge", self.pivot, rod, jd.Revolute("y"))
    ...         return {"tip": rod.at(0, 0, -self.length)}
    >>> model = jd.Model("two pendulums")
    >>> upper = model.add("upper", Pendulum(model.world.at(0, 0, 1)))
    >>> lower = model.add("lower", Pendulum(upper.tip, length=0.2))
    >>> list(model.joints)
    ['upper.hinge', 'lower.hinge']
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make every subclass a frozen dataclass."""
        super().__init_subclass__(**kwargs)
        dataclass(frozen=True)(cls)

    @abstractmethod
    def build(self, group: Group) -> Mapping[str, Any] | None:
        """Add the elements through a group; return the ports by name."""

    def results(self, name: str) -> Mapping[str, Result]:
        """Quantities of the part by short names, for the full name that it has in the model."""
        return {}

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """What a run has found that cannot be true, for the full name: warnings.

        ``values`` gives the numbers of a quantity at some samples.
        """
        return ()

    def symbol(self, name: str) -> Symbol | Place | None:
        """Look in the drawing of a circuit, for the full name; None for none."""
        return None

    @property
    def has_quick_power(self) -> bool:
        """Whether powers in its machine change faster than samples tell, as where oil is stiff.

        Their work is then integrated with the run, for the energy audit.
        """
        return False


def have_quick_power(parts: Mapping[str, BuiltPart]) -> bool:
    """Whether the work of laws is to be integrated with runs."""
    return any(built.part.has_quick_power for built in parts.values())


class UnknownPortError(UnknownNameError, AttributeError):
    """A port that a part does not have."""


class BuiltPart:
    """A part that is built into a model. Made by `Model.add`.

    Its ports are attributes, ``box.shaft``; so are the fields and methods of the part,
    ``box.ratios()``.

    Parameters
    ----------
    name : str
        Full name in the model.
    part : Part
        What was built.
    ports : mapping of str to object
        What others connect to.
    """

    name: str
    part: Part
    ports: Mapping[str, Any]

    def __init__(self, name: str, part: Part, ports: Mapping[str, Any]) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "part", part)
        object.__setattr__(self, "ports", MappingProxyType(dict(ports)))

    def __getattr__(self, word: str) -> Any:
        if word.startswith("__"):  # copying and pickling ask for these
            raise AttributeError(word)
        if word in self.ports:
            return self.ports[word]
        if hasattr(self.part, word) and not word.startswith("_") and word != "build":
            return getattr(self.part, word)
        known = ", ".join(self.ports) or "none"
        raise UnknownPortError(
            f"part {self.name!r} ({type(self.part).__name__}) has no port {word!r}. Ports: {known}."
            f"{did_you_mean(word, self.ports)}"
        )

    def __setattr__(self, word: str, value: Any) -> None:
        raise ModelError(f"part {self.name!r} is built: its {word!r} cannot be changed.")

    def __dir__(self) -> list[str]:
        of_part = (x for x in dir(self.part) if not x.startswith("_") and x != "build")
        return [*_OWN, *self.ports, *of_part]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BuiltPart):
            return NotImplemented
        return self.name == other.name and self.part == other.part

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return BuiltPart, (self.name, self.part, dict(self.ports))

    def __repr__(self) -> str:
        ports = ", ".join(self.ports) or "none"
        return f"<part {self.name!r}: {type(self.part).__name__}, ports: {ports}>"


def checked_ports(name: str, ports: Any) -> dict[str, Any]:
    """Ports that a part returned.

    Raises
    ------
    ModelError
        If they are no mapping of names that attributes can have.
    """
    if ports is None:
        return {}
    if not isinstance(ports, Mapping):
        raise ModelError(
            f"part {name!r}: build returned {check.shown(ports)}. Return its ports by name, such "
            'as {"shaft": frame}, or nothing.'
        )
    for port in ports:
        if not isinstance(port, str) or not port.isidentifier() or port in _OWN:
            raise ModelError(
                f"part {name!r} has a port {port!r}: ports are attributes. Use letters, digits and "
                f"underscores, and none of {', '.join(_OWN)}."
            )
    return dict(ports)


def require_part(name: str, part: Any) -> None:
    """Refuse what is no part."""
    if isinstance(part, Part):
        return
    if isinstance(part, type) and issubclass(part, Part):
        raise ModelError(f"part {name!r} is the class {part.__name__}. Write {part.__name__}(...).")
    raise ModelError(
        f"part {name!r} is {check.shown(part)}. Give a part, whose class derives from jd.Part, "
        "or a list of parts; bodies, joints and connections have model.add_body(...) and alike."
    )
