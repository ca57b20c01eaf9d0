from __future__ import annotations

import ctypes
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.codegen import cache, jit
from jourdain.errors import JourdainWarning

TEXT = "define double @half(double %x) {{\n%y = fmul double %x, {}\nret double %y\n}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("JOURDAIN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def files(folder):
    return sorted(path.name for path in folder.iterdir())


# ---- where and under which name


def test_folder_is_the_one_of_the_environment(folder, monkeypatch):
    assert cache.folder() == folder
    monkeypatch.delenv("JOURDAIN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "xdg"))
    assert cache.folder() == folder.parent / "xdg" / "jourdain"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("LOCALAPPDATA", str(folder.parent / "local"))
    assert cache.folder() == folder.parent / "local" / "jourdain"
    monkeypatch.delenv("LOCALAPPDATA")
    monkeypatch.setattr(Path, "home", lambda: folder.parent)
    assert cache.folder() == folder.parent / ".cache" / "jourdain"


def test_key_depends_on_every_part():
    keys = {cache.key(*parts) for parts in (("a", "b"), ("a", "c"), ("b", "a"), ("ab",), ("a",))}
    assert len(keys) == 5
    assert cache.key("a", "b") == cache.key("a", "b")


def test_what_is_written_is_read(folder):
    assert cache.read("name") is None
    cache.write("name", b"content")
    assert cache.read("name") == b"content"
    assert files(folder) == ["name.o"]
    cache.write("name", b"other")
    assert cache.read("name") == b"other"
    assert folder.stat().st_mode & 0o077 == 0


# ---- damage


def flip_byte(data):
    return data[:-1] + bytes([data[-1] ^ 1])


def flip_checksum(data):
    return data[:20] + bytes([data[20] ^ 1]) + data[21:]


def truncate(data):
    return data[: len(data) // 2]


DAMAGE = [flip_byte, flip_checksum, truncate, lambda data: b"", lambda data: b"x" + data]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_entry_is_removed_and_built_again(folder, damage):
    first = jit.library(TEXT.format("0.5"), ["half"])
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert cache.read(path.stem) is None
    assert not path.exists()
    path.write_bytes(damage(whole))
    second = jit.library(TEXT.format("0.5"), ["half"])
    assert not first.was_cached
    assert not second.was_cached
    assert path.read_bytes() == whole
    assert jit.library(TEXT.format("0.5"), ["half"]).was_cached


@pytest.mark.parametrize("damage", DAMAGE)
def test_system_survives_damage_of_all_entries(folder, damage):
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    wanted = jd.compile(model).poses([0.3])
    for path in folder.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    np.testing.assert_array_equal(jd.compile(model).poses([0.3]), wanted)


# ---- a folder that cannot be used


def test_folder_that_is_a_file_is_no_error(folder):
    folder.write_text("in the way")
    cache.write("name", b"content")
    assert cache.read("name") is None
    assert folder.read_text() == "in the way"
    assert not jit.library(TEXT.format("0.25"), ["half"]).was_cached


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_folder_without_permission_is_no_error(folder):
    folder.mkdir(mode=0o500)
    cache.write("name", b"content")
    assert cache.read("name") is None


@pytest.mark.parametrize("step", ["mkdir", "replace"])
def test_disk_that_refuses_is_no_error(folder, monkeypatch, step):
    def refuse(*arguments, **options):
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, step, refuse)
        cache.write("name", b"content")
    assert cache.read("name") is None
    assert not folder.exists() or files(folder) == []


def test_user_without_a_home_is_no_error(monkeypatch):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    for name in ("JOURDAIN_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    cache.write("name", b"content")
    assert cache.read("name") is None


def test_interrupted_write_leaves_the_old_entry(folder, monkeypatch):
    cache.write("name", b"old")

    def interrupt(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            cache.write("name", b"new")
    assert cache.read("name") == b"old"


# ---- whose the folder and its entries are

POSIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights of POSIX")
ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)


def give_away(path):
    os.chown(path, 65534, 65534)


def open_to_all(path):
    path.chmod(path.stat().st_mode | 0o002)


def open_to_group(path):
    path.chmod(path.stat().st_mode | 0o020)


FAULTS = pytest.mark.parametrize(
    ("spoil", "why"),
    [
        pytest.param(give_away, "belongs to user 65534, not to you", marks=ROOT),
        pytest.param(open_to_all, "can be written by others", marks=POSIX),
        pytest.param(open_to_group, "can be written by others", marks=POSIX),
    ],
)


@FAULTS
def test_a_folder_that_is_not_the_users_alone_is_not_used(folder, spoil, why):
    cache.write("name", b"content")
    spoil(folder)
    with pytest.warns(JourdainWarning, match=why):
        assert cache.read("name") is None
    cache.write("other", b"content")  # said once
    assert cache.read("other") is None
    assert files(folder) == ["name.o"]
    assert not jit.library(TEXT.format("0.5"), ["half"]).was_cached


@FAULTS
def test_an_entry_that_is_not_the_users_alone_is_built_again(folder, spoil, why):
    cache.write("name", b"content")
    spoil(folder / "name.o")
    with pytest.warns(JourdainWarning, match=rf"its entry name\.o {why}"):
        assert cache.read("name") is None
    cache.write("name", b"content")
    assert cache.read("name") == b"content"


@POSIX
def test_links_are_not_followed(folder, tmp_path):
    cache.write("name", b"content")
    (folder / "name.o").rename(tmp_path / "elsewhere.o")
    (folder / "name.o").symlink_to(tmp_path / "elsewhere.o")
    assert cache.read("name") is None
    cache.write("name", b"content")
    assert cache.read("name") == b"content"
    assert not (folder / "name.o").is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_folder_behind_a_link_is_looked_at_itself(folder, tmp_path, monkeypatch):
    cache.write("name", b"content")
    link = tmp_path / "link"
    link.symlink_to(folder)
    monkeypatch.setenv("JOURDAIN_CACHE", str(link))
    assert cache.read("name") == b"content"
    open_to_all(folder)
    with pytest.warns(JourdainWarning, match="can be written by others"):
        assert cache.read("name") is None


def test_swapped_entries_are_built_again(folder):
    jit.library(TEXT.format("0.5"), ["half"])
    (one,) = folder.iterdir()
    jit.library(TEXT.format("0.25"), ["half"])
    (other,) = set(folder.iterdir()) - {one}
    one.write_bytes(other.read_bytes())
    assert cache.read(one.stem) is None
    library = jit.library(TEXT.format("0.5"), ["half"])
    assert not library.was_cached
    half = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.addresses["half"])
    assert half(3.0) == 1.5


@pytest.mark.parametrize("wrong", [b"", b"no object file", TEXT.format("0.5").encode()])
def test_an_entry_that_does_not_link_is_built_again(folder, wrong):
    jit.library(TEXT.format("0.5"), ["half"])
    (path,) = folder.iterdir()
    cache.write(path.stem, wrong)
    library = jit.library(TEXT.format("0.5"), ["half"])
    assert not library.was_cached
    assert jit.library(TEXT.format("0.5"), ["half"]).was_cached


def test_an_entry_with_other_functions_is_built_again(folder, capfd):
    jit.library(TEXT.format("0.5"), ["half"])
    (path,) = folder.iterdir()
    cache.write(path.stem, jit.object_code(TEXT.format("0.5").replace("half", "other")))
    assert not jit.library(TEXT.format("0.5"), ["half"]).was_cached
    assert jit.library(TEXT.format("0.5"), ["half"]).was_cached


# ---- size


def fill(folder, count):
    for k in range(count):
        cache.write(f"entry_{k}", bytes(1000))
        os.utime(folder / f"entry_{k}.o", (1000 + k, 1000 + k))
    return (folder / f"entry_{count - 1}.o").stat().st_size


def test_trim_deletes_what_was_unused_longest(folder):
    size = fill(folder, 5)
    cache.trim(5 * size)
    assert len(files(folder)) == 5
    assert cache.read("entry_0") is not None  # used now
    cache.trim(3 * size)
    assert files(folder) == ["entry_0.o", "entry_3.o", "entry_4.o"]
    cache.trim(0)
    assert files(folder) == []


def test_trim_counts_unfinished_files_and_spares_others(folder):
    size = fill(folder, 2)
    (folder / "left.part").write_bytes(bytes(1000))
    os.utime(folder / "left.part", (10, 10))
    (folder / "notes.txt").write_bytes(bytes(10_000))
    cache.trim(2 * size)
    assert files(folder) == ["entry_0.o", "entry_1.o", "notes.txt"]


def test_writing_keeps_the_folder_below_its_limit(folder, monkeypatch):
    monkeypatch.setattr(cache, "_LIMIT", 5000)
    fill(folder, 12)
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 5000
    assert cache.read("entry_11") == bytes(1000)
    assert cache.read("entry_0") is None


def test_a_full_folder_is_looked_at_once_in_a_while(folder, monkeypatch):
    """To look at all entries of a full folder takes longer than to compile a small kernel."""
    looks, trim = [], cache.trim
    monkeypatch.setattr(cache, "trim", lambda *sizes: looks.append(1) or trim(*sizes))
    monkeypatch.setattr(cache, "_LIMIT", 100_000)
    monkeypatch.setattr(cache, "_PART", 10)
    size = fill(folder, 200)
    held = sum(path.stat().st_size for path in folder.iterdir())
    assert 90_000 - size <= held <= 100_000 + 10 * (size - 1000)
    assert 200 / 10 - 1 <= len(looks) <= 200 / 10 + 10  # as many for names are expected: 200/256


def test_entry_that_another_process_trims_is_no_error(folder, monkeypatch):
    fill(folder, 3)
    unlink = Path.unlink

    def gone_before(path):
        unlink(path)
        unlink(path)

    monkeypatch.setattr(Path, "unlink", gone_before)
    cache.trim(0)
    assert files(folder) == []


# ---- several processes


def hammer(seed):
    """Write, damage and read the same few entries as others do; return what was wrong."""
    random, wrong = np.random.default_rng(seed), []
    for _ in range(150):
        k = int(random.integers(3))
        content = bytes([k]) * 20_000
        read = cache.read(f"shared_{k}")
        if read is None:
            cache.write(f"shared_{k}", content)
        elif read != content:
            wrong.append(k)
        if random.random() < 0.1:
            (cache.folder() / f"shared_{k}.o").write_bytes(content[:100])
        if random.random() < 0.1:
            cache.trim(30_000)
    return wrong


@pytest.fixture
def pool(monkeypatch, pytestconfig):
    """Three processes that find this module, however pytest was started."""
    monkeypatch.syspath_prepend(pytestconfig.rootpath)
    with multiprocessing.get_context("spawn").Pool(3) as processes:
        yield processes


def test_processes_share_entries(folder, pool):
    assert pool.map(hammer, range(6), chunksize=1) == [[]] * 6
    assert not [name for name in files(folder) if name.endswith(".part")]


def tip(seed):
    """Compile one model and return the pose of its last body."""
    return jd.compile(chain(1.0)).poses(np.full(3, 0.1 * seed))[-1]


def test_processes_compile_one_model_at_once(folder, pool):
    poses = pool.map(tip, range(3), chunksize=1)
    for seed, pose in enumerate(poses):
        np.testing.assert_array_equal(pose, tip(seed))
    assert all(name.endswith(".o") for name in files(folder))


# ---- what shares code


def chain(mass, length=0.3, n=3):
    """Three rods whose mass is a parameter and whose length is folded in."""
    model = jd.Model("chain")
    place, weight = model.world.at(), jd.Parameter("mass", mass, "kg")
    for k in range(n):
        rod = model.add_body(f"rod_{k}", jd.Inertia(mass=weight, moments=(0.1, 0.2, 0.2)))
        model.add_joint(f"joint_{k}", place, rod, jd.Revolute("y"))
        place = rod.at(length, 0, 0)
    return model


def built(folder, model, execution):
    """Number of entries that a model adds to the cache."""
    before = set(files(folder)) if folder.exists() else set()
    system = jd.compile(model, execution=execution)
    q = np.linspace(0.1, 0.4, len(system.names.q))
    system.twists(q, q)
    system.forward_dynamics(q, q)
    return len(set(files(folder)) - before)


@pytest.mark.parametrize("execution", [jd.Unrolled(), jd.Looped()], ids=["unrolled", "looped"])
def test_other_numbers_in_parameters_share_code(folder, execution):
    assert built(folder, chain(1.0), execution) > 0
    assert built(folder, chain(2.0), execution) == 0
    wanted = jd.compile(chain(1.0), execution=jd.Plain())
    q = np.array([0.1, 0.2, 0.3])
    for mass in (1.0, 2.0):
        got = jd.compile(chain(mass), execution=execution).mass_matrix(q)
        np.testing.assert_allclose(
            got, wanted.mass_matrix(q, parameters={"mass": mass}), rtol=1e-13, atol=1e-14
        )


def test_straight_line_code_holds_its_folded_numbers(folder):
    assert built(folder, chain(1.0), jd.Unrolled()) > 0
    assert built(folder, chain(1.0, length=0.4), jd.Unrolled()) > 0


def test_loops_share_code_between_models_of_equal_joints(folder):
    assert built(folder, chain(1.0), jd.Looped()) > 0
    assert built(folder, chain(1.0, length=0.4), jd.Looped()) == 0
    assert built(folder, chain(1.0, n=9), jd.Looped()) == 0


FRESH = """
import sys
sys.path.insert(0, {here!r})
import test_cache
from jourdain.codegen import jit

if {is_found}:
    jit.object_code = None  # to compile would fail
print(test_cache.tip(2)[0, 3])
"""


def test_fresh_process_finds_the_code(folder):
    """All of it, also what every process compiles once for all models."""
    told = []
    for is_found in (False, True):
        code = FRESH.format(here=str(Path(__file__).parent), is_found=is_found)
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        told.append(float(run.stdout))
    assert told == [tip(2)[0, 3]] * 2
