"""Tables of a file with fixed keys, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import JourdainError, did_you_mean
from jourdain.io.text.readers import table
from jourdain.io.text.section import ContentError, Notebook, Path, Value, quoted

_FIRST_WORDS = 5  # "component x of position of …"

Reader = Callable[[Value], Any]


@dataclass(frozen=True, slots=True)
class Form:
    """Keys of a table and what is made of them.

    Parameters
    ----------
    make : function
        Called with the values by key.
    readers : mapping of str to function
        How each key is read.
    required : tuple of str
        Keys that must be there.
    hint : str
        What to say after the list of allowed keys.
    """

    make: Callable[..., Any]
    readers: Mapping[str, Reader]
    required: tuple[str, ...] = ()
    hint: str = ""

    def read(self, value: Value, also: tuple[str, ...] = ()) -> Any:
        """Make the thing that a table describes; keys in ``also`` are read by others.

        Raises
        ------
        ContentError
            All that is wrong with its keys; or else what ``make`` says.
        """
        notes, made_of = Notebook(), {}
        given = table(value, "{ key = value }")
        for key in given:
            with notes.noting():
                if key in self.readers:
                    made_of[key] = self.readers[key](value.at(key))
                elif key not in also:
                    raise self._unknown(value, key, also)
        missing = [
            key
            for key in self.required
            if key not in given and not self._is_meant(key, given, also)
        ]
        if missing:
            with notes.noting():
                raise value.says(f"{_keys(missing)} missing.{self._allowed(also)}")
        notes.close()
        return made(value, lambda: self.make(**made_of), tuple(made_of))

    def _is_meant(self, key: str, given: Mapping[str, Any], also: tuple[str, ...]) -> bool:
        """Tell whether an unknown key is a misspelling of this one, which is told already."""
        unknown = (k for k in given if k not in self.readers and k not in also)
        return any(did_you_mean(k[:80], [key]) for k in unknown)

    def _unknown(self, value: Value, key: str, also: tuple[str, ...]) -> ContentError:
        hint = did_you_mean(key[:80], (*also, *self.readers))
        sentence = f"unknown key {quoted(key)}.{hint}{self._allowed(also)}"
        found = value.says(sentence).found
        return ContentError([((*path, key), said) for path, said in found])

    def _allowed(self, also: tuple[str, ...]) -> str:
        return f" Allowed: {', '.join((*also, *self.readers))}.{self.hint}"


def made(value: Value, make: Callable[[], Any], keys: tuple[str, ...] = ()) -> Any:
    """Call a function on what has been read; what it refuses is a mistake at the value.

    Where the refusal begins with one of the keys ("mass of the rod is …"), that is the place.
    """
    try:
        with np.errstate(all="ignore"):
            return make()
    except JourdainError as error:
        said = str(error)
    except (ArithmeticError, ValueError) as error:
        said = f"these numbers cannot be computed with ({error}). Use numbers of usual size."
    place = nearer(value.path, said, keys)
    raise ContentError([(place, text) for _, text in value.says(said).found])


def nearer(path: Path, said: str, keys: tuple[str, ...]) -> Path:
    """Place of the key of a table that a sentence about the table begins with, if it does."""
    key = next((word for word in said.split()[:_FIRST_WORDS] if word in keys), None)
    return path if key is None else (*path, key)


def _keys(missing: list[str]) -> str:
    named = ", ".join(map(repr, missing))
    return f"the key {named} is" if len(missing) == 1 else f"the keys {named} are"
