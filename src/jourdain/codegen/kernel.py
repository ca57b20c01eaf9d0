"""Compiled functions on numpy arrays.

A `Kernel` takes numbers where they lie and writes to new arrays (`codegen.zero_copy`), because
asking numpy for an address costs more than many kernels, and copies more than that in large
systems. What must be converted is copied to buffers. They are taken from a pool, so a kernel may
be called from several threads; the interpreter lock is released during the call.
"""

from __future__ import annotations

import copy
import ctypes
import hashlib
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.codegen import zero_copy
from jourdain.codegen.jit import LOCK, Library, library
from jourdain.codegen.module import Core, module_text
from jourdain.phases import phase

_WORDS = {"qdot": "rates", "vdot": "accelerations", "qdot_dot": "derivatives of rates"}
_WORDS |= {"vdot_dot": "of accelerations", "dq": "corrections of positions", "tau": "forces"}
_SINGLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_BYTE = ctypes.c_char
_LINKED = 256  # modules that stay linked though nothing uses them now
_PARTS = 8  # of a batch for each thread
_BATCH = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4, ctypes.c_int64, ctypes.c_int64)


def address(array: Any) -> int:
    """Address of the first number of an array."""
    try:
        return ctypes.addressof(_BYTE.from_buffer(array))  # a third of the time of the way below
    except (TypeError, ValueError):  # read-only, not contiguous or empty
        return int(array.__array_interface__["data"][0])


def aligned(size: int) -> Any:
    """Array of zeros that starts at a cache line."""
    raw = np.zeros(size + 8)
    start = (-address(raw) % 64) // 8
    return raw[start : start + size]


def as_columns(
    arguments: Sequence[Any], sizes: Sequence[tuple[str, int]]
) -> tuple[list[Any], tuple[int, ...]]:
    """Arrays whose last axis has the right length, and the leading axes they share."""
    arrays = []
    for argument, (name, size) in zip(arguments, sizes, strict=True):
        array = _real(argument, name)
        if name == "t":
            array = array[..., np.newaxis]
        if array.shape[-1:] != (size,):
            raise ValueError(
                f"{name} has the shape {array.shape}, but its last axis must be {size} long."
            )
        arrays.append(array)
    leads = {a.shape[:-1] for a in arrays} - {()}
    if len(leads) == 1:
        return arrays, leads.pop()
    try:
        return arrays, np.broadcast_shapes(*leads)
    except ValueError as error:
        lead = [f"{n} {a.shape[:-1]}" for a, (n, _) in zip(arrays, sizes, strict=True)]
        raise ValueError(f"leading axes do not fit: {', '.join(lead)}.") from error


def _real(argument: Any, name: str) -> Any:
    """Array of doubles; nothing is dropped or guessed on the way."""
    try:
        array = np.asarray(argument)
        if array.dtype.kind in "biuf":
            return array.astype(float, copy=False)
        if array.dtype.kind == "O" and not any(x is None for x in array.flat):
            return array.astype(float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} is {argument!r:.60}, which is no array of numbers.") from error
    raise ValueError(f"{name} is {argument!r:.60}, which is no array of real numbers.")


def _number(t: Any) -> Any:
    """One real number as a float; anything else as it is."""
    is_number = isinstance(t, int | np.integer | np.floating)
    if is_number or (type(t) is np.ndarray and t.shape == () and t.dtype.kind in "iuf"):
        return float(t)
    return t


