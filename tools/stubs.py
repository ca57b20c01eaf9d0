"""Types of the public names: writes ``src/jourdain/__init__.pyi`` from the table of names.

Names are loaded when they are first used, so that type checkers and editors cannot see them in
``__init__.py``. They read this file instead.
"""

from __future__ import annotations

from pathlib import Path

import jourdain

STUB = Path(__file__).parents[1] / "src" / "jourdain" / "__init__.pyi"
_HEAD = '"""Types of the public names. Written by `make stubs`; do not edit."""\n'


def stub() -> str:
    """Text of the file."""
    table = vars(jourdain)
    modules = (path.rpartition(".") for path in table["_MODULES"].values())
    imports = [f"from {package} import {name} as {name}" for package, _, name in modules]
    imports += [
        f"from {module} import {name} as {name}"
        for module, names in table["_WHERE"].items()
        for name in names
    ]
    names = "".join(f'    "{name}",\n' for name in jourdain.__all__)
    lines = "\n".join(sorted(imports))
    return f"{_HEAD}\n{lines}\n\n__version__: str\n__all__ = [\n{names}]\n"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
