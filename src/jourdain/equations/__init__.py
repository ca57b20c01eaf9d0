"""Symbolic equations: motion of joints, recursion steps, formulations."""

import casadi

_options = casadi.GlobalOptions
if hasattr(_options, "getNumpyMode") and _options.getNumpyMode() == 0:
    _options.setNumpyMode(-1)  # np.sin(t) in a user's function needs no warning of 17 lines
