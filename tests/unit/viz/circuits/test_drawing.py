"""Drawings of circuits: pictures, pages, what they tell of a run."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

import jourdain as jd
from jourdain.errors import FormatError, ModelError
from jourdain.library import hydraulics as hy
from jourdain.viz.circuits.pressures import STOPS, colour
from jourdain.viz.pages.page import Page


@pytest.fixture(scope="module")
def model():
    """A source that fills a volume through a throttle."""
    made, fluid = jd.Model("filling"), hy.Fluid(air=0.0)
    oil = made.group("oil")
    S, T = oil.add("S", hy.PressureSource(fluid, 80e5)), oil.add("T", hy.Tank(fluid))
    A = oil.add("A", hy.Volume(fluid, 1e-3))
    oil.add("throttle", hy.Orifice(S, A, area=1e-7))
    oil.add("leak", hy.Leakage(A, T, 1e-14))
    return made


@pytest.fixture(scope="module")
def run(model):
    return jd.simulate(model, 0.2)


def parts_of(text):
    root = ET.fromstring(text)
    return {e.get("data-part") for e in root.iter() if e.get("data-part")}


def test_a_model_without_bodies_is_shown_as_its_circuit(model):
    drawing = jd.show(model)
    assert parts_of(drawing.svg) == {"oil.throttle", "oil.leak", "oil.S"}
    assert {t.text for t in ET.fromstring(drawing.svg).iter() if t.tag.endswith("tspan")} >= {
        "S",
        "A",
    }
    assert "&lt;svg" in drawing._repr_html_()


def test_a_group_is_shown_as_its_circuit_beside_bodies(model):
    whole = model.copy()
    whole.add_body("box", jd.solid.box(mass=1.0, size=(0.1, 0.1, 0.1)))
    assert isinstance(jd.show(whole), Page)
    assert parts_of(jd.show(whole.group("oil")).svg) == {"oil.throttle", "oil.leak", "oil.S"}


@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "html"])
def test_files(model, run, tmp_path, kind):
    drawing = jd.show(model, tmp_path / f"circuit.{kind}", run=run)
    begin = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}[kind]
    assert drawing.path.read_bytes().startswith(begin)


def content(page):
    found = re.search(
        r'<script id="circuit-data" type="application/json">(.*?)</script>', page.text
    )
    return json.loads(found.group(1))


def test_the_page_of_a_run_has_its_pressures(model, run):
    data = content(jd.animate(run))
    assert data["nodes"] == ["oil.S", "oil.T", "oil.A"]
    assert data["time"][-1] == pytest.approx(0.2)
    assert data["bar"][2][-1] == pytest.approx(float(run["oil.A.pressure", "bar"][-1]), rel=1e-3)
    flow = data["flows"]["oil.throttle"][0]
    assert flow == pytest.approx(float(run["oil.throttle.flow", "l/min"][0]), rel=1e-3)
    assert data["limits"] == [0.0, 80.0]
    assert "time" not in content(jd.show(model).page)


def test_colours_of_a_picture_are_those_of_its_time(model, run):
    early, late = (jd.show(model, run=run, at=t).svg for t in (0.0, 0.2))
    assert colour(0.0, (0.0, 80.0)) in early
    assert early != late
    assert late == jd.show(model, run=run).svg


def test_pictures_of_a_run_tell_what_the_colours_mean(model, run):
    """Both ends of the scale, in bar; without a run there is none, the page has its own."""
    drawing = jd.show(model, run=run)
    texts = [t.text for t in ET.fromstring(drawing.svg).iter() if t.tag.endswith("text")]
    assert texts[-2:] == ["0", "80 bar"]
    assert all(stop in drawing.svg for stop in STOPS)
    assert "c-scale" not in jd.show(model).svg
    assert "c-scale" not in drawing.page.text


def test_colours_reach_from_end_to_end():
    assert colour(-5.0, (0.0, 80.0)) == colour(0.0, (0.0, 80.0)) == STOPS[0]
    assert colour(80.0, (0.0, 80.0)) == colour(90.0, (0.0, 80.0)) == STOPS[-1]
    assert colour(40.0, (0.0, 80.0)) == STOPS[2]


def test_names_cannot_end_the_drawing():
    model, fluid = jd.Model("<script>&"), hy.Fluid()
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(fluid, 1e5)), oil.add("T", hy.Tank(fluid))
    oil.add("o", hy.Orifice(S, T, area=1e-6))
    drawing = jd.show(model)
    ET.fromstring(drawing.svg)
    assert "<script>&" not in drawing.page.text


def test_parts_without_a_symbol_of_their_own_are_boxes(model):
    class Plunger(hy.Element):
        node: jd.BuiltPart

        def ends(self, name):
            return (hy.End(self.node, 1e-4, jd.Formula(lambda at: at.t, unit="m")),)

        def build(self, group):
            return {}

    whole = model.copy()
    whole.add("plunger", Plunger(whole.parts["oil.A"]))
    drawing = jd.show(whole)
    assert "plunger" in parts_of(drawing.svg)
    assert "oil.throttle" in parts_of(drawing.svg)


def test_what_is_inside_of_a_symbol_is_not_drawn(model):
    whole = model.copy()
    oil, fluid = whole.group("oil"), hy.Fluid()
    B = oil.add("B", hy.Volume(fluid, 1e-4))
    nodes = (whole.parts[f"oil.{name}"] for name in "SA")
    S, A = nodes
    oil.add("valve", hy.DirectionalValve(S, A, B, whole.parts["oil.T"], area=1e-6))
    drawn = parts_of(jd.show(whole).svg)
    assert "oil.valve" in drawn
    assert not any(name.startswith("oil.valve.") for name in drawn)


def test_errors(model, run, tmp_path):
    with pytest.raises(
        ModelError, match="group 'empty' has no circuit to draw: there are no nodes"
    ):
        jd.show(model.copy().group("empty"))
    with pytest.raises(FormatError, match=r"a circuit is drawn as \.html, .*, not as"):
        jd.show(model, tmp_path / "circuit.gif")
    with pytest.raises(FormatError, match="Give a folder that exists"):
        jd.show(model, tmp_path / "nowhere" / "circuit.svg")
    with pytest.raises(ModelError, match="run is 3: give a solution"):
        jd.show(model, run=3)
    other = model.copy()
    other.group("oil").add("more", hy.Tank(hy.Fluid()))
    with pytest.raises(ModelError, match=r"has no part 'oil\.more' of the circuit: give a run of"):
        jd.show(other, run=run)
