from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import jourdain as jd
from jourdain import viz

EVIL = '</script><img src=x onerror="alert(1)">'


def compiled(name="pendulum", body="rod"):
    model = jd.Model(name)
    rod = model.add_body(body, jd.solid.rod(1.0, (0, 0, -1)))
    twin = model.add_body("twin", jd.solid.rod(1.0, (0, 0, -1)))
    model.add_joint("hinge", model.world.at(0, 0, 1.2), rod, jd.Revolute("y"))
    model.add_joint("other", model.world.at(0, 1, 1.2), twin, jd.Revolute("y"))
    return jd.compile(model, execution=jd.Plain())


class Reader(HTMLParser):
    """Elements of a page and the texts in its title and scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.inside = [], {}, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        self.inside = dict(attributes).get("id", tag)

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        self.texts[self.inside] = self.texts.get(self.inside, "") + data


def written(path, system=None, **options):
    times = np.linspace(0.0, 1.0, 5)
    q = np.column_stack([times, -times])
    viz.page(system or compiled(), times, q, path, **options)
    page = Reader(path.read_text(encoding="utf-8"))
    return page, json.loads(page.texts["data"])


def numbers(text, kind):
    return np.frombuffer(base64.b64decode(text), kind)


def test_the_page_holds_times_and_poses(tmp_path):
    _, data = written(tmp_path / "page.html")
    np.testing.assert_allclose(numbers(data["times"], "<f4"), np.linspace(0, 1, 5))
    poses = numbers(data["poses"], "<f4").reshape(5, 2, 3, 4)
    assert poses[-1, 0, 0, 0] == pytest.approx(np.cos(1.0), abs=1e-7)
    assert poses[-1, 1, 2, 3] == pytest.approx(1.2)


def test_equal_meshes_are_stored_once(tmp_path):
    _, data = written(tmp_path / "page.html")
    assert len(data["meshes"]) == 1
    assert [body["mesh"] for body in data["bodies"]] == [0, 0]
    triangles = numbers(data["meshes"][0]["triangles"], "<u4")
    assert triangles.max() < len(numbers(data["meshes"][0]["points"], "<f4")) / 3


def test_the_page_needs_no_network(tmp_path):
    written(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"https?://|src=|@import|fetch\(", text)


def test_a_name_can_do_no_harm(tmp_path):
    page, data = written(tmp_path / "page.html", compiled(EVIL, EVIL))
    plain, _ = written(tmp_path / "plain.html")
    assert page.elements == plain.elements  # nothing but the names has changed
    assert "img" not in page.elements
    assert page.texts["title"].strip() == EVIL
    assert (data["title"], data["bodies"][0]["name"]) == (EVIL, EVIL)


def test_placeholders_in_a_title_are_just_text(tmp_path):
    page, data = written(tmp_path / "page.html", title="__DATA__ __TITLE__")
    assert page.texts["title"].strip() == data["title"] == "__DATA__ __TITLE__"


def test_names_enter_the_document_as_text_only(tmp_path):
    written(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", text)


def test_one_position_makes_a_still_page(tmp_path):
    system = compiled()
    viz.page(system, [0.0], np.zeros(2), tmp_path / "still.html", paths=[np.eye(3)])
    data = json.loads(Reader((tmp_path / "still.html").read_text(encoding="utf-8")).texts["data"])
    assert numbers(data["poses"], "<f4").shape == (2 * 12,)
    assert numbers(data["paths"][0], "<f4").shape == (9,)


@pytest.mark.parametrize("times", [[], [0.0, 0.0], [1.0, 0.0]])
def test_times_that_do_not_ascend_are_refused(times, tmp_path):
    message = "times of the page of model 'pendulum' must ascend and be at least one"
    with pytest.raises(jd.ModelError, match=message):
        viz.page(compiled(), times, np.zeros((len(times), 2)), tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()
