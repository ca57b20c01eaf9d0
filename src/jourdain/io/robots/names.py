"""Names of links and joints as a model takes them."""

from __future__ import annotations

import re


class Names:
    """Names of one kind: what a model does not take is changed, with a note, and stays unique.

    Parameters
    ----------
    notes : list of str
        Where changes are noted.
    word : str
        What they name, ``"link"``.
    """

    def __init__(self, notes: list[str], word: str) -> None:
        self._notes, self._word = notes, word
        self._made: dict[str, str] = {}

    def of(self, name: str) -> str:
        """Name in the model."""
        if name in self._made:
            return self._made[name]
        made = self.cleaned(name)
        while made in self._made.values():
            made += "_"
        if made != name and name:
            self._notes.append(f"{self._word} {name!r} is called {made!r}")
        self._made[name] = made
        return made

    def take(self, name: str, made: str) -> None:
        """Set the name that one has in the model."""
        self._made[name] = made

    @staticmethod
    def cleaned(name: str) -> str:
        """Name without dots, blanks around and unprintable characters."""
        made = re.sub(r"[^\x20-\x7e\xa1-\uffff]", "_", name.replace(".", "_").strip())[:80]
        return f"{made}_" if made in ("world", "") else made
