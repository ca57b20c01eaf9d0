"""Literature of methods."""

import re

import pytest

from jourdain.results import Solution, Statistics, cite
from jourdain.solvers import all_integrators


def entries(text):
    return re.findall(r"^@(article|book)\{(\w+),$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("integrator", all_integrators(), ids=lambda x: type(x).__name__)
def test_every_integrator_has_its_source(swing, integrator):
    sol = Solution(
        swing.system, swing.time, swing.q, swing.v, statistics=Statistics(str(integrator))
    )
    text = cite(sol)
    keys = [key for _, key in entries(text)]
    assert keys[0] == "featherstone2008"
    assert len(keys) == len(set(keys)) > 2
    assert text.count("{") == text.count("}")
    for needed in ("author", "title", "year"):
        assert text.count(f"  {needed} = ") == len(keys)


def test_an_unknown_method_gives_the_rest(swing):
    assert [key for _, key in entries(cite(swing))] == ["featherstone2008", "andersson2019"]
