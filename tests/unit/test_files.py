"""Files are whole at every moment: the old one or the new one."""

import os
import stat

import pytest

import jourdain as jd
from jourdain.files import replacing


def test_content_reaches_the_disk_before_the_name(tmp_path, monkeypatch):
    order, sync, rename = [], os.fsync, os.replace
    monkeypatch.setattr(
        os, "fsync", lambda n: (order.append(stat.S_ISDIR(os.fstat(n).st_mode)), sync(n))
    )
    monkeypatch.setattr(os, "replace", lambda *a: (order.append("rename"), rename(*a)))
    monkeypatch.setattr(type(tmp_path), "replace", lambda a, b: os.replace(a, b))  # noqa: PLW0108
    with replacing(tmp_path / "a.txt") as other:
        other.write_text("new")
    assert order == [False, "rename", True]
    assert (tmp_path / "a.txt").read_text() == "new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")

    def fail():
        with replacing(file) as other:
            other.write_text("half")
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        fail()
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_device_is_written_to_and_not_replaced():
    with replacing(os.devnull) as other:
        other.write_text("gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.skipif(os.name == "nt", reason="rights and links of POSIX")
def test_results_keep_links_and_rights(tmp_path):
    model = jd.Model("fall")
    model.add_coordinate("x", 1.0)
    sol = jd.simulate(model, 0.1, sample=0.1)
    file, link = tmp_path / "run.nc", tmp_path / "link.nc"
    sol.save(file)
    file.chmod(0o640)
    link.symlink_to(file)
    sol.save(link)
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert len(jd.load(link).time) == 2


@pytest.mark.parametrize("name", ["a\0b.nc", "x" * 5000 + ".nc", "no/folder/run.nc"])
def test_impossible_names_are_errors_of_ours(tmp_path, name):
    model = jd.Model("fall")
    model.add_coordinate("x", 1.0)
    sol = jd.simulate(model, 0.1, sample=0.1)
    with pytest.raises(jd.FormatError, match="cannot write"):
        sol.save(f"{tmp_path}/{name}")
    assert not os.listdir(tmp_path)
