"""Texts of errors about results, files and plots."""

import json
import sys

import numpy as np
import pytest
import xarray as xr

import jourdain as jd
from jourdain.errors import FormatError, MissingExtraError, ModelError, UnknownNameError
from jourdain.results import Solution, load
from jourdain.viz.plot import plot


def make(driven=None):
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    if driven:
        wheel = model.add_body("wheel", jd.solid.ball(1.0, 0.1))
        model.add_joint("axle", rod, wheel, jd.Revolute("y"), driven={"angle": driven})
    system = jd.compile(model, execution=jd.Plain())
    t = np.linspace(0.0, 1.0, 5)
    return Solution(system, t, np.zeros((5, 1)), np.zeros((5, 1)))


@pytest.fixture(scope="module")
def sol():
    return make()


@pytest.fixture
def run(sol, tmp_path):
    sol.save(tmp_path / "run.nc")
    return tmp_path / "run.nc"


@pytest.fixture
def without_model(tmp_path):
    make(jd.sin).save(tmp_path / "run.nc")
    return load(tmp_path / "run.nc")


def message(error, function, *arguments, **options):
    with pytest.raises(error) as caught:
        function(*arguments, **options)
    return str(caught.value)


def test_unknown_quantity_of_a_known_element(sol):
    text = message(UnknownNameError, sol.values, "hinge.angel")
    assert text == (
        "no quantity 'hinge.angel' in the solution of model 'pendulum'. 'hinge' has: angle, rate, "
        "angular_acceleration, applied_torque, force, torque. Did you mean 'hinge.angle'?"
    )


def test_unknown_component(sol):
    text = message(UnknownNameError, sol.__getitem__, "rod.position.w")
    assert "Did you mean 'rod.position" in text


def test_unknown_element(sol):
    text = message(UnknownNameError, sol.__getitem__, "hing.angle")
    assert text == (
        "no quantity 'hing.angle' in the solution of model 'pendulum'. Elements: hinge, rod, "
        "energy, power, momentum, centre_of_mass. Did you mean 'hinge.angle'?"
    )
    assert "Elements: " in message(UnknownNameError, sol.__getitem__, 3)


def test_times_outside_the_run(sol):
    for t in (1.5, [0.5, 1.5]):
        assert message(ModelError, sol.at, t) == (
            "t = 1.5 s lies outside the solution, which covers 0 s to 1 s. Simulate further with "
            "jd.simulate(model, t, start=sol.final)."
        )
    assert "t = nan s" in message(ModelError, sol.at, float("nan"))


def test_times_out_of_order(sol):
    assert "rising order" in message(ModelError, sol.at, [0.5, 0.2])
    assert "rising order" in message(ModelError, Solution, sol.system, [[0.0]], [[0.0]], [[0.0]])


def test_nothing_to_interpolate(sol):
    none = Solution(sol.system, [], sol.q[:0], sol.v[:0])
    assert "has no samples" in message(ModelError, none.at, 0.0)
    text = message(ModelError, lambda: none.final)
    assert text == "the solution of model 'pendulum' has no samples."


def test_wrong_shapes(sol):
    text = message(ModelError, Solution, sol.system, sol.time, sol.q[:2], sol.v)
    assert text == (
        "q of a solution has the shape (2, 1) instead of (5, 1): one row per time, one column per "
        "coordinate."
    )


def test_a_solution_needs_a_system(sol):
    assert message(ModelError, Solution, None, sol.time, sol.q, sol.v) == (
        "a solution needs a system."
    )


def test_what_was_not_stored(without_model):
    why = "was loaded from a file without its model, so there is only what was stored"
    text = message(UnknownNameError, without_model.values, "hinge.power")
    assert "'hinge' has: angle" in text
    assert why in text
    assert "simulate the model again" in text
    assert "joint 'axle'" in text
    assert why in message(ModelError, lambda: without_model.system)
    text = message(ModelError, without_model.at, 0.5)
    assert why in text
    assert "sol.data.interp(time=[...])" in text


def test_folder_that_does_not_exist(sol, tmp_path):
    text = message(FormatError, sol.save, tmp_path / "nowhere" / "run.nc")
    assert text.startswith(f"cannot write '{tmp_path / 'nowhere' / 'run.nc'}': No such file")
    assert "The solution is still in memory" in text


