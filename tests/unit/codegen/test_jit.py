from __future__ import annotations

import ctypes
import math
import subprocess
import sys

import pytest

from jourdain.codegen import jit

TEXT = "define double @twice(double %x) {{\n%y = fmul double %x, {}\nret double %y\n}}\n"
NUMBER = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)


def call(library, name, x):
    return NUMBER(library.addresses[name])(x)


def test_text_becomes_a_function():
    library = jit.library(TEXT.format("2.0"), ["twice"])
    assert call(library, "twice", 1.5) == 3.0


def test_equal_names_of_different_modules_live_together():
    libraries = [jit.library(TEXT.format(f"{k}.0"), ["twice"]) for k in range(2, 6)]
    assert [call(library, "twice", 1.0) for library in libraries] == [2.0, 3.0, 4.0, 5.0]


def test_code_outlives_other_libraries():
    kept = jit.library(TEXT.format("7.0"), ["twice"])
    for k in range(20):
        jit.library(TEXT.format(f"{k}.5"), ["twice"])
    assert call(kept, "twice", 2.0) == 14.0


def test_second_time_comes_from_the_cache(monkeypatch):
    assert not jit.library(TEXT.format("11.0"), ["twice"]).was_cached
    monkeypatch.setattr(jit, "object_code", None)
    again = jit.library(TEXT.format("11.0"), ["twice"])
    assert again.was_cached
    assert call(again, "twice", 1.0) == 11.0


def test_code_of_another_machine_is_not_used(monkeypatch):
    text = TEXT.format("13.0")
    jit.library(text, ["twice"])
    monkeypatch.setattr(jit, "machine_identity", lambda: "another processor")
    assert not jit.library(text, ["twice"]).was_cached


def test_identity_of_the_machine_tells_what_code_depends_on():
    import llvmlite
    import llvmlite.binding as llvm

    identity = jit.machine_identity()
    for part in (llvmlite.__version__, llvm.get_host_cpu_name(), llvm.get_default_triple()):
        assert part in identity


def test_functions_of_the_c_library_are_found():
    text = (
        "declare double @cbrt(double)\n"
        "define double @root(double %x) {\n%y = call double @cbrt(double %x)\nret double %y\n}\n"
    )
    assert call(jit.library(text, ["root"]), "root", 27.0) == pytest.approx(3.0, rel=1e-15)


@pytest.mark.parametrize("text", ["define nonsense", "define double @f() {\nret i64 0\n}\n"])
def test_wrong_text_is_an_error_and_leaves_no_entry(text, cache_folder):
    before = sorted(cache_folder.iterdir())
    with pytest.raises(RuntimeError):
        jit.library(text, ["f"])
    assert sorted(cache_folder.iterdir()) == before


def test_unknown_name_is_an_error():
    with pytest.raises(RuntimeError, match="missing"):
        jit.library(TEXT.format("2.0"), ["missing"])


def test_text_is_made_only_when_the_cache_has_nothing():
    made = []

    def make():
        made.append(1)
        return TEXT.format("17.0")

    for _ in range(3):
        library = jit.library_of("a key of this test", make, ["twice"])
        assert call(library, "twice", 1.0) == 17.0
    assert len(made) == 1
    assert library.was_cached


# Reserve all free addresses near the C library, then link code that calls it.
FAR = """
import ctypes
from jourdain.codegen import jit
from jourdain.codegen.elementary.functions import definitions

libc, libm = ctypes.CDLL(None), ctypes.CDLL("libm.so.6")
libc.mmap.restype = ctypes.c_size_t
libc.mmap.argtypes = [ctypes.c_size_t] * 2 + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_size_t] * 2
NOTHING, PRIVATE_ANONYMOUS_NORESERVE = 0, 0x4022

def reserve(size):
    return libc.mmap(0, size, NOTHING, PRIVATE_ANONYMOUS_NORESERVE, -1, 0)

wall, size = reserve(2**33), 2**32
while size >= 4096:
    place = reserve(size)
    if place < wall:
        libc.munmap(place, size)
        size //= 2

body = '''
define double @f(double %x) {
%s = call double @jd_sin(double %x)
%p = call double @jd_pow(double %x, double 0x3FB999999999999A)
%y = fadd double %s, %p
ret double %y
}
'''
library = jit.library(definitions(["sin", "pow"], 1) + body, ["f"])
distance = abs(library.addresses["f"] - ctypes.cast(libm.sin, ctypes.c_void_p).value)
f = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.addresses["f"])
print(library.was_cached, distance > 2**32, f(0.5).hex(), f(1e16).hex())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are reserved the way of Linux")
def test_far_functions_are_reached_from_new_and_from_cached_code():
    """Constants are near the code, functions of other libraries may be beyond 2 GB."""
    for was_cached in (False, True):
        run = subprocess.run(
            [sys.executable, "-c", FAR], capture_output=True, text=True, check=True
        )
        cached, is_far, *values = run.stdout.split()
        assert (cached, is_far) == (str(was_cached), "True")
        for x, value in zip((0.5, 1e16), values, strict=True):
            assert float.fromhex(value) == pytest.approx(math.sin(x) + x**0.1, rel=1e-15)


LOOP = """define i64 @total(i64 %n) {
entry:
  %sum = alloca i64
  %k = alloca i64
  store i64 0, ptr %sum
  store i64 0, ptr %k
  br label %loop
loop:
  %a = load i64, ptr %k
  %b = add i64 %a, 1
  store i64 %b, ptr %k
  %c = load i64, ptr %sum
  %d = add i64 %c, %b
  store i64 %d, ptr %sum
  %is_last = icmp sge i64 %b, %n
  br i1 %is_last, label %done, label %loop
done:
  ret i64 %d
}
"""


@pytest.mark.parametrize("code", list(jit.Code), ids=lambda code: code.value)
def test_every_kind_of_code_gives_the_same(code):
    library = jit.Library(jit.object_code(LOOP, code), ["total"])
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(library.addresses["total"])(10) == 55
