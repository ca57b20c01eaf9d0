"""Groups in files: nested tables ``[group.oil.body.pump]``, and the order of elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jourdain.io.text.readers import table, text
from jourdain.io.text.section import GROUP, PART, Notebook, Path, Value
from jourdain.model.model import Model
from jourdain.model.names import groups_of, is_inside, joined

_EXAMPLES = {
    "parameters": 'length = { value = 0.3, unit = "m" }',
    "body": "[body.crank]",
    "joint": "[joint.main]",
    "coordinate": "[coordinate.shaft]",
    "connection": "[connection.strut]",
    "states": "[states.tank]",
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
            if not is_part(value):
                yield from groups_in(value, notes, name)


def entries(
    top: Value, groups: Mapping[str, Value], words: Sequence[str], notes: Notebook
) -> list[Entry]:
    """Elements and parts of a file in the order of adding.

    Kind by kind, those at the top before those of the groups, parts last; where ``[order]`` has the
    name of a part among those of elements, these come before it, and the others behind.
    """
    places = {"": top, **{name: value for name, value in groups.items() if not is_part(value)}}
    found = {
        word: {
            entry.name: entry
            for group, place in places.items()
            for value in tables_in(place, word, notes)
            for entry in [Entry(word, group, value)]
        }
        for word in words
    }
    parts = {
        name: Entry(PART, name.rpartition(".")[0], value)
        for name, value in groups.items()
        if is_part(value)
    }
    order = {word: _order(word, {**found.get(word, {}), **parts}, top, notes) for word in found}
    order[PART] = _order(PART, parts, top, notes) or list(parts)
    sequence: list[Entry] = []
    for part in (*order[PART], ""):
        for word, own in found.items():
            listed = order[word]
            end = listed.index(part) if part in listed else len(listed)
            taken = [name for name in listed[:end] if name in own]
            if part not in listed:  # those without a place in the order come before all parts
                taken += [name for name in own if name not in taken]
            sequence += [own.pop(name) for name in taken]
        sequence += [parts[part]] if part in parts else []
    return sequence


def _order(word: str, known: Mapping[str, Entry], top: Value, notes: Notebook) -> list[str]:
    """Names of one kind in the order that a file tells, empty if it does not."""
    with notes.noting():
        if "order" not in top.data:
            return []
        table(top.at("order"), _EXAMPLES["order"])
        if word not in top.data["order"]:
            return []
        value = top.at("order").at(word)
        if not isinstance(value.data, list):
            raise value.is_not(f"names in brackets, such as {_EXAMPLES['order']}")
        for item in value.items():
            if text(item) not in known:
                raise item.is_wrong(f"is {item.data!r:.90}, which is no {word} of this file.")
        return list(dict.fromkeys(value.data))
    return []


def is_part(value: Value) -> bool:
    """Tell whether a group of a file is a part of a library."""
    return "part" in value.data


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


def order_tree(model: Model, words: Sequence[str], parts: Sequence[str]) -> dict[str, list[str]]:
    """Names of the kinds that a file without ``[order]`` would have in another order.

    Parameters
    ----------
    model : Model
        The model.
    words : sequence of str
        Sections.
    parts : sequence of str
        Parts that are written by their fields, in the order of adding.
    """
    place = {group: k for k, group in enumerate(("", *natural_groups(model)))}
    trees = {}
    for word in words:
        added = _added(model, word, parts)
        own = sorted((x for x in added if x not in parts), key=lambda x: place[group_of(x, model)])
        if added != [*own, *parts]:
            trees[word] = added
    if list(parts) != sorted(parts, key=lambda part: place[part]):
        trees[PART] = list(parts)
    return trees


def _added(model: Model, word: str, parts: Sequence[str]) -> list[str]:
    """Elements of one kind in the order of adding, parts in the place of what they hold."""
    kind = {"contacts": "contact group", "states": "state element"}.get(word, word)
    names, found, i = list(model.tables()[kind]), list[str](), 0
    for part in parts:
        begin = model.groups[part].begin[kind]
        found += [*names[i:begin], part]
        i = max(i, begin)
        while i < len(names) and is_inside(names[i], part):
            i += 1
    wholes = {member: whole.name for member, whole in model.wholes.items()}
    return list(dict.fromkeys(wholes.get(name, name) for name in (*found, *names[i:])))


def place_of(word: str, name: str, model: Model) -> Path:
    """Keys that lead to an element of a file; to a member of a composite too."""
    group = group_of(name, model)
    whole, dot, member = name.removeprefix(f"{group}.").partition(".")
    inner: Path = ("member", member) if dot else ()
    if dot and joined(group, whole) in model.arrays:
        inner = ("measures", int(member))
    return (*group_path(group), word, whole, *inner)