def test_no_such_file(tmp_path):
    text = message(FormatError, load, tmp_path / "run.nc")
    assert text.startswith(f"there is no file '{tmp_path / 'run.nc'}'.")


@pytest.mark.parametrize("content", [b"", b"name = 'pendulum'\n", b"\x89HDF\r\n\x1a\n"])
def test_foreign_file(tmp_path, content):
    file = tmp_path / "model.toml"
    file.write_bytes(content)
    text = message(FormatError, load, file)
    assert "is no file of sol.save(): it does not start as a netCDF-3 file does" in text
    assert "jd.read_model" in text


def test_foreign_netcdf_file(tmp_path):
    xr.Dataset({"a": ("x", [1.0])}).to_netcdf(tmp_path / "a.nc", engine="scipy")
    text = message(FormatError, load, tmp_path / "a.nc")
    assert text.endswith("not one of sol.save(). Open it with xarray.open_dataset(path).")


def changed(file, **attributes):
    """Write a file again with other attributes and a checksum that fits."""
    from jourdain.results.files.file import _checksum

    with xr.open_dataset(file, engine="scipy", decode_times=False) as opened:
        data = opened.load()
    data.attrs |= attributes
    data.attrs["checksum"] = _checksum(data)
    data.to_netcdf(file, engine="scipy")
    return file


def test_later_format(run):
    text = message(FormatError, load, changed(run, jourdain_solution=4))
    assert "has format 4, this version of jourdain reads format 3. Update jourdain" in text


def test_earlier_format(run):
    text = message(FormatError, load, changed(run, jourdain_solution=2))
    assert "has format 2, this version of jourdain reads format 3. It is older: repeat" in text


def test_truncated_file(run):
    run.write_bytes(run.read_bytes()[:-8])
    assert "is damaged or incomplete" in message(FormatError, load, run)


def test_changed_number(run):
    content = bytearray(run.read_bytes())
    content[-4] ^= 1
    run.write_bytes(bytes(content))
    text = message(FormatError, load, run)
    assert "is damaged or incomplete: its checksum does not match. Copy it again" in text


@pytest.mark.parametrize(
    "contents", ["{", "[]", "{}", json.dumps({"columns": {"q": ["hinge.none"]}, "names": []})]
)
def test_contents_that_make_no_sense(run, contents):
    text = message(FormatError, load, changed(run, contents=contents))
    assert "is damaged or incomplete" in text


def test_model_that_cannot_be_read(run):
    text = message(FormatError, load, changed(run, model_text='format = "jourdain-1"\nnaem = 1\n'))
    assert "naem" in text
    assert "run.nc" in text


def test_model_and_numbers_that_do_not_fit(run):
    from jourdain import io

    model = jd.Model("other")
    model.add_body("ball", jd.solid.ball(1.0, 0.1))
    text = message(FormatError, load, changed(run, model_text=io.dumps(model)))
    assert f"the model in '{run}' cannot be used: " in text


def test_plot_without_matplotlib(sol, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = message(MissingExtraError, plot, sol, "hinge.angle")
    assert text == (
        "plots need matplotlib, which is not installed. Next: pip install 'jourdain[plot]'"
    )


def test_plot_of_nothing():
    assert message(ModelError, plot, {}) == (
        "there is no solution to plot. Give one, or a mapping of some."
    )


def test_plot_against_a_vector(sol):
    assert message(ModelError, plot, sol, "hinge.angle", against="rod.velocity") == (
        "cannot plot against 'rod.velocity', which has the components x, y, z. Choose one, for "
        "example 'rod.velocity.x'."
    )


def test_plot_into_too_few_axes(sol):
    text = message(ModelError, plot, sol, "hinge.angle", "hinge.rate", axes=[None])
    assert text == "the quantities have 2 units and need as many axes, but 1 are given."


def test_time_is_no_quantity(sol):
    text = message(UnknownNameError, lambda: sol["time"])
    assert text.startswith("no quantity 'time' in the solution of model")
    assert text.endswith(" The times are sol.time, and the axis of every quantity.")
