"""Groups in files: nested tables ``[group.oil.body.pump]``, and the order of elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jourdain.io.readers import table, text
from jourdain.io.section import ELEMENTS, GROUP, Notebook, Path, Value
from jourdain.model.model import Model
from jourdain.model.names import groups_of, joined

_EXAMPLES = {
    "parameters": 'length = { value = 0.3, unit = "m" }',
    "body": "[body.crank]",
    "joint": "[joint.main]",
    "coordinate": "[coordinate.shaft]",
    "connection": "[connection.strut]",
    "contacts": "[contacts.pile]",
    "frame": "[frame.tip]",
    "group": "[group.oil.body.pump]",
    "order": 'body = ["crank", "oil.pump", "rod"]',
}


@dataclass(frozen=True)
class Entry:
    """An element of a file.

    Parameters
    ----------
    word : str
        Section it stands in, such as ``body``.
    group : str
        Full name of the group; empty at the top.
    value : Value
        Its table.
    """

    word: str
    group: str
    value: Value

    @property
    def own_name(self) -> str:
        """Name inside the group."""
        return str(self.value.path[-1])

    @property
    def name(self) -> str:
        """Full name."""
        return joined(self.group, self.own_name)


def tables_in(value: Value, word: str, notes: Notebook) -> list[Value]:
    """Tables of the elements of one kind in a group or at the top."""
    if word not in value.data:
        return []
    with notes.noting():
        section = value.at(word)
        if not isinstance(section.data, dict):
            raise section.is_not(f"tables with names, such as {_EXAMPLES[word]}")
        return [section.at(name) for name in section.data]
    return []


def groups_in(top: Value, notes: Notebook, inside: str = "") -> Iterator[tuple[str, Value]]:
    """Yield all groups by full name, each before those that lie in it."""
    for value in tables_in(top, GROUP, notes):
        name = joined(inside, str(value.path[-1]))
        with notes.noting():
            table(value, _EXAMPLES[GROUP])
            yield name, value
            yield from groups_in(value, notes, name)


def entries(
    top: Value, groups: Mapping[str, Value], words: Sequence[str], notes: Notebook
) -> list[Entry]:
    """Elements of a file, kind by kind: those at the top, then those of the groups."""
    places = {"": top, **groups}
    found = [
        Entry(word, group, value)
        for word in words
        for group, place in places.items()
        for value in tables_in(place, word, notes)
    ]
    return _ordered(found, top, notes)


def _ordered(found: list[Entry], top: Value, notes: Notebook) -> list[Entry]:
    """Elements in the order that the file tells, kind by kind."""
    if "order" not in top.data:
        return found
    places: dict[tuple[str, str], int] = {}
    for value in tables_in(top, "order", notes):
        word = str(value.path[-1])
        known = {entry.name for entry in found if entry.word == word}
        with notes.noting():
            if word not in ELEMENTS:
                raise value.says(f"the order of {word!r} is given. Known: {', '.join(ELEMENTS)}.")
            if not isinstance(value.data, list):
                raise value.is_not(f"names in brackets, such as {_EXAMPLES['order']}")
            for k, item in enumerate(value.items()):
                if text(item) not in known:
                    raise item.is_wrong(f"is {item.data!r:.90}, which is no {word} of this file.")
                places[word, item.data] = k
    last = len(found)
    kinds = {word: k for k, word in enumerate(dict.fromkeys(entry.word for entry in found))}
    return sorted(found, key=lambda e: (kinds[e.word], places.get((e.word, e.name), last)))


def natural_groups(model: Model) -> list[str]:
    """Groups in the order of a file: each before those that lie in it."""
    place = {group: k for k, group in enumerate(model.groups)}
    return sorted(model.groups, key=lambda group: [place[g] for g in (*groups_of(group), group)])


def group_of(name: str, model: Model) -> str:
    """Innermost group that an element lies in; empty at the top."""
    return next((g for g in reversed(list(groups_of(name))) if g in model.groups), "")


def group_path(group: str) -> tuple[str, ...]:
    """Keys that lead to a group of a file."""
    return tuple(key for own in group.split(".") for key in (GROUP, own)) if group else ()


def order_tree(elements: Mapping[str, Sequence[str]], model: Model) -> dict[str, list[str]]:
    """Names of the kinds that a file without ``[order]`` would have in another order."""
    place = {group: k for k, group in enumerate(("", *natural_groups(model)))}
    trees = {}
    for word, names in elements.items():
        if sorted(names, key=lambda name: place[group_of(name, model)]) != list(names):
            trees[word] = list(names)
    return trees


def place_of(word: str, name: str, model: Model) -> Path:
    """Keys that lead to an element of a file; to a member of a composite too."""
    group = group_of(name, model)
    composite, dot, member = name.removeprefix(f"{group}.").partition(".")
    return (*group_path(group), word, composite, *(("part", member) if dot else ()))
