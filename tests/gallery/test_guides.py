"""The programs of the guides run as they stand, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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


def test_the_guide_to_connections_names_everything():
    text = (GUIDES / "connections.md").read_text(encoding="utf-8")
    from jourdain.model import laws, measures

    hidden = ("ForceLaw", "Measure", "Sum", "SumLaw", "all_laws", "all_measures")
    for name in (*measures.__all__, *laws.__all__):
        if name not in hidden:
            assert f"`{name}(" in text
            assert hasattr(jd, name)


def test_mechanisms(capsys):
    found = run("mechanisms.md")
    printed = capsys.readouterr().out
    text = (GUIDES / "mechanisms.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
    assert shown in printed
    assert "a dead point" in printed
    alone, shared = found["alone"], found["shared"]
    assert alone["main.applied_torque"].values == pytest.approx(
        found["torque"].values, rel=1e-6, abs=1e-5
    )
    assert abs(shared["main.applied_torque"]).max() < abs(alone["main.applied_torque"]).max()
    assert abs(found["at"]["first.angle"] - found["other"]["first.angle"]) > 1
