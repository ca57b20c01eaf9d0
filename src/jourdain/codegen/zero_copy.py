"""Numbers of numpy arrays where they lie: an entry that takes the arrays themselves.

Copies of arguments cost little by themselves, but they push the work memory of a large system out
of the caches, and so does each further step of Python. Hence the machine code takes one tuple of
objects and reads their heads, as the C interfaces of Python and numpy lay them out::

    tuple   object head | number of items | items
    float   object head | value
    array   object head | data | axes | dimensions | strides | base | descr

It takes columns of doubles of the right length and floats, and refuses everything else. What lies
with gaps is copied. `knows_objects` compares the layout with known objects before it is trusted.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.codegen.jit import Library, library, once

_HEAD, _ITEMS = object.__basicsize__, tuple.__basicsize__
_TYPE = _HEAD - 8
_DATA, _AXES, _DIMENSIONS, _STRIDES, _DESCR = (_HEAD + k for k in (0, 8, 16, 24, 40))
_DOUBLE = np.dtype(np.float64)
MOST_POINTERS = 64
NUMBER = -1  # in the place of the length of an input


@once
def knows_objects() -> bool:
    """Tell whether objects of this Python and this numpy are laid out as assumed."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False

    def words(place: int, count: int = 1, kind: Any = ctypes.c_int64) -> list[Any]:
        return [*(kind * count).from_address(place)]

    array, number = np.zeros((3, 5))[:, 1:3], float(sys.maxsize)
    objects = array, number
    at, kinds = id(array), [id(type(x)) for x in objects]
    places = words(id(objects) + _ITEMS, 2)
    if places != [id(x) for x in objects] or [words(x + _TYPE)[0] for x in places] != kinds:
        return False
    if words(id(number) + _HEAD, kind=ctypes.c_double) != [number]:
        return False
    head = words(at + _DATA) + words(at + _AXES, kind=ctypes.c_int32) + words(at + _DESCR)
    if head != [array.ctypes.data, array.ndim, id(_DOUBLE)]:
        return False
    (dimensions,), (strides,) = words(at + _DIMENSIONS), words(at + _STRIDES)
    if strides != dimensions + 16:  # as numpy keeps them; else they may be no addresses at all
        return False
    return words(dimensions, 4) == [*array.shape, *array.strides]


def specification(code: int, n: int, sizes: Sequence[int], n_out: int) -> Any:
    """Table that tells the entry what to call and what to take.

    Parameters
    ----------
    code : int
        Address of ``single`` (`codegen.module`).
    n : int
        Number of its pointers, at most `MOST_POINTERS`.
    sizes : sequence of int
        Length of each input, or `NUMBER`.
    n_out : int
        Number of outputs.
    """
    types = id(np.ndarray), id(_DOUBLE), id(float)
    return np.array([code, n, len(sizes), n_out, *types, *sizes], dtype=np.int64)


@once
def entry() -> Any:
    """Entry ``lent((specification, pointers, inputs…, outputs…))``, the same for all kernels.

    The array ``pointers`` holds the addresses of all buffers, which serve for numbers and for
    copies. Outputs are new arrays, which are not looked at. It gives 0, or 1 if it refuses.
    """
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.py_object)
    return kind(_library().addresses["lent"])


@once
def _library() -> Library:
    return library(_text(), ["lent"])


def _field(base: str, offset: int, kind: str, name: str) -> str:
    """Load from a number of bytes behind a pointer."""
    return (
        f"%{name}_at = getelementptr i8, ptr %{base}, i64 {offset}\n"
        f"%{name} = load {kind}, ptr %{name}_at, align {4 if kind == 'i32' else 8}"
    )


def _item(base: str, index: str, kind: str, name: str) -> str:
    """Load one of a row of words."""
    return (
        f"%{name}_at = getelementptr i64, ptr %{base}, i64 %{index}\n"
        f"%{name} = load {kind}, ptr %{name}_at, align 8"
    )


