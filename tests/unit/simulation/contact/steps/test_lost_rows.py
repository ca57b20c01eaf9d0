"""Ranks of constraint rows with and without masses."""

from types import SimpleNamespace

import numpy as np
import pytest

from jourdain.errors import SingularSystemError
from jourdain.simulation.contact.steps.lost_rows import require_responses

SYSTEM = SimpleNamespace(constraint_rows={"junction": slice(0, 1), "closed": slice(1, 2)})


def machine(light, closed):
    """A junction of three columns, and a row that closes one of them."""
    return SimpleNamespace(
        n_c=2, n_v=3, is_wide=True, n_mass=3, mass=np.array([light, 1.0, 2.0]),
        mass_row=np.arange(3), mass_column=np.arange(3), n_constraint_entries=6,
        P=np.array([1.0, 1.0, 1.0, *closed]), P_row=np.repeat([0, 1], 3),
        P_column=np.tile(np.arange(3), 2),
    )  # fmt: skip


def test_rows_of_twelve_orders_and_repeated_ones_are_held():
    require_responses(SYSTEM, machine(1e-10, [1.0, 0.0, 0.0]))
    require_responses(SYSTEM, machine(1e-15, [2.0, 2.0, 2.0]))  # repeats the junction


def test_a_row_that_rounding_hides_is_refused():
    with pytest.raises(SingularSystemError, match=r"'(junction|closed)' cannot be held"):
        require_responses(SYSTEM, machine(1e-15, [1.0, 0.0, 0.0]))
