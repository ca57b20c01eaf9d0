"""Checks of numbers of contacts in a run."""

from types import SimpleNamespace

import numpy as np
import pytest

from jourdain.errors import SingularSystemError
from jourdain.simulation.contact.sanity import require_held


def test_what_is_held_must_not_accelerate():
    """A row that the modes hold, and accelerations that move it."""
    touch = SimpleNamespace(name="valve", normal=0, tangents=())
    rows = SimpleNamespace(
        W=np.array([[1.0, 0.0]]), bias=np.zeros(1), vdot=np.array([5.0, 0.0]), G=np.ones((1, 1))
    )
    modes = SimpleNamespace(closed=[0], sticking=[])

    def contacts(vdot):
        kernels = SimpleNamespace(
            rates=lambda *_: (None, np.array(vdot)), contact_forces=lambda *_: (np.ones(3), None)
        )
        system = SimpleNamespace(graph=(None, SimpleNamespace(has_wide_inertias=True)))
        return SimpleNamespace(touches=[touch], kernels=kernels, p=(), system=system)

    require_held(contacts([1e-13, 2.0]), rows, modes, (None, None, None, 0.5))
    with pytest.raises(SingularSystemError, match=r"'valve' is held, but accelerates with 0.7 at"):
        require_held(contacts([0.7, 2.0]), rows, modes, (None, None, None, 0.5))
