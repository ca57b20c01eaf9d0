"""Short texts of elements."""

from dataclasses import dataclass, field
from typing import Any

from jourdain.model.texts.phrases import phrase
from jourdain.spatial.parameter import Parameter


@dataclass
class Thing:
    first: Any
    second: Any
    third: Any = 1.0
    fourth: Any = field(default_factory=dict)


def test_defaults_are_left_out():
    assert phrase(Thing(1.0, "word")) == "Thing(1, word)"
    assert phrase(Thing(0.5, 2, third=1.0, fourth={})) == "Thing(0.5, 2)"
    assert phrase(Thing(0.5, 2, 3.0, {"a": 1})) == "Thing(0.5, 2, third=3, fourth={'a': 1})"


def test_long_and_odd_values_are_short():
    matrix = tuple((1.0,) * 6 for _ in range(6))
    assert phrase(Thing(matrix, tuple(range(9)))) == "Thing(6×6 numbers, (0, 1, 2, 3, 4, 5, …))"
    assert phrase(Thing(len, 2 * Parameter("p", 1.0))) == "Thing(len, 2 * p)"
    assert phrase(Thing(lambda: 1, None)) == "Thing(<lambda>, None)"
