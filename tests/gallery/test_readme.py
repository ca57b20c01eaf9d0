"""The program of the README runs as it stands, and its links and picture are there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


PROGRAMS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def program() -> str:
    return PROGRAMS[0]


def run(text: str) -> dict:
    variables: dict = {}
    exec(compile(text, "README.md", "exec"), variables)
    return variables


def test_the_loop_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sol = run(PROGRAMS[1])["sol"]
    assert "degrees of freedom: 1" in capsys.readouterr().out
    gap = sol.values("link.position")  # the crank pin is where the wheel has it
    pin = np.hypot(gap[:, 0] - 0.3, gap[:, 2] + 0.4)
    np.testing.assert_allclose(pin, 0.08, atol=1e-10)
    assert 8.0 < sol.values("shaft.rate")[-1] < 12.0


def test_the_contact_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sol = run(PROGRAMS[2])["sol"]
    first = sol.events[0]
    assert (first.kind, first.name) == ("impact", "table")
    np.testing.assert_allclose(first.time, np.sqrt(2 * 0.5 / 9.81), rtol=1e-9)
    assert sol.events[-1].kind == "stick"  # it rolls
    assert capsys.readouterr().out.count("impact") > 10


def test_the_program_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    variables = run(program())
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
