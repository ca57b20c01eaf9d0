"""Mark of a run that has stopped short, on its pictures: a red frame and a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.viz.shapes.scene import rgb

_WORD = "INCOMPLETE"
_RED = rgb("#c0392b")
_LETTERS = {  # five points wide, seven high
    "I": "11111 00100 00100 00100 00100 00100 11111",
    "N": "10001 11001 10101 10101 10011 10001 10001",
    "C": "01111 10000 10000 10000 10000 10000 01111",
    "O": "01110 10001 10001 10001 10001 10001 01110",
    "M": "10001 11011 10101 10101 10001 10001 10001",
    "P": "11110 10001 10001 11110 10000 10000 10000",
    "L": "10000 10000 10000 10000 10000 10000 11111",
    "E": "11111 10000 10000 11110 10000 10000 11111",
    "T": "11111 00100 00100 00100 00100 00100 00100",
}
_HEIGHT = 180  # points of a picture for each point of a letter


def stamped(image: Any) -> Any:
    """The picture (height, width, 3) with the mark; one that is too small has the frame alone."""
    image = np.array(image)
    point = max(1, image.shape[0] // _HEIGHT)
    for edge in (image[:point], image[-point:], image[:, :point], image[:, -point:]):
        edge[:] = _RED
    word = np.kron(_bitmap(), np.ones((point, point))) > 0.0
    place = image[3 * point : 3 * point + word.shape[0], 3 * point : 3 * point + word.shape[1]]
    if place.shape[:2] == word.shape:
        place[word] = _RED
    return image


def _bitmap() -> Any:
    """Points of the word (7, n), 1 where there is ink."""
    letters = [
        np.array([[int(point) for point in row] for row in _LETTERS[letter].split()])
        for letter in _WORD
    ]
    return np.hstack([np.pad(letter, ((0, 0), (0, 1))) for letter in letters])
