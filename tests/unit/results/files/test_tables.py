import csv

import numpy as np
import pandas as pd
import pytest
from scipy.io import loadmat

import jourdain as jd


@pytest.fixture(scope="module")
def sol():
    model = jd.Model("cart")
    body = model.add_body("box", jd.solid.box(mass=2.0, size=(1, 1, 1)))
    model.add_joint("rail", model.world, body, jd.Prismatic("x"))
    model.add_connection("3rd, oil", jd.Coordinate("rail.position"), jd.Spring(7.0))
    return jd.simulate(model, 1.0, start={"rail.position": 0.1}, sample=0.25)


def test_csv_has_names_units_and_all_digits(sol, tmp_path):
    sol.to_csv(tmp_path / "run.csv", ("rail.position", "mm"), "box.velocity", "3rd, oil.force")
    with (tmp_path / "run.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == [
        "time [s]", "rail.position [mm]", *(f"box.velocity.{k} [m/s]" for k in "xyz"),
        "3rd, oil.force [N]",
    ]  # fmt: skip
    numbers = np.array(rows[1:], dtype=float)
    np.testing.assert_array_equal(numbers[:, 0], sol.time)
    np.testing.assert_array_equal(numbers[:, 1], sol["rail.position", "mm"])
    np.testing.assert_array_equal(numbers[:, 2:5], sol["box.velocity"])


def test_csv_is_read_by_pandas(sol, tmp_path):
    sol.to_csv(tmp_path / "run.csv")
    read = pd.read_csv(tmp_path / "run.csv", index_col=0)
    np.testing.assert_array_equal(read.to_numpy(), sol.to_pandas().to_numpy())


def test_matlab_has_structures(sol, tmp_path):
    names = ("rail.position", "box.position", "3rd, oil.force", "energy.total")
    sol.to_matlab(tmp_path / "run.mat", *names)
    read = loadmat(tmp_path / "run.mat", squeeze_me=True, struct_as_record=False)
    np.testing.assert_array_equal(read["time"], sol.time)
    np.testing.assert_array_equal(read["rail"].position, sol["rail.position"])
    np.testing.assert_array_equal(read["box"].position, sol["box.position"])
    np.testing.assert_array_equal(read["n3rd__oil"].force, sol["3rd, oil.force"])
    assert read["units"].rail.position == "m"
    assert read["units"].energy.total == "J"


@pytest.mark.parametrize("way", ["to_csv", "to_matlab"])
def test_a_folder_that_is_not_there(sol, tmp_path, way):
    with pytest.raises(jd.FormatError, match="Check that the folder exists"):
        getattr(sol, way)(tmp_path / "none" / "run")


@pytest.mark.parametrize("way", ["to_csv", "to_matlab"])
def test_an_unknown_name(sol, tmp_path, way):
    with pytest.raises(jd.UnknownNameError, match="Did you mean"):
        getattr(sol, way)(tmp_path / "run", "rail.position_1")
