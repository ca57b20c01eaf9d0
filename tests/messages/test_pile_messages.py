"""What groups of contacts say when something is wrong."""

from __future__ import annotations

import re

import pytest

import jourdain as jd
from jourdain import io
from jourdain.errors import AssemblyError, FormatError, IntegrationError, ModelError


def says(text):
    return re.escape(text)


def pile(n=2, law=None, radius=0.1):
    model = jd.Model("pile")
    contours = [jd.HalfSpace(model.world)]
    for k in range(n):
        ball = model.add_body(f"ball{k}", jd.solid.ball(mass=1.0, radius=radius))
        contours.append(jd.Sphere(ball, radius))
    model.add_contacts("heap", contours, jd.Coulomb(friction=0.3) if law is None else law)
    return model


APART = {"ball0.position": (0, 0, 0.1), "ball1.position": (0.5, 0, 0.1)}


def test_something_that_is_no_contour():
    model = jd.Model("m")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    with pytest.raises(ModelError, match=says("contacts 'heap': contour 1 is")):
        model.add_contacts("heap", [jd.HalfSpace(model.world), ball], jd.Unilateral())
    with pytest.raises(ModelError, match="contacts 'heap' has contours of 1 body only"):
        model.add_contacts("heap", [jd.Sphere(ball, 0.1)], jd.Unilateral())
    with pytest.raises(ModelError, match="contacts 'heap' has contours of 0 bodies only"):
        model.add_contacts("heap", [], jd.Unilateral())


@pytest.mark.parametrize(
    ("law", "text"),
    [
        (jd.Spring(1e3), "contacts 'heap': the law is Spring"),
        (jd.Unilateral(limit=0.1), "A group has gaps that stay above zero"),
        (
            jd.Coulomb(0.3, impact=jd.Poisson("glocker")),
            "contacts 'heap': its contacts slide in two directions, but its law of impact stores",
        ),
    ],
)
def test_laws_that_a_group_cannot_have(law, text):
    with pytest.raises(ModelError, match=says(text)):
        pile(law=law)


@pytest.mark.parametrize(
    ("law", "text"),
    [
        ({("a", "c"): jd.Coulomb()}, "which is no pair of its kinds of contours: a, b."),
        ({"a": jd.Coulomb()}, "contacts 'heap' has a law of 'a', which is no pair"),
        ({("a", "b"): jd.Coulomb(), ("b", "a"): jd.Coulomb()}, "has two laws of 'b' and 'a'"),
        ({("a", "a"): jd.Coulomb()}, "contours of the kind 'b' touch nothing"),
        ({("a", "b"): jd.Spring(1e3)}, "contacts 'heap': the law is Spring"),
    ],
)
def test_laws_of_pairs_that_cannot_be(law, text):
    model = jd.Model("m")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    contours = {"a": [jd.HalfSpace(model.world)], "b": [jd.Sphere(ball, 0.1)]}
    with pytest.raises(ModelError, match=says(text)):
        model.add_contacts("heap", contours, law)
    with pytest.raises(ModelError, match="has laws of pairs, but contours without kinds"):
        model.add_contacts("heap", [*contours["a"], *contours["b"]], law)


def test_coefficients_out_of_bounds():
    e = jd.Parameter("e", 0.5)
    text = "contacts 'heap': Unilateral has the restitution e = 1.5: give a number from 0 (no"
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(pile(law=jd.Unilateral(restitution=e)), 0.1, start=APART, parameters={"e": 1.5})
    falling = APART | {"ball0.velocity": (1.0, 0.0, -2.0)}
    text = "contacts 'heap': the restitution of its law is 2 at 2 m/s: it must be from 0 to 1"
    with pytest.raises(IntegrationError, match=says(text)):
        jd.simulate(pile(law=jd.Unilateral(restitution=lambda v: v)), 0.1, start=falling)
    text = "contacts 'heap': the friction of its law is -1 at 1 m/s: it must be at least 0"
    with pytest.raises(IntegrationError, match=says(text)):
        jd.simulate(pile(law=jd.Coulomb(lambda v: -v)), 0.1, start=falling)


def test_a_contour_of_another_model():
    model, other = jd.Model("one"), jd.Model("two")
    ball = other.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    with pytest.raises(ModelError, match="contacts 'heap': a contour is on body 'ball'"):
        model.add_contacts("heap", [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)], jd.Coulomb())


def test_bodies_that_overlap_at_the_start():
    text = "contacts 'heap': bodies 'ball0' and 'ball1' overlap by 0.05 m at the start"
    start = {"ball0.position": (0, 0, 0.3), "ball1.position": (0.15, 0, 0.3)}
    with pytest.raises(AssemblyError, match=says(text)):
        jd.simulate(pile(), 0.1, start=start)


