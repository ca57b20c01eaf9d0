"""Formulas as MathML, which browsers draw by themselves: no script, no font, no network."""

from __future__ import annotations

import html
import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

TAG = re.compile(r"\\tag\{([^}]*)\}")
NUMBER = re.compile(r"\(([A-Z]{2}-\d+)\)")


def inline(self: Any, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    self.body.append(convert(_plain(node.astext())))
    raise nodes.SkipNode


def display(self: Any, node: nodes.math_block) -> None:
    """Write a formula of its own line, with its number."""
    text = node.astext()
    numbers = TAG.findall(text)
    formula = convert(_plain(TAG.sub("", text)), display="block")
    anchor = f' id="{html.escape(numbers[0])}"' if numbers else ""
    number = f'<span class="number">({html.escape(numbers[0])})</span>' if numbers else ""
    self.body.append(f'<div class="equation"{anchor}>{formula}{number}</div>\n')
    raise nodes.SkipNode


def _plain(text: str) -> str:
    return text.replace(r"\arg", r"\operatorname{arg}")


def link_numbers(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Make links of the numbers of equations in texts."""
    known = app.env.equation_pages  # type: ignore[attr-defined]
    for text in list(doctree.findall(nodes.Text)):
        if isinstance(text.parent, nodes.literal | nodes.math | nodes.math_block | nodes.reference):
            continue
        pieces = NUMBER.split(str(text))
        if len(pieces) == 1 or not any(number in known for number in pieces[1::2]):
            continue
        made: list[nodes.Node] = []
        for k, piece in enumerate(pieces):
            if k % 2 == 0:
                made.append(nodes.Text(piece))
            elif piece not in known:
                made.append(nodes.Text(f"({piece})"))
            else:
                way = app.builder.get_relative_uri(name, known[piece])
                target = f"{way}#{piece}"
                link = nodes.reference("", f"({piece})", internal=True, refuri=target)
                made.append(link)
        text.parent.replace(text, made)


def note_equations(app: Sphinx, doctree: nodes.document) -> None:
    """Note on which page each numbered equation stands."""
    pages = app.env.__dict__.setdefault("equation_pages", {})
    for block in doctree.findall(nodes.math_block):
        for number in TAG.findall(block.astext()):
            pages[number] = app.env.docname


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    app.connect("doctree-read", note_equations)
    app.connect("doctree-resolved", link_numbers)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
