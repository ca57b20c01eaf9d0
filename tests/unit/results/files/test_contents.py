"""Results that somebody has changed, with a right checksum, are told to be damaged."""

import json

import pytest

import jourdain as jd
from jourdain.results.files import file as results


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", jd.Parameter("m", 1.0), unit="m")
    model.add_connection("weight", jd.Coordinate("x"), jd.Force(-9.81))
    model.add_connection("floor", jd.Coordinate("x"), jd.Unilateral(restitution=0.5))
    path = tmp_path_factory.mktemp("results") / "run.nc"
    sol = jd.simulate(model, 0.5, start={"x.value": 0.1}, sample=0.1, parameters={"m": 2.0})
    assert sol.events
    sol.save(path)
    return results._read(path)


def loaded(data, path):
    data.attrs["checksum"] = results._checksum(data)
    results._write(data, path)
    return jd.load(path)


@pytest.mark.parametrize(
    ("keys", "value", "why"),
    [
        (["statistics", "steps"], -1, "'steps' is -1, no count"),
        (["statistics", "steps"], 1.5, "'steps' is 1.5, no count"),
        (["statistics", "method"], 3, "'method' is no text"),
        (["statistics", "wall_time"], "x", "'wall_time' is 'x', no number"),
        (["statistics", "t_end_wanted"], 10**400, "'t_end_wanted' is too large"),
        (["statistics", "is_complete"], 1, "'is_complete' is 1, neither true nor false"),
        (["statistics", "not_unique"], "x", "'not_unique' is no list"),
        (["statistics", "other"], 1, "damaged"),
        (["statistics", "overlap"], {"depth": "x"}, "'depth' is 'x', no number"),
        (["statistics"], [], "'statistics' is no table"),
        (["columns", "q"], ["y.value"], "damaged"),
        (["columns", "q"], 3, "'columns' is no list"),
        (["names"], ["x.value", "no"], "damaged"),
        (["parameters"], {"m": "x"}, "'parameters' is 'x', no number"),
        (["parameters"], {"other": 1.0}, "cannot be used"),
        (["inputs"], {"a": 1}, "'inputs' is no list"),
        (["events"], [1], "'events' is no text"),
        (["event_details"], [], "damaged"),
        (["event_details", 0, "energy"], "much", "'energy' is 'much', no number"),
        (["event_details", 0, "more"], [[[[[1]]]]], "no number"),
        (["checkpoint"], 3, "damaged"),
    ],
)
def test_contents(saved, tmp_path, keys, value, why):
    data = saved.copy(deep=True)
    contents = json.loads(data.attrs["contents"])
    place = contents
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    data.attrs["contents"] = json.dumps(contents)
    with pytest.raises(jd.FormatError, match=why):
        loaded(data, tmp_path / "run.nc")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_times_are_finite_and_rise(saved, tmp_path, value):
    time = saved["time"].values.copy()
    time[-1] = value
    with pytest.raises(jd.FormatError, match="time"):
        loaded(saved.assign_coords(time=("time", time, saved["time"].attrs)), tmp_path / "run.nc")


def test_lists_without_end(saved, tmp_path):
    data = saved.copy(deep=True)
    data.attrs["contents"] = "[" * 100_000
    with pytest.raises(jd.FormatError, match=r"lists in lists without end|Expecting"):
        loaded(data, tmp_path / "run.nc")


def test_a_variable_that_is_no_row(saved, tmp_path):
    data = saved.copy(deep=True)
    data["x.value"] = ("other", [1.0, 2.0], data["x.value"].attrs)
    with pytest.raises(jd.FormatError, match=r"'x\.value' has no number"):
        loaded(data, tmp_path / "run.nc")


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000, "."])
def test_impossible_paths(path):
    with pytest.raises(jd.FormatError, match="there is no file"):
        jd.load(path)


@pytest.mark.parametrize("value", [0.0, float("nan"), 1e6])
def test_orientations_have_unit_length(tmp_path, value):
    model = jd.Model("fall")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    jd.simulate(model, 0.1, sample=0.1).save(tmp_path / "run.nc")
    data = results._read(tmp_path / "run.nc")
    data["ball.orientation"].values[0, 0] = value
    with pytest.raises(jd.FormatError, match="quaternions have unit length"):
        loaded(data, tmp_path / "run.nc")
