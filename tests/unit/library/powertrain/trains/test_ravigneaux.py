"""Input of the Ravigneaux set; its equations are tested in tests/exact/library."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

X, Y, Z, W = (jd.Coordinate(n) for n in "xyzw")
GOOD = {"teeth": (34, 28, 78), "planet_teeth": (22, 20)}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"teeth": (34, 28)}, "teeth of Ravigneaux is .*give 3 numbers"),
        ({"planet_teeth": (22,)}, "planet_teeth of Ravigneaux is .*give 2 numbers"),
        ({"spin": 1e-4}, "spin of Ravigneaux is .*give 2 numbers"),
        ({"teeth": (34, -28, 78)}, "teeth of Ravigneaux"),
        ({"planets": 0}, "planets of Ravigneaux is 0"),
    ],
)
def test_wrong_input(change, text):
    with pytest.raises(ModelError, match=text):
        pt.Ravigneaux(X, Y, Z, W, **GOOD | change)
