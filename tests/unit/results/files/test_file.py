"""Solutions in files."""

import os

import numpy as np
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.errors import FormatError
from jourdain.results import Checkpoint, Event, Solution, Statistics, load
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.solid import Shape, Solid


@pytest.fixture(scope="module")
def full(mixture):
    """The mixture with events and statistics."""
    events = [
        Event("low", 0.1, mixture.q[5], mixture.v[5]),
        Event("λ 'hit'", 0.3, mixture.q[9], mixture.v[9]),
    ]
    statistics = Statistics("Dop853()", "not stiff", 12, 3, 178, 0.25, t_end_wanted=0.5)
    return Solution(
        mixture.system, mixture.time, mixture.q, mixture.v, mixture.vdot, mixture.tau,
        events=events, statistics=statistics, inputs={"hinge.angle": max},
        parameters={"length": 0.6},
    )  # fmt: skip


def test_a_run_holds_the_meshes_of_its_model(integrate, tmp_path):
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    surface = Triangles.of(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    model = jd.Model("wedge")
    wedge = Solid(jd.Inertia(1.0, moments=(1, 1, 1)), (Shape("mesh", (), mesh=surface),))
    model.add_joint("hinge", model.world, model.add_body("wedge", wedge), jd.Revolute("y"))
    run = integrate(jd.compile(model), {"hinge.angle": 0.4}, np.linspace(0.0, 0.2, 3))
    run.save(tmp_path / "run.nc")
    assert load(tmp_path / "run.nc").model.bodies["wedge"].shapes == wedge.shapes


@pytest.fixture(scope="module")
def hidden(integrate):
    """A run of a model that holds a Python function."""
    model = jd.Model("hidden")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    arm = model.add_body("arm", jd.solid.rod(1.0, (0, 0, -0.5)))
    kind = jd.Universal("x", "y")
    model.add_joint("wrist", rod.at(0, 0, -0.5), arm, kind, driven={"angle_1": jd.sin})
    return integrate(jd.compile(model), {"hinge.angle": 0.4}, np.linspace(0.0, 0.2, 11))


def assert_same(new, old):
    assert new.names() == old.names()
    for name in old.names():
        np.testing.assert_array_equal(new.values(name), old.values(name), err_msg=name)
        assert new[name].attrs == old[name].attrs
        assert new[name].dims == old[name].dims


def test_a_solution_comes_back_whole(full, tmp_path):
    file = tmp_path / "run.nc"
    full.save(file)
    back = load(file)
    assert_same(back, full)
    assert back.model == full.model
    assert back.statistics == full.statistics
    assert back.parameters == {"length": 0.6}
    assert list(back.inputs) == ["hinge.angle"]
    for new, old in zip(back.events, full.events, strict=True):
        assert (new.name, new.time) == (old.name, old.time)
        np.testing.assert_array_equal(new.q, old.q)
        np.testing.assert_array_equal(new.v, old.v)
    assert back.at(0.123).values("hinge.force") == pytest.approx(
        full.at(0.123).values("hinge.force")
    )
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_model_with_python_functions_leaves_its_numbers(hidden, tmp_path):
    file = tmp_path / "run.nc"
    hidden.save(file)
    back = load(file)
    assert not back.has_model
    assert "'wrist'" in back.why_without_model
    assert_same(back, hidden)
    assert list(back.data.data_vars) == list(hidden.data.data_vars)
    assert back.final == hidden.final
    assert str(back).splitlines()[0] == str(hidden).splitlines()[0]
    back.save(tmp_path / "again.nc")
    assert_same(load(tmp_path / "again.nc"), hidden)


def test_the_memory_of_a_run_comes_back(full, tmp_path):
    """Also where a part of it is empty."""
    numbers = {"state": np.array((0.1, np.pi, -3.0)), "found": np.zeros(0), "more": np.zeros(0)}
    memory = Checkpoint({"integrator": "Dop853", "steps": 3}, numbers)
    sol = Solution(full.system, full.time, full.q, full.v, full.vdot, checkpoint=memory)
    sol.save(tmp_path / "run.nc")
    back = load(tmp_path / "run.nc").checkpoint
    assert back.facts == memory.facts
    assert list(back.numbers) == list(numbers)
    for key, expected in numbers.items():
        np.testing.assert_array_equal(back.numbers[key], expected)


def test_runs_without_samples_can_be_kept(full, tmp_path):
    none = Solution(full.system, [], full.q[:0], full.v[:0], parameters=full.parameters)
    none.save(tmp_path / "none.nc")
    assert_same(load(tmp_path / "none.nc"), none)


def test_numbers_that_are_none_come_back(full, tmp_path):
    """A run that blew up keeps its last rows."""
    v = np.array(full.v)
    v[-1] = np.nan
    v[-2, 0] = np.inf
    broken = Solution(full.system, full.time, full.q, v, full.vdot, parameters=full.parameters)
    broken.save(tmp_path / "broken.nc")
    np.testing.assert_array_equal(load(tmp_path / "broken.nc").v, v)


def test_other_programs_can_read_the_file(full, tmp_path):
    full.save(tmp_path / "run.nc")
    with xr.open_dataset(tmp_path / "run.nc", engine="scipy", decode_times=False) as data:
        assert data["hinge.angle"].attrs["units"] == "rad"
        np.testing.assert_array_equal(
            data["ball.position"].sel(axis="z"), full.values("ball.position.z")
        )
        assert 'name = "mixture"' in data.attrs["model_text"]


def test_a_failed_write_keeps_the_older_file(full, tmp_path, monkeypatch):
    file = tmp_path / "run.nc"
    full.save(file)
    before = file.read_bytes()

    def fail(self, path, **_):
        path.write_bytes(b"CDF half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(xr.Dataset, "to_netcdf", fail)
    with pytest.raises(FormatError, match="No space left on device"):
        full.save(file)
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_broken_off_write_leaves_nothing_behind(full, tmp_path, monkeypatch):
    def stop(self, path, **_):
        path.write_bytes(b"CDF half")
        raise KeyboardInterrupt

    monkeypatch.setattr(xr.Dataset, "to_netcdf", stop)
    with pytest.raises(KeyboardInterrupt):
        full.save(tmp_path / "run.nc")
    assert os.listdir(tmp_path) == []


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0.0, 1.0), flip=st.integers(1, 255), cut=st.booleans())
def test_damage_is_noticed(full, tmp_path, where, flip, cut):
    """Any byte changed, or the end cut off: refused, or nothing that matters has changed."""
    file = tmp_path / "run.nc"
    if not file.exists():
        full.save(file)
    good = bytearray(file.read_bytes())
    place = min(int(where * len(good)), len(good) - 1)
    bad = good[:place] if cut else good
    if not cut:
        bad[place] ^= flip
    damaged = tmp_path / "damaged.nc"
    damaged.write_bytes(bytes(bad))
    try:
        back = load(damaged)
    except FormatError:
        return
    np.testing.assert_array_equal(back.q, full.q)
    np.testing.assert_array_equal(back.tau, full.tau)
    assert back.model == full.model
