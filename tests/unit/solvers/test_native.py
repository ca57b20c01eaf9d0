from __future__ import annotations

from jourdain.codegen import jit
from jourdain.solvers import native
from jourdain.solvers.explicit import explicit_run


def double(x, n):
    for i in range(n):
        x[i] *= 2.0
    return n


def test_own_loops_are_found_without_translating_them(monkeypatch):
    """The sources are their key in the cache."""
    asked = []

    def library_of(identity, make_text, names):
        asked.append((identity, make_text))
        return jit.library_of(identity, make_text, names)

    def translate(*arguments):
        raise AssertionError("translated")

    assert explicit_run._compiled  # now it is in the cache
    monkeypatch.setattr(native, "library_of", library_of)
    monkeypatch.setattr(native, "loop_text", translate)
    again = native.NativeLoop(explicit_run.function, explicit_run.signature)
    assert again._compiled
    assert "def explicit_run" in asked[0][0]
    assert "class _Translation" in asked[0][0] or "def loop_text" in asked[0][0]


def test_loops_of_others_are_keyed_by_their_translation():
    loop = native.native("pi")(double)
    assert loop._identity() == loop._text()
    other = native.native("pd")(double)
    assert other._identity is not None
