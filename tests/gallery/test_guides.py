"""The programs of the guides run as they stand, one after the other."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd

GUIDES = Path(__file__).parents[2] / "docs" / "guides"


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


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


@pytest.mark.skipif(shutil.which("cc") is None, reason="no linker")
def test_fmu(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("fmu.md")
    assert {path.name for path in tmp_path.iterdir()} == {"crane.fmu", "crane_fixed.fmu"}


def test_pictures(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("pictures.md")
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(
        ["crane.html", "both.html", "model.html", "report.html", "end.png", "more.html"]
    )


@pytest.mark.parametrize("name", ["mujoco", "adams", "exudyn", "sympy", "modelica"])
def test_coming_from(name, capsys):
    variables = run(f"../site/coming_from/{name}.md")
    if name == "mujoco":  # what the page says of the angle
        angle = float(variables["sol"]["hinge.angle"][-1])
        assert np.sin(angle) == pytest.approx(0.58 / 0.7, rel=1e-9)


def test_the_first_ten_minutes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    variables = run("../site/start.md")
    assert {p.name for p in tmp_path.iterdir()} == {"pendulum.html", "pendulum.png"}
    assert "Did you mean 'hinge.angle'?" in capsys.readouterr().out
    np.testing.assert_allclose(
        variables["mode"].frequency, np.sqrt(1.5 * 9.81 / 0.5) / (2 * np.pi), rtol=1e-9
    )
    assert np.ptp(variables["sol"]["energy.total"].values) < 2e-8


@pytest.mark.slow
def test_robots(tmp_path, monkeypatch, capsys):
    shutil.copy(GUIDES.parents[1] / "examples" / "arm.urdf", tmp_path)
    monkeypatch.chdir(tmp_path)
    variables = run("robots.md")
    assert "robot 'arm': 6 links, 6 joints" in capsys.readouterr().out
    assert not variables["arm"].notes
    copy = jd.read_urdf("copy.urdf", stops=False)
    assert len(copy.links) == len(variables["arm"].links)


def test_the_guide_to_connections_names_everything():
    text = (GUIDES / "connections.md").read_text(encoding="utf-8")
    from jourdain.model import laws, measures

    hidden = ("ForceLaw", "Measure", "Sum", "SumLaw", "all_laws", "all_measures")
    hidden += (
        "Coulomb",
        "Dry",
        "Locked",
        "Interval",
        "Newton",
        "Poisson",
        "SetValued",
        "Touch",
        "Unilateral",
        "Gap",
    )
    for name in (*measures.__all__, *laws.__all__):
        if name not in hidden:
            assert f"`{name}(" in text
            assert hasattr(jd, name)


@pytest.fixture(scope="module")
def simulation(tmp_path_factory):
    """Variables after all programs of the guide to simulation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("guide"))
        return run("simulation.md")


def test_methods_agree(simulation):
    tight, implicit = simulation["tight"], simulation["implicit"]
    np.testing.assert_allclose(implicit.q, tight.q, atol=1e-3)


def test_inputs_do_what_the_text_says(simulation):
    speed = simulation["braked"].values("rail.velocity")
    assert abs(speed[-1]) < 0.2 * speed[0]
    momentum = simulation["pushed"].values("momentum.linear")[-1, 0]
    assert momentum == pytest.approx(30.0, rel=1e-6)  # area of the triangle [N s]
    damped = simulation["damped"]
    assert np.count_nonzero(np.diff(damped.time) == 0.0) > 100
    assert np.abs(damped.values("rail.applied_force")).max() <= 60.0


def test_the_event_ends_the_run(simulation):
    sol = simulation["sol"]
    assert sol.statistics.status == "terminal_event"
    assert sol.final["rail.position"] == pytest.approx(2.0, abs=1e-12)
    assert sol.events[0].name == "lowest"


def test_files_hold_what_was_saved(simulation):
    np.testing.assert_array_equal(simulation["same"].q, simulation["sol"].q)
    assert simulation["whole"].time[-1] == 10.0


def test_contact(capsys):
    variables = run("contact.md")
    printed = capsys.readouterr().out
    assert printed.startswith("0.285569 s  impact of table")  # sqrt(2 · 0.4/g)
    sol, stepped, locked = (variables[name] for name in ("sol", "stepped", "locked"))
    assert sol.events[-1].kind == "stick"
    np.testing.assert_allclose(stepped.q[-1, :3], sol.q[-1, :3], atol=5e-3)
    assert [event.kind for event in locked.events] == ["stick"]
    assert float(variables["fallen"]["heap.penetration"].max()) < 1e-6
    assert variables["normal"] == pytest.approx(0.3 * 1.6 * np.sqrt(2 * 9.81 * 0.4), rel=1e-9)


@pytest.mark.parametrize("path", sorted(GUIDES.glob("*.md")), ids=lambda path: path.stem)
def test_links_lead_to_files(path):
    links = re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (path.parent / link).exists()] == []


