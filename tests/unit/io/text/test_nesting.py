"""Texts that are too deep are found before a parser sees them; others are not."""

import time
import tomllib

import pytest

from jourdain.io.text.nesting import DEEPEST, nesting_problem


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\nb = " + "[" * (DEEPEST + 1),
        "a = 1\nb = " + "{ a = " * (DEEPEST + 1),
        "\n" + "a." * DEEPEST + "a = 1",
        "\n[" + '"a" . ' * DEEPEST + "'a']",
        "\n[" * (DEEPEST + 1) + "\n",
    ],
)
def test_too_deep(text):
    assert nesting_problem(text).startswith(("line 2: more than 50", f"line {DEEPEST + 2}: more"))


@pytest.mark.parametrize(
    "text",
    [
        "b = " + "[" * DEEPEST + "]" * DEEPEST,
        "a." * (DEEPEST - 1) + "a = 1",
        "a = [" + "1.5, " * 1000 + "]",
        "\n".join(f"[a{k}]" for k in range(1000)),
        "a = '" + "[" * 1000 + "'",
        'a = """' + "\n[" * 1000 + '"""',
        "# " + "a." * 1000 + "[" * 1000,
        'a = "' + "a." * 1000 + '"',
        "a = 1\n" * 100 + ".a" * 30 + "\n" + ".a" * 30,
    ],
)
def test_not_too_deep(text):
    assert nesting_problem(text) == ""


@pytest.mark.parametrize(
    "text",
    ['"""' + '\n\\"""' * 20_000, "a" * 100_000, '"' * 100_001, "'''\n" * 10_001, '"\\' * 50_000],
)
def test_broken_texts_take_no_time(text):
    began = time.perf_counter()
    nesting_problem(text)
    assert time.perf_counter() - began < 30.0  # a quadratic search takes minutes
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
