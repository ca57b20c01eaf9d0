"""LLVM IR text to machine code in this process, through the object cache."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from enum import Enum
from functools import cache, wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar

import llvmlite
import llvmlite.binding as llvm

from jourdain.codegen import cache as files

_LEVEL = 1  # O1 runs as fast as O3 on straight-line code and compiles in less time
_UNROLLED_LEVEL = 3
# Constants at short addresses; elsewhere than on Linux the linker is not known to be fit for it.
_CODE_MODEL = "small" if sys.platform == "linux" else "jitdefault"
_NUMBER = itertools.count()
_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
LOCK = RLock()
"""Held while code is made: of two copies made at once, one would be unloaded while it runs."""


def once(function: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Compute a result once for all threads, and keep it."""
    kept: Any = cache(function)

    @wraps(function)
    def locked(*given: _Given.args, **named: _Given.kwargs) -> _Made:
        with LOCK:
            found: _Made = kept(*given, **named)
            return found

    return locked


@once
def _machine() -> tuple[Any, str]:
    """Target machine and a text that identifies it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(
        cpu=name, features=features, opt=_LEVEL, reloc="pic", codemodel=_CODE_MODEL, jit=True
    )
    kind = f"O{_LEVEL} {_CODE_MODEL}"
    identity = f"{llvmlite.__version__} {llvm.get_default_triple()} {name} {features} {kind}"
    return machine, identity


@once
def _other_machine(triple: str, cpu: str) -> Any:
    """Target machine for code that is linked to a shared library."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, opt=_LEVEL, reloc="pic")


@once
def _linker() -> Any:
    """Linker that puts code and constants side by side and reaches far functions by a table."""
    machine, _ = _machine()
    return llvm.create_lljit_compiler(machine, use_jit_link=_CODE_MODEL == "small")


def machine_identity() -> str:
    """Text that tells apart machines whose code differs."""
    return _machine()[1]


class Code(Enum):
    """What is compiled, which decides how much is done to it."""

    STRAIGHT = "straight"  # straight-line code, and loops that call it
    LOOPS = "loops"  # loops of solvers: code that is written well runs 5 to 15 % slower as it is,
    # and takes a quarter of the time to compile
    UNROLLED = "unrolled"  # loops whose short inner loops, over x, y, z, are written out


_LIGHT = ("sroa", "simplify_cfg", "instruction_combine", "simplify_cfg")


def object_code(text: str, code: Code = Code.STRAIGHT, triple: str = "", cpu: str = "") -> bytes:
    """Compile IR, for this machine or for another one that is named.

    Parameters
    ----------
    text : str
        LLVM IR.
    code : Code
        What it is.
    triple, cpu : str
        System and least processor of the other machine, as LLVM names them.
    """
    machine = _other_machine(triple, cpu) if triple else _machine()[0]
    module = llvm.parse_assembly(text)
    if triple:
        module.triple, module.data_layout = triple, str(machine.target_data)
    module.verify()
    level = _UNROLLED_LEVEL if code is Code.UNROLLED else _LEVEL
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization = False
    options.loop_unrolling = code is Code.UNROLLED
    builder = llvm.create_pass_builder(machine, options)
    if code is Code.LOOPS:
        passes = llvm.create_new_module_pass_manager()
        for name in _LIGHT:
            getattr(passes, f"add_{name}_pass")()
    else:
        passes = builder.getModulePassManager()
    passes.run(module, builder)
    return bytes(machine.emit_object(module))


def object_file(text: str, code: Code, triple: str, cpu: str) -> bytes:
    """Object code for another program or machine, from the cache or made and stored there."""
    key = files.key(text, code.value, triple, cpu, llvmlite.__version__)
    stored = files.read(key)
    if stored is None:
        stored = object_code(text, code, triple, cpu)
        files.write(key, stored)
    return stored


class Library:
    """Machine code of one module; stays loaded as long as it lives."""

    def __init__(self, code: bytes, names: list[str], was_cached: bool = False) -> None:
        self.was_cached = was_cached
        builder = llvm.JITLibraryBuilder().add_current_process().add_object_img(code)
        for name in names:
            builder.export_symbol(name)
        self._tracker = builder.link(_linker(), f"jourdain_{next(_NUMBER)}")
        self.addresses = {name: self._tracker[name] for name in names}


def library(text: str, names: list[str]) -> Library:
    """Machine code of IR text, from the cache or made and stored there."""
    return library_of(text, lambda: text, names)


def library_of(
    identity: str, make_text: Callable[[], str], names: list[str], code: Code = Code.STRAIGHT
) -> Library:
    """As `library`, for IR text that is only made when the cache has nothing of its identity."""
    key = files.key(identity + code.value, machine_identity())
    stored = files.read(key)
    if stored is not None:
        try:
            return Library(stored, names, was_cached=True)
        except (LookupError, RuntimeError, ValueError):  # made by a version that linked otherwise
            files.remove(key)
    made = object_code(make_text(), code)
    files.write(key, made)
    return Library(made, names)
