"""HTML of reports, for notebooks: a title, tables and lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_CARD = "font:13px/1.5 system-ui,sans-serif;max-width:70em"
_TITLE = "font-weight:600;font-size:14px"
_TABLE = "border-collapse:collapse;margin:6px 0;font:inherit"
_CELL = "text-align:left;vertical-align:top;padding:1px 18px 1px 0;background:none;border:none"
_HEAD = f"{_CELL};font-weight:500;opacity:0.6;border-bottom:1px solid rgba(128,128,128,0.45)"
_TEXT = "margin:6px 0;white-space:pre-wrap"
_TREE = "white-space:pre;font-family:ui-monospace,monospace"


def card(title: str, parts: Iterable[str]) -> str:
    """HTML of a whole report."""
    return f'<div style="{_CARD}"><div style="{_TITLE}">{escape(title)}</div>{"".join(parts)}</div>'


def grid(rows: Sequence[Sequence[str]], head: Sequence[str] = (), *, is_tree: bool = False) -> str:
    """Table, with a row of titles if given; in a tree the first column keeps its spaces."""
    titles = "".join(f'<th style="{_HEAD}">{escape(text)}</th>' for text in head)
    first = f"{_CELL};{_TREE}" if is_tree else f"{_CELL};white-space:nowrap;opacity:0.75"
    body = "".join(f"<tr>{_cells(row, first)}</tr>" for row in rows)
    top = f"<thead><tr>{titles}</tr></thead>" if titles else ""
    return f'<table style="{_TABLE}">{top}<tbody>{body}</tbody></table>'


def text(lines: Iterable[str]) -> str:
    """Lines of text; nothing where there are none."""
    joined = "\n".join(_indented(escape(line)) for line in lines)
    return f'<div style="{_TEXT}">{joined}</div>' if joined else ""


def _indented(line: str) -> str:
    """Line whose first spaces are wide ones."""
    words = line.lstrip(" ")
    return "\u2002" * (len(line) - len(words)) + words


def _cells(row: Sequence[str], first: str) -> str:
    gap = ";padding-top:6px" if len(row) == 3 and row[0] else ""  # where a group begins
    styles = (f"{first}{gap}", *[f"{_CELL}{gap}"] * (len(row) - 1))
    pairs = zip(row, styles, strict=True)
    return "".join(f'<td style="{style}">{escape(cell)}</td>' for cell, style in pairs)
