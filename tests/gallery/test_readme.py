"""The program of the README runs as it stands, and its links and picture are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def program() -> str:
    (text,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    return text


def test_the_program_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    variables: dict = {}
    exec(compile(program(), "README.md", "exec"), variables)
    printed = capsys.readouterr().out
    assert printed.startswith("crane: 3 bodies, 3 joints, no loops")
    assert "Solution of 'crane', 0 s to 10 s" in printed
    sol = variables["sol"]
    assert sol["pivot.force"].attrs["units"] == "N"
    assert abs(float(sol["rail.velocity"][-1])) < 0.8  # the brake has slowed the cart
    assert float(sol["pivot.force"].sel(axis="z").max()) > 21.0 * 9.81  # swinging pulls harder
    assert (tmp_path / "crane.html").stat().st_size > 100_000


def test_the_program_has_fifteen_lines():
    assert len([line for line in program().splitlines() if line.strip()]) <= 15


def test_links_lead_to_files():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
    assert "docs/picture.png" in links


def test_the_picture_is_light():
    assert (ROOT / "docs" / "picture.png").stat().st_size <= 300_000
