"""Object code and the functions of FMI linked to one shared library."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jourdain.codegen.jit import Code, object_file
from jourdain.errors import JourdainError, MissingExtraError, ModelError
from jourdain.phases import phase

INTERFACE = Path(__file__).with_name("interface.c")


@dataclass(frozen=True)
class Platform:
    """A machine that an FMU runs on.

    Parameters
    ----------
    name, ending : str
        Folder of the library in the FMU, and ending of its name.
    triple, cpu : str
        System and least processor for LLVM.
    zig : str
        System for ``zig cc``.
    """

    name: str
    ending: str
    triple: str
    cpu: str
    zig: str


_ALL = (
    Platform("x86_64-linux", ".so", "x86_64-unknown-linux-gnu", "x86-64", "x86_64-linux-gnu.2.28"),
    Platform("aarch64-linux", ".so", "aarch64-unknown-linux-gnu", "", "aarch64-linux-gnu.2.28"),
    Platform("x86_64-windows", ".dll", "x86_64-w64-windows-gnu", "x86-64", "x86_64-windows-gnu"),
    Platform("x86_64-darwin", ".dylib", "x86_64-apple-macosx11.0", "x86-64", "x86_64-macos"),
    Platform("aarch64-darwin", ".dylib", "arm64-apple-macosx11.0", "apple-m1", "aarch64-macos"),
)
PLATFORMS: Mapping[str, Platform] = {x.name: x for x in _ALL}


def own_platform() -> Platform:
    """The machine that this runs on.

    Raises
    ------
    ModelError
        If there is no name for it in FMI.
    """
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(
        platform.machine().lower(), platform.machine().lower()
    )
    system = platform.system().lower()
    name = f"{machine}-{system}"
    if name not in PLATFORMS:
        raise ModelError(f"FMUs cannot be made for {name}; there are {', '.join(PLATFORMS)}.")
    return PLATFORMS[name]


def compiler(target: Platform) -> list[str]:
    """Command of a C compiler that links for a platform.

    ``zig`` of the extra ``fmu`` links for all of them, and on Linux against an old C library, so
    that the FMU runs on other machines, too. Else a compiler of the system serves its own platform.

    Raises
    ------
    MissingExtraError
        If there is none.
    """
    found = importlib.util.find_spec("ziglang")
    if found is not None and found.origin is not None:
        zig = Path(found.origin).with_name("zig.exe" if os.name == "nt" else "zig")
        return [str(zig), "cc", "-target", target.zig]
    if target == own_platform():
        for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
            if name and shutil.which(name):
                return [name]
        what = "no linker was found"
    else:
        what = f"this machine cannot link for {target.name} by itself"
    raise MissingExtraError(
        f"an FMU is a library that has to be linked, and {what}. Install the extra 'fmu', which "
        'brings one: pip install "jourdain[fmu]".'
    )


def shared_library(modules: Sequence[tuple[str, Code]], target: Platform) -> bytes:
    """Library of LLVM modules and the functions of FMI.

    Parameters
    ----------
    modules : sequence of (str, Code)
        IR texts.
    target : Platform
        Where it is to run.

    Raises
    ------
    MissingExtraError
        If there is no linker.
    JourdainError
        If it fails; the text has its own words.
    """
    command = compiler(target)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k, (text, code) in enumerate(modules):
            files.append(Path(folder, f"model{k}.o"))
            files[-1].write_bytes(object_file(text, code, target.triple, target.cpu))
        out = Path(folder, f"library{target.ending}")
        options = ["-shared", "-fPIC", "-O2", "-s", "-fvisibility=hidden"]
        own = [*options, str(INTERFACE), *map(str, files), "-o", str(out)]
        libraries = [] if "windows" in target.name else ["-lm"]
        with phase(f"linking for {target.name}"):
            done = subprocess.run(
                [*command, *own, *libraries], capture_output=True, text=True, check=False
            )
        if done.returncode or not out.exists():
            raise JourdainError(
                f"the linker of the FMU ({' '.join(command)}) failed: {done.stderr.strip()[:1500]}"
            )
        return out.read_bytes()
