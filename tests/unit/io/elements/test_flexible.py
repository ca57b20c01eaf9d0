"""Flexible bodies in model files."""

import pytest

import jourdain as jd

SECTION = jd.flexible.tube(jd.flexible.ALUMINIUM, 0.03, 0.02)


def _model(section=SECTION):
    model = jd.Model("arm")
    beam = jd.flexible.beam(1.0, section, modes=3, fields=("y", "z"), damping=0.01, frame="mean")
    arm = model.add_body("arm", beam)
    model.add_joint("hub", model.world, arm.at(0.2, 0, 0), jd.Revolute("y"))
    return model


def test_beams_come_back_as_they_were(tmp_path):
    model = _model()
    jd.write_model(model, tmp_path / "arm.toml")
    back = jd.read_model(tmp_path / "arm.toml")
    assert back == model
    assert back.bodies["arm"].elastic == model.bodies["arm"].elastic


def _kinds():
    thick = jd.flexible.circle(jd.flexible.STEEL, 0.04)
    disc = jd.flexible.disc(
        jd.flexible.STEEL, at=0.2, diameter=0.3, width=0.02, bore=0.04, offset=(1e-4, 0.0)
    )
    by_mode = [0.01] * 5 + [0.02]
    return {
        "steps": jd.flexible.beam(
            0.5, [(0.2, thick), (0.3, SECTION)], damping=(0.1, 0.2, 0.3, 0.4)
        ),
        "shaft": jd.flexible.shaft(0.5, thick, [disc], damping=by_mode),
        "rayleigh": jd.flexible.beam(1.0, thick, damping=jd.flexible.Rayleigh(0.5, 1e-4)),
        "shear": jd.flexible.beam(0.2, thick, fields=("y", "shear"), family="splines"),
        "ring": jd.flexible.ring(0.2, SECTION, waves=4, damping=0.01),
    }


@pytest.mark.parametrize("kind", _kinds())
def test_all_kinds_come_back(tmp_path, kind):
    model = jd.Model("kinds")
    model.add_body("body", _kinds()[kind])
    jd.write_model(model, tmp_path / "model.toml")
    assert jd.read_model(tmp_path / "model.toml") == model


def test_functions_are_refused(tmp_path):
    with pytest.raises(jd.JourdainError, match="function of x"):
        jd.write_model(_model(lambda x: SECTION), tmp_path / "arm.toml")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("modes = 3", "modes = 1000000", "modes of the beam is 1000000"),
        ("modes = 3", 'modes = "3"', "a whole number"),
        ('fields = ["y", "z"]', 'fields = "y"', "words in brackets"),
        ('flexible = "beam"', 'flexible = "shell"', "shell"),
        ("EA =", "EB =", "EB"),
    ],
)
def test_mistakes_are_told(tmp_path, old, new, text):
    path = tmp_path / "arm.toml"
    jd.write_model(_model(), path)
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new), encoding="utf-8")
    with pytest.raises(jd.FormatError, match=text):
        jd.read_model(path)
