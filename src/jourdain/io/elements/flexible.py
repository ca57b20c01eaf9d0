"""Flexible bodies in files: a kind by its name, with its numbers."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from jourdain.errors import ModelError
from jourdain.io.text.form import Form
from jourdain.io.text.readers import chosen, number, numbers, text, truth
from jourdain.io.text.section import Value
from jourdain.io.text.values import number_tree, numbers_tree
from jourdain.model.elements import Body
from jourdain.model.flexible.beam import Beam, beam
from jourdain.model.flexible.section import Section
from jourdain.model.flexible.solid import FlexibleSolid


def flexible(value: Value) -> FlexibleSolid:
    """Read a flexible body."""
    form = chosen(value.at("flexible"), _KINDS, "flexible body")
    return form.read(value, ("flexible",))  # type: ignore[no-any-return]


def flexible_tree(given: Body) -> dict[str, Any]:
    """Form of a flexible body.

    Raises
    ------
    ModelError
        If it holds a function, which files cannot.
    """
    own = given.elastic
    if not isinstance(own, Beam) or not isinstance(own.section, Section):
        raise ModelError(
            f"body {given.name!r} has a cross-section that is a function of x. Files hold numbers "
            "alone: give a constant section, or keep the model in Python."
        )
    numbers_of = {name: getattr(own, name) for name in ("length", "damping")}
    tree: dict[str, Any] = {"flexible": "beam"}
    tree |= {name: number_tree(x, f"the {name} of the beam") for name, x in numbers_of.items()}
    tree |= {"modes": own.n_modes, "functions": own.functions, "fields": list(own.fields)}
    return tree | {"family": own.family, "frame": own.frame, "section": _section_tree(own.section)}


def _section_tree(section: Section) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for f in fields(section):
        value, what = getattr(section, f.name), f"{f.name} of the section"
        if f.name == "moments":
            tree[f.name] = numbers_tree(value, what)
        else:
            tree[f.name] = value if isinstance(value, bool) else number_tree(value, what)
    return tree


def _count(value: Value) -> int:
    if isinstance(value.data, bool) or not isinstance(value.data, int):
        raise value.is_not("a whole number such as 4")
    return value.data


def _words(value: Value) -> tuple[str, ...]:
    if not isinstance(value.data, list):
        raise value.is_not('words in brackets such as ["y", "z"]')
    return tuple(text(item) for item in value.items())


_SECTION = Form(
    Section,
    {f.name: number for f in fields(Section)} | {"moments": numbers, "is_round": truth},
    ("EI_y", "EI_z", "GJ", "EA", "mass"),
)
_KINDS = {
    "beam": Form(
        beam,
        {
            "length": number,
            "section": _SECTION.read,
            "modes": _count,
            "fields": _words,
            "functions": _count,
            "family": text,
            "damping": number,
            "frame": text,
        },
        ("length", "section"),
    )
}
