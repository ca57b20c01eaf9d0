"""Builds the site: the guides and the theory, a gallery of the examples, a page of every name.

`make docs` calls it; warnings are errors. Nothing is fetched, neither now nor when it is read.
"""

from __future__ import annotations

import ast
import html
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jourdain as jd

ROOT = Path(__file__).parents[1]
DOCS, EXAMPLES, OUT = ROOT / "docs", ROOT / "examples", ROOT / "build" / "site"
PICTURES = DOCS / "gallery"
VIEWER = ROOT / "src" / "jourdain" / "viz" / "assets" / "viewer.min.js"
SOURCE, SITE = OUT / "source", OUT / "html"
FAMILIES = {
    "Models and parts": ("model", "equations.joints"),
    "Joints": ("model.joints",),
    "Contours": ("model.contours",),
    "Laws": ("model.laws",),
    "Measures": ("model.measures",),
    "Composites": ("model.composites.composite", "model.composites.node"),
    "Inertia and parameters": ("spatial.inertia", "spatial.parameter"),
    "Systems": ("system", "formulations"),
    "Questions": ("analysis",),
    "Methods": ("solvers", "simulation.methods"),
    "Results": ("results",),
    "Pictures and pages": ("viz",),
    "Files": ("io", "export"),
    "Functions of numbers and symbols": ("math",),
    "Errors": ("errors",),
}
NAMESPACES = ("solid", "flexible", "math", "signals", "testing")
LIBRARIES = ("hydraulics", "powertrain", "gears", "bearings", "woodpecker")


def main() -> int:
    """Write the pages, then have Sphinx make the site of them."""
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.copytree(DOCS / "site", SOURCE)
    for folder in ("guides", "theory"):
        shutil.copytree(DOCS / folder, SOURCE / folder)
    for file in (*DOCS.glob("*.md"), *DOCS.glob("*.png")):
        shutil.copy(file, SOURCE)
    shutil.copy(ROOT / "CONTRIBUTING.md", SOURCE / "contributing.md")
    shutil.copy(ROOT / "CHANGELOG.md", SOURCE / "changes.md")
    machines = write_gallery()
    write_reference()
    for page in SOURCE.rglob("*.md"):
        page.write_text(with_site_links(page, machines), encoding="utf-8")
    (SOURCE / "pages").mkdir(exist_ok=True)
    program = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    return subprocess.run([*program, str(SOURCE), str(SITE)], check=False).returncode


def with_site_links(page: Path, machines: list[str]) -> str:
    """Text of a page whose links to files of the project lead to pages of the site."""
    up = "../" * (len(page.relative_to(SOURCE).parts) - 1)
    text = page.read_text(encoding="utf-8")

    def moved(found: re.Match[str]) -> str:
        target = found[1]
        name = Path(target.partition("#")[0]).name
        if name == "CONTRIBUTING.md":
            return f"]({up}contributing.md)"
        if "examples/" in target and Path(name).stem in machines:
            return f"]({up}gallery/{Path(name).stem}.md)"
        if "/docs/" in f"/{target}":
            return f"]({up}{target.partition('docs/')[2]})"
        return found[0]

    return re.sub(r"\]\(([^)\s]+)\)", moved, text)


def write_gallery() -> list[str]:
    """Write a page for each example that has a docstring; return their names."""
    folder, shown = SOURCE / "gallery", SOURCE / "static" / "machines"
    folder.mkdir()
    shown.mkdir(parents=True)
    cards, names, entries = [], [], []
    for file in sorted(EXAMPLES.glob("*.py")):
        program = file.read_text(encoding="utf-8")
        text = ast.get_docstring(ast.parse(program)) or ""
        title, _, rest = text.partition("\n")
        title = title.rstrip(".")
        picture = PICTURES / f"{file.stem}.png"
        lines = [f"# {title}", ""]
        page = PICTURES / f"{file.stem}.html"
        if picture.is_file():
            shutil.copy(picture, folder)
            shutil.copy(picture, shown)
        if picture.is_file() and not page.is_file():  # what moves is enough
            lines += [f"![{title}]({picture.name})", ""]
        if page.is_file():
            live = SOURCE / "pages" / "live"
            live.mkdir(parents=True, exist_ok=True)
            shutil.copy(page, live)
            shutil.copy(VIEWER, live)
            frame = f'<iframe class="live" src="../live/{page.name}" title="{html.escape(title)}">'
            lines += ["```{raw} html", f"{frame}</iframe>", "```", ""]
        lines += [as_markdown(rest.strip()), "", "```python", without_docstring(program), "```", ""]
        lines += [f"Run it: `jourdain examples --run {file.stem}`.", ""]
        (folder / f"{file.stem}.md").write_text("\n".join(lines), encoding="utf-8")
        names.append(file.stem)
        entries.append(f"{title.partition(':')[0]} <{file.stem}>")
        cards.append(card(file.stem, title, picture.is_file()))
    tree = ["```{toctree}", ":hidden:", "", *entries, "```", ""]
    grid = ["```{raw} html", '<div class="machines">', *cards, "</div>", "```", ""]
    head = ["# Gallery", "", f"{len(names)} machines, each one file that asserts what it says.", ""]
    (folder / "index.md").write_text("\n".join([*head, *grid, *tree]), encoding="utf-8")
    return names