@pytest.mark.slow
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


def test_joints():
    found = run("joints.md")
    # all force on the slide and the pole: rate of the momentum along the rail
    sol, force = found["sol"], found["drive"]
    momentum = sol.values("momentum.linear")[:, 0]
    impulse = np.sum(0.5 * (force.values[1:] + force.values[:-1]) * np.diff(sol.time))
    assert impulse == pytest.approx(momentum[-1] - momentum[0], rel=1e-3)
    # the sled gains what it loses in height; the ball turns with it
    down, radius, rise = found["down"], 4.0, 2.0 / (2 * np.pi)
    square = radius**2 + rise**2 + 0.4 * 0.3**2
    assert down.final["track.angle"] == pytest.approx(-0.5 * 9.81 * rise / square * 16.0, rel=1e-6)
    jd.testing.check_joint(found["Helix"](4.0, 2.0))


def test_the_guide_to_joints_names_every_kind():
    from jourdain.model import joints

    text = (GUIDES / "joints.md").read_text(encoding="utf-8")
    for name in set(joints.__all__) - {"Joint", "Product", "all_joint_kinds"}:
        assert f"`{name}(" in text


def test_dynamics():
    found = run("dynamics.md")
    system, q, v, tau = (found[name] for name in ("system", "q", "v", "tau"))
    np.testing.assert_allclose(tau, (0.0, 0.0, 3.0), atol=1e-12)
    np.testing.assert_allclose(found["M"] @ found["vdot"] + found["h"], tau, atol=1e-12)
    np.testing.assert_allclose(found["other"], found["vdot"], rtol=1e-10)
    assert found["verification"].passed
    hand = found["J"] @ found["vdot"] + found["rest"]
    before, after = (
        system.jacobian("hand", q + s * 1e-6 * v) @ (v + s * 1e-6 * found["vdot"]) for s in (-1, 1)
    )
    np.testing.assert_allclose((after - before) / 2e-6, hand, atol=1e-6)
    by_load = (found["heavier"] - found["vdot"]) / 0.1
    np.testing.assert_allclose(found["slopes"].parameters[:, 0], by_load, rtol=0.1)
    np.testing.assert_allclose(found["A"][7], system.forward_dynamics(found["Q"][7], found["V"][7]))
    # weight at 0.25 m of the arm, against its inertia and that of the rotor behind the gear
    about_pin = 0.25 / 3.0 + 1e-4 * 100**2
    assert found["start"][0] == pytest.approx(9.81 * 0.25 / about_pin)


def test_linear(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    made = run("linear.md")
    pyplot.close("all")
    assert "pivot.angle" in capsys.readouterr().out
    assert made["rest"].is_stable
    assert made["motion"].is_stable
    written = sorted(path.name for path in tmp_path.iterdir())
    pictures = ["bode.png", "over_stiffness.png", "rest_over_stiffness.png", "spectrum.png"]
    assert written == sorted([*pictures, "mode.html", "mode.png"])
    assert made["found"].are_stable.all()


def test_powertrain(capsys):
    found = run("powertrain.md")
    printed = capsys.readouterr().out.splitlines()
    sol = found["sol"]
    assert printed[0] == f"{3.6 * sol.values('car.speed')[-1]:.0f} km/h"
    assert printed[1] == f"{0.14 * (6e5 * 0.012 - 800.0) * 0.08 * 8:.0f} N m"
    assert sol.values("clutch.slip")[-1] == pytest.approx(0.0, abs=1e-8)  # it has closed
    assert found["box"].ratios() == pytest.approx({1: 3.0, 2: 1.0})


def test_gears(capsys):
    found = run("gears.md")
    printed = capsys.readouterr().out
    assert "order  torque  force" in printed
    assert "pulses of 'mesh.force'" in printed
    teeth, sol = found["teeth"], found["sol"]
    assert teeth.contact_ratio > 2.0  # with the overlap
    assert set(np.unique(sol.values("mesh.flank"))) == {-1.0, 0.0, 1.0}
    found["pair"].validate()


@pytest.mark.parametrize("page", sorted((GUIDES / "machines").glob("*.md")), ids=lambda p: p.stem)
def test_pages_of_machines(page):
    """Each names its example; its pictures and links are there; the guide leads to it."""
    text = page.read_text(encoding="utf-8")
    assert f"`examples/{page.stem}.py`" in text
    assert (GUIDES.parents[1] / "examples" / f"{page.stem}.py").exists()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert any(link.endswith(".png") for link in links)
    for link in links:
        assert (page.parent / link).exists()
    guides = (GUIDES / f"{name}.md" for name in ("hydraulics", "powertrain", "gears"))
    assert any(f"(machines/{page.name})" in guide.read_text(encoding="utf-8") for guide in guides)
