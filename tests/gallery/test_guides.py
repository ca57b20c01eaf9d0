"""The programs of the guides run as they stand, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import jourdain as jd

GUIDES = Path(__file__).parents[2] / "docs" / "guides"


def run(name: str) -> dict:
    text = (GUIDES / name).read_text(encoding="utf-8")
    variables: dict = {}
    for program in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(compile(program, name, "exec"), variables)
    return variables


def test_connections(capsys):
    model = run("connections.md")["model"]
    assert "connection strut" in capsys.readouterr().out
    assert list(model.connections)[-1] == "levelling"


def test_pictures(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("pictures.md")
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(
        ["crane.html", "both.html", "model.html", "report.html", "end.png", "more.html"]
    )


def test_the_guide_to_connections_names_everything():
    text = (GUIDES / "connections.md").read_text(encoding="utf-8")
    from jourdain.model import laws, measures

    hidden = ("ForceLaw", "Measure", "Sum", "SumLaw", "all_laws", "all_measures")
    for name in (*measures.__all__, *laws.__all__):
        if name not in hidden:
            assert f"`{name}(" in text
            assert hasattr(jd, name)
