"""Arrays of connections: many of one kind under one name."""

import numpy as np
import pytest

import jourdain as jd
from jourdain import io
from jourdain.errors import ModelError, UnknownNameError

CORNERS = [(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
LAWS = {
    "spring": (jd.Spring(300.0) + jd.Damper(3.0), "z"),
    "vector": (jd.Spring(300.0, free=(0, 0, -0.1)) + jd.Damper(3.0), "position"),
    "state": (jd.Maxwell(stiffness=300.0, time=0.05), "z"),
    "input": (jd.Actuator(2.0), "z"),
    "code": (lambda x, v: -200.0 * x - 2.0 * v, "z"),
    "stop": (jd.Unilateral(-0.05, side="above"), "z"),
}


def mat(law, components, is_array):
    """A plate on four equal connections, in an array or one by one."""
    model = jd.Model("mat")
    plate = model.add_body("plate", jd.solid.box(mass=1.0, size=(1, 1, 0.1)))
    corners = [jd.Relative(model.world.at(x, y, 0), plate.at(x, y, 0), components)
               for x, y in CORNERS]  # fmt: skip
    feet = model.group("feet")
    if is_array:
        feet.add_connections("oil", corners, law)
    else:
        for k, corner in enumerate(corners):
            feet.add_connection(f"oil_{k}", corner, law)
    return model


@pytest.mark.parametrize("kind", LAWS)
def test_an_array_is_its_members_one_by_one(kind, tmp_path):
    runs = []
    for is_array in (True, False):
        model = mat(*LAWS[kind], is_array)
        name = "feet.oil.{}.pressure" if is_array else "feet.oil_{}.pressure"
        inputs = {name.format(k): 1.0 + 0.1 * k for k in range(4)} if kind == "input" else {}
        start = {"plate.velocity": (0.1, 0.0, -0.2), "plate.angular_velocity": (0.1, 0.2, 0.0)}
        runs.append(jd.simulate(model, 0.2, start=start, inputs=inputs, sample=0.02))
    array, single = runs
    np.testing.assert_array_equal(array.q, single.q)
    quantities = [n.removeprefix("feet.oil_0.") for n in single.names() if "oil_0" in n]
    assert sorted(array["feet.oil"].names()) == sorted(quantities)
    for quantity in quantities:
        whole = array[f"feet.oil.{quantity}"]
        assert whole.dims[:2] == ("time", "element")
        for k in range(4):
            other = single[f"feet.oil_{k}.{quantity}"]
            np.testing.assert_array_equal(whole.sel(element=k), other)
            np.testing.assert_array_equal(array[f"feet.oil.{k}.{quantity}"], other)
            assert whole.attrs["units"] == other.attrs["units"]
    array.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    assert again.has_model == (kind != "code")
    for name in array.names():
        np.testing.assert_allclose(again.values(name), array.values(name), rtol=1e-9, atol=1e-12)
        assert again.channel(name).columns == array.channel(name).columns


def test_components_of_arrays():
    sol = jd.simulate(mat(*LAWS["vector"], True), 0.1, start={"plate.velocity": (1.0, 0, 0)})
    force = sol["feet.oil.force"]
    assert force.dims == ("time", "element", "axis")
    assert sol["feet.oil.force.x"].dims == ("time", "element")
    np.testing.assert_array_equal(sol["feet.oil.force.x"], force.sel(axis="x"))
    np.testing.assert_array_equal(sol["feet.oil.2.force.x"], force.sel(axis="x", element=2))
    columns = sol.channel("feet.oil.force").columns
    assert columns[:4] == (*(f"feet.oil.0.force.{c}" for c in "xyz"), "feet.oil.1.force.x")
    np.testing.assert_array_equal(sol.to_pandas("feet.oil.force")[columns[4]], force[:, 1, 1])
    assert sol["feet.oil.force", "kN"].dims == force.dims
    with pytest.raises(UnknownNameError):
        sol["feet.oil.4.force"]


def test_arrays_of_two_lengths_in_one_table():
    model = mat(*LAWS["spring"], True)
    plate = model.body("plate")
    model.add_connections("pull", [jd.Distance(model.world.at(0, 0, 2), plate)], jd.Spring(1.0))
    sol = jd.simulate(model, 0.01)
    both = sol[["feet.oil.force", "pull.force"]]
    assert both["feet.oil.force"].dims == ("time", "element_4")
    assert sol["pull.force"].dims == ("time", "element")
    assert sol["pull.force"].element.values.tolist() == [0]


def test_files_hold_arrays():
    model = mat(*LAWS["spring"], True)
    text = io.dumps(model)
    assert io.loads(text) == model
    assert io.dumps(io.loads(text)) == text
    wrong = text.replace("position = [0.5, -0.5, 0.0] }, end", "posit = [0.5, -0.5, 0.0] }, end")
    with pytest.raises(jd.FormatError, match=r"measures\[2\].* of connection 'feet.oil'"):
        io.loads(wrong)


def test_pages_and_pictures_show_arrays(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    sol = jd.simulate(mat(*LAWS["spring"], True), 0.05)
    (panel,) = jd.plot(sol, "feet.oil.force")
    assert [line.get_label() for line in panel.get_lines()] == ["0", "1", "2", "3"]
    jd.animate(sol, tmp_path / "page.html", plots=["feet.oil.force"])
    assert "feet.oil.3" in (tmp_path / "page.html").read_text()
    jd.report(sol, tmp_path / "report.html")
    assert "4 × Relative" in str(sol.model)


FAILURES = {
    "one measure": (lambda m, p: jd.Distance(m.world, p), "the measures are Distance"),
    "no list": (lambda m, p: 3, "the measures are 3. Give several of one kind"),
    "none": (lambda m, p: [], "connections 'row' has no measures"),
    "no measure": (lambda m, p: [3], "connection 'row.0': the measure is 3"),
    "two kinds": (
        lambda m, p: [jd.Distance(m.world, p), jd.Relative(m.world, p, "z")],
        "measure 1 is a Relative of 1 number [m], measure 0 a Distance of 1 number [m]",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_what_is_no_array(failure):
    model = mat(*LAWS["spring"], True)
    before = model.copy()
    make, text = FAILURES[failure]
    with pytest.raises(ModelError) as error:
        model.add_connections("row", make(model, model.body("plate")), jd.Spring(1.0))
    assert text in str(error.value)
    assert model == before
    with pytest.raises(ModelError, match=r"already has a connection array 'feet.oil'"):
        model.group("feet").add_coordinate("oil", 1.0)


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(2e-3)], ids=["events", "steps"])
def test_contacts_in_an_array(method):
    runs = []
    for is_array in (True, False):
        model = jd.Model("row")
        balls = [model.add_body(f"b{k}", jd.solid.ball(mass=1.0, radius=0.1)) for k in range(2)]
        gaps = [jd.Gap(jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)) for ball in balls]
        law = jd.Coulomb(friction=0.3, restitution=0.5)
        if is_array:
            model.add_connections("floor", gaps, law)
        else:
            for k, gap in enumerate(gaps):
                model.add_connection(f"floor_{k}", gap, law)
        start = {f"b{k}.position": (k, 0, 0.12 + 0.05 * k) for k in range(2)}
        start |= {f"b{k}.velocity": (0.5, 0, 0) for k in range(2)}
        runs.append(jd.simulate(model, 0.2, start=start, sample=0.02, method=method))
    array, single = runs
    np.testing.assert_array_equal(array.q, single.q)
    for name in array["floor"].names():
        for k in range(2):
            own = array[f"floor.{k}.{name}"]
            np.testing.assert_array_equal(own, single[f"floor_{k}.{name}"])
    assert [e.name.replace(".", "_") for e in array.events] == [e.name for e in single.events]
