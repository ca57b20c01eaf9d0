"""Formulas of docstrings: indented lines of their text are shown as they stand."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def keep_formulas(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Mark indented blocks as literal, up to the first underlined heading."""
    made: list[str] = []
    last, is_text = "", True
    for k, line in enumerate(lines):
        following = lines[k + 1] if k + 1 < len(lines) else ""
        is_text = is_text and not (line.strip() and set(following.strip()) == {"-"})
        begins = line.startswith("    ") and not (made and made[-1].strip())
        is_new = begins and last and not last.startswith(" ") and not last.endswith("::")
        if is_text and is_new and not line.lstrip().startswith(("-", "*", "=", ">>>")):
            made += ["::", ""]
        made.append(line)
        last = line if line.strip() else last
    lines[:] = made


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx, before it reads the sections."""
    app.connect("autodoc-process-docstring", keep_formulas, priority=400)
    return {"parallel_read_safe": True}
