"""What the program is doing where it takes long, such as compiling, for whoever shows it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK = 0.25  # [s] between two looks of a watch
_watches: list[Watch] = []


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Tell the watches what goes on: ``with phase("compiling ..."):``."""
    watches = list(_watches)
    for watch in watches:
        watch.begin(name)
    try:
        yield
    finally:
        for watch in watches:
            watch.end()


class Watch:
    """Shows phases that last, from another thread; as a context.

    Parameters
    ----------
    show : function of str
        Shows the name of a phase; an empty one when it is over.
    quiet : float [s]
        How long a phase is not worth a word.
    """

    def __init__(self, show: Callable[[str], None], quiet: float) -> None:
        self._show, self._quiet = show, quiet
        self._names: list[str] = []
        self._since, self._shown = 0.0, ""
        self._lock, self._over = threading.RLock(), threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Watch:
        self._owner = threading.get_ident()
        _watches.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _watches.remove(self)
        self._over.set()
        with self._lock:
            self._names.clear()
            self._clear()

    def begin(self, name: str) -> None:
        """Note that a phase begins; phases of other threads are nobody's business."""
        if threading.get_ident() != self._owner:
            return
        with self._lock:
            if not self._names:
                self._since = time.monotonic()
            self._names.append(name)
            if self._shown:
                self._tell()
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, daemon=True)
            self._thread.start()

    def end(self) -> None:
        """Note that the last phase is over."""
        if threading.get_ident() != self._owner:
            return
        with self._lock:
            if self._names:
                self._names.pop()
            if not self._names:
                self._clear()
            elif self._shown:
                self._tell()

    def _look(self) -> None:
        while not self._over.wait(_LOOK):
            with self._lock:
                if self._names and time.monotonic() - self._since >= self._quiet:
                    self._tell()

    def _tell(self) -> None:
        if self._shown != self._names[-1]:
            self._shown = self._names[-1]
            self._show(self._shown)

    def _clear(self) -> None:
        if self._shown:
            self._shown = ""
            self._show("")
