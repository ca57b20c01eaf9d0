"""Code is compiled anew in every test of this folder."""

import pytest

from jourdain.codegen import kernel


@pytest.fixture(autouse=True)
def nothing_is_linked():
    kernel._linked.clear()
