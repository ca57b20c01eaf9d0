"""Memory of a run as bytes that can be put anywhere, so that another program can go on with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address
from jourdain.codegen.translator.loop_records import LoopRecord
from jourdain.solvers.run import Run

_LINE = 64  # bytes; arrays begin at cache lines
_WORD = 8


@dataclass(frozen=True)
class Image:
    """Bytes of a run, and which of its words are addresses.

    Parameters
    ----------
    data : bytes
        The memory. Words that are addresses are zero.
    pointers : tuple of (int, int)
        Places of addresses, and the places that they lead to.
    calls : tuple of (int, int)
        Places of addresses of compiled functions, and the numbers of these.
    kernels : tuple of Kernel
        The compiled functions.
    places : mapping of int to int
        Places of arrays by their address in this process.
    """

    data: bytes
    pointers: tuple[tuple[int, int], ...]
    calls: tuple[tuple[int, int], ...]
    kernels: tuple[Kernel, ...]
    places: dict[int, int]

    def place(self, array: Any, k: int = 0) -> int:
        """Place of an entry of an array, or of a record."""
        return self.places[_address(array)] + _WORD * k


def image_of(run: Run, arrays: tuple[Any, ...] = ()) -> Image:
    """Image of a run whose loop works on records.

    Parameters
    ----------
    run : Run
        The run; nothing of it changes.
    arrays : tuple of arrays
        More arrays of numbers that are to lie in the image.

    Raises
    ------
    TypeError
        If its method is led by a library.
    """
    if run.program is None:
        raise TypeError(f"{type(run).__name__} is led by a library.")
    found, words = _memory_of(run, arrays)
    places, size = {}, 0
    for start, own in found.items():
        places[start] = size
        size += -(-max(_bytes(own), 1) // _LINE) * _LINE
    data = np.zeros(size, dtype=np.uint8)
    for start, own in found.items():
        raw = np.frombuffer(_numbers(own).tobytes(), dtype=np.uint8)
        data[places[start] : places[start] + len(raw)] = raw
    kernels = tuple(dict.fromkeys(kernel for kernel, _ in run.bindings))
    codes = {kernel.library.addresses["single"]: k for k, kernel in enumerate(kernels)}
    pointers, calls, whole = [], [], data.view(np.int64)
    for own, holds_addresses_only in words:
        for k, word in enumerate(_numbers(own).tolist()):
            at = places[_address(own)] + _WORD * k
            target = _target(word, found, places)
            if word in codes:
                calls.append((at, codes[word]))
            elif target is not None:
                pointers.append((at, target))
            elif holds_addresses_only:
                raise ValueError(f"argument {k} of a compiled function lies outside of the run.")
            else:
                continue
            whole[at // _WORD] = 0
    return Image(data.tobytes(), tuple(pointers), tuple(calls), kernels, places)


def _memory_of(run: Run, arrays: tuple[Any, ...]) -> tuple[dict[int, Any], list[tuple[Any, bool]]]:
    """Arrays and records of a run by address, and those with integers that may be addresses.

    Of these it is told whether all integers are.
    """
    found: dict[int, Any] = {}
    words: dict[int, tuple[Any, bool]] = {}
    for record in (run.program or ())[1:]:
        _collect(record, found, words)
    for _, buffers in run.bindings:
        words[_address(buffers.pointers)] = buffers.pointers, True
        for own in (buffers.pointers, *buffers.arrays):
            found[_address(own)] = own
    for own in (run.u, run.p, *arrays):
        found[_address(own)] = own
    return found, list(words.values())


def _target(word: int, found: dict[int, Any], places: dict[int, int]) -> int | None:
    """Place that an integer leads to, if it is an address."""
    if word in found:
        return places[word]
    for start, own in found.items():
        if start <= word < start + _bytes(own):
            return places[start] + word - start
    return None


def _collect(record: LoopRecord, found: dict[int, Any], words: dict[int, tuple[Any, bool]]) -> None:
    """Note a record, its arrays, and the records in it."""
    found[_address(record)] = record
    words[_address(record)] = record, False
    for own in record.objects:
        if isinstance(own, LoopRecord):
            _collect(own, found, words)
            continue
        found[_address(own)] = own
        if own.dtype == np.int64:
            words[_address(own)] = own, False


def _numbers(own: Any) -> Any:
    return own.words if isinstance(own, LoopRecord) else own.reshape(-1)


def _address(own: Any) -> int:
    return address(_numbers(own)) if isinstance(own, LoopRecord) else address(own)


def _bytes(own: Any) -> int:
    return int(_numbers(own).nbytes)
