"""Numbers and texts on their way into a file."""

import numpy as np
import pytest

from jourdain.io.text.values import UnwritableError, number_tree, numbers_tree, text_tree
from jourdain.spatial.parameter import Parameter

P = Parameter("p", 1.0)


def test_numbers():
    assert number_tree(0.1, "x") == 0.1
    assert number_tree(np.float64(0.1), "x") == 0.1
    assert type(number_tree(np.float64(0.1), "x")) is float
    assert number_tree(2 * P, "x") == "=2 * p"
    assert numbers_tree((1.0, (P, 2.0)), "x") == [1.0, ["=p", 2.0]]
    assert text_tree("µ\n", "x") == "µ\n"


@pytest.mark.parametrize(
    ("write", "content", "message"),
    [
        (number_tree, np.nan, "the x holds nan, which is no plain number. Use numbers, parameters"),
        (number_tree, P * "a", "the x holds 'a', which is no plain number."),
        (numbers_tree, [[1.0, None]], "the x holds None, which is no plain number."),
        (text_tree, 1, "the x is 1, which is no text."),
        (text_tree, "\ud800", "the x is '\\ud800', which holds half a character."),
    ],
)
def test_what_no_file_can_hold(write, content, message):
    with pytest.raises(UnwritableError) as error:
        write(content, "the x")
    assert str(error.value).startswith(message)