def _text() -> str:
    words = ("code", "n", "n_in", "n_out", "array", "double", "float")
    kinds = {"n": "i64", "n_in": "i64", "n_out": "i64"}
    newline = "\n"
    return f"""define i64 @lent(ptr %objects) nounwind {{
entry:
%list = alloca [{MOST_POINTERS} x ptr], align 16
{_field("objects", _ITEMS, "ptr", "table")}
{_field("objects", _ITEMS + 8, "ptr", "buffers")}
{_field("table", _DATA, "ptr", "spec")}
{_field("buffers", _DATA, "ptr", "own")}
{newline.join(_field("spec", 8 * k, kinds.get(w, "ptr"), w) for k, w in enumerate(words))}
%sizes = getelementptr i8, ptr %spec, i64 {8 * len(words)}
%inputs = getelementptr i8, ptr %objects, i64 {_ITEMS + 16}
%outputs = getelementptr i64, ptr %inputs, i64 %n_in
%results = getelementptr i64, ptr %list, i64 %n_in
%bytes = mul i64 %n, 8
call void @llvm.memcpy.p0.p0.i64(ptr %list, ptr %own, i64 %bytes, i1 false)
br label %input
input:
%i = phi i64 [ 0, %entry ], [ %i_next, %done ]
%is_input = icmp slt i64 %i, %n_in
br i1 %is_input, label %which, label %output
which:
{_item("inputs", "i", "ptr", "object")}
{_item("sizes", "i", "i64", "size")}
{_item("own", "i", "ptr", "buffer")}
%is_number = icmp eq i64 %size, {NUMBER}
br i1 %is_number, label %number, label %column
number:
{_field("object", _TYPE, "ptr", "its_kind")}
%is_float = icmp eq ptr %its_kind, %float
br i1 %is_float, label %copied, label %refused
copied:
{_field("object", _HEAD, "double", "x")}
store double %x, ptr %buffer, align 8
br label %done
column:
{_field("object", _TYPE, "ptr", "its_type")}
%is_array = icmp eq ptr %its_type, %array
br i1 %is_array, label %look, label %refused
look:
{_field("object", _DESCR, "ptr", "its_descr")}
{_field("object", _AXES, "i32", "axes")}
%is_double = icmp eq ptr %its_descr, %double
%is_column = icmp eq i32 %axes, 1
%is_fit = and i1 %is_double, %is_column
br i1 %is_fit, label %measure, label %refused
measure:
{_field("object", _DIMENSIONS, "ptr", "dimensions")}
{_field("dimensions", 0, "i64", "length")}
%is_right = icmp eq i64 %length, %size
br i1 %is_right, label %place, label %refused
place:
{_field("object", _DATA, "ptr", "data")}
{_field("object", _STRIDES, "ptr", "strides")}
{_field("strides", 0, "i64", "stride")}
%bits = ptrtoint ptr %data to i64
%odd = and i64 %bits, 7
%is_even = icmp eq i64 %odd, 0
%is_dense = icmp eq i64 %stride, 8
%is_direct = and i1 %is_even, %is_dense
br i1 %is_direct, label %direct, label %gather
direct:
%entry_at = getelementptr i64, ptr %list, i64 %i
store ptr %data, ptr %entry_at, align 8
br label %done
gather:
%k = phi i64 [ 0, %place ], [ %k_next, %each ]
%is_more = icmp slt i64 %k, %size
br i1 %is_more, label %each, label %done
each:
%gap = mul i64 %k, %stride
%from = getelementptr i8, ptr %data, i64 %gap
%value = load double, ptr %from, align 1
%to = getelementptr double, ptr %buffer, i64 %k
store double %value, ptr %to, align 8
%k_next = add i64 %k, 1
br label %gather
done:
%i_next = add i64 %i, 1
br label %input
output:
%j = phi i64 [ 0, %input ], [ %j_next, %result ]
%is_output = icmp slt i64 %j, %n_out
br i1 %is_output, label %result, label %run
result:
{_item("outputs", "j", "ptr", "made")}
{_field("made", _DATA, "ptr", "memory")}
%result_at = getelementptr i64, ptr %results, i64 %j
store ptr %memory, ptr %result_at, align 8
%j_next = add i64 %j, 1
br label %output
run:
call void %code(ptr %list)
ret i64 0
refused:
ret i64 1
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