def _edges(count: int, lanes: int, threads: int) -> list[int]:
    """Bounds of parts in whole lanes; several a thread, so that a slow one holds up little."""
    blocks = -(-count // lanes)
    shares = np.linspace(0, blocks, min(blocks, _PARTS * threads) + 1).astype(int) * lanes
    return [min(int(x), count) for x in shares]


_linked: dict[bytes, Library] = {}


def _link(text: str) -> Library:
    """Machine code of a module. Equal text is linked once: the linker never gives memory back."""
    key = hashlib.sha256(text.encode()).digest()
    found = _linked.pop(key, None) or library(text, ["single", "batch"])
    _linked[key] = found  # the last used comes last
    while len(_linked) > _LINKED:
        _linked.pop(next(iter(_linked)), None)
    return found


class _Buffers:
    """Arguments of one call in flight: arrays and the array of their addresses."""

    def __init__(
        self,
        sizes: Sequence[int],
        shapes: Sequence[tuple[int, ...]],
        extras: Sequence[Any],
        work_size: int,
        lanes: int,
    ) -> None:
        self.inputs = [aligned(size * lanes) for size in sizes]
        results = [aligned(int(np.prod(shape)) * lanes) for shape in shapes]
        self.work = aligned(work_size * lanes)
        kept = [*self.inputs, *results, *extras, *([self.work] if work_size else [])]
        self.arrays = kept
        if lanes == 1:
            results = [a.reshape(shape) for a, shape in zip(results, shapes, strict=True)]
        self.outputs = results
        self.pointers = np.array([address(a) for a in kept], dtype=np.int64)
        self.address = address(self.pointers)
        self.own_pointers = self.pointers.copy()


def _argument_shapes(inputs: Sequence[tuple[str, int]]) -> list[tuple[int, ...]]:
    """Shapes of the arguments for one system: time is a number, all else are columns."""
    return [() if name == "t" else (size,) for name, size in inputs]


@dataclass(frozen=True, eq=False)
class Pattern:
    """Entries of a square matrix of derivatives that are not zero by structure.

    Parameters
    ----------
    n : int
        Size of the matrix.
    rows, columns : arrays of int
        Their places.
    """

    n: int
    rows: Any
    columns: Any


class Kernel:
    """A compiled function of columns of numbers.

    Parameters
    ----------
    make_core : function
        Gives the core for a number of lanes. It is compiled for one lane when the first system
        comes, for several when the first batch that fills them comes.
    lanes : int
        Systems at a time in batches.
    inputs : sequence of (str, int)
        Names and sizes.
    outputs : sequence of (str, tuple of int)
        Names and shapes of one system's results.
    extras : sequence of array
        Constant arrays the core reads besides; changed in place by their owner.
    work_size : int
        Numbers of work memory per system; 0 when the core takes none.

    ``extras_for`` may be set to a function that gives the constant arrays for parameters, and
    ``find_pattern`` to one that finds which derivatives by q and v are not zero by structure.
    """

    def __init__(
        self,
        make_core: Callable[[int], Core],
        lanes: int,
        inputs: Sequence[tuple[str, int]],
        outputs: Sequence[tuple[str, tuple[int, ...]]],
        extras: Sequence[Any] = (),
        work_size: int = 0,
    ) -> None:
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.extras, self.work_size = list(extras), work_size
        self.lanes, self._make_core = lanes, make_core
        self._sizes = [size for _, size in inputs]
        self._shapes = _argument_shapes(inputs)
        self._out_sizes = [int(np.prod(shape)) for _, shape in outputs]
        self._pool: list[_Buffers] = []
        self._lane_pool: list[_Buffers] = []
        self._libraries: dict[int, Library] = {}  # by lanes; shared by the twins made by bound_to
        self.extras_for: Callable[[Any], list[Any]] | None = None
        self.find_pattern: Callable[[], Pattern] | None = None

    @cached_property
    def pattern(self) -> Pattern | None:
        """Entries of the derivatives of the first outputs by q and v, where they can be told."""
        return None if self.find_pattern is None else self.find_pattern()

    @property
    def _n_pointers(self) -> int:
        own = len(self.inputs) + len(self.outputs)
        return own + len(self.extras) + (1 if self.work_size else 0)

    def _compile(self, lanes: int) -> Library:
        n_in, n_out = len(self.inputs), len(self.outputs)
        with phase(
            f"compiling {', '.join(_WORDS.get(name, name) for name, _ in self.outputs[:3])}"
        ):
            cores = [self._make_core(w) for w in sorted({1, lanes})]
            return _link(module_text(cores, n_in, n_out, self._n_pointers - n_in - n_out))

    def source(self, entry: str) -> str:
        """Text of a module with the code for one system under a name."""
        n_in, n_out = len(self.inputs), len(self.outputs)
        core = self._make_core(1)
        return module_text([core], n_in, n_out, self._n_pointers - n_in - n_out, entry)

    def _library(self, lanes: int) -> Library:
        if lanes not in self._libraries:
            with LOCK:  # what another thread has made meanwhile may be running
                if lanes not in self._libraries:
                    self._libraries[lanes] = self._compile(lanes)
        return self._libraries[lanes]

    @property
    def library(self) -> Library:
        """Machine code with an entry for one system; that for several lanes has one, too."""
        return self._library(1 if 1 in self._libraries else max(self._libraries, default=1))

    def _batch(self, count: int) -> tuple[Any, int]:
        """Entry for a batch and its lanes: one, as long as no batch has filled more."""
        is_short = count < self.lanes and self.lanes not in self._libraries
        lanes = 1 if is_short else self.lanes
        return _BATCH(self._library(lanes).addresses["batch"]), lanes

    def bound_to(self, extras: Sequence[Any]) -> Kernel:
        """Return the same code with other constant arrays."""
        twin = copy.copy(self)
        vars(twin).pop("nominal_call", None)  # it has the buffers of this one
        twin.extras, twin._pool, twin._lane_pool = list(extras), [], []
        return twin

    def with_parameters(self, p: Any) -> Kernel:
        """Return the kernel for given parameters, which constant arrays may depend on."""
        return self if self.extras_for is None else self.bound_to(self.extras_for(p))

    def resized(self, name: str, size: int) -> Kernel:
        """Return the same code with another size of an input that it reads by rows."""
        inputs = [(n, size if n == name else s) for n, s in self.inputs]
        twin = self.bound_to(self.extras)
        twin.inputs, twin._sizes = tuple(inputs), [s for _, s in inputs]
        twin._shapes = _argument_shapes(inputs)
        return twin

    def take_buffers(self) -> _Buffers:
        """Buffers for one system, for loops that call the kernel by its address."""
        return self._buffers(1)

    def give_back(self, buffers: _Buffers) -> None:
        """Take buffers back that nothing uses any more."""
        buffers.pointers[:] = buffers.own_pointers
        self._pool.append(buffers)

    def _buffers(self, lanes: int) -> _Buffers:
        pool = self._pool if lanes == 1 else self._lane_pool
        try:
            return pool.pop()
        except IndexError:
            shapes = [shape for _, shape in self.outputs]
            return _Buffers(self._sizes, shapes, self.extras, self.work_size, lanes)

    def __call__(self, *arguments: Any) -> list[Any]:
        """Evaluate one system, or a batch when arguments have leading axes."""
        return self.nominal_call(*arguments)  # type: ignore[no-any-return]

    @cached_property
    def nominal_call(self) -> Any:
        """Call with as little Python as possible, written out for the arguments of this kernel.

        What the code refuses to take as it is takes the general way.
        """
        if not zero_copy.knows_objects() or self._n_pointers > zero_copy.MOST_POINTERS:
            return self.run
        names = ", ".join(f"x{k}" for k in range(len(self.inputs)))
        times = [f"x{k}" for k, shape in enumerate(self._shapes) if shape == ()]
        looks = "".join(f"\n    if type({t}) is not float: {t} = _number({t})" for t in times)
        results = ", ".join(f"y{k}" for k in range(len(self.outputs)))
        made = "; ".join(f"y{k} = empty({shape})" for k, (_, shape) in enumerate(self.outputs))
        code = f"""
def call({names}):{looks}
    try:
        buffers = pool.pop()
    except IndexError:
        buffers = make(1)
    {made}
    refused = lent((table, buffers.pointers, {names}, {results}))
    pool.append(buffers)
    return run({names}) if refused else [{results}]
"""
        known = {"run": self.run, "pool": self._pool, "make": self._buffers}
        known |= {"empty": np.empty, "_number": _number, "table": None}
        exec(code, known)
        known["lent"] = self._first_of(known)
        return known["call"]

    def _first_of(self, known: dict[str, Any]) -> Callable[[tuple[Any, ...]], int]:
        """Stand-in for the code of one system until that is wanted."""

        def lent(objects: tuple[Any, ...]) -> int:
            given = zip(objects[2:], self._shapes, strict=False)
            is_one = (
                type(x) is float if s == () else type(x) is np.ndarray and x.shape == s
                for x, s in given
            )
            if not all(is_one):
                return 1
            code = self.library.addresses["single"]
            sizes = [zero_copy.NUMBER if s == () else s[0] for s in self._shapes]
            table = zero_copy.specification(code, self._n_pointers, sizes, len(self.outputs))
            known["table"], known["lent"] = table, zero_copy.entry()
            return known["lent"]((table, *objects[1:]))  # type: ignore[no-any-return]

        return lent

    @cached_property
    def _single(self) -> Any:
        return _SINGLE(self.library.addresses["single"])

    def _run_single(self, buffers: _Buffers) -> list[Any]:
        self._single(buffers.address)
        results = [array.copy() for array in buffers.outputs]
        self._pool.append(buffers)
        return results

    def run(self, *arguments: Any, threads: int = 1) -> list[Any]:
        """Evaluate anything that can be made arrays of the right sizes, in threads if wanted."""
        arrays, lead = as_columns(arguments, self.inputs)
        if lead:
            return self._run_batch(arrays, lead, threads)
        buffers = self._buffers(1)
        for array, buffer in zip(arrays, buffers.inputs, strict=True):
            buffer[:] = array
        return self._run_single(buffers)

    def _run_batch(
        self, arrays: Sequence[Any], lead: tuple[int, ...], threads: int = 1
    ) -> list[Any]:
        flat, strides = [], []
        for array in arrays:
            size = array.shape[-1]
            is_shared = array.size == size
            fits = is_shared or array.shape[:-1] == lead
            rows = array if fits else np.broadcast_to(array, (*lead, size))
            flat.append(np.ascontiguousarray(rows))
            strides.append(0 if is_shared else size)
        results = [np.empty((*lead, *shape)) for _, shape in self.outputs]
        self.batch_into(flat, strides, results, math.prod(lead), threads)
        return results

    def batch_into(
        self,
        flat: Sequence[Any],
        strides: Sequence[int],
        results: Sequence[Any],
        count: int,
        threads: int = 1,
    ) -> None:
        """Evaluate rows of contiguous arrays into rows of results."""
        sizes = np.array([*self._sizes, *self._out_sizes, *strides, *self._out_sizes], np.int64)
        moved = [address(a) for a in (*flat, *results)]
        counts, (batch, lanes) = address(sizes), self._batch(count)

        def part(begin: int, end: int) -> None:
            one, lane = self._buffers(1), self._buffers(lanes)
            pointers = one.pointers.copy()
            pointers[: len(moved)] = moved
            batch(address(pointers), counts, counts + 8 * len(moved), lane.address, begin, end)
            (self._pool if lanes == 1 else self._lane_pool).append(lane)
            self._pool.append(one)

        if threads == 1:
            part(0, count)
            return
        edges = _edges(count, lanes, threads)
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(part, edges, edges[1:]))
