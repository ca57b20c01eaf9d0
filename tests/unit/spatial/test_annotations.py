"""Fields that hold another form than they take."""

from dataclasses import FrozenInstanceError, fields

import pytest

from jourdain.spatial.annotations import NumberField, Takes, preset, record


@record(slots=True)
class Ball:
    radius: NumberField
    mass: NumberField = preset(default=2.0)

    def __post_init__(self):
        object.__setattr__(self, "radius", float(self.radius))


def test_a_record_is_a_frozen_dataclass_with_plain_fields():
    ball = Ball(1)
    assert (ball.radius, ball.mass) == (1.0, 2.0)
    assert isinstance(ball.radius, float)
    assert not hasattr(ball, "__dict__")
    assert [f.name for f in fields(ball)] == ["radius", "mass"]
    assert Ball(1) == Ball(1.0, 2.0)
    with pytest.raises(FrozenInstanceError):
        ball.mass = 3.0


def test_the_type_of_a_field_never_runs():
    with pytest.raises(NotImplementedError):
        Takes().__get__(None, None)
    with pytest.raises(NotImplementedError):
        Takes().__set__(None, 1.0)
