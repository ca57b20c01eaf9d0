"""Texts and syntax trees of the modules of the package, read once for all tests here."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "jourdain"
SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {path: ast.parse(text) for path, text in SOURCES.items()}
