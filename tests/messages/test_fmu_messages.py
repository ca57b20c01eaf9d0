from __future__ import annotations

import pytest

import jourdain as jd
from jourdain.errors import FormatError, MissingExtraError, ModelError, UnknownNameError
from jourdain.export.fmu import library


@pytest.fixture
def cart():
    model = jd.Model("cart")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(10.0))
    return model


@pytest.fixture
def stone():
    model = jd.Model("stone")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    return model


@pytest.mark.parametrize(
    ("wishes", "error", "text"),
    [
        ({"inputs": ["y"]}, UnknownNameError, "no force 'y'"),
        ({"inputs": {"x": jd.Sampled(lambda t: 1.0, 0.1)}}, ModelError, "calls Python"),
        ({"inputs": {"x": "much"}}, ModelError, "start value of input 'x'"),
        ({"outputs": ["spring.frce"]}, UnknownNameError, "Did you mean 'spring.force'"),
        ({"outputs": ["power.applied"]}, ModelError, "'power.applied' cannot be an output"),
        ({"outputs": {"z": 3.0}}, ModelError, "give a function"),
        ({"outputs": [3.0]}, ModelError, "give names, or functions"),
        ({"outputs": {"x.value": lambda t: t}}, ModelError, "two variables .* 'x.value'"),
        ({"parameters": ["mass"]}, UnknownNameError, "no parameter 'mass'"),
        ({"platforms": ["amiga"]}, UnknownNameError, "no platform 'amiga'"),
        ({"platforms": []}, ModelError, "runs nowhere"),
        ({"method": "rk4"}, ModelError, "give an object"),
        ({"method": jd.Cvode()}, ModelError, "cannot have Cvode"),
        ({"stop": -1.0}, ModelError, "stop of the FMU"),
        ({"step": 0.0}, ModelError, "step of the FMU"),
    ],
)
def test_what_cannot_be_had_is_refused_by_name(cart, tmp_path, wishes, error, text):
    with pytest.raises(error, match=text):
        jd.write_fmu(cart, tmp_path / "cart.fmu", **wishes)
    assert not list(tmp_path.iterdir())


def test_the_file_has_the_ending_that_others_expect(cart, tmp_path):
    with pytest.raises(FormatError, match=r"does not end with \.fmu"):
        jd.write_fmu(cart, tmp_path / "cart.zip")


def test_a_model_is_needed():
    with pytest.raises(ModelError, match=r"give a jd\.Model"):
        jd.write_fmu("cart", "cart.fmu")


def test_contacts_are_named(cart, stone, tmp_path):
    cart.add_connection("rub", jd.Coordinate("x"), jd.Interval(1.0))
    with pytest.raises(ModelError, match=r"dry friction.*'rub'"):
        jd.write_fmu(cart, tmp_path / "cart.fmu")
    ball = jd.Sphere(stone.bodies["ball"], 0.1)
    stone.add_contacts("pile", [jd.HalfSpace(stone.world), ball], jd.Coulomb(friction=0.3))
    with pytest.raises(ModelError, match=r"contacts.*'pile'"):
        jd.write_fmu(stone, tmp_path / "stone.fmu")


def test_orientations_are_no_outputs(stone, tmp_path):
    stone.add_frame("mark", stone.bodies["ball"].at(0.1, 0, 0))
    with pytest.raises(ModelError, match=r"'mark\.orientation' cannot be an output"):
        jd.write_fmu(stone, tmp_path / "stone.fmu", outputs=["mark.orientation"])


def test_without_a_linker_the_extra_is_named(cart, tmp_path, monkeypatch):
    monkeypatch.setattr(library.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(library.shutil, "which", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"no linker was found.*jourdain\[fmu\]"):
        jd.write_fmu(cart, tmp_path / "cart.fmu")
    other = next(x for x in library.PLATFORMS.values() if x != library.own_platform())
    with pytest.raises(MissingExtraError, match=f"cannot link for {other.name}"):
        library.compiler(other)


def test_words_of_a_linker_that_fails(cart, tmp_path, monkeypatch):
    monkeypatch.setattr(library, "compiler", lambda target: ["false"])
    with pytest.raises(jd.JourdainError, match=r"linker of the FMU \(false\) failed"):
        jd.write_fmu(cart, tmp_path / "cart.fmu")


def test_a_machine_that_fmi_has_no_name_for(monkeypatch):
    monkeypatch.setattr(library.platform, "machine", lambda: "riscv64")
    with pytest.raises(ModelError, match="cannot be made for riscv64"):
        library.own_platform()