def test_other_integrators():
    with pytest.raises(ModelError, match="a model with groups of contacts is stepped over"):
        jd.simulate(pile(), 0.1, start=APART, method=jd.Dop853())


def test_single_contacts_beside_groups_may_store_tangential_impulses():
    """They are refused no longer: both take the same step."""
    model = pile()
    slider = model.add_body("slider", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("plane", model.world, slider, jd.Planar("y"))
    touch = jd.Touch(jd.Coordinate("plane.position.z"), jd.Coordinate("plane.position.x"))
    law = jd.Coulomb(0.3, 0.5, 0.5, impact=jd.Poisson("glocker"))
    model.add_connection("single", touch, law)
    assert jd.simulate(model, 0.1, start=APART).statistics.status == "finished"


def test_single_contacts_that_overlap_beside_groups():
    model = pile()
    ball = jd.Sphere(model.body("ball0"), 0.12)
    model.add_contact("single", jd.HalfSpace(model.world), ball, jd.Unilateral())
    text = "contact 'single' overlaps by 0.02 m at the start"
    with pytest.raises(AssemblyError, match=says(text)):
        jd.simulate(model, 0.1, start=APART)


@pytest.mark.parametrize("wrong", [{"tolerance": 0.0}, {"iterations": 0}])
def test_a_method_that_cannot_be(wrong):
    with pytest.raises(ModelError, match="give positive numbers"):
        jd.MoreauJean(1e-3, **wrong)


def test_equations_that_find_no_solution_name_the_bodies_and_keep_the_state():
    """A few sweeps are not enough for a high tower that is hit."""
    model = pile(40)
    start = {f"ball{k}.position": (0.0, 0.0, 0.1 + 0.2 * k) for k in range(40)}
    start |= {"ball39.position": (0.0, 0.0, 8.0), "ball39.velocity": (0.0, 0.0, -30.0)}
    method = jd.MoreauJean(1e-3, iterations=1)
    with pytest.raises(IntegrationError, match="the contact equations of 'world' - ") as caught:
        jd.simulate(model, 0.1, start=start, method=method, sample=1e-3)
    assert caught.value.solution.time[-1] > 0.0
    more = re.search(
        r"after (\d+) sweeps.*MoreauJean\(0.0005\).*iterations=(\d+)", str(caught.value)
    )
    assert int(more[2]) > int(more[1])  # advice goes beyond what has been tried


def test_forces_that_are_not_found_at_the_end_of_a_step():
    """A relay that switches within the step."""
    model, size = jd.Model("relay"), (0.2, 0.2, 0.2)
    slider = model.add_body("slider", jd.solid.box(mass=2.0, size=size))
    model.add_joint("rail", model.world, slider, jd.Prismatic("x"))
    relay = jd.Law(lambda x, v: jd.where(v > 0.013, -5e3, 5e3))
    model.add_connection("relay", jd.Coordinate("rail.position"), relay)
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contacts("push", [jd.Box(slider, size), jd.Sphere(ball, 0.1)], jd.Unilateral())
    text = "forces at the end of a step of .* do not settle"
    start, method = {"ball.position": (5.0, 0, 0)}, jd.MoreauJean(5e-3)
    with pytest.raises(IntegrationError, match=text):
        jd.simulate(model, 0.05, start=start, method=method)


def test_a_file_with_a_wrong_group():
    text = io.dumps(pile())
    with pytest.raises(
        FormatError, match=says("A group of contacts has the keys contours and law")
    ):
        io.loads(text.replace("contours = [", "contour = ["))
    with pytest.raises(FormatError, match="give a list of contours such as"):
        io.loads(re.sub(r"contours = \[.*\]", "contours = 3", text, flags=re.DOTALL))
    with pytest.raises(FormatError, match="give true or false"):
        io.loads(text.replace("contours = [", "with_joined = 1\ncontours = ["))
    pairs = 'law = [{ between = "a", law = "Unilateral" }]\n'
    with pytest.raises(FormatError, match="give two kinds of contours such as"):
        io.loads(re.sub(r"law = .*\n", pairs, text))


def test_a_box_too_flat_to_have_faces():
    model = jd.Model("sheet")
    sheet = model.add_body("sheet", jd.solid.ball(mass=1.0, radius=0.1))
    contours = [jd.HalfSpace(model.world), jd.Box(sheet, (1e99, 0.1, 0.1))]
    model.add_contacts("pile", contours, jd.Coulomb(friction=0.3))
    with pytest.raises(
        jd.ModelError, match=r"1e\+99, 0\.1, 0\.1 m large, too flat to tell its faces"
    ):
        jd.simulate(model, 0.01, start={"sheet.position": (0.0, 0.0, 1.0)})