def card(name: str, title: str, has_picture: bool) -> str:
    """Entry of a machine in the gallery."""
    image = f'<img src="../_static/machines/{name}.png" alt="" loading="lazy">' * has_picture
    return f'<a href="{name}.html">{image}<p>{html.escape(title)}</p></a>'


def as_markdown(text: str) -> str:
    """Docstring with underlined headings and literal blocks, as Markdown."""
    text = re.sub(r"^(\S.*)\n[-=]{3,}$", r"## \1", text, flags=re.MULTILINE)
    text = re.sub(r"::\n\n((?:[ ]{4}.*\n|\n)+)", r"\n```text\n\1```\n\n", f"{text}\n")
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def without_docstring(program: str) -> str:
    """Program behind its docstring."""
    tree = ast.parse(program)
    first = tree.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    lines = program.splitlines()[first.end_lineno if is_text else 0 :]
    return "\n".join(lines).strip()


def write_reference() -> None:
    """Write a page for each family of public names."""
    folder = SOURCE / "reference"
    folder.mkdir()
    found: dict[str, list[str]] = {title: [] for title in FAMILIES}
    for module, names in vars(jd)["_WHERE"].items():
        own = module.removeprefix("jourdain.")
        fitting = [t for t, words in FAMILIES.items() for w in words if is_in(own, w)]
        best = max(fitting, key=lambda t: max(len(w) for w in FAMILIES[t] if is_in(own, w)))
        found[best] += names
    pages = {
        title: [f"jourdain.{name}" for name in sorted(names)] for title, names in found.items()
    }
    for word in NAMESPACES:
        module = getattr(jd, word)
        pages[f"jd.{word}"] = members(module.__name__, module)
    for word in LIBRARIES:
        try:
            module = __import__(f"jourdain.library.{word}", fromlist=["x"])
        except ImportError:
            continue
        pages[f"jourdain.library.{word}"] = members(module.__name__, module)
    slugs = []
    for title, paths in pages.items():
        slug = re.sub(r"\W+", "_", title.lower()).strip("_")
        slugs.append(slug)
        lines = [f"# {title}", ""]
        for path in paths:
            lines += entry(path)
        (folder / f"{slug}.md").write_text("\n".join(lines), encoding="utf-8")
    index = [
        "# Reference",
        "",
        "Every public name, by families.",
        "",
        "```{toctree}",
        ":maxdepth: 1",
        "",
    ]
    (folder / "index.md").write_text("\n".join([*index, *slugs, "```", ""]), encoding="utf-8")


def is_in(module: str, word: str) -> bool:
    """Whether a module is one of a package."""
    return module == word or module.startswith(f"{word}.")


def members(name: str, module: object) -> list[str]:
    """Public functions and classes of a module."""
    words = getattr(module, "__all__", None) or [
        x
        for x, value in vars(module).items()
        if not x.startswith("_") and getattr(value, "__module__", "") == name
    ]
    at_top = {id(vars(jd).get(x) or getattr(jd, x)) for x in jd.__all__}
    own = (
        x for x in words if callable(getattr(module, x)) and id(getattr(module, x)) not in at_top
    )
    return [f"{name}.{x}" for x in own]


def entry(path: str) -> list[str]:
    """Directive of a name."""
    module, _, name = path.rpartition(".")
    value = getattr(__import__(module, fromlist=["x"]) if "." in module else jd, name)
    kind = "autoclass" if inspect.isclass(value) else "autofunction"
    lines = [f"## {name}", "", "```{eval-rst}", f".. {kind}:: {path}"]
    if kind == "autoclass" and not issubclass(value, Exception):
        lines.append("   :members:")
    return [*lines, "```", ""]


if __name__ == "__main__":
    sys.exit(main())
