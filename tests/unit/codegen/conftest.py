"""Fixtures of the tests of the code generator."""

from __future__ import annotations

from functools import partial

import pytest

from jourdain.codegen import kernel as kernel_module
from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core


@pytest.fixture(scope="module", autouse=True)
def cache_folder(tmp_path_factory):
    """Folder of compiled code that only the tests of one module use."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JOURDAIN_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def kernel_of():
    """Maker of kernels from columns of symbols and of expressions."""

    def make(inputs, outputs, lanes=4):
        return Kernel(
            partial(unrolled_core, inputs, outputs),
            lanes,
            [(name, column.numel()) for name, column in inputs.items()],
            [(name, (column.numel(),)) for name, column in outputs.items()],
        )

    return make


@pytest.fixture(autouse=True)
def nothing_is_linked():
    """Code is compiled anew in every test of this folder."""
    kernel_module._linked.clear()
